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
        ('printf("50\\n"); exit(0);', "illegal", "played 50, which is not a card: they are numbered 10 to 49"),
        ('printf("no card\\n"); exit(0);', "garbled", "answered with something that is not a number"),
        ("for (;;) { }", "timeout", "did not answer in time"),
        ("abort();", "crash", "was ended by signal 6"),
        ("exit(4);", "crash", "exited with status 4 without an answer"),
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


@pytest.mark.parametrize(
    "code", ["abort();", "for (;;) { }", "exit(3);", "for (char *p;;) if ((p = calloc(1, 9999))) *p = 1;"]
)
def test_what_was_written_completely_counts_whatever_follows(code: str) -> None:
    answer = 'printf("%d\\n", first_legal_card(n_hand, hand, n_round, round, contains_calf(n_played, played)));'
    played = match(f"{answer} fflush(stdout); {code}", seconds=0.5)
    assert played.faults[0] == []


@pytest.mark.parametrize("code", ["abort();", 'fopen("state", "w");', "for (;;) { }", "exit(0);"])
def test_a_fault_at_the_name_costs_nothing(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME), "seconds", lambda *_: 0.5)
    played = match(code, before=NAME)
    assert played.record["seats"][0]["name"] == "The Team"
    assert played.faults[0] == []


def test_nothing_is_carried_over_from_one_question_to_the_next() -> None:
    """Memory, files and processes of a question disappear with it: a counter never exceeds one."""
    headers = "static int asked;\n"
    played = match("if (++asked > 1) exit(1);", headers=headers)
    assert played.faults[0] == []


def test_its_notes_are_kept_with_their_place() -> None:
    played = match('fprintf(stderr, "nine cards\\n");')
    (piece,) = played.debug[0]
    assert piece.text == "nine cards\n"
    assert played.record["events"][piece.index]["event"] == "play"


def test_unit_tests_that_do_something_forbidden_are_told_so() -> None:
    with jail("c", '#include <stdio.h>\nint main(void) { return fopen("notes", "w") == NULL; }') as place:
        found = trials.unit_tests(GAME, place, GAME.options(), startup=5.0)
    assert found is not None
    assert found["title"] == "Its unit tests failed: the program made a forbidden system call: openat /box/notes."
