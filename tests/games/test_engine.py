"""The contract that every game must satisfy (games/engine.py). A game without golden records fails here."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import GAMES, get
from games.engine import CHANCE, OVER, Event, FaultKind, Game, OptionError, Setting
from games.events import CLOCKS, DECISIONS, FIELDS
from games.format import dumps, loads, outcome
from games.players import PROTOCOLS
from games.record import games_played, log, positions, verify
from games.referee import play
from games.toolchains import RECIPES
from tests.games.cast import Dealer, Scripted, fault, house, playout, seats, without_times

GOLDEN = Path(__file__).parent / "golden"
NONSENSE: list[Any] = [None, -1, 52, 10**9, 2**70, 1.0, 0.5, True, "c2", "", b"c2", (1, 2), (), frozenset({1})]
SEEDS = st.integers(0, 2**40)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
few = settings(max_examples=8, deadline=None)


def names(event: Event) -> list[Any]:
    """The cards that a `hand` event deals."""
    cards = [card for hand in event["hands"] for card in hand]
    return cards + [card for pile in ("pool", "stock") for card in event.get(pile, [])]


@every_game
def test_a_game_says_what_it_is(game: Game) -> None:
    assert get(game.slug) is game
    assert game.title
    assert game.tagline
    assert game.protocol in PROTOCOLS
    assert 1 <= game.seats[0] <= game.seats[1] == len(game.seat_names)
    assert game.house[0].name == "random"
    assert len({house.name for house in game.house}) == len(game.house)
    assert game.rules_text().startswith("#")


@every_game
def test_presets_are_complete_and_accepted(game: Game) -> None:
    for preset in game.presets:
        assert game.options(preset=preset.name) == preset.options
        assert game.preset(preset.name) is preset
        assert set(preset.languages) <= set(RECIPES)
    assert game.preset() is game.presets[0]
    with pytest.raises(OptionError, match="no preset"):
        game.preset("nonesuch")


@every_game
def test_unknown_options_are_refused(game: Game) -> None:
    with pytest.raises(OptionError, match="no option"):
        game.options({"nonesuch": 1})


@every_game
def test_kits_are_there(game: Game) -> None:
    for language, files in game.kit_sources.items():
        assert language in RECIPES
        assert all((game.folder / "kit" / name).read_bytes() for name in files)


def test_there_is_no_such_game() -> None:
    with pytest.raises(OptionError, match="there is no game 'whist'"):
        get("whist")


def test_everybody_sits_everywhere_in_turn() -> None:
    seating = {number: get("tricky_eights").opening(7, number, 4)["seating"] for number in range(1, 6)}
    assert seating[1] == seating[5] == [0, 1, 2, 3]
    assert seating[2] == [1, 2, 3, 0]
    for seat in range(4):
        assert {seating[number][seat] for number in range(1, 5)} == {0, 1, 2, 3}


@every_game
@few
@given(seed=SEEDS, number=st.integers(1, 9))
def test_a_hand_is_dealt_from_the_pack(game: Game, seed: int, number: int) -> None:
    dealer = Dealer(game, seed, number=number)
    assert dealer.state.turn == CHANCE
    dealt = dealer.deal()[0]
    assert sorted(dealer.pack) == list(range(len(game.pack)))
    again = game.packed(dealt)
    assert sorted(again) == sorted(dealer.pack)
    assert Dealer(game, seed, number=number).state.deal(again)[0] == dealt
    assert not Counter(map(str, names(dealt))) - Counter(map(str, game.pack))


@every_game
@few
@given(seed=SEEDS)
def test_somebody_in_turn_always_has_something_to_do(game: Game, seed: int) -> None:
    chance = Random(seed)
    dealer = Dealer(game, seed)
    state, hands = dealer.state, 0
    while state.turn != OVER:
        if state.turn == CHANCE:
            assert not state.legal()
            hands += 1
            dealer.deal()
            continue
        legal = state.legal()
        assert legal
        assert len(set(legal)) == len(legal)
        action = chance.choice(list(legal))
        assert state.is_legal(action)
        assert game.action(state.event(action)) == action
        state.apply(action)
    assert not state.legal()
    assert hands < 1000, "the number of decisions is bounded"


@every_game
@few
@given(seed=SEEDS)
def test_nonsense_is_refused_and_changes_nothing(game: Game, seed: int) -> None:
    chance = Random(seed)
    dealer = Dealer(game, seed)
    dealer.deal()
    state = dealer.state
    for _ in range(40):
        if state.turn < 0:
            break
        legal = state.legal()
        for action in NONSENSE:
            if action not in legal or isinstance(action, (bool, float)):
                assert not state.is_legal(action), action
        assert state.legal() == legal
        state.apply(chance.choice(list(legal)))


@every_game
@few
@given(seed=SEEDS)
def test_every_illegal_action_has_a_reason(game: Game, seed: int) -> None:
    dealer = Dealer(game, seed)
    dealer.deal()
    state = dealer.state
    possible = set(state.legal())
    for _ in range(60):
        if state.turn < 0:
            break
        possible |= set(state.legal())
        for action in possible - set(state.legal()):
            assert not state.is_legal(action)
            assert len(state.objection(action)) > 10
        state.apply(state.legal()[0])


@every_game
@few
@given(seed=SEEDS, shuffle=st.randoms(use_true_random=False))
def test_hidden_cards_do_not_change_what_others_see(game: Game, seed: int, shuffle: Random) -> None:
    dealt = Dealer(game, seed).deal()[0]
    players = game.seats[1]
    for seat in [*range(players), None]:
        seen = game.see(dealt, seat)
        other = _rearranged(dealt, seen, shuffle)
        assert seat is not None or other is not dealt, "nothing is hidden from spectators"
        assert game.see(other, seat) == seen
        if seat is not None:
            wires = [game.wire(seat, game.options(), Setting.of(players)) for _ in range(2)]
            for wire, event in zip(wires, (dealt, other), strict=True):
                if heard := game.see(event, seat):
                    wire.tell(heard)
            assert wires[0].question() == wires[1].question()


def _rearranged(dealt: Event, seen: Event | None, shuffle: Random) -> Event:
    """The same hands and piles with the unseen cards exchanged."""
    seen = seen or {}
    hidden = [hand for hand, shown in zip(dealt["hands"], seen.get("hands", [None] * 9), strict=False) if shown is None]
    hidden += [dealt[pile] for pile in ("pool", "stock") if pile in dealt and seen.get(pile) is None]
    if not hidden:
        return dealt
    cards = [card for pile in hidden for card in pile]
    shuffle.shuffle(cards)
    moved = {id(pile): [cards.pop() for _ in pile] for pile in hidden}
    piles = {pile: moved.get(id(dealt[pile]), dealt[pile]) for pile in ("pool", "stock") if pile in dealt}
    return {**dealt, "hands": [moved.get(id(hand), hand) for hand in dealt["hands"]], **piles}


@every_game
def test_a_hand_that_is_no_pack_cannot_be_dealt(game: Game) -> None:
    dealt = Dealer(game, 1).deal()[0]
    pile = next((pile for pile in ("pool", "stock") if pile in dealt), None)
    first, *rest = dealt["hands"]
    last = dealt[pile] if pile else rest[-1]
    twice = {pile: [first[0], *last[1:]]} if pile else {"hands": [first, *rest[:-1], [first[0], *last[1:]]]}
    if game.slug != "barracuda":  # whose pack has every rank eight times
        with pytest.raises(ValueError):
            game.packed({**dealt, **twice})
    longer = {pile: last[1:]} if pile else {"hands": [[*first, last[0]], *rest[:-1], last[1:]]}
    for change in (longer, {"hands": []}, {"hands": [["joker"] * len(hand) for hand in dealt["hands"]]}):
        with pytest.raises((ValueError, LookupError)):
            game.packed({**dealt, **change})


@every_game
def test_an_event_without_its_cards_is_no_action(game: Game) -> None:
    _, events = playout(game, 1)
    shown = [event for event in events if event.keys() & {"card", "cards"} and event["event"] in game.decisions]
    for kind in {event["event"] for event in shown}:
        event = next(event for event in shown if event["event"] == kind)
        (field,) = event.keys() & {"card", "cards"}
        for wrong in (None, "zz", [event[field]], {}):
            with pytest.raises(ValueError):
                game.action({**event, field: wrong})
        with pytest.raises(ValueError):
            game.action({key: value for key, value in event.items() if key != field})


@every_game
@few
@given(seed=SEEDS)
def test_public_events_are_seen_as_they_are(game: Game, seed: int) -> None:
    _, events = playout(game, seed)
    for event in events:
        if event["event"] in game.public:
            assert all(game.see(event, seat) is event for seat in [*range(game.seats[1]), None])


@every_game
@few
@given(seed=SEEDS)
def test_events_have_the_fields_of_the_record_in_their_order(game: Game, seed: int) -> None:
    state, events = playout(game, seed)
    for event in [*events, state.result()]:
        kind, *fields = event
        assert kind == "event"
        allowed = [field for field in FIELDS[event["event"]] if field in event]
        assert fields == allowed


@every_game
@settings(max_examples=1, deadline=None)
@given(seed=SEEDS)
def test_a_game_played_is_verified_and_told(game: Game, seed: int) -> None:
    record = play(
        game,
        seats(*(house(game) for _ in range(game.seats[1]))),
        seed=seed,
        options=game.options(),
        preset=game.presets[0].name,
        games=2,
    ).record
    assert verify(record) is None
    text = dumps(record)
    assert dumps(loads(text)) == text
    assert games_played(record) == 2
    for number in (1, 2):
        assert log(record, number).endswith("\n")
        for seat in ("table", None, 0):
            told = positions(record, number, seat)
            assert [position.index for position in told] == list(range(len(told)))
            assert all(position.caption for position in told) or seat != "table"
            json.dumps(told[-1].table)


@every_game
@few
@given(seed=SEEDS, kind=st.sampled_from(FaultKind))
def test_every_fault_has_an_answer_of_the_rules(game: Game, seed: int, kind: FaultKind) -> None:
    dealer = Dealer(game, seed)
    dealer.deal()
    state = dealer.state
    seat = state.turn
    remedy = state.fault(kind)
    if remedy.disqualified:
        state.disqualify(seat)
        for other in range(game.seats[1]):
            state.disqualify(other)
        assert state.turn == OVER
        assert state.result()["winner"] is None


def test_places_are_shared_and_the_disqualified_are_last() -> None:
    game = get("tricky_eights")
    assert outcome(game, [301, 220, 180, 149], [])["places"] == [1, 2, 3, 4]
    assert outcome(game, [301, 220, 220, 149], [])["places"] == [1, 2, 2, 4]
    assert outcome(game, [301, 220, 180, 149], [0])["places"] == [4, 1, 2, 3]
    assert outcome(game, [301, 220, 180, 149], [3, 0])["places"] == [4, 1, 2, 4]
    assert outcome(game, [5, 5, 5, 5], [0, 1, 2, 3]) == {
        "scores": [5, 5, 5, 5],
        "places": [4, 4, 4, 4],
        "disqualified": [0, 1, 2, 3],
    }


# Golden records: stored records are reproduced to the byte


def golden() -> list[Path]:
    return sorted(GOLDEN.glob("*.json"))


@every_game
def test_every_game_has_golden_records(game: Game) -> None:
    records = [loads(path.read_bytes()) for path in golden() if path.name.startswith(game.slug)]
    assert len(records) >= 2
    assert any(games_played(record) > 1 for record in records)
    assert any(event["event"] == "fault" for record in records for event in record["events"])


@pytest.mark.parametrize("path", golden(), ids=lambda path: path.stem)
def test_golden_records_verify(path: Path) -> None:
    record = loads(path.read_bytes())
    assert verify(record) is None
    assert dumps(record) + "\n" == path.read_text(encoding="utf-8")
    for seat in ("table", None, *range(len(record["seats"]))):
        for position in positions(record, 1, seat):
            if position.caption or seat == "table":
                assert position.caption.endswith((".", "'")), position
                assert "None" not in position.caption
            else:
                assert position.event["event"] in get(record["game"]).simultaneous, "it is heard of later"


@pytest.mark.parametrize("path", golden(), ids=lambda path: path.stem)
def test_golden_records_reproduce(path: Path) -> None:
    """The same seed and the same answers give the same bytes: deals, the referee's choices, faults and everything
    else."""
    record = loads(path.read_bytes())
    game = get(record["game"])
    again = play(
        game,
        seats(*(Scripted(_script(game, record, player)) for player in range(len(record["seats"])))),
        seed=record["seed"],
        options=game.options(record["options"], record["rules"]),
        preset=record["rules"],
        openings=openings(record) or None,
    ).record
    again["seats"] = record["seats"]
    assert dumps(without_times(again)) == dumps(without_times(record))


def openings(record: dict[str, Any]) -> list[Event]:
    """How its games open, if it says so."""
    return [
        {key: value for key, value in event.items() if key not in ("event", "number")}
        for event in record["events"]
        if event["event"] == "game"
    ]


def _script(game: Game, record: dict[str, Any], player: int) -> Any:
    seating: list[int] = list(range(len(record["seats"])))
    for event in record["events"]:
        seating = event.get("seating", seating)
        if event.get("seat") is None or seating[event["seat"]] != player:
            continue
        if event["event"] == "fault":
            wrong = fault(FaultKind(event["kind"]), event["detail"])
            wrong.answer = event.get("answer")
            yield wrong
        elif event["event"] in DECISIONS and "by" not in event:
            yield game.action({key: value for key, value in event.items() if key not in CLOCKS})
