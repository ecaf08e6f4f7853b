"""The referee: seats, faults, chance, results. Real processes where a process matters."""

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from games import referee
from games.engine import Fault, FaultKind, MachineryError, Setting
from games.pipes import LinePipes
from games.players import ProcessPlayer
from games.programs import LocalProgram
from games.record import Record, game_events, games, positions, verify
from games.referee import Match, play
from games.rng import choice, pack
from games.tricky_eights.rules import INDEX
from tests.games.cast import TRICKY, FirstLegal, bot, descriptors, fault, house, seats

pytestmark = pytest.mark.promise


def match(*players: Any, seed: int = 5, games: int = 1, on_progress: Any = None, **changes: Any) -> Match:
    played = play(
        TRICKY,
        seats(*players),
        seed=seed,
        options=TRICKY.options({"target": 25, "time_limit": 60, **changes}),
        preset="utah-1998",
        games=games,
        on_progress=on_progress,
    )
    assert verify(played.record) is None
    return played


def faults(record: Record) -> list[dict[str, Any]]:
    return [event for event in record["events"] if event["event"] == "fault"]


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """After every match: no process, no zombie, no open descriptor."""
    processes, before = children(), descriptors()
    yield
    assert not children() - processes
    assert not descriptors() - before


def children() -> set[int]:
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == os.getpid():
            found.add(int(path.parent.name))
    return found


# The record


def test_pack_k_is_pack_k_of_the_seed() -> None:
    record = match(*(house() for _ in range(4)), games=2, seed=9).record
    dealt = [event for event in record["events"] if event["event"] == "hand"]
    assert len(dealt) > 2
    for number, event in enumerate(dealt, 1):
        assert TRICKY.packed(event) == pack(9, number)


# Who is told which events


def test_everybody_is_told_what_he_may_see() -> None:
    players = [FirstLegal({5: fault()}), *(FirstLegal() for _ in range(3))]
    record = match(*players).record
    for seat, player in enumerate(players):
        assert player.seen
        dealt = player.seen[0]
        assert [hand is not None for hand in dealt["hands"]] == [owner == seat for owner in range(4)]
    assert [event for event in players[1].seen if event["event"] == "fault"] == [
        {"event": "fault", "seat": 0, "kind": "crash"}
    ]
    assert len(players[3].seen) == len(record["events"])


# Faults


@pytest.mark.parametrize("kind", FaultKind)
def test_every_kind_of_fault_disqualifies_and_the_referee_plays_on(kind: FaultKind) -> None:
    wrong = Fault(kind, "openat /box/cheat.txt", b"d1")
    culprit = FirstLegal({3: wrong})
    played = match(FirstLegal(), culprit, FirstLegal(), FirstLegal())
    (event,) = faults(played.record)
    assert event == {"event": "fault", "seat": 1, "kind": str(kind), "detail": "openat /box/cheat.txt", "answer": "d1"}
    assert played.faults == [[], [event], [], []]
    assert played.record["result"]["disqualified"] == [1]
    assert played.record["result"]["places"][1] == 4
    at = played.record["events"].index(event)
    after = [event for event in played.record["events"][at:] if event.get("seat") == 1 and "card" in event]
    assert after
    assert all(decision["by"] == "referee" and "ms" not in decision for decision in after)
    assert played.record["events"][at + 1] == after[0]
    assert culprit.closed >= 1
    assert culprit.decisions == 3, "it is not asked again"


def test_the_referee_chooses_by_seed_seat_and_number_of_the_decision() -> None:
    record = match(FirstLegal(), FirstLegal({1: fault()}), FirstLegal(), FirstLegal(), seed=31).record
    told = positions(record, 1, "table")
    number = 0
    for before, position in pairwise(told):
        event = position.event
        if "card" in event:
            number += 1
        if event.get("by") == "referee":
            legal = before.table["legal"]
            assert event["card"] == legal[choice(31, 1, number, len(legal))]


def test_a_fault_never_changes_later_deals() -> None:
    clean = match(*(FirstLegal() for _ in range(4)), games=3, target=1).record
    spoilt = match(FirstLegal({2: fault()}), *(FirstLegal() for _ in range(3)), games=3, target=1).record

    def first_hands(record: Record) -> list[Any]:
        return [event["hands"] for event in record["events"] if event["event"] == "hand"]

    assert first_hands(spoilt)[:3] == first_hands(clean)[:3]


