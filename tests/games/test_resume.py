"""A past that is forced comes out again, whatever the game and whoever sits there."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from games import GAMES, get
from games.asking import NotAllowed, question, read_answer
from games.build import seated
from games.engine import CHANCE, OVER, Action, Event, Fault, FaultKind, Game, OptionError, State
from games.participants import Decision, Seated
from games.record import Record, games, verify
from games.referee import play
from games.resume import Forced, Start, decisions_in, follow, now, past_of, start_at
from tests.games.cast import Scripted

SHORT: dict[str, dict[str, Any]] = {
    "tricky_eights": {"target": 40},
    "barracuda": {"lead": 3},
    "hearts": {"target": 30},
}
EVERY = [pytest.param(game, id=game.slug) for game in GAMES.values()]
FORGIVING = {"tricky_eights": {"disqualify": False}, "hearts": {"disqualify": False}}


class Clumsy(Scripted):
    """Plays at random, and makes a fault now and then."""

    def __init__(self, random: Random, faults: float = 0.0) -> None:
        super().__init__(iter(()))
        self.random, self.faults = random, faults

    def decide(self, legal: Any, place: int) -> Any:
        if self.random.random() < self.faults:
            raise Fault(FaultKind.GARBLED, "was not an answer", b"?")
        return Decision(self.random.choice(legal()), 0.25)


def played(game: Game, seed: int, *, count: int | None = None, faults: float = 0.0, **changes: Any) -> Record:
    options = game.options(SHORT.get(game.slug, {}) | changes)
    random = Random(seed)
    seats = [Seated(f"p{seat}", "clumsy.py", Clumsy(random, faults)) for seat in range(game.seats[1])]
    rules = game.preset().name
    record = play(game, seats, seed=seed, options=options, preset=rules, games=count).record
    assert verify(record) is None
    return record


def houses(game: Game, record: Record) -> list[Seated]:
    return [dataclasses.replace(seated(game, f"house:{game.house[0].name}"), name=s["name"]) for s in record["seats"]]


def goes_on(record: Record, start: Start, ask: bool = False) -> tuple[Record, list[Forced]]:
    game = get(record["game"])
    seats, forced = [], []
    for seat, past in zip(houses(game, record), start.past, strict=True):
        forced.append(Forced(seat.player, past, ask=ask))
        seats.append(dataclasses.replace(seat, player=forced[-1]))
    options, preset = game.options(record["options"], record["rules"]), record["rules"]
    how = start.arguments()
    match = play(game, seats, seed=record["seed"], options=options, preset=preset, on_start=follow(forced), **how)
    return match.record, forced


def bare(event: Event) -> Event:
    """An event without the number of its game, and how a decision was made."""
    return {key: value for key, value in event.items() if key not in ("by", "number", "cpu_ms", "ms")}


@pytest.mark.parametrize("game", EVERY)
@pytest.mark.parametrize("faults", [0.03, pytest.param(0.0, marks=pytest.mark.long("more"))])
def test_the_forced_past_gives_the_same_record(game: Game, faults: float) -> None:
    for seed in range(3):
        changes = FORGIVING.get(game.slug, {}) if seed else {}
        record = played(game, seed, count=None if seed == 1 else 2, faults=faults, **changes)
        number = Random(seed).randrange(len(games(record))) + 1
        events = games(record)[number - 1]
        decisions = [ply for ply, event in enumerate(events) if event["event"] in game.decisions]
        last = decisions[-1] if decisions else len(events) - 2
        for ply in sorted({0, last - 1, *decisions[:1], *decisions[len(decisions) // 2 :][:1]} - {last}):
            start = start_at(record, number, ply)
            again, _ = goes_on(record, start)
            assert verify(again) is None
            assert list(map(bare, again["events"][: ply + 1])) == list(map(bare, events[: ply + 1]))
            assert len(games(again)) == 1


def test_other_cards_than_the_seed_deals_cannot_be_played_on() -> None:
    record = played(get("intensity"), 1) | {"seed": 2}
    with pytest.raises(OptionError, match="seed"):
        start_at(record, 1, 5)


def test_who_was_disqualified_is_known_at_each_position() -> None:
    game = get("hearts")
    record = played(game, 5, faults=0.02)
    events = record["events"]
    (first,) = [ply for ply, event in enumerate(events) if event["event"] == "fault"][:1]
    seat = events[first]["seat"]
    assert start_at(record, 1, first - 1).out == frozenset()
    assert start_at(record, 1, first).out == {seat}
    assert start_at(record, 1, first + 3).out == {seat}


def test_decisions_are_counted_as_the_referee_counts_them() -> None:
    for slug, game in GAMES.items():
        counted: list[int] = []
        seats = [Seated(f"p{s}", "x", Clumsy(Random(s), 0.05)) for s in range(game.seats[1])]
        options = game.options(SHORT.get(slug, {}) | FORGIVING.get(slug, {}))
        rules = game.preset().name
        record = play(game, seats, seed=4, options=options, preset=rules, on_progress=counted.append).record
        assert decisions_in(game, record["events"]) == counted[-1]


def test_an_asked_player_that_would_have_done_otherwise_is_found_out_and_replaced() -> None:
    game = get("intensity")
    record = played(game, 3)
    start = start_at(record, 1, len(record["events"]) - 6)
    other = Clumsy(Random(9))
    forced = Forced(Clumsy(Random(8)), start.past[0], ask=True, instead=other)
    seats = houses(game, record)
    players = [forced, *(Forced(seat.player, past) for seat, past in zip(seats[1:], start.past[1:], strict=True))]
    seats = [dataclasses.replace(seat, player=player) for seat, player in zip(seats, players, strict=True)]
    options = game.options(record["options"])
    match = play(
        game, seats, seed=3, options=options, preset=record["rules"], on_start=follow(players), **start.arguments()
    )
    assert forced.differs is not None
    own = [(i, e) for i, e in enumerate(record["events"]) if e.get("seat") == 0 and e["event"] in game.decisions]
    place, event = next((i, e) for i, e in own if i == forced.differs.place)
    assert forced.differs.answer is not None
    assert forced.differs.answer["event"] == event["event"]
    assert forced.differs.text.startswith("would have chosen ")
    assert match.record["events"][: place + 1] == record["events"][: place + 1]
    assert len(other.seen) == len([e for e in match.record["events"] if game.see(e, 0) is not None])


def test_an_asked_player_that_agrees_goes_on() -> None:
    game = get("tricky_eights")
    seats = [seated(game, "house:card_counter") for _ in range(4)]
    options = game.options({"target": 40})
    record = play(game, seats, seed=6, options=options, preset=game.preset().name).record
    start = start_at(record, 1, 60)
    players = [Forced(seated(game, "house:card_counter").player, past, ask=True) for past in start.past]
    again = [dataclasses.replace(seat, player=player) for seat, player in zip(seats, players, strict=True)]
    rules = game.preset().name
    match = play(game, again, seed=6, options=options, preset=rules, on_start=follow(players), **start.arguments())
    assert all(player.differs is None for player in players)
    assert list(map(bare, match.record["events"]))[:61] == list(map(bare, record["events"]))[:61]


@pytest.mark.parametrize("game", EVERY)
def test_where_a_match_stands_is_found_from_its_decisions(game: Game) -> None:
    record = played(game, 2, count=2, faults=0.02, **FORGIVING.get(game.slug, {}))
    names = [(seat["name"], seat["bot"]) for seat in record["seats"]]
    past: list[list[Event]] = [[] for _ in names]
    how: dict[str, Any] = {"seed": 2, "options": game.options(record["options"]), "preset": record["rules"]}
    for events in games(record):
        seating = events[0].get("seating", range(len(names)))
        for player, decided in enumerate(past_of(game, events, len(names), seating)):
            past[player] += decided
    at_end = now(game, names, past, games=2, **how)
    assert at_end.over
    assert at_end.events == record["events"]
    assert at_end.record["result"] == record["result"] | {"disqualified": []}
    assert at_end.player is None
    first = now(game, names, [[] for _ in names], games=2, **how)
    assert not first.over
    assert first.player == first.seating[first.state.turn]
    assert first.events == record["events"][: len(first.events)]


# The open decision ----------------------------------------------------------------------------------------------------


def states(game: Game, seed: int) -> Iterator[State]:
    """The states of a random game, whenever somebody must decide."""
    random = Random(seed)
    opening = game.opening(seed, 1, game.seats[1])
    state = game.start(game.options(SHORT.get(game.slug, {})), opening=opening)
    packs = 0
    while state.turn != OVER:
        if state.turn == CHANCE:
            used = game.dealt(state)
            packs += not used
            state.deal(game.shuffle(seed, packs, opening)[used:])
            continue
        yield state
        state.apply(random.choice(state.legal()))


def _said(game: Game, state: State, action: Action) -> dict[str, Any]:
    """The answer of a person that chooses this legal action."""
    event = state.event(action)
    if "card" in event or event.get("cards"):
        return {"cards": [event["card"]] if "card" in event else list(event["cards"])}
    others = [each for each in state.legal() if not {"card", "cards"} & state.event(each).keys()]
    return {"answer": others.index(action)}


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.slug, marks=[pytest.mark.long("more")] if game.slug == "hearts" else [])
        for game in GAMES.values()
    ],
)
def test_every_legal_action_can_be_chosen_and_read_back(game: Game) -> None:
    for seed in range(2):
        for state in states(game, seed):
            asked = question(state, game)
            assert asked["seat"] == state.turn
            for action in state.legal():
                data = _said(game, state, action)
                assert read_answer(game, state, data) == action
                if "cards" in data:
                    assert len(data["cards"]) == asked["choose"]
                    assert set(data["cards"]) <= set(asked["cards"])
                    text = {"cards": [str(card) for card in data["cards"]]}  # as a form sends it
                    assert read_answer(game, state, text) == action
                else:
                    assert asked["answers"][data["answer"]]["event"] == state.event(action)["event"]


@pytest.mark.parametrize("game", EVERY)
def test_every_other_card_gets_the_objection_of_the_referee(game: Game) -> None:
    for seed in range(2):
        for state in states(game, seed):
            asked = question(state, game)
            allowed = {str(card) for card in asked["cards"]}
            for card in set(map(str, game.pack)) - allowed:
                if asked["choose"] > 1:
                    continue
                with pytest.raises(NotAllowed) as refusal:
                    read_answer(game, state, {"cards": [card]})
                told = str(refusal.value)
                assert told.startswith("You ")
                assert told.endswith(".")
                assert not {"it", "its", "does"} & set(told.rstrip(".").split())


@pytest.mark.parametrize("game", EVERY)
@pytest.mark.parametrize(
    "data",
    [
        {},
        {"cards": []},
        {"cards": "9d"},
        {"cards": [[]]},
        {"cards": [None]},
        {"cards": [True]},
        {"cards": [-1]},
        {"cards": [10**50]},
        {"cards": ["9" * 5000]},
        {"cards": ["²"]},
        {"cards": ["nonsense"]},
        {"cards": ["nonsense"] * 3},
        {"answer": -1},
        {"answer": 99},
        {"answer": "0"},
        {"answer": True},
        {"answer": None},
    ],
)
def test_nonsense_is_refused(game: Game, data: dict[str, Any]) -> None:
    for state in states(game, 1):
        with pytest.raises(NotAllowed):
            read_answer(game, state, data)
        return
