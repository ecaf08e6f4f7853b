"""contest.replay: a record becomes pages, one position for each event."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string

import games
from contest.replay import Replay, build_replay, place_of, why
from contest.replay.places import places
from games.engine import Fault, FaultKind
from games.events import DECISIONS
from games.record import log, positions
from games.referee import Match
from games.tricky_eights.timing import ONE_FUNCTION
from tests.tournaments.records import Scripted, played, with_a_fault

URL = "/m/7/1/"
EIGHTS = games.get("tricky_eights")


@pytest.fixture(scope="module")
def plain() -> Match:
    return played(target=50)


@pytest.fixture(scope="module")
def faulty() -> Match:
    return with_a_fault(target=50)


@pytest.fixture(scope="module")
def match() -> Match:
    """Three games, with debug output of one player."""
    return played(target=25, games_=3, south=Scripted(says="hm"))


def replay(match: Match, view: str = "table", number: int = 1, **kwargs: Any) -> Replay:
    return Replay(match.record, number, view, URL, **kwargs)


def at(match: Match, ply: object, view: str | None = None, **kwargs: Any) -> dict[str, Any]:
    return build_replay(Replay(match.record, 1, view, URL, **kwargs), ply)  # type: ignore[arg-type]


def faces(html: str) -> list[str]:
    """The cards drawn in a piece of a page, as Tricky Eights writes them."""
    found = re.findall(r'<i class="card ([cdhs])[^"]*"[^>]*>(\w+)</i>', html)
    return [suit + rank.replace("10", "t").lower() for suit, rank in found]


class TestWhere:
    @pytest.mark.parametrize(
        ("asked", "shown"),
        [
            (None, 0), ("", 0), ("0", 0), ("17", 17), (17, 17), ("abc", 0), ("-5", 0), ("1.5", 0), ("1e3", 0),
            (str(10**9), None), ("9" * 5000, 0), ("٣", 3), ("17;drop", 0), ("\x00", 0),
        ],
    )  # fmt: skip
    def test_any_text_leads_to_a_position(self, plain: Match, asked: object, shown: int | None) -> None:
        last = len(plain.record["events"]) - 1
        assert at(plain, asked)["step"].ply == (last if shown is None else shown)

    def test_a_game_that_was_not_played_is_an_error(self, plain: Match) -> None:
        for number in (0, 2, -1):
            with pytest.raises(LookupError):
                Replay(plain.record, number, "table", URL)

    def test_takes_and_tricks_are_counted_in_every_round(self, plain: Match) -> None:
        shown = replay(plain)
        for each in shown.rounds[:2]:
            takes = [shown.where(ply) for ply in shown.plies("take") if each.first <= ply <= each.last]
            assert takes == [f"Round {each.number}, take {turn}" for turn in (1, 2, 3) for _ in range(4)]
            tricks = [shown.where(ply) for ply in shown.plies("play", "trick") if each.first <= ply <= each.last]
            assert tricks == [f"Round {each.number}, trick {trick}" for trick in range(1, 14) for _ in range(5)]
            assert shown.where(each.deal) == f"Round {each.number}"

    def test_positions_are_the_folds_of_the_record(self, plain: Match) -> None:
        for view, seat in (("table", "table"), ("hidden", None), ("2", 2)):
            shown = replay(plain, view)
            expected = positions(plain.record, 1, seat)  # type: ignore[arg-type]
            assert [shown.position(ply) for ply in range(shown.last + 1)] == expected


class TestSteps:
    @pytest.mark.parametrize(
        ("step", "kinds"),
        [("trick", {"hand", "trick", "result"}), ("round", {"hand"}), ("fault", {"fault"}), ("seat2", DECISIONS)],
    )
    def test_a_step_stops_at_its_own_kind_only(self, faulty: Match, step: str, kinds: set[str]) -> None:
        shown = replay(faulty)
        ply, stops = 0, []
        while (following := shown.links(ply)[f"next-{step}"].ply) is not None:
            ply = following
            stops.append(ply)
        assert stops
        events = [shown.events[stop] for stop in stops]
        assert {event["event"] for event in events} <= kinds
        if step.startswith("seat"):
            assert {event["seat"] for event in events} == {2}
            assert len(stops) == sum(event.get("seat") == 2 and event["event"] in DECISIONS for event in shown.events)


class TestViews:
    @pytest.mark.parametrize("view", ["0", "1", "2", "3", "hidden"])
    def test_no_hidden_card_is_drawn_anywhere(self, plain: Match, view: str) -> None:
        """Every card face in every position of a round is the viewer's own, from the pool, or already played."""
        hand = plain.record["events"][0]
        known = set(hand["pool"]) | (set(hand["hands"][int(view)]) if view != "hidden" else set())
        shown = replay(plain, view)
        for step in map(shown.step, range(shown.rounds[0].last + 1)):
            if step.event["event"] == "play":
                known.add(step.event["card"])
            html = shown.draw_position(step)
            assert set(faces(html)) <= known, step.where
            assert len(faces(html)) > 10


