"""The house players of Tricky Eights: legal, deterministic, fair, and each stronger than the one before."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest

from games import get
from games.cards import BIT, SUIT_MASK, listed
from games.engine import CHANCE, House, Player
from games.imagining import BY_RANK, Unseen, by_rank, distinct
from games.players import HousePlayer, Seated
from games.referee import play
from games.rng import Portable, pack
from games.tricky_eights.house import HOUSE
from games.tricky_eights.house.beyond import is_eight
from games.tricky_eights.house.counting import chance_to_win, chance_without, hand_value
from games.tricky_eights.house.playouts import Trick, play_out
from games.tricky_eights.house.table import Table
from games.tricky_eights.rules import INDEX, PACK, State

GAME = get("tricky_eights")
ROOT = Path(__file__).parents[3]
OPTIONS = GAME.options()
NAMES = [house.name for house in HOUSE]
BY_NAME = {house.name: house for house in HOUSE}


def cards(names: str) -> list[int]:
    return [INDEX[name] for name in names.split()]


def mask(names: str) -> int:
    return sum(BIT[card] for card in cards(names))


def rounds(players: Sequence[Player], packs: Sequence[Sequence[int]]) -> list[int]:
    """Play these packs and return the points. Every choice is checked."""
    state = GAME.start(GAME.options({"target": 100_000}))
    waiting = list(packs)
    while state.turn != CHANCE or waiting:
        if state.turn == CHANCE:
            events = [*state.deal(waiting.pop(0))]
        else:
            action = players[state.turn].choose(state.legal())
            assert state.is_legal(action)
            events = [state.event(action), *state.apply(action)]
        for event in events:
            for seat, player in enumerate(players):
                seen = GAME.see(event, seat)
                assert seen is not None
                player.tell(seen)
    return state.scores()


def make(house: House, seat: int, *name: int) -> Player:
    return house.make(seat, OPTIONS, Portable(*name, seat))


# Who they are ---------------------------------------------------------------------------------------------------------


def test_there_are_players_of_each_class_of_the_seed_in_their_order() -> None:
    classes = ["random", "pseudo-random", "memoryless", "poor memory", "card counter", "beyond card counting"]
    assert list(dict.fromkeys(house.skill for house in HOUSE)) == classes
    assert NAMES[0] == "random"
    assert len(set(NAMES)) == len(NAMES)


def test_the_rules_page_names_them_all() -> None:
    text = GAME.rules_text()
    for house in HOUSE:
        assert f"`house:{house.name}`, class *{house.skill}*:" in text


# Legal, deterministic, fair -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSE, ids=NAMES)
def test_it_plays_whole_rounds_by_the_rules_in_every_seat(house: House) -> None:
    points = rounds([make(house, seat, 5) for seat in range(4)], [pack(5, number) for number in range(1, 5)])
    assert sum(points) == 100


@pytest.mark.parametrize("house", HOUSE, ids=NAMES)
def test_the_same_random_numbers_give_the_same_game(house: House) -> None:
    def record(seed: int) -> list[object]:
        seats = [Seated(f"player {seat}", f"house:{house.name}", HousePlayer(house)) for seat in range(4)]
        options = GAME.options({"target": 30})
        events = play(GAME, seats, seed=seed, options=options, preset="utah-1998").record["events"]
        return [{key: value for key, value in event.items() if key != "ms"} for event in events]

    assert record(8) == record(8)


def hidden_from(seat: int, deal: Sequence[int], random: Random) -> list[int]:
    """The same deal, with the cards that a seat cannot see exchanged among the other three hands."""
    others = [place for place in range(40) if place // 10 != seat]
    mixed = list(deal)
    shuffled = random.sample(others, len(others))
    for place, source in zip(others, shuffled, strict=True):
        mixed[place] = deal[source]
    return mixed


def first_choices(house: House, seat: int, deal: Sequence[int]) -> list[object]:
    """The cards a seat takes in its three takes, and its lead if it is the dealer; the others take the lowest card."""
    player = make(house, seat, 77)
    state = State(OPTIONS)
    for number in range(1, seat + 1):  # deal on until this seat is the dealer
        state.deal(pack(1, number))
        state.turn = CHANCE
    chosen: list[object] = []
    events = [*state.deal(deal)]
    while True:
        for event in events:
            seen = GAME.see(event, seat)
            assert seen is not None
            player.tell(seen)
        legal = state.legal()
        action = player.choose(legal) if state.turn == seat else legal[0]
        if state.turn == seat:
            chosen.append(action)
        if not state.pool:
            return chosen
        events = [state.event(action), *state.apply(action)]


@pytest.mark.parametrize("house", HOUSE, ids=NAMES)
@pytest.mark.parametrize("seat", range(4))
@pytest.mark.promise
def test_hidden_cards_do_not_change_what_it_does(house: House, seat: int) -> None:
    random = Random(seat)
    for number in range(1, 6):
        deal = pack(40 + seat, number)
        choices = first_choices(house, seat, deal)
        assert len(choices) == 4  # three takes and the lead
        for _ in range(3):
            assert first_choices(house, seat, hidden_from(seat, deal, random)) == choices


# Each clearly stronger than the one before ----------------------------------------------------------------------------


THINK_LONG = ("card_counter", "beyond")
NEIGHBOURS = [
    pytest.param(*pair, marks=pytest.mark.long("more")) if pair[1] in THINK_LONG else pair for pair in pairwise(NAMES)
]


@pytest.mark.parametrize(("weak", "strong"), NEIGHBOURS)
def test_it_is_stronger_than_the_one_before(weak: str, strong: str) -> None:
    """Two against two, both seatings of each deal: more points on average, by three standard errors."""
    deals = 30 if strong == "beyond" else 100
    leads = []
    for deal in range(1, deals + 1):
        packs = [pack(deal, number) for number in range(1, 3)]
        lead = 0
        for seating in ((0, 1, 0, 1), (1, 0, 1, 0)):
            houses = [BY_NAME[(weak, strong)[who]] for who in seating]
            points = rounds([make(house, seat, deal) for seat, house in enumerate(houses)], packs)
            lead += sum(score if who else -score for score, who in zip(points, seating, strict=True))
        leads.append(lead)
    assert fmean(leads) > 3 * stdev(leads) / len(leads) ** 0.5


# Their ideas ----------------------------------------------------------------------------------------------------------


def chosen(name: str, hand: str, trick: str = "", pool: str = "") -> set[str]:
    """What a player ever chooses, with different random numbers. `trick`: the cards of the others, played in order."""
    found = set()
    for number in range(40):
        player = make(BY_NAME[name], 0, number)
        table = player.table  # type: ignore[attr-defined]
        table.hand, table.pool, table.number = mask(hand), mask(pool), 0 if pool else 5
        for seat, card in enumerate(trick.split(), 4 - len(trick.split())):
            table.tell({"event": "play", "seat": seat, "card": card})
        suit = table.led & table.hand
        legal = table.pool or suit or table.hand
        found.add(PACK[int(str(player.choose(listed(legal))))])
    return found


def test_the_opportunist_buys_only_as_the_last() -> None:
    assert chosen("opportunist", "ca cq c2", "ck") == {"ca", "cq", "c2"}
    assert chosen("opportunist", "ca cq c2", "c3 c4 ct") == {"cq"}
    assert chosen("opportunist", "c8 c7 d2", "c3 c4 ct") == {"c7"}


def test_the_newcomer_plays_with_care_but_takes_anything() -> None:
    assert chosen("newcomer", "ca cq c2", "c3") == chosen("memoryless", "ca cq c2", "c3") == {"ca"}
    assert chosen("newcomer", "c3 c4", pool="ca d2") == {"ca", "d2"}
    assert chosen("memoryless", "c3 c4", pool="ca d2") == {"ca"}


# Their shared memory --------------------------------------------------------------------------------------------------


def told(seat: int, deal: Sequence[int], decisions: int) -> tuple[Table, State]:
    """A table after that many decisions of a round in which everybody chooses the first legal card."""
    table, state = Table(seat), State(OPTIONS)
    events = [*state.deal(deal)]
    for number in range(decisions + 1):
        for event in events:
            seen = GAME.see(event, seat)
            assert seen is not None
            table.tell(seen)
        if number < decisions:
            action = state.legal()[0]
            events = [state.event(action), *state.apply(action)]
    return table, state


@pytest.mark.parametrize("decisions", [0, 5, 12, 13, 30, 45, 63])
@pytest.mark.parametrize("seat", range(4))
def test_the_table_agrees_with_the_rules(seat: int, decisions: int) -> None:
    table, state = told(seat, pack(3, 1), decisions)
    assert table.hand == state.hands[seat]
    assert table.pool == state.pool
    for other in range(4):
        assert table.counts[other] == state.hands[other].bit_count()
        assert table.held[other] & ~state.hands[other] == 0
        assert table.out[other] & state.hands[other] == 0
    others = sum(state.hands[other] for other in range(4) if other != seat)
    assert table.others == others
    assert table.hidden == others & ~sum(table.held)
    assert table.points == state.points
    assert table.number == (0 if state.pool else state.trick + (table.played == 0))


def test_the_table_starts_every_round_afresh_and_keeps_the_totals() -> None:
    table, state = told(0, pack(3, 1), 64)
    assert table.totals == state.totals
    assert sum(table.totals) == 25
    seen = GAME.see(state.deal(pack(3, 2))[0], 0)
    assert seen is not None
    table.tell(seen)
    assert (table.gone, table.held, table.out, table.points) == (0, [0] * 4, [0] * 4, [0] * 4)
    assert table.hand == state.hands[0]
    assert table.totals == state.totals


# The card counter's arithmetic ----------------------------------------------------------------------------------------


def test_the_chance_to_hold_none_of_some_cards() -> None:
    assert chance_without(mask("c2 c3 c4 c5"), mask("c5"), 1) == pytest.approx(3 / 4)
    assert chance_without(mask("c2 c3 c4 c5"), mask("c4 c5"), 2) == pytest.approx(1 / 6)
    assert chance_without(mask("c2 c3"), mask("c3"), 2) == 0
    assert chance_without(mask("c2 c3"), 0, 2) == 1


def test_a_card_that_nobody_can_beat_wins_for_certain_and_a_beaten_one_never() -> None:
    table, _ = told(0, pack(3, 1), 12)
    ace = next(card for card in (12, 25, 38, 51) if not table.gone & BIT[card])
    table.hand = BIT[ace]
    assert chance_to_win(table, ace) == 1
    table.led, table.best, table.played = mask("h2 h3 h4 h5"), INDEX["ha"], 1
    assert chance_to_win(table, INDEX["hk"]) == 0
    assert chance_to_win(table, INDEX["sa"]) == (1 if INDEX["ha"] // 13 == 3 else 0)


def test_high_cards_and_long_suits_are_worth_more() -> None:
    everything = (1 << 52) - 1

    def value(names: str) -> float:
        hand = mask(names)
        return hand_value(hand, everything & ~hand)

    assert value("ca") > value("ck") > value("cq") > value("c2")
    assert value("c2 c3 c4 c5 c6 c7 c9") > value("c2 c3 d4 d5 h6 h7 s9")
    assert hand_value(mask("c2"), 0) > value("c2")


# Imagining ------------------------------------------------------------------------------------------------------------


def test_playouts_agree_with_the_rules_about_points_and_legality() -> None:
    """Every card that a playout plays is checked against the engine by replaying the same deal there."""
    for seed in range(1, 30):
        state = State(OPTIONS)
        state.deal(pack(seed, 1))
        while state.pool:
            state.apply(state.legal()[0])
        hands = [by_rank(hand) for hand in state.hands]
        points = [0, 0, 0, 0]
        play_out(hands, Trick(1, state.turn), BY_RANK[int(str(state.legal()[0]))], points)
        assert sum(points) == 25
        assert hands == [0, 0, 0, 0]


def test_a_playout_counts_a_forced_end_exactly() -> None:
    hands = [by_rank(mask(names)) for names in ("c8", "ck", "d8", "c2")]
    trick, points = Trick(13, 0), [0, 0, 0, 0]
    play_out(hands, trick, BY_RANK[INDEX["c8"]], points)
    assert points == [0, 3 + 2 + 2, 0, 0]


def test_a_playout_takes_up_a_trick_in_progress() -> None:
    hands = [0, 0, by_rank(mask("ca")), by_rank(mask("c3"))]
    trick, points = Trick(13, 2), [0, 0, 0, 0]
    trick.played, trick.worth, trick.winner = 2, 3 + 2, 1
    trick.led, trick.best = by_rank(mask("c2 c3 c4 c5 c6 c7 c8 c9 ct cj cq ck ca")), BY_RANK[INDEX["ck"]]
    play_out(hands, trick, BY_RANK[INDEX["ca"]], points)
    assert points == [0, 0, 5, 0]


def shared(names: str, room: list[int], out: list[int], random: Random) -> list[set[str]]:
    hands = Unseen(mask(names), room, out).share(random)
    return [{name for name in names.split() if BY_RANK[INDEX[name]] & hand} for hand in hands]


CLUBS, DIAMONDS = SUIT_MASK[:2]
HIDDEN = "c2 c3 c4 d2 d3 d4 h2 h3 h4 s2"


@pytest.mark.parametrize("out", [[0, 0, 0, 0], [0, CLUBS, DIAMONDS, 0], [0, CLUBS, CLUBS, 0], [CLUBS, 0, 0, 0]])
def test_shares_respect_room_and_suits(out: list[int]) -> None:
    random = Random(1)
    for _ in range(50):
        hands = shared(HIDDEN, [0, 4, 3, 3], out, random)
        assert sorted(name for hand in hands for name in hand) == HIDDEN.split()
        assert list(map(len, hands)) == [0, 4, 3, 3]
        assert not any(out[seat] & BIT[INDEX[name]] for seat in range(4) for name in hands[seat])


def test_impossible_suits_are_given_up_rather_than_fail() -> None:
    hands = shared("c2 c3", [0, 1, 1, 0], [0, CLUBS, CLUBS, 0], Random(1))
    assert list(map(len, hands)) == [0, 1, 1, 0]


@pytest.mark.parametrize(("out", "often"), [([0] * 4, 1000), ([0, 0, DIAMONDS, 0], 0), ([0, 0, CLUBS, 0], 3000)])
def test_shares_are_even_where_they_can_be(out: list[int], often: int) -> None:
    random = Random(2)
    times = sum("c2" in shared("c2 d2 h2", [0, 1, 2, 0], out, random)[1] for _ in range(3000))
    assert times == pytest.approx(often, abs=100)


def test_neighbours_are_one_choice_but_for_eights_and_cards_between() -> None:
    def reduced(names: str, others: str) -> list[str]:
        return [PACK[card] for card in distinct(cards(names), mask(others), is_eight)]

    assert reduced("c2 c3 c4", "c9") == ["c2"]
    assert reduced("c2 c4", "c3") == ["c2", "c4"]
    assert reduced("c2 c4", "") == ["c2"]
    assert reduced("c7 c8 c9", "") == ["c7", "c8", "c9"]
    assert reduced("ca d2", "") == ["ca", "d2"]


def test_beyond_looks_at_the_score_only_near_the_end() -> None:
    player = BY_NAME["beyond"].make(1, OPTIONS, Portable(1))
    player.table.totals = [100, 90, 120, 80]  # type: ignore[attr-defined]
    assert player.weights() == [0, 1, 0, 0]  # type: ignore[attr-defined]
    player.table.totals = [290, 280, 250, 80]  # type: ignore[attr-defined]
    weights = player.weights()  # type: ignore[attr-defined]
    assert weights[1] == 1
    assert weights[0] < weights[2] < weights[3] < 0


# The benchmark --------------------------------------------------------------------------------------------------------


@pytest.mark.long("more")
def test_the_benchmark_prints_every_pair_and_fails_when_the_order_is_wrong() -> None:
    command = [
        sys.executable,
        "-m",
        "benchmarks.house",
        "--games",
        "8",
        "--only",
        "random",
        "memoryless",
        "poor_memory",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    pairs = re.findall(r"^ *(\w+) against (\w+) +won +([\d.]+) % ± +([\d.]+)", done.stdout, re.M)
    assert [pair[:2] for pair in pairs] == [
        ("memoryless", "random"),
        ("poor_memory", "random"),
        ("poor_memory", "memoryless"),
    ]
    assert all(float(won) == 100 for *_, won, _ in pairs[:2])
    clearly = all(float(won) - float(error) > 50 for stronger, weaker, won, error in pairs if weaker != "random")
    assert done.returncode == (0 if clearly else 1)
    assert ("NOT CLEARLY STRONGER" in done.stdout) == (not clearly)
