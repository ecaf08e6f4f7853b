"""contest.replay with records of every game: what holds for all, and what some need first."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import games
from contest.replay import Replay, build_replay
from contest.replay.thinking import Numbers, questions
from games.engine import Game
from games.events import DECISIONS
from games.format import processor_times
from games.players import HousePlayer, Seated
from games.record import Record
from games.referee import play

EVERY = [pytest.param(game, id=game.slug) for game in games.GAMES.values()]
SHORT = {"target": 20}


@cache
def record_of(slug: str, games_: int = 3, seed: int = 5, weakest: int = 1) -> Record:
    """A match of different house players, starting with this one."""
    game = games.get(slug)
    changes = {name: value for name, value in SHORT.items() if name in game.presets[0].options}
    house = game.house[weakest:]
    seats = [
        Seated(f"Team {seat}", f"bot{seat}.py", HousePlayer(house[seat % len(house)])) for seat in range(game.seats[1])
    ]
    options = game.options(changes)
    return play(game, seats, seed=seed, options=options, preset=game.preset().name, games=games_).record


def replay(game: Game, number: int = 1, view: str = "table", **more: Any) -> Replay:
    return Replay(record_of(game.slug), number, view, "/m/7/1/", **more)


@pytest.mark.parametrize("game", EVERY)
class TestEveryGame:
    def test_every_position_has_words(self, game: Game) -> None:
        shown = replay(game, 2)
        for ply in range(shown.last + 1):
            assert shown.where(ply).startswith("Game 2, ")
            assert shown.where(ply) == shown.where(ply).strip(", ")
        step = shown.step(shown.last)
        assert step.caption

    def test_a_sentence_about_a_seat_says_who_sits_there(self, game: Game) -> None:
        shown = replay(game, 2)
        told = 0
        for ply, event in enumerate(shown.events):
            if event["event"] in DECISIONS and (seat := shown.step(ply).seat):
                who = f"{seat.label} ({seat.name}) " if len(shown.seats) > 1 else "The player "
                assert shown.step(ply).caption.startswith(who)
                told += 1
        assert told

    def test_every_decision_stands_once_in_the_list_of_moves(self, game: Game) -> None:
        shown = replay(game)
        listed = []
        for this in shown.rounds:
            for line in shown.moves(this).lines:
                listed += [move.ply for move in line.moves]
                places = [(move.seat.index, move.row) for move in line.moves]
                assert len(set(places)) == len(places), "two moves in one place of the line"
        assert sorted(listed) == shown.plies(*DECISIONS, "fault")

    def test_a_seat_never_sees_more_than_its_own_fold(self, game: Game) -> None:
        for view in ("0", "hidden"):
            shown = replay(game, view=view)
            whole = replay(game)
            for this in shown.rounds[:1]:
                hands = shown.position(this.deal).table.get("hands") or []
                open_ = whole.position(this.deal).table.get("hands") or []
                for seat, (hand, all_) in enumerate(zip(hands, open_, strict=True)):
                    if str(seat) != view:
                        assert not hand or hand != all_, (view, seat)

    def test_nor_in_the_list_of_moves_nor_in_what_others_were_sent(self, game: Game) -> None:
        shown = replay(game, view="0")
        together = [
            move
            for line in shown.moves(shown.rounds[0]).lines
            for move in line.moves
            if move.event["event"] in game.simultaneous
        ]
        for move in together:
            private = move.seat.index != 0 and move.event["to"] != 0
            assert bool(move.cards) is not private
        for ply in shown.plies(*DECISIONS)[:9]:
            step = shown.step(ply)
            assert bool(step.asked) is (step.event["seat"] == 0)
            html = build_replay(shown, ply)["drawn"]["decision"]
            assert ("<details" in html) is bool(step.asked)
        hidden = replay(game, view="hidden")
        assert not any(hidden.step(ply).asked for ply in hidden.plies(*DECISIONS)[:9])

    def test_the_steps_lead_through_the_whole_game(self, game: Game) -> None:
        shown = replay(game)
        for kind in ("card", "trick"):
            at, stops = shown.opening, 0
            while (following := shown.links(at)[f"next-{kind}"].ply) is not None:
                assert following > at
                at, stops = following, stops + 1
            assert at == shown.last
            assert stops > 1
        has_rounds = any("round" in key for key in shown.controls)
        assert has_rounds is bool(game.hand_word)
        assert all(link.label for link in shown.links(3).values())

    def test_each_decision_of_a_bot_has_its_question(self, game: Game) -> None:
        shown = replay(game, 3)
        put = {ply: question for ply in range(shown.last + 1) if (question := shown.question(ply))}
        assert list(put) == shown.plies(*DECISIONS)
        assert all(question.text and question.limit_ms > 0 for question in put.values())
        assert shown.thinking
        assert all(each.share <= 1 for each in shown.thinking)


def first(slug: str, number: int, numbers: Numbers | None = None) -> str:
    found = questions(Replay(record_of(slug), number, None, "", numbers=numbers))
    return next(filter(None, found))[0].decode()


def test_a_bot_that_lasts_is_told_how_the_game_before_ended() -> None:
    lines = first("even_steven", 1).splitlines()
    assert not lines[0].startswith("YOU")
    assert first("even_steven", 2).splitlines()[0].startswith("YOU ")
    assert first("even_steven", 3).splitlines()[0].startswith("YOU ")


def test_the_numbers_of_the_players_are_those_of_the_tournament() -> None:
    assert "game 1 2 3 4 0" in first("hearts", 1)
    told = first("hearts", 1, Numbers((17, 4, 9, 30), 31))
    assert "tournament 31 20" in told
    assert "game 17 4 9 30 0" in told
    assert "tournament" not in first("hearts", 2)


@pytest.mark.parametrize("slug", ["hearts", "intensity"])
@pytest.mark.parametrize("seat", range(4))
def test_the_list_of_moves_shows_a_passed_card_when_the_seat_hears_of_it(slug: str, seat: int) -> None:
    """Not at the giver's own step, because others have yet to decide what they pass."""
    shown = replay(games.get(slug), view=str(seat))
    passes = shown.plies("pass")[:4]
    [got] = [ply for ply in passes if shown.events[ply]["to"] == seat]
    given = next(ply for ply in passes if shown.events[ply]["seat"] == seat)
    for ply in passes:
        listed = {move.ply: move for line in shown.page(ply)["moves"].lines for move in line.moves}
        assert ("unheard" in listed[got].classes.split()) is (got < passes[-1] and ply < passes[-1])
        assert "unheard" not in listed[given].classes.split()
        assert listed[got].is_heard_later is (got < passes[-1])
        assert not listed[given].is_heard_later
        html = build_replay(shown, ply)["drawn"]["moves"]
        later = [move for move in listed.values() if move.is_heard_later]
        assert html.count("data-heard") == len(later)
        assert html.count('class="untold"') == sum(bool(move.cards) for move in later)
        if ply < passes[-1]:  # the table above says the same
            assert bool(shown.position(ply).event.get("cards")) is (ply == given)
    whole = replay(games.get(slug))
    html = build_replay(whole, 0)["drawn"]["moves"]
    assert "unheard" not in html, "on the open table nothing is kept back"
    assert "untold" not in html


def test_a_challenge_stands_above_the_card_that_follows() -> None:
    for seed in range(1, 30):
        record = record_of("barracuda", 2, seed, 0)
        shown = Replay(record, 1, "table", "/")
        rows = [
            (move.event["event"], move.row)
            for this in shown.rounds
            for line in shown.moves(this).lines
            for move in line.moves
            if move.row > 1
        ]
        if ("play", 2) in rows:
            return
    raise AssertionError("no challenge was accepted in thirty rounds")


def test_processor_time_is_added_up_over_all_games() -> None:
    record: Record = {
        "seats": [{}, {}],
        "events": [
            {"event": "game", "number": 1, "seating": [0, 1]},
            {"event": "play", "seat": 0, "card": "2C", "cpu_ms": 1.5},
            {"event": "result", "scores": [0, 0], "cpu_ms": [0.25, 2]},
            {"event": "game", "number": 2, "seating": [1, 0]},
            {"event": "play", "seat": 0, "card": "2C", "cpu_ms": 4},
            {"event": "result", "scores": [0, 0], "cpu_ms": [0, 0.5]},
        ],
    }
    assert processor_times(record) == [1.5 + 0.25 + 0.5, 2 + 4]
