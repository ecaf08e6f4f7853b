"""Records folded into positions, and their verification."""

import copy
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games.format import USED_UP
from games.record import (
    Difference,
    faults_by_player,
    game_events,
    game_seating,
    games,
    games_played,
    loads,
    log,
    positions,
    seating_of,
    verify,
)
from tests.games.cast import TRICKY

GOLDEN = Path(__file__).parent / "golden"
Record = dict[str, Any]


@pytest.fixture
def record() -> Record:
    """Two games; P0 and P2 are disqualified, P0 in the first."""
    return loads((GOLDEN / "tricky_eights-faults.json").read_bytes())


def find(record: Record, kind: str, number: int = 0) -> int:
    return [index for index, event in enumerate(record["events"]) if event["event"] == kind][number]


# Games of a match


def test_a_match_is_taken_apart_into_games(record: Record) -> None:
    assert games_played(record) == 2
    first, second = game_events(record, 1), game_events(record, 2)
    assert first + second == record["events"]
    assert (first[0], first[-1]["event"]) == ({"event": "game", "number": 1, "seating": [0, 1, 2, 3]}, "result")
    assert game_seating(record, 1) == [0, 1, 2, 3]
    assert game_seating(record, 2) == [1, 2, 3, 0]


def test_all_games_of_a_match_at_once(record: Record) -> None:
    assert games(record) == [game_events(record, 1), game_events(record, 2)]
    assert [seating_of(record, game) for game in games(record)] == [[0, 1, 2, 3], [1, 2, 3, 0]]


def test_an_unfinished_game_is_there_but_was_not_played(record: Record) -> None:
    record["events"].pop()
    assert [len(game) for game in games(record)] == [len(game_events(record, 1)), len(game_events(record, 2))]
    assert games_played(record) == 1
    record["events"].clear()
    assert (games(record), games_played(record)) == ([], 0)


def test_a_long_match_is_taken_apart_in_one_pass() -> None:
    """Every event is read once, however many games there are."""
    looked = 0

    class Event(dict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            nonlocal looked
            looked += 1
            return super().__getitem__(key)

    events = [Event(event=kind) for _ in range(1000) for kind in ("game", "hand", "result")]
    assert len(games({"events": events, "seats": []})) == 1000
    assert looked == len(events)


@pytest.mark.parametrize("number", [0, -1, 3])
def test_a_game_that_was_not_played(record: Record, number: int) -> None:
    for look in (game_events, positions, log):
        with pytest.raises(IndexError, match=f"no game {number}"):
            look(record, number)


# Positions


def test_a_seat_sees_no_other_hand_and_no_reason_of_anothers_fault(record: Record) -> None:
    at = next(index for index, event in enumerate(game_events(record, 1)) if event["event"] == "fault")
    assert positions(record, 1, "table")[at].event["detail"]
    assert positions(record, 1, 0)[at].event["detail"]
    assert "detail" not in positions(record, 1, 1)[at].event
    assert "detail" not in positions(record, 1)[at].event
    assert positions(record, 1, 1)[at].table["faults"] == ["crash", None, None, None]
    hands = positions(record, 1, 1)[at].table["hands"]
    assert [hand is None for hand in hands] == [True, False, True, True]
    assert all(hand is None for hand in positions(record, 1)[at].table["hands"])


# Verification


def test_a_true_record_is_true(record: Record) -> None:
    assert verify(record) is None


def test_times_do_not_matter(record: Record) -> None:
    for event in record["events"]:
        if event["event"] in ("take", "play") and "by" not in event:
            event["ms"] = 3999.5
            event["cpu_ms"] = 1
    assert verify(record) is None


Change = Callable[[Record], Any]


def _change(kind: str, number: int = 0, /, **fields: Any) -> Change:
    return lambda record: record["events"][find(record, kind, number)].update(fields)


def _drop(kind: str, number: int = 0) -> Change:
    return lambda record: record["events"].pop(find(record, kind, number))


def _result(**fields: Any) -> Change:
    return lambda record: record["result"].update(fields)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (_change("trick", winner=4), "stands where the rules give"),
        (_change("trick", points=4), "stands where the rules give"),
        (_change("score", hand=[25, 0, 0, 0]), "stands where the rules give"),
        (_change("score", 1, total=[1, 2, 3, 4]), "stands where the rules give"),
        (_change("result", winner=0), "stands where the rules give"),
        (_change("game", 1, seating=[0, 1, 2, 2]), "does not seat 4 players"),
        (_change("game", 1, leader=1), "does not open game 2"),
        (_change("game", 0, number=2), "does not open game 1"),
        (_change("hand", 0, number=3), "stands where the rules give"),
        (_change("hand", dealer=1), "stands where the rules give"),
        (_change("hand", hands=[]), "this hand cannot be dealt: there must be four hands"),
        (_change("hand", pool=["c2"] * 12), "this hand cannot be dealt: .* not one pack"),
        (_change("hand", hands=7), "cannot be read"),
        (_change("take", seat=1), "is not due: it is the turn of seat 0"),
        (_change("take", 1, card="zz"), "'zz' is not a card"),
        (_change("play", 1, card="d9", note=1), "."),
        (_change("play", 5, seat=None), "is not due"),
        (_change("take", by="referee"), "the player itself must make this decision"),
        (
            lambda record: record["events"][find(record, "fault") + 1].update(by="mallory"),
            "by 'mallory', who is nobody",
        ),
        (lambda record: record.update(rules="utah-1899"), "has no preset 'utah-1899'"),
        (_change("fault", seat=2), "a fault of seat 2 is not possible here"),
        (_change("fault", kind="laziness"), "no fault of the kind 'laziness'"),
        (_change("fault", points=5), "costs None points, not 5"),
        (_drop("trick"), "stands where the rules give"),
        (_drop("score"), "stands where the rules give"),
        (_drop("hand", 1), "is not due: a hand must be dealt"),
        (_drop("fault"), "the player itself must make this decision"),
        (_drop("result"), "stands where the rules give"),
        (_drop("play", 7), "."),
        (_result(scores=[1, 2, 3, 4]), "the result's scores are"),
        (_result(places=[1, 2, 3, 4]), "the result's places are"),
        (_result(disqualified=[]), "the result's disqualified are"),
        (lambda record: record["events"].pop(), "the record ends, but the game is over and its result is due"),
        (lambda record: record["events"].clear(), "the record ends, but no game has begun"),
        (lambda record: record["seats"].pop(), "3 players do not play Tricky Eights"),
        (lambda record: record["options"].update(target=0), "target is a whole number"),
        (lambda record: record["options"].update(luck=1), "has no option luck"),
        (lambda record: record["options"].update(target=50), "."),
        (
            lambda record: record["events"].insert(1, {"event": "trick", "winner": 0, "points": 3}),
            "does not follow here",
        ),
        (lambda record: record["events"].insert(3, record["events"][1]), "a hand is dealt, but it is the turn of"),
    ],
)
def test_every_change_is_found(record: Record, change: Change, complaint: str) -> None:
    before = copy.deepcopy(record)
    change(record)
    assert record != before
    difference = verify(record)
    assert difference is not None
    assert re.search(complaint, difference.text), difference


