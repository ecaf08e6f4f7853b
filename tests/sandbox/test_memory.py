"""Where the memory limit bites, to half a megabyte: at both levels, for any size of worker, after any earlier
process."""

from __future__ import annotations

import os

import pytest

from benchmarks.memory import BLOAT, EATER, LIMIT, MEGABYTE, TARGET, searched
from games.programs import ExitStatus
from submissions.sandbox import Answer, Jail, Limits, cgroups, walls
from submissions.sandbox.policy import TOOLCHAIN
from submissions.sandbox.recipe import Recipe
from tests.sandbox.sandboxes import (
    HELLO,
    jail,
    needs_groups,
    needs_jail,
    needs_landlock,
    needs_namespaces,
)

pytestmark = needs_jail

OVER = LIMIT + int(TARGET * MEGABYTE)


@pytest.mark.parametrize("bloat", [0, BLOAT])
@pytest.mark.parametrize("level", [pytest.param("groups", marks=needs_groups), "rlimits"])
def test_a_bot_may_use_its_limit_and_not_half_a_megabyte_more(level: str, bloat: int) -> None:
    fresh, lasting = searched(level, bloat, 2)
    for size in (*fresh, *lasting):
        assert abs(size - LIMIT) <= TARGET * MEGABYTE


def eat(place: Jail, size: int) -> Answer:
    return place.ask(b"%d\n" % size, seconds=60.0)


