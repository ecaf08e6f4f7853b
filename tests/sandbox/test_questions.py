"""Bots with a process for every question, in real jails: each kind of fault with its consequence."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from games.players import HousePlayer, Seated
from games.questions import QuestionPlayer
from games.record import verify
from games.referee import Match, play
from submissions import trials
from submissions.sandbox import Jail, Limits, build
from tests.sandbox.sandboxes import MEGABYTE, jail, needs, needs_jail, nothing_left, play_hello

pytestmark = needs_jail

GAME = games.get("intensity")
START = (Path(str(GAME.folder)) / "kit" / "intensity.c").read_text()
PLAY = '    printf("%d\\n", first_legal_card('
NAME = '    printf("%s\\n", PLAYER_NAME);'


def match(code: str, *, before: str = PLAY, headers: str = "", startup: float = 0.0, seconds: float = 5.0) -> Match:
    """A game of the starting code, which does something before it plays with nine cards, against the house."""
    assert before in START
    when = "" if before == NAME else "if (n_hand == 9) "
    source = headers + START.replace(before, f"    {when}{{ {code} }}\n{before}")
    result = build(needs("c"), source.encode(), "intensity.c")
    assert result.artifact is not None, result.log
    with nothing_left(), Jail.open(result.artifact, needs("c"), Limits(memory_bytes=16 * MEGABYTE)) as place:
        seats = [Seated("The Team", "intensity.c", QuestionPlayer(place, startup=startup))]
        seats += [Seated(name, f"house:{name}", HousePlayer(GAME.house[0])) for name in ("a", "b", "c")]
        options = GAME.options({"time_limit": seconds})
        played = play(GAME, seats, seed=7, options=options, preset=GAME.preset().name)
    play_hello()
    return played


def test_the_starting_code_plays_without_a_fault() -> None:
    played = match("")
    assert played.faults == [[], [], [], []]
    assert played.record["seats"][0]["name"] == "COMP1511 student"
    own = [event for event in played.record["events"] if event.get("seat") == 0 and "ms" in event]
    assert len(own) == 11
    assert all(event["cpu_ms"] > 0 for event in own)


@pytest.mark.parametrize(
    ("code", "kind", "detail"),
    [
        ("for (;;) { }", "timeout", "did not answer in time"),
        ("abort();", "crash", "was ended by signal 6"),
        ("for (char *p;;) if ((p = malloc(4096))) *p = 1;", "memory", "went over"),
        ('for (;;) puts("23");', "output", "flooded its output"),
        ('fopen("state", "w");', "violation", "openat /box/state"),
        ('if (system("ls")) exit(1);', "violation", ""),
        ('puts("23"); fflush(stdout); fopen("state", "w");', "violation", "openat /box/state"),
    ],
)  # fmt: skip
def test_every_kind_of_fault_costs_five_points_and_nothing_else(code: str, kind: str, detail: str) -> None:
    played = match(code, seconds=0.5)
    (fault,) = played.faults[0]
    assert (fault["kind"], fault["points"]) == (kind, 5)
    assert fault["detail"].startswith(detail)
    assert played.record["result"]["disqualified"] == []
    assert sum(played.record["result"]["scores"]) == 17 + 5
    assert sum("ms" in event for event in played.record["events"] if event.get("seat") == 0) == 10, "it is asked on"
    assert verify(played.record) is None


def test_unit_tests_that_do_something_forbidden_are_told_so() -> None:
    with jail("c", '#include <stdio.h>\nint main(void) { return fopen("notes", "w") == NULL; }') as place:
        found = trials.unit_tests(GAME, place, GAME.options(), startup=5.0)
    assert found is not None
    assert found["title"] == "Its unit tests failed: the program made a forbidden system call: openat /box/notes."
