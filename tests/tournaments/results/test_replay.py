"""Replaying the ledger gives what is stored, to the last bit."""

from __future__ import annotations

from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import Model

from contest.models import Contest
from tests.contest.test_ledger import an_eventful_contest
from tests.tournaments.courtroom import Courtroom
from tests.tournaments.stagecraft import Hall, finish, give_bot, play_out
from tests.tournaments.worlds import play_on
from tournaments.models import Arrears, EarlierSpan, Match, MatchSeat, Rating, Stage, Tally
from tournaments.organising import endings, releases, restoring, reviews, stages
from tournaments.results import replay
from tournaments.results.ratings import LINK

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


def a_ladder() -> Contest:
    hall = Hall(5)
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Ladder", "ladder", {"games": 1, "table_size": 2}))
    stages.start(stage, hall.ada)
    play_on(stage, most=9)
    give_bot(hall.teams[0], number=2)
    play_on(stage, most=5, weak=True)
    stages.void(stage.matches.done().order_by("pk")[3], hall.ada, "a power cut")
    return hall.contest


def a_judged_problem() -> Contest:
    hall = Courtroom(2).start()
    for team, how in zip(hall.teams, ("wrong", "right"), strict=True):
        hall.send(team, minutes=60)
        hall.judge(how)
    return hall.contest


def a_swiss_of_random_results() -> Contest:
    hall = Hall(6)
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Swiss", "swiss", {"games": 1, "table_size": 2}))
    stages.start(stage, hall.ada)
    play_out(stage, Random(5))
    give_bot(hall.teams[0], number=2)
    for match in stage.matches.done().order_by("pk")[:3:2]:
        stages.void(match, hall.ada, "a power cut")
    play_out(stage, Random(6))
    stages.withdraw(hall.teams[1], hall.ada, "ill")
    return hall.contest


def fresh(contest: Contest) -> Contest:
    return Contest.objects.get(pk=contest.pk)


def a_stage_that_was_reset_and_one_that_was_abandoned() -> Contest:
    hall = Hall(4)
    for name, end in (("Cup", endings.reset), ("Other", endings.abandon)):
        options = {"games": 1, "table_size": 2}
        stage = stages.create(hall.contest, hall.ada, stages.Wish(name, options=options))
        stages.start(stage, hall.ada)
        play_on(stage, most=1)
        end(stage, hall.ada, "a flood")
    return hall.contest


def a_swiss_that_was_shortened() -> Contest:
    hall = Hall(6)
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Swiss", "swiss", {"games": 1, "table_size": 2}))
    stages.start(stage, hall.ada)
    play_on(stage, most=3)
    assert stage.matches.filter(table__round=2, state="queued").exists(), "or nothing would be void"
    endings.shorten(stage, hall.ada, "The hall closes.")
    return hall.contest


def a_bracket() -> Contest:
    return an_eventful_contest().contest


def a_bracket_with_matches_that_were_restored() -> Contest:
    hall = Hall(4)
    cup = hall.stage(games=1, table_size=2)
    play_out(cup)
    semi, other = cup.matches.filter(table__round=1).order_by("pk")
    for match in (semi, semi, other):
        stages.void(match, hall.ada, "the wrong match")
        restoring.restore(match, hall.ada, "it was another one")
    stages.void(other, hall.ada, "the right match")
    assert EarlierSpan.objects.filter(match__in=(semi, other)).count() == 3
    return hall.contest


@pytest.mark.parametrize(
    "make",
    [
        a_bracket,
        a_ladder,
        a_swiss_of_random_results,
        a_swiss_that_was_shortened,
        a_judged_problem,
        a_bracket_with_matches_that_were_restored,
        a_stage_that_was_reset_and_one_that_was_abandoned,
    ],
)
def test_what_is_forgotten_comes_back(make) -> None:
    contest = fresh(make())
    assert list(replay.differences(contest)) == []
    before, matches, spans = replay.kept(contest), list(rows(contest)), replay.spans_of(contest)
    stages_before = list(contest.stages.order_by("pk").values("pk", *replay.TOLD))
    Match.objects.filter(contest=contest).update(counts_from=None, resulted=None, counts_until=None)
    Match.objects.filter(contest=contest, state="done", pending=False).update(state="queued")
    MatchSeat.objects.filter(match__contest=contest).update(**dict.fromkeys(LINK))
    for model in (EarlierSpan, Tally, Rating, Arrears):
        model.objects.all().delete()
    Stage.objects.filter(contest=contest).update(state="published", started_at=None, finished_at=None, order=[])
    Contest.objects.filter(pk=contest.pk).update(last_number=0)
    assert list(replay.differences(fresh(contest)))
    call_command("ledger", "rebuild", contest.slug)
    assert list(rows(contest)) == matches
    assert replay.spans_of(contest) == spans
    assert list(contest.stages.order_by("pk").values("pk", *replay.TOLD)) == stages_before
    assert replay.kept(contest) == before