def test_a_question_right_after_a_hungry_one_is_judged_for_itself() -> None:
    with jail("c", EATER.decode(), memory_bytes=LIMIT) as place:
        for number in range(150):
            assert eat(place, OVER).exit.status is ExitStatus.MEMORY, number
            assert eat(place, LIMIT - MEGABYTE // 4).output == b"eaten\n", number
            small = eat(place, 4096)
            assert small.output == b"eaten\n", number
            assert small.exit.peak_bytes < MEGABYTE, "the peak is its own"


ASKING = """
#pragma GCC optimize("O0")  // nothing is left out because nobody reads it
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    ASK
}
"""
MANY = 200 * MEGABYTE


def no_groups() -> None:
    raise cgroups.Unavailable("off in this test")


@pytest.fixture(
    params=[
        pytest.param(("namespaces", True), marks=[needs_namespaces, needs_groups], id="full"),
        pytest.param(("namespaces", False), marks=needs_namespaces, id="limits"),
        pytest.param(("landlock", True), marks=[needs_landlock, needs_groups], id="landlock"),
        pytest.param(("landlock", False), marks=needs_landlock, id="bare-container"),
    ]
)
def level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every level that this machine can have, one after the other."""
    confining, groups = request.param
    monkeypatch.setattr(walls, "are", lambda: walls.Walls(confining))
    if not groups:
        monkeypatch.setattr(cgroups, "layout", no_groups)
    return f"{confining}, {groups}"


TAKING = {
    f"memset(malloc({MANY}), 1, {MANY}); return 0;": "memory",
    f"return !memset(calloc({MANY}, 1), 1, {MANY});": "memory",
    f"static char hoard[{MANY}]; memset(hoard, 1, {MANY}); return hoard[4096] != 1;": "memory",
    f"for (int n = 0; n < {MANY} / 1000; n++) {{ char *it = malloc(1000); it[0] = it[999] = 1; }} return 0;": "memory",
    f"char *it = sbrk({MANY}); memset(it, 1, {MANY}); return 0;": "memory",
    f"return !memset(realloc(malloc(1 << 20), {MANY}), 1, {MANY});": "memory",
    f"return malloc({MANY}) == NULL;": "exited 0",  # what nobody touches is not there
    "for (int n = 0; n < 200; n++) if (!malloc(1 << 20)) return 1; return 0;": "exited 0",
    f"return mmap(0, {MANY}, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;": "exited 0",
    "memset(malloc(3 << 20), 1, 3 << 20); return 3;": "exited 3",
    "void *it = mmap(0, 2 << 20, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0); memset(it, 1, 2 << 20); return 0;": "exited 0",
}


@pytest.mark.parametrize("lasting", [False, True], ids=["asked", "started"])
@pytest.mark.parametrize("ask", TAKING)
def test_the_verdict_on_memory_is_the_same_at_every_level(ask: str, lasting: bool, level: str) -> None:
    with jail("c", ASKING.replace("ASK", ask), memory_bytes=LIMIT) as place:
        end = place.start().stop(60.0) if lasting else place.ask(b"", seconds=60.0).exit
    assert TAKING[ask] == ("memory" if end.status is ExitStatus.MEMORY else f"{end.status} {end.code}"), (level, end)


HIDING = {
    "a shared mapping": f"memset(mmap(0, {MANY}, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, {MANY});",
    "a shared mapping that is put out of sight": """
        char *it = mmap(0, 64 << 20, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        for (int n = 0; n < 64; n++) { memset(it + (n << 20), 1, 1 << 20); madvise(it + (n << 20), 1 << 20, 4); }""",
    "many shared mappings": "for (;;) memset(mmap(0, 1 << 20, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, 1 << 20);",
    "page tables": """
        char *it = mmap(0, 16L << 30, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        madvise(it, 16L << 30, MADV_NOHUGEPAGE);
        for (long at = 0; at < 16L << 30; at += 2 << 20) it[at] = 1;""",
    "the stack": "volatile char deep[1 << 22]; memset((char *)deep, 1, sizeof deep); volatile char more[600000];"
    " memset((char *)more, 1, sizeof more);",
}


@pytest.mark.parametrize("how", HIDING)
def test_memory_cannot_be_hidden_at_any_level(how: str, level: str) -> None:
    with jail("c", ASKING.replace("ASK", HIDING[how]), memory_bytes=LIMIT) as place:
        assert place.start().stop(60.0).status is ExitStatus.MEMORY


SLOW = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    long before, size, after;
    if (scanf("%ld %ld %ld", &before, &size, &after) != 3)
        return 1;
    usleep(1000 * before);
    char *block = malloc(size + 1);
    for (long at = 0; at < size; at += 4096)
        block[at] = 1;
    usleep(1000 * after);
    puts(block ? "eaten" : "refused");
}
"""


@pytest.mark.parametrize(("before", "after"), [(300, 0), (0, 300)])
def test_what_quick_questions_leave_is_not_granted_to_a_slow_one(before: int, after: int) -> None:
    """The limit is raised for what earlier processes left, which is freed within milliseconds."""
    with jail("c", SLOW, memory_bytes=LIMIT) as place:
        for _ in range(3):
            for _ in range(100):
                assert place.ask(b"0 4096 0", seconds=60.0).output == b"eaten\n"
            hungry = place.ask(b"%d %d %d" % (before, OVER, after), seconds=60.0)
            assert hungry.exit.status is ExitStatus.MEMORY
            assert place.ask(b"%d 3900000 %d" % (before, after), seconds=60.0).output == b"eaten\n"


def test_a_small_limit_is_enough_for_a_small_bot() -> None:
    with jail("c", HELLO["c"], memory_bytes=MEGABYTE // 2) as place:
        for _ in range(100):
            assert place.ask(b"one\n", seconds=60.0).output == b"got one\n"


PAIRS = """
import os, socket
pairs, size = [], 0
try:
    while len(pairs) < 120:
        pairs.append(socket.socketpair())
        for end in pairs[-1]:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 18)
            end.setblocking(False)
            while True:
                try:
                    size += end.send(bytes(1 << 16))
                except BlockingIOError:
                    break
except OSError:
    pass
print(len(pairs), size >> 20)
"""


def test_a_build_hides_little_in_pairs_of_sockets(level: str) -> None:
    """What is in their buffers belongs to no process. With control groups it counts."""
    limits = Limits(processes=8, scratch_bytes=MEGABYTE, open_files=256)
    with Jail(Recipe(TOOLCHAIN, ("/init",), ("/usr",)), limits) as place:
        process = place.run("/usr/bin/python3", "-c", PAIRS)
        assert process.ended(30.0)
        pairs, megabytes = map(int, os.read(process.stdout, 99).split())
    if not cgroups_are_used():
        assert (pairs, megabytes < 48) == (64, True)


def cgroups_are_used() -> bool:
    try:
        cgroups.layout()
    except cgroups.Unavailable:
        return False
    return True