def test_an_illegal_decision_is_a_fault_with_its_reason() -> None:
    state = TRICKY.start(TRICKY.options())
    hand = TRICKY.packed(state.deal(pack(5, 1))[0])
    record = match(FirstLegal({1: hand[0]}), FirstLegal(), FirstLegal(), FirstLegal()).record
    (event,) = faults(record)
    assert event["kind"] == "illegal"
    assert event["detail"] == f"wanted to take {TRICKY.pack[hand[0]]}, which is not in the pool"
    assert event["answer"] == "as scripted"


def test_an_answer_is_kept_readable_and_short() -> None:
    wrong = Fault(FaultKind.GARBLED, "x", b"\xff\x00d\xc3\xa9" + b"y" * 70_000)
    (event,) = faults(match(FirstLegal({1: wrong}), *(FirstLegal() for _ in range(3))).record)
    assert event["answer"].startswith("\\xff\\x00dé")
    assert len(event["answer"]) == 200


def test_no_control_character_of_a_bot_reaches_the_record() -> None:
    """PostgreSQL refuses NUL, and the others spoil a terminal."""
    nasty = "".join(map(chr, range(0xA0)))
    for wrong in (Fault(FaultKind.GARBLED, nasty, nasty), Fault(FaultKind.VIOLATION, nasty, nasty.encode())):
        (event,) = faults(match(FirstLegal({1: wrong}), *(FirstLegal() for _ in range(3))).record)
        assert event["answer"] + event["detail"] == "".join(filter(str.isprintable, event["answer"] + event["detail"]))
        assert event["answer"].startswith("\\x00\\x01")
        assert event["detail"].endswith("~\\x7f" + "".join(f"\\x{code:x}" for code in range(0x80, 0xA0)))


def test_when_everybody_is_out_the_game_ends_with_the_hand_in_progress() -> None:
    played = match(*(FirstLegal({number: fault()}) for number in (9, 4, 6, 2)), games=3)
    record = played.record
    assert [event["seat"] for event in faults(record)] == [3, 1, 2, 0]
    assert record["events"][-2]["event"] == "fault", "nobody decides any more"
    assert record["events"][-1] == {"event": "result", "scores": [0, 0, 0, 0], "winner": None}
    assert record["result"] == {"scores": [0] * 4, "places": [4] * 4, "disqualified": [0, 1, 2, 3]}


def test_the_disqualified_stays_out_of_the_whole_match() -> None:
    culprit = FirstLegal({5: fault()})
    record = match(culprit, FirstLegal(), FirstLegal(), FirstLegal(), games=3).record
    assert culprit.decisions == 5
    for number in (2, 3):
        first = game_events(record, number)[0]
        seat = first["seating"].index(0)
        mine = [event for event in game_events(record, number) if event.get("seat") == seat]
        assert mine
        assert all(event["by"] == "referee" for event in mine)


def test_without_disqualification_only_the_decision_is_lost() -> None:
    culprit = FirstLegal({2: fault(), 5: Fault(FaultKind.GARBLED, "x")})
    record = match(culprit, FirstLegal(), FirstLegal(), FirstLegal(), disqualify=False).record
    assert [event["kind"] for event in faults(record)] == ["crash", "garbled"]
    mine = [event for event in record["events"] if event.get("seat") == 0 and "card" in event]
    assert [number for number, event in enumerate(mine, 1) if "by" in event] == [2, 5]
    assert record["result"]["disqualified"] == []


# Several games


def test_seats_rotate_and_scores_are_the_players() -> None:
    record = match(*(house() for _ in range(4)), games=4, seed=3).record
    total = [0, 0, 0, 0]
    for number in range(1, 5):
        events = game_events(record, number)
        assert events[0] == {
            "event": "game",
            "number": number,
            "seating": [(seat + number - 1) % 4 for seat in range(4)],
        }
        assert events[1]["number"] == 1, "hands start again in every game"
        for seat, points in enumerate(events[-1]["scores"]):
            total[events[0]["seating"][seat]] += points
    assert record["result"]["scores"] == total