class TestWhatBotsWereAsked:
    def test_it_is_what_was_sent_to_the_letter(self, faulty: Match) -> None:
        """te.log comes from another fold over the same protocol: they agree line by line."""
        sent: dict[str, list[str]] = {letter: [] for letter in "nesw"}
        for line in log(faulty.record, 1).splitlines():
            if line[1:3] == "> ":
                sent[line[0]].append(line[3:])
        shown = replay(faulty)
        for seat, letter in enumerate("nesw"):
            asked = [
                line
                for ply in shown.plies(*DECISIONS)
                if shown.events[ply]["seat"] == seat and shown.question(ply)
                for line in shown.question(ply).text.splitlines()
            ]
            assert asked == sent[letter][: len(asked)]
            assert asked

    def test_times_of_every_seat(self, plain: Match) -> None:
        rows = replay(plain).thinking
        assert [row.seat.label for row in rows] == ["North", "East", "South", "West"]
        for row in rows:
            times = [
                event["ms"]
                for event in plain.record["events"]
                if event["event"] in DECISIONS and event["seat"] == row.seat.index
            ]
            assert (row.decisions, row.slowest, row.total) == (len(times), max(times), sum(times))
            assert plain.record["events"][row.slowest_ply]["ms"] == row.slowest
            assert 0 <= row.share <= 1

    def test_time_that_was_given_back_is_told(self, plain: Match) -> None:
        events = [dict(event) for event in plain.record["events"]]
        ply = next(ply for ply, event in enumerate(events) if "ms" in event)
        events[ply]["late_ms"] = 31.25
        late = Replay({**plain.record, "events": events}, 1, "table", URL)
        told = "31.2 ms more given back: the contest server was late"
        drawn = [
            render_to_string("replay/drawn/thinking_time.html", {"time": late.step(ply + at).time}) for at in (0, 1)
        ]
        assert told in drawn[0]
        assert "given back" not in drawn[1]


class TestMoves:
    def test_leader_and_winner_of_every_trick(self, plain: Match) -> None:
        for line in at(plain, 0)["moves"].lines[3:]:
            leaders = [move.seat.index for move in line.moves if move.leads]
            winners = [move.seat.index for move in line.moves if move.wins]
            assert leaders == [line.moves[0].seat.index]
            assert winners == [line.outcome.winner]


class TestSwings:
    def test_the_deals_that_changed_the_lead_of_the_winner_most(self, plain: Match) -> None:
        shown = replay(plain)
        found = shown.swings
        winner = shown.events[-1]["winner"]
        leads = [0]
        for each in shown.rounds:
            total = list(each.total or ())
            leads.append(total.pop(winner) - max(total))
        changes = {each.number: leads[each.number] - leads[each.number - 1] for each in shown.rounds}
        assert {swing.round.number: swing.change for swing in found}.items() <= changes.items()
        left = [change for number, change in changes.items() if number not in {swing.round.number for swing in found}]
        assert max(map(abs, left), default=0) <= min(abs(swing.change) for swing in found)
        assert shown.stops["swing"] == [swing.round.deal for swing in found]
        loser = (winner + 1) % len(shown.seats)
        own = replay(plain, view=str(loser)).swings
        totals = {each.number: each.total or () for each in shown.rounds}
        assert [each.lead for each in own] == [
            totals[each.round.number][winner] - totals[each.round.number][loser] for each in own
        ]