def rows(contest: Contest) -> object:
    found = Match.objects.filter(contest=contest).order_by("pk")
    return found.values_list("pk", "state", "counts_from", "resulted", "counts_until")


def test_the_command_says_what_is_not_in_order(capsys) -> None:
    hall = Hall(4)
    play_out(hall.stage(games=1))
    call_command("ledger", "check")
    assert " consistent" in capsys.readouterr().out
    Tally.objects.filter(team=hall.teams[0]).update(points=999)
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("ledger", "check", hall.contest.slug)
    assert "a tally" in capsys.readouterr().out
    call_command("ledger", "rebuild", hall.contest.slug)
    with pytest.raises(CommandError, match="no contest"):
        call_command("ledger", "check", "nowhere")


def corrupt(contest: Contest) -> dict[str, tuple[Model, dict[str, object]]]:
    """By what the check should name: a row, and something stored with it that nothing in the ledger tells."""
    cup, led = contest.stages.order_by("pk")
    played, waiting = cup.matches.done().first(), led.matches.filter(state="queued").first()
    gone, there = (contest.teams.filter(state=state).first() for state in ("withdrawn", "approved"))
    return {
        "team": (gone, {"state": "approved"}),
        "team, still there": (there, {"state": "disqualified"}),
        "rounds released": (led, {"released": 2}),
        "rounds not released": (led, {"released": 0}),
        "released by rounds": (led, {"release": "live"}),
        "released at once": (cup, {"release": "rounds"}),
        "reset": (led, {"resets": 1}),
        "shortened": (led, {"last_round": 3}),
        "frozen": (contest, {"frozen_number": contest.frozen_number + 1}),
        "not frozen": (contest, {"frozen_number": None}),
        "pending": (played, {"pending": True}),
        "void": (played, {"state": "void"}),
        "without a result": (played, {"state": "queued"}),
        "with a result": (waiting, {"state": "done"}),
        "of a review": (Match.objects.get(review__isnull=False), {"state": "done"}),
    }


@pytest.mark.long("worlds")
def test_the_check_names_whatever_is_stored_differently() -> None:
    contest = a_contest_with_everything_announced()
    assert list(replay.differences(contest)) == []
    for row, wrong in corrupt(contest).values():
        with transaction.atomic():
            right = {name: getattr(row, name) for name in wrong}
            type(row).objects.filter(pk=row.pk).update(**wrong)
            told = list(replay.differences(contest))
            for name in wrong:
                assert any(f" {row.pk}: {name} is " in line for line in told), (row, wrong, told)
            call_command("ledger", "rebuild", contest.slug)
            assert type(row).objects.filter(pk=row.pk).values(*wrong).get() == right
            transaction.set_rollback(True)


def a_contest_with_everything_announced() -> Contest:
    """A team that left, a stage that is released, one that is released by rounds, a dropped review, a freeze."""
    hall = Hall(6)
    options = {"table_size": 2, "rounds": 3, "games": 1}
    made = [
        stages.create(hall.contest, hall.ada, stages.Wish(name, "swiss", options, release=Stage.Release.ROUNDS))
        for name in ("Cup", "League")
    ]
    for stage in made:
        stages.start(stage, hall.ada)
        play_on(stage, most=3)
    cup, league = made
    releases.release_all(cup, hall.ada)
    releases.release(league, hall.ada, 1)
    opened = reviews.start(cup, hall.ada, "A cable.", [cup.matches.done().latest("pk").pk])
    finish(opened.matches.get())
    reviews.drop(opened, hall.ada)
    stages.withdraw(hall.teams[5], hall.ada, "ill")
    releases.freeze(hall.contest, hall.ada)
    return fresh(hall.contest)