# Ours, not theirs


class Broken(FirstLegal):
    def decide(self, legal: Any, place: int) -> Any:
        raise MachineryError("the worker lost its sandbox")


class Elsewhere(FirstLegal):
    """Each of its answers is read later than the one before."""

    late_ms = 0.0

    def decide(self, legal: Any, place: int) -> Any:
        self.late_ms += 0.4
        return super().decide(legal, place)._replace(late_ms=self.late_ms)


def test_time_that_was_given_back_is_recorded_beside_the_decision() -> None:
    record = match(Elsewhere(), *(FirstLegal() for _ in range(3))).record
    given = [event.get("late_ms") for event in record["events"] if event.get("seat") == 0]
    assert given[:4] == [None, None, pytest.approx(1.2), pytest.approx(1.6)]


def test_a_failure_of_the_machinery_is_no_fault() -> None:
    others = [FirstLegal() for _ in range(3)]
    with pytest.raises(MachineryError, match="lost its sandbox"):
        match(others[0], Broken(), *others[1:])
    assert all(player.closed for player in others)


def test_a_program_that_cannot_be_started_is_no_fault() -> None:
    with pytest.raises(MachineryError, match="cannot start"):
        match(bot(), ProcessPlayer(LocalProgram(["/nonexistent/bot"])), bot(), bot())


def test_a_house_player_that_cheats_is_our_fault() -> None:
    class Cheat:
        def tell(self, event: Any) -> None: ...

        def choose(self, legal: Any) -> int:
            return INDEX["ca"] if INDEX["ca"] not in legal else 99

    player = house()
    player._house = type("House", (), {"name": "cheat", "make": staticmethod(lambda *_: Cheat())})()
    with pytest.raises(MachineryError, match="the house player cheat chose"):
        match(player, house(), house(), house())


def test_progress_is_told_after_every_decision_and_may_end_the_match() -> None:
    told: list[int] = []
    record = match(*(house() for _ in range(4)), on_progress=told.append).record
    decisions = sum("card" in event for event in record["events"])
    assert told == list(range(1, decisions + 1))

    def lost_the_lease(number: int) -> None:
        if number == 20:
            raise TimeoutError("lost the lease")

    with pytest.raises(TimeoutError):
        match(bot(), house(), house(), house(), on_progress=lost_the_lease)


# Real bots


def test_four_real_bots_play_a_clean_game() -> None:
    played = match(bot(), bot("note", 2), bot("windows", 3), bot("loud", 4))
    record = played.record
    assert not faults(record)
    decisions = [event for event in record["events"] if "card" in event]
    assert all(list(event)[:4] == ["event", "seat", "card", "ms"] for event in decisions)
    assert all(event["ms"] > 0 for event in decisions)


@pytest.mark.parametrize(
    ("habit", "kind", "detail", "answer"),
    [
        ("nonsense", "garbled", "answered with something that is not a card", True),
        ("nul", "garbled", "answered with something that is not a card", True),
        ("foreign", "illegal", "which it does not hold", True),
        ("revoke", "illegal", "but had to follow suit", True),
        ("crash", "crash", "exited with status 1 without an answer", False),
        ("segfault", "crash", "was ended by signal 11", False),
        ("flood", "output", "wrote more than 65536 bytes that are not an answer", True),
    ],
)
def test_what_real_bots_do_wrong(habit: str, kind: str, detail: str, answer: bool) -> None:
    """At its tenth decision, its seventh card, in a game that the others finish."""
    played = match(bot(), bot(), bot(habit, 10), bot(), seed=8)
    (event,) = faults(played.record)
    assert (event["seat"], event["kind"]) == (2, kind)
    assert detail in event["detail"]
    assert ("answer" in event) == answer
    assert played.record["result"]["disqualified"] == [2]
    mine = [event for event in played.record["events"] if event.get("seat") == 2 and "card" in event]
    at = next(number for number, event in enumerate(mine, 1) if "by" in event)
    assert at == 10 or (habit == "revoke" and at > 10)
    assert all(event["by"] == "referee" for event in mine[at - 1 :])


