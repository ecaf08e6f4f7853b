"""The preview of an action is what the action does."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.tournaments.organising.test_reviews import play_review
from tests.tournaments.stagecraft import Hall, by_strength, finish
from tournaments import formats
from tournaments.kinds import following
from tournaments.kinds.planned import PLANNED
from tournaments.models import Match, MatchSeat, Rating, Stage, Table
from tournaments.organising import impact, reviews, stages
from tournaments.results import standings
from tournaments.results.visibility import everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    return Hall(teams=8)


def ranks(stage):
    return {it.team: impact.OUT if it.is_out else it.rank for it in PLANNED.plan(stage).ranking}


def rating_ranks(contest):
    rows = standings.of_contest(everything(contest))
    return {row.team.pk: row.rank if row.team.is_competing else impact.OUT for row in rows}


def void():
    return set(Match.objects.filter(state="void", pending=False).values_list("pk", flat=True))


class Witness:
    """Compares what an action changed with its preview."""

    def __init__(self, stage, outlook):
        self.stage, self.outlook = stage, outlook
        self.before = ranks(stage), rating_ranks(stage.contest), void()

    def agrees(self, besides=()):
        after = ranks(self.stage), rating_ranks(self.stage.contest), void()
        (seen,) = self.outlook.stages
        for shifts, then, now in zip((seen.shifts, self.outlook.standings), self.before, after, strict=False):
            moved = {team for team in {*then, *now} if then.get(team) != now.get(team)}
            assert {it.team.pk for it in shifts} == moved
            assert {it.team.pk: it.after for it in shifts} == {team: now.get(team) for team in moved}
        assert {match.pk for match in self.outlook.voided} == after[2] - self.before[2] - set(besides)


def test_of_voiding(hall, cup):
    first = cup.matches.done().order_by("pk").first()
    seen = impact.of_voiding(first)
    assert seen.stages[0].reopened == ["Semi-final 1", "Final"]
    (change,) = seen.stages[0].changes
    assert (change.name, change.leaving, change.coming) == ("Final", [hall.teams[0].name], [])
    assert change.vacancy == "open", "the team is still in"
    eliminated = [it for it in seen.stages[0].shifts if it.after is not None]
    assert eliminated
    assert all(it.so_far and not it.way for it in eliminated), "their ranks depend on the semi-final to be played"
    witness = Witness(cup, seen)
    stages.void(first, hall.ada, "to see")
    witness.agrees(besides=[first.pk])


def test_of_disqualifying(hall):
    stage = hall.stage()
    for match in stage.matches.all():
        finish(match, by_strength(match))
    other = stages.create(hall.contest, hall.ada, stages.Wish("Consolation"))
    stages.publish(other, hall.ada)
    final = stage.matches.get(state="queued")
    finish(final, by_strength(final))
    winner = hall.teams[0]
    seen = impact.of_leaving(winner)
    assert seen.coming == [other]
    witness = Witness(stage, seen)
    stages.disqualify(winner, hall.ada, "a second account")
    witness.agrees()
    assert [(it.team, it.before, it.after) for it in seen.stages[0].shifts][-1] == (winner, 1, impact.OUT)


def test_of_coming_back(hall, cup):
    winner = hall.teams[0]
    stages.disqualify(winner, hall.ada, "a second account")
    for match in cup.matches.filter(state="queued"):
        finish(match, by_strength(match))
    seen = impact.of_returning(winner)
    witness = Witness(cup, seen)
    stages.reinstate(winner, hall.ada, "it was not")
    witness.agrees()
    assert seen.stages[0].reopened == []


def rows():
    return [list(model.objects.order_by("pk").values()) for model in (Match, MatchSeat, Rating, Table)]


WITH_A_PLAN = [it for it in formats.FORMATS.values() if it.kind == PLANNED.name]


@pytest.mark.parametrize(
    "format",
    [pytest.param(it, marks=[] if it.slug == "single_elimination" else pytest.mark.long("more")) for it in WITH_A_PLAN],
    ids=lambda it: it.slug,
)
def test_of_a_review_in_every_format(format):
    """In the first round, when later rounds were played on its results."""
    hall = Hall(teams=6)
    options = {} if format.slug == "combinations" else {"games": 1}
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", format.slug, options))
    Stage.objects.update(seed=17)
    stages.start(Stage.objects.get(), hall.ada)
    for _ in range(8):
        if match := Match.objects.claimable(timezone.now()).first():
            finish(match, by_strength(match))
    stage.refresh_from_db()
    chosen = [match.pk for match in stage.matches.done().filter(table__round=1)]
    review = reviews.start(stage, hall.ada, "x", chosen)
    play_review(review)
    seen = impact.of_review(review, reviews.pairs_of(review))
    witness = Witness(stage, seen)
    reviews.apply(review, hall.ada)
    witness.agrees(besides=chosen)
    assert seen.standings
    assert following.is_in_line(Stage.objects.get())
