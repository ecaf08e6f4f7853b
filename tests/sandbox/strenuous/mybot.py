"""Works hard: much input, garbage, exceptions, the time, much output."""

import contextlib
import gc
import locale
import sys
import time

size = 0
while piece := sys.stdin.buffer.read(65536):
    size += len(piece)
caught = 0
for _ in range(3000):
    cycle = []
    cycle.append([cycle, "x" * 500])
    try:
        {}[cycle[0][1]]
    except KeyError:
        caught += 1
gc.collect()
with contextlib.suppress(locale.Error):  # it may be missing
    locale.setlocale(locale.LC_ALL, "")
print(time.strftime("%c %Z", time.localtime()), file=sys.stderr)
for i in range(3000):
    print(f"{i:063}")
print("ok", size)
assert caught == 3000