def test_the_processor_time_of_a_bot_that_thinks_is_known() -> None:
    """From the first decision that takes long enough: all of it, including time used while others are asked."""
    decisions = [
        event
        for event in match(house(), bot("thinking", 4), house(), house(), target=1, seed=3).record["events"]
        if event.get("seat") == 1 and "card" in event
    ]
    assert "cpu_ms" not in decisions[0], "its start is not its thinking"
    later = decisions[4:16]
    assert len(later) == 12
    assert all(event["cpu_ms"] > 15 for event in later)


def test_a_bot_that_dies_after_its_last_decision_did_nothing_wrong() -> None:
    record = match(bot("leave", 16), bot(), bot(), bot(), target=1, seed=2).record
    if sum(event["event"] == "hand" for event in record["events"]) == 1:
        assert not faults(record)
    else:
        assert faults(record)[0]["kind"] == "crash"


def test_standard_error_is_read_before_every_deal_but_costs_no_decision() -> None:
    listener = FirstLegal()
    events = match(listener, FirstLegal(), FirstLegal(), FirstLegal(), games=2).record["events"]
    assert listener.heard == [index for index, event in enumerate(events) if event["event"] == "hand"]


def test_starting_has_an_allowance_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    ask = LinePipes.ask

    def asked(pipes: LinePipes, question: bytes, started: float, seconds: float, place: int) -> bytes:
        given.append(seconds)
        return ask(pipes, question, started, seconds, place)

    monkeypatch.setattr(LinePipes, "ask", asked)
    assert not faults(match(bot(startup=7), house(), house(), house(), time_limit=60).record)
    assert [seconds % 60 for seconds in given] == [7, *[0] * (len(given) - 1)]


def test_standard_error_is_kept_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "GRACE", 60.0)  # it ends by itself
    played = match(house(), bot("note", 2), house(), house())
    first, last = played.debug[1]
    decision = played.record["events"][first.index]
    assert (decision["event"], decision["seat"]) == ("take", 1)
    assert first.text == f"thinking about {decision['card']}\n"
    assert last.text == "goodbye\n"
    assert last.index == len(played.record["events"])
    assert played.debug[0] == played.debug[2] == []


@pytest.mark.parametrize(("given", "told"), [({"match": 404}, 404), ({}, 188_774)])
def test_bots_may_be_told_of_the_number_of_their_match(given: dict[str, int], told: int) -> None:
    """Without one, it is a function of the seed: the same match tells its bots the same number."""

    class Listening(FirstLegal):
        def begin(self, *arguments: Any) -> None:
            super().begin(*arguments)
            settings.append(arguments[-1])

    settings: list[Setting] = []
    players = seats(*(Listening() for _ in range(4)))
    play(TRICKY, players, seed=7, options=TRICKY.options(), preset="open", games=2, **given)
    assert {setting.match for setting in settings} == {told}
    assert [setting.number for setting in settings] == [1] * 4 + [2] * 4


def first_hands(record: Record) -> list[list[Any]]:
    """The first hand that each game deals."""
    return [next(event["hands"] for event in events if event["event"] == "hand") for events in games(record)]


def test_common_deals_are_the_same_game_by_game_however_long_the_games_before_were() -> None:
    """A game that needs one hand and one that needs several are followed by the same packs."""

    def played(openings: list[dict[str, Any]], target: int) -> Record:
        options = TRICKY.options({"target": target})
        record = play(
            TRICKY,
            seats(*(house(name="pseudo_random") for _ in range(4))),
            seed=8,
            options=options,
            preset="utah-1998",
            openings=openings,
        ).record
        assert verify(record) is None
        return record

    common = [{"deal": number} for number in (1, 2, 3)]
    short, long = played(common, 5), played(common, 60)
    assert sum(event["event"] == "hand" for event in long["events"]) > 3
    assert first_hands(short) == first_hands(long)
    assert len({str(hands) for hands in first_hands(long)}) == 3
    own = played([{}, {}, {}], 60)
    assert first_hands(own)[1:] != first_hands(long)[1:]
    alone = played(common[:1], 5)
    assert alone["events"][0]["deal"] == 1, "else nobody could play them again"
    assert first_hands(alone) == first_hands(long)[:1]
