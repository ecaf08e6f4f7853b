"""The coaches of the games: what they say is what the rules say, follows from what the seat sees, and teaches."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from itertools import count, islice
from random import Random
from typing import Any

import pytest

from games import GAMES, get
from games.coach import AT_ONCE, NEWS, Advice, coach_of
from games.engine import Action, Game, State
from games.even_steven.rules import covers
from tests.games.classroom import Chooser, Table, at_random, highest, ideas, lesson, lowest

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
LONGEST = 700
"""Characters of a text that somebody reads between two cards."""


def texts(advice: Advice) -> list[str]:
    return [
        *(advice.title, advice.now, advice.may, advice.stake, advice.hint),
        *(*advice.happened, *advice.marks),
        *(text for refusal in advice.refusals for text in (refusal.words, refusal.why)),
        *(text for _, idea in advice.ideas for text in (idea.title, idea.text)),
    ]


def check_texts(game: Game, advice: Advice) -> None:
    """Nothing is blank that must be said, endless, half a sentence, or in the notation of programs."""
    assert advice.title
    codes = [card for card in game.pack if not card.isdigit() and card != "As"]
    for text in filter(None, texts(advice)):
        assert len(text) < LONGEST, text
        assert not set(re.findall(r"\w+", text)) & set(codes), text
        assert "  " not in text
        assert not re.search(r"\bNone\b|\bit held\b|\{", text), text
    for text in (advice.now, advice.may, advice.stake, advice.hint, *advice.happened, *advice.marks):
        assert not text or (text[-1] in ".?" and (text[0].isupper() or text[0].isdigit())), text
    json.dumps(advice.data())


class Guarded:
    """The rules as a coach may ask them: about the open decision, and nothing else."""

    def __init__(self, state: State) -> None:
        self.legal, self.is_legal, self.objection = state.legal, state.is_legal, state.objection


@every_game
@pytest.mark.parametrize("wanted", [60, pytest.param(600, marks=pytest.mark.long("more"))])
def test_at_every_decision_it_says_what_the_rules_say(game: Game, wanted: int) -> None:
    coach = coach_of(game)
    assert coach is not None
    decisions, seeds = 0, count(1)
    while decisions < wanted:
        seed = next(seeds)
        table = Table(game, seed, {seat: at_random(seed) for seat in range(game.seats[1])})
        for seat, legal in islice(table.play(), wanted // 2):
            decisions += 1
            advice = coach.explain(Guarded(table.state), seat, table.heard[seat])  # type: ignore[arg-type]
            check_texts(game, advice)
            assert advice.now
            assert advice.may
            assert len(advice.ideas) <= AT_ONCE
            assert len(advice.happened) <= NEWS
            assert not advice.marks
            view = coach.view(seat)
            for event in table.heard[seat]:
                view.tell(event)
            held = set(coach.hand(view, seat))
            refused = {coach.name(card) for card in held - set(legal)}
            assert set(advice.why_not) == refused
            assert (advice.hint == "") or len(legal) > 1


@every_game
def test_no_idea_is_taught_twice_in_a_game(game: Game) -> None:
    coach = coach_of(game)
    assert coach is not None
    for seed in range(20, 24):
        said = lesson(coach, at_random(seed), seed)
        taught = ideas(said)
        assert len(taught) == len(set(taught))
        assert taught
        assert set(taught) <= set(coach.ideas)


# Two worlds that differ in what the seat cannot see


def swap_hands(state: Any, seat: int, chance: Random, name: str = "hands") -> None:
    """Deal the cards of the others anew among them."""
    hands: list[int] = getattr(state, name)
    others = [other for other in range(len(hands)) if other != seat]
    cards = [bit for other in others for bit in range(hands[other].bit_length()) if hands[other] >> bit & 1]
    chance.shuffle(cards)
    for other in others:
        count = hands[other].bit_count()
        hands[other], cards = sum(1 << card for card in cards[:count]), cards[count:]


def other_hand(state: Any, seat: int, chance: Random) -> None:
    state._hands[1 - seat] = state._hands[seat]


def other_stock(state: Any, seat: int, chance: Random) -> None:
    state.stock = [*state.stock[: state.deals], *reversed(state.stock[state.deals :])]


HIDDEN: dict[str, Callable[[Any, int, Random], None]] = {
    "tricky_eights": swap_hands,
    "hearts": swap_hands,
    "intensity": swap_hands,
    "barracuda": other_hand,
    "even_steven": other_stock,
}


@every_game
def test_it_says_the_same_whatever_is_hidden(game: Game) -> None:
    coach, chance = coach_of(game), Random(5)
    assert coach is not None
    compared = changed = 0
    for seed in range(1, 6):
        table = Table(game, seed, {seat: at_random(seed) for seat in range(game.seats[1])})
        for seat, _ in table.play():
            other = deepcopy(table.state)
            HIDDEN[game.slug](other, seat, chance)
            before = [getattr(table.state, name, None) for name in ("hands", "_hands", "stock")]
            changed += before != [getattr(other, name, None) for name in ("hands", "_hands", "stock")]
            heard = table.heard[seat]
            assert coach.explain(other, seat, heard) == coach.explain(table.state, seat, heard)
            compared += 1
            if compared >= 200:
                break
    assert changed > compared / 3


# Lessons


def covering(pick: Callable[[Sequence[Any]], Action]) -> Chooser:
    def choose(state: Any, legal: Sequence[Any]) -> Action:
        return pick([card for card in legal if covers(card, state.stock[state.deals - 1])] or legal)

    return choose


def plain_choices(game: Game) -> list[Chooser]:
    if game.slug == "even_steven":
        return [covering(min), covering(max), covering(Random(1).choice), covering(Random(2).choice)]
    return [lowest, highest, *map(at_random, range(4))]


@every_game
def test_every_idea_of_a_lesson_comes_up_when_it_is_played_with_plain_choices(game: Game) -> None:
    coach = coach_of(game)
    assert coach is not None
    plan = coach.lesson
    assert set(plan.ideas) <= set(coach.ideas)
    assert set(plan.marks) <= set(coach.ideas)
    assert len(plan.house) == game.seats[1] - 1
    assert plan.title
    assert plan.welcome.endswith(".")
    for number, chooser in enumerate(plain_choices(game)):
        said = lesson(coach, chooser)
        missing = set(plan.ideas) - set(ideas(said))
        assert not missing, number
        assert len(ideas(said[:5])) >= 4, "the ideas come early"
        assert any(advice.marks for advice in said)
        assert 5 <= len(said) < 50, "it takes five minutes"
        assert said[-1].now == plan.closing
        assert [advice.welcome for advice in said] == [plan.welcome, *[""] * (len(said) - 1)]
        for advice in said:
            check_texts(game, advice)


# What it says, word for word


def test_what_happened_is_told_from_the_seat_of_the_learner() -> None:
    coach = coach_of(get("hearts"))
    assert coach is not None
    hand = ["2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "JC", "QC", "KC", "AC"]
    heard: list[dict[str, Any]] = [
        {"event": "hand", "number": 4, "hands": [hand, None, None, None], "pass": "none"},
        {"event": "play", "seat": 0, "card": "AC"},
        {"event": "play", "seat": 1, "card": "QS"},
        {"event": "play", "seat": 2, "card": "2H"},
        {"event": "play", "seat": 3, "card": "3D"},
        {"event": "trick", "winner": 0, "points": 14},
        {"event": "result", "scores": [14, 0, 0, 0], "winner": 3},
    ]
    advice = coach.farewell(0, heard)
    assert advice.happened == (
        "You took the trick with the ace of clubs: 14 points for the queen of spades and a heart.",
        "Seat 3 won the game with the lowest score, 0.",
    )
