"""Makes the system calls that it is told on standard input."""

import ctypes
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
memory = ctypes.create_string_buffer(1 << 16)
start = ctypes.addressof(memory)
results = [0]


def value(word):
    if word[0] == "m":
        return start + int(word[1:])
    if word[0] == "r":
        number, _, more = word[1:].partition("+")
        result = results[int(number)]
        return result if result < 0 else result + int(more or 0)
    return int(word)


def call(words, times):
    arguments = [ctypes.c_long(value(word)) for word in words]
    for _ in range(times):
        result = libc.syscall(*arguments)
    results.append(-ctypes.get_errno() if result == -1 else result)
    print("c", len(results) - 1, results[-1])


times = 1
for line in sys.stdin:
    op, *words = line.split()
    match op:
        case "e":
            break
        case "w":
            data = bytes.fromhex(words[1])
            ctypes.memmove(start + int(words[0]), data, len(data))
        case "p" | "q":
            number = start + int(words[1]) if op == "p" else results[int(words[1])]
            ctypes.memmove(start + int(words[0]), number.to_bytes(8, "little", signed=number < 0), 8)
        case "n":
            times = int(words[0])
        case "c":
            call(words, times)
            times = 1
        case "i":
            print("u no machine code")
        case "d":
            at, size = map(int, words)
            print("d", memory.raw[at : at + size].hex())
        case "b":
            until = time.monotonic() + int(words[0]) / 1000
            while time.monotonic() < until:
                pass
        case "h":
            print("held")
            sys.stdin.readline()
print("end")