def test_the_first_difference_is_told_with_its_place(record: Record) -> None:
    index = find(record, "trick", 4)
    record["events"][index]["points"] = 9
    difference = verify(record)
    assert isinstance(difference, Difference)
    assert difference.index == index
    assert str(difference).startswith(f'event {index}: {{"event":"trick"')


def test_an_illegal_card_is_told_with_its_reason() -> None:
    record = loads((GOLDEN / "tricky_eights-random.json").read_bytes())
    plays = [index for index, event in enumerate(record["events"]) if event["event"] == "play"]
    record["events"][plays[4]]["card"] = record["events"][plays[5]]["card"]
    difference = verify(record)
    assert difference is not None
    assert difference.index == plays[4]
    assert "is not legal: it " in difference.text


def test_a_decision_after_a_fault_must_be_the_referees(record: Record) -> None:
    at = find(record, "fault") + 1
    assert record["events"][at].pop("by") == "referee"
    difference = verify(record)
    assert difference is not None
    assert (difference.index, "the referee must make" in difference.text) == (at, True)


def test_nothing_comes_after_the_end() -> None:
    record = loads((GOLDEN / "tricky_eights-random.json").read_bytes())
    record["events"].append(record["events"][-1])
    assert "after the end of the match" in str(verify(record))


def test_nothing_comes_after_everybody_is_out() -> None:
    record = loads((GOLDEN / "tricky_eights-all_out.json").read_bytes())
    record["events"].append({"event": "game", "number": 2, "seating": [1, 2, 3, 0]})
    assert "after the end of the match" in str(verify(record))


def test_an_older_record_without_an_option_has_its_default(record: Record) -> None:
    del record["options"]["disqualify"]
    assert verify(record) is None


def test_the_default_is_that_of_its_own_preset(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    """A preset under which faults disqualify nobody, and a record that was played under another."""
    mild = replace(TRICKY.presets[0], name="mild", options={**TRICKY.presets[0].options, "disqualify": False})
    monkeypatch.setattr(type(TRICKY), "presets", (*TRICKY.presets, mild))
    del record["options"]["disqualify"]
    record["rules"] = "mild"
    assert "the player itself must make this decision" in str(verify(record))
    pardoned = loads((GOLDEN / "tricky_eights-pardoned.json").read_bytes())
    del pardoned["options"]["disqualify"]
    pardoned["rules"] = "mild"
    assert verify(pardoned) is None


def test_a_clock_that_stays_used_up_is_one_fault_of_its_game() -> None:
    ran_out = {"event": "fault", "seat": 1, "kind": "timeout", "detail": "did not answer before its clock ran out"}
    used_up = {**ran_out, "detail": USED_UP}
    crash = {"event": "fault", "seat": 0, "kind": "crash", "detail": "ended with status 1"}
    result = {"event": "result"}
    events = [ran_out, used_up, crash, used_up, result, used_up, used_up, {**used_up, "seat": 0}, result]
    record = {"seats": [{}, {}], "events": events}
    assert faults_by_player(record) == [[crash, {**used_up, "seat": 0}], [ran_out, used_up]]
