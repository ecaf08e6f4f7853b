"""C entries as on the portal: faults that only a sandbox can see (the time penalty: tests/clocks)."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from games import get
from games.players import HousePlayer, Seated
from games.record import verify
from games.referee import Match, play
from games.routines import RoutinePlayer
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, build
from tests.sandbox.sandboxes import MEGABYTE, needs, needs_jail

pytestmark = [needs_jail, pytest.mark.promise]

GAME = get("hearts")
KIT = Path(str(GAME.folder)) / "kit"

HEADER = """
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
"""


def match(action: str, *, games: int = 1) -> Match:
    """The kit's shell does this in its fourth trick, once; house players have the other seats."""
    language = needs("c")
    head, routine, body = (KIT / "shell.c").read_text().partition("pascal void PlayTrick(")
    before, brace, after = body.partition("{")
    once = f"static int done; if (!done && trickNumber == 3) {{ done = 1; {action} }}"
    source = f"{HEADER}{head}{routine}{before}{brace} {once} {after}"
    support = {name: (KIT / name).read_bytes() for name in GAME.kit_sources["c"]}
    built = build(language, source.encode(), "entry.c", support)
    assert built.artifact is not None, built.log
    random = GAME.house[0]
    with ExitStack() as stack:
        limits = Limits(memory_bytes=GAME.preset().memory_mb * MEGABYTE)
        jail = stack.enter_context(Jail.open(built.artifact, LANGUAGES["c"], limits))
        seats = [Seated("entry", "entry.c", RoutinePlayer(jail))]
        seats += [Seated(f"random {number}", "house:random", HousePlayer(random)) for number in range(3)]
        options = GAME.options({"target": 1, "time_limit": 2})
        done = play(GAME, seats, seed=4, options=options, preset=GAME.preset().name, games=games)
    assert verify(done.record) is None
    return done


@pytest.mark.parametrize(
    ("action", "kind", "detail"),
    [
        ('open("cheat.txt", O_CREAT | O_WRONLY, 0600);', "violation", "openat /box/cheat.txt"),
        (
            "volatile char *room = malloc(200 << 20); for (long at = 0; at < 200 << 20; at += 4096) room[at] = 1;",
            "memory",
            "went over its memory limit",
        ),
        ("for (;;) {}", "timeout", "did not answer in time"),
    ],
)
def test_every_fault_disqualifies(action: str, kind: str, detail: str) -> None:
    done = match(action, games=2)
    (fault,) = done.faults[0]
    assert (fault["kind"], fault["detail"]) == (kind, detail)
    assert done.record["result"]["disqualified"] == [0]
