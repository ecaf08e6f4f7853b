"""How soon the sandbox ends what goes over its limits."""

from __future__ import annotations

import time

from benchmarks.memory import LIMIT
from games.programs import ExitStatus
from tests.sandbox import test_memory
from tests.sandbox.prompt import undelayed
from tests.sandbox.sandboxes import jail, line_of, needs_jail

pytestmark = needs_jail
level = test_memory.level

SLEEPER = "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n"


def test_the_wall_limit_is_overshot_by_little() -> None:
    overshoot = []
    with jail("c", SLEEPER) as place, undelayed(place):
        for _ in range(20):
            process = place.start()
            started = time.perf_counter()
            process.stop(0.05)
            overshoot.append(time.perf_counter() - started - 0.05)
    assert min(overshoot) < 0.05  # benchmarks/sandbox.py measures more exactly


GROWING = """
#pragma GCC optimize("O0")
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
    struct timespec t;
    memset(malloc(8 << 20), 1, 8 << 20);
    clock_gettime(CLOCK_MONOTONIC, &t);
    printf("%ld\\n", t.tv_sec * 1000000000 + t.tv_nsec);
    fflush(stdout);
    for (;;)
        pause();
}
"""


def test_what_holds_too_much_is_ended_within_200_ms(level: str) -> None:
    late = []
    for _ in range(7):
        with jail("c", GROWING, memory_bytes=LIMIT) as place, undelayed(place):
            process = place.start()
            since = int(line_of(process) or time.monotonic_ns())  # a control group does not let it say so
            end = process.ended(60.0)
            late.append((time.monotonic_ns() - since) / 1e6)
        assert end is not None
        assert end.status is ExitStatus.MEMORY
    assert min(late) < 200, f"{late}: the others may have waited for a core, as we do"