class TestFaults:
    def test_the_fault_says_what_was_done_and_which_rule_was_broken(self, faulty: Match) -> None:
        shown = replay(faulty)
        [fault] = shown.faults
        html = at(faulty, fault.ply)["drawn"]["decision"]
        assert "Unreadable answer" in html
        assert "It answered with something that is not a card." in html
        assert "&lt;h9&gt;" in html  # as text, never as markup
        assert "disqualified; the house plays on" in html

    @pytest.mark.parametrize(("at_decision", "where"), [(1, "take 1"), (3, "take 3"), (4, "trick 1"), (10, "trick 7")])
    def test_its_place_is_that_of_the_decision_that_was_due(self, at_decision: int, where: str) -> None:
        fault = Fault(FaultKind.CRASH, "was ended by signal 11")
        shown = replay(played(south=Scripted(fault, at=at_decision), target=25))
        [found] = shown.faults
        assert found.where == shown.where(found.ply) == f"Round 1, {where}"
        assert shown.where(found.ply + 1) == found.where
        assert place_of(shown.game, shown.events, found.ply) == f"round 1, {where}"

    def test_one_that_ends_the_game_has_a_place_too(self) -> None:
        hand = {"event": "hand", "number": 1}
        fault = {"event": "fault", "seat": 0, "kind": "crash", "detail": "closed its output"}
        trick = [{"event": "play", "seat": seat, "card": "c2"} for seat in range(4)] + [{"event": "trick", "winner": 0}]
        over = {"event": "result"}
        assert places(EIGHTS, [hand, *trick, fault, over])[6:] == ["trick 2", ""]
        assert places(EIGHTS, [hand, *trick, *trick[:2], fault, fault])[8:] == ["trick 2", "trick 2"]
        assert places(EIGHTS, [hand, fault])[1:] == [""]
        assert places(EIGHTS, [fault]) == [""]

    @pytest.mark.parametrize(
        ("bot", "built"),
        [("Räuber.java", "Shark"), ("Bot (1).java", "Bot"), ("bot.JAVA", "Hai"), ("x.scala", "Räuber")],
    )
    def test_a_crash_is_at_a_line_of_its_file_whatever_that_was_called(self, bot: str, built: str) -> None:
        fault = {"event": "fault", "seat": 0, "kind": "crash", "detail": "ended"}
        file = built + Path(bot).suffix.lower()
        said = (
            'Exception in thread "main" java.lang.NullPointerException\n\tat java.base/java.util.List.of(List.java:1)\n'
            f"\tat {built}.choose({file}:12)\n\tat Kit.run(Kit.java:3)\n\tat {built}.main({file}:5)\n"
        )
        found = why.ended(fault, bot, [(0, said)], 1)
        assert found is not None
        assert (found.file, found.line) == (bot, 12)

    @pytest.mark.parametrize(
        ("detail", "allows"),
        [("did not answer in time", "8 s (4 s for each of 2 lines)"), (f"was slow in TakeCard, {ONE_FUNCTION}", "4 s")],
    )
    def test_who_was_too_slow_reads_how_long_it_had(self, detail: str, allows: str) -> None:
        late = played(south=Scripted(Fault(FaultKind.TIMEOUT, detail), at=10), target=25)
        shown = replay(late)
        [found] = shown.faults
        allowed = shown.question(found.ply).allowance
        assert allowed == allows
        assert at(late, found.ply)["step"].fault.limit == allowed
        assert allowed in at(late, found.ply)["drawn"]["decision"]
        [south] = [row for row in shown.thinking if row.seat.label == "South"]
        assert (south.late, south.slowest_ply, south.share) == (shown.question(found.ply), found.ply, 1)
        assert "no answer in " in render_to_string("replay/_replay.html", at(late, None))

    def test_the_decision_made_for_the_bot_is_marked(self, faulty: Match) -> None:
        [fault] = replay(faulty).faults
        html = at(faulty, fault.ply + 1)["drawn"]["decision"]
        assert "by the referee" in html
        assert "Unreadable answer" in html  # the reason stays visible
        later = next(
            ply
            for ply, event in enumerate(faulty.record["events"])
            if ply > fault.ply + 1 and event.get("by") == "referee"
        )
        assert "by the referee" in at(faulty, later)["drawn"]["decision"]


class TestDebugOutput:
    def test_it_stands_beside_the_decision_where_it_was_written(self, faulty: Match) -> None:
        pieces = [(piece.index, piece.text) for piece in faulty.debug[2]]
        mine = [
            ply
            for ply, event in enumerate(faulty.record["events"])
            if event.get("seat") == 2 and (event["event"] in DECISIONS or event["event"] == "fault")
        ]
        assert [place for place, _ in pieces] == mine[: len(pieces)]
        step = at(faulty, mine[3], stderr={2: pieces})["step"]
        assert [text for _, text in step.debug] == ["I hold on to my eights 4\n"]


class TestSeveralGames:
    def test_seats_move_on_and_names_follow(self, match: Match) -> None:
        first, second = replay(match), replay(match, number=2)
        assert [seat.player for seat in first.seats] == [0, 1, 2, 3]
        assert [seat.player for seat in second.seats] == [1, 2, 3, 0]
        assert second.seats[0].name == match.record["seats"][1]["name"]
        assert second.where(0) == "Game 2, round 1"

    def test_debug_output_is_found_in_its_own_game(self, match: Match) -> None:
        pieces = [(piece.index, piece.text) for piece in match.debug[2]]
        texts = []
        for number in (1, 2, 3):
            shown = replay(match, number=number, stderr={2: pieces})
            for ply in range(shown.last + 1):
                for heading, text in shown.step(ply).debug:
                    assert heading.startswith(shown.seats[shown.events[ply]["seat"]].name)
                    texts.append(text)
        assert texts == [text for _, text in pieces]
