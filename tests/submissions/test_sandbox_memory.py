"""Where the memory limit bites, to half a megabyte: at both levels, for any size of worker, after any earlier
process."""

from __future__ import annotations

import pytest

from benchmarks.memory import BLOAT, EATER, LIMIT, MEGABYTE, TARGET, searched
from games.programs import ExitStatus
from submissions.sandbox import Answer, Jail, cgroups
from tests.submissions.sandboxes import HELLO, jail, needs_groups, needs_jail

pytestmark = [needs_jail, pytest.mark.sandbox]

OVER = LIMIT + int(TARGET * MEGABYTE)


@pytest.mark.parametrize("bloat", [0, BLOAT])
@pytest.mark.parametrize("level", [pytest.param("groups", marks=needs_groups), "rlimits"])
def test_a_bot_may_use_its_limit_and_not_half_a_megabyte_more(level: str, bloat: int) -> None:
    fresh, lasting = searched(level, bloat, 2)
    for size in (*fresh, *lasting):
        assert abs(size - LIMIT) <= TARGET * MEGABYTE


def eat(place: Jail, size: int) -> Answer:
    return place.ask(b"%d\n" % size, seconds=5.0)


def test_a_question_right_after_a_hungry_one_is_judged_for_itself() -> None:
    with jail("c", EATER.decode(), memory_bytes=LIMIT) as place:
        for number in range(150):
            assert eat(place, OVER).exit.status is ExitStatus.MEMORY, number
            assert eat(place, LIMIT - MEGABYTE // 4).output == b"eaten\n", number
            small = eat(place, 4096)
            assert small.output == b"eaten\n", number
            assert small.exit.peak_bytes < MEGABYTE, "the peak is its own"


ASKING = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
int main(void)
{
    ASK
}
"""
MANY = 500 * MEGABYTE


@pytest.mark.parametrize(
    ("ask", "status"),
    [
        (f"volatile char *block = malloc({MANY}); block[0] = 1; return 0;", "memory"),
        (f"return malloc({MANY}) == NULL;", "memory"),
        (f"return realloc(malloc(1 << 20), {MANY}) == NULL;", "memory"),
        (f"return !calloc({MANY}, 1 << 10);", "memory"),
        (f"return malloc({MANY}) != NULL;", "exited"),  # it survived that
        (f"return mmap(0, {MANY}, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;", "exited"),
        ("return malloc(1 << 20) ? 0 : 3;", "exited"),
    ],
)
def test_who_fails_for_asking_too_much_at_once_went_over_the_limit(
    ask: str, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With only rlimits the kernel refuses the memory, so the bot never holds it."""
    monkeypatch.setattr(cgroups, "layout", no_groups)
    with jail("c", ASKING.replace("ASK", ask), memory_bytes=LIMIT) as place:
        end = place.ask(b"", seconds=5.0).exit
    assert (end.status, end.code) == (status, end.code if status == "memory" else 0)


def no_groups() -> None:
    raise cgroups.Unavailable("off in this test")


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
                assert place.ask(b"0 4096 0", seconds=5.0).output == b"eaten\n"
            hungry = place.ask(b"%d %d %d" % (before, OVER, after), seconds=5.0)
            assert hungry.exit.status is ExitStatus.MEMORY
            assert place.ask(b"%d 3900000 %d" % (before, after), seconds=5.0).output == b"eaten\n"


def test_a_small_limit_is_enough_for_a_small_bot() -> None:
    with jail("c", HELLO["c"], memory_bytes=MEGABYTE // 2) as place:
        for _ in range(100):
            assert place.ask(b"one\n", seconds=5.0).output == b"got one\n"
