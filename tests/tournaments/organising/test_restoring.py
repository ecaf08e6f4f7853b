"""A void match counts again: everything is as it was before it was voided, or a sentence says why it cannot be."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from contest.models import Contest, Kind
from contest.refusal import Refused
from submissions.lease import LeaseLost
from tests.tournaments.organising.test_impact import Witness
from tests.tournaments.organising.test_reviews import play_review
from tests.tournaments.stagecraft import Hall, by_strength, finish, refereed
from tournaments.kinds import following
from tournaments.models import Match, Stage
from tournaments.organising import endings, impact, restoring, reviews, stages
from tournaments.playing import play
from tournaments.results import replay

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

TWOS = {"table_size": 2, "games": 1}
MORE = pytest.mark.long("more")
FORMATS = [
    pytest.param("single_elimination", 4, TWOS, 99, id="bracket"),
    pytest.param("single_elimination", 6, {"advance": 2, "games": 1}, 99, id="bracket of fours", marks=MORE),
    pytest.param("single_elimination", 4, {**TWOS, "best_of": 3}, 99, id="series", marks=MORE),
    pytest.param("swiss", 5, {**TWOS, "rounds": 3}, 99, id="swiss"),
    pytest.param("swiss", 5, {**TWOS, "rounds": 3}, 2, id="swiss, the next round drawn", marks=MORE),
    pytest.param("swiss", 4, {**TWOS, "rounds": 2, "duplicate": True}, 99, id="swiss on common deals", marks=MORE),
    pytest.param("round_robin", 4, {"games": 1}, 4, id="round robin", marks=MORE),
    pytest.param("combinations", 5, {}, 99, id="combinations", marks=MORE),
    pytest.param("ladder", 5, {**TWOS, "pause": 0}, 8, id="ladder"),
]


def begun(hall: Hall, format: str = "single_elimination", **options: object) -> Stage:
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", format, options))
    Stage.objects.filter(pk=stage.pk).update(seed=17)
    stages.start(stage, hall.ada)
    stage.refresh_from_db()
    return stage


def go_on(stage: Stage, most: int = 99) -> None:
    for _ in range(most):
        following.reconcile(stage)
        match = Match.objects.claimable(timezone.now()).filter(stage=stage).first()
        if match is None:
            break
        finish(match, by_strength(match))
    stage.refresh_from_db()


def played(stage: Stage) -> Match:
    """The first match with a result."""
    match = stage.matches.done().order_by("pk").first()
    assert match is not None
    return match


def standing(stage: Stage) -> object:
    """All that follows from results: who has which, sums, ratings bit for bit, tables, the stage's state."""
    tables = stage.tables.order_by("round", "number").values_list("round", "number", "players", "decided", "places")
    done = stage.matches.done().order_by("pk").values_list("pk", flat=True)
    kept = {name: [row for row in rows if row[1] is not None] for name, rows in replay.kept(stage.contest).items()}
    state = Stage.objects.get(pk=stage.pk).state
    return set(done), kept, list(tables), state


def in_order(contest: Contest) -> bool:
    return not list(replay.differences(Contest.objects.get(pk=contest.pk)))


class TestAsItWas:
    @pytest.mark.parametrize(("format", "teams", "options", "most"), FORMATS)
    def test_what_followed_from_the_result_stands_again(
        self, format: str, teams: int, options: dict[str, object], most: int
    ) -> None:
        hall = Hall(teams)
        stage = begun(hall, format, **options)
        go_on(stage, most)
        before = standing(stage)
        match = played(stage)
        stages.void(match, hall.ada, "the wrong match")
        assert standing(stage) != before
        match.refresh_from_db()
        outlook = impact.of_restoring(match)
        witness = Witness(stage, outlook) if stage.played_in.kind == "planned" else None
        restoring.restore(match, hall.ada, "it was another one")
        assert standing(stage) == before
        (seen,) = outlook.stages
        if witness:
            witness.agrees(besides={each.pk for each in seen.replaced})
        assert not Match.objects.filter(pk__in=[each.pk for each in seen.replaced]).exclude(state="void").exists()
        assert in_order(hall.contest)
        assert following.is_in_line(Stage.objects.get(pk=stage.pk)) or stage.played_in.kind == "ladder"

    def test_a_final_that_the_void_semi_final_took_with_it_counts_again(self, client: Client) -> None:
        hall = Hall(4)
        stage = begun(hall, **TWOS)
        go_on(stage)
        semi, final = played(stage), stage.matches.get(table__round=2)
        stages.void(semi, hall.ada, "the wrong match")
        final.refresh_from_db()
        assert final.state == "void"
        (seen,) = impact.of_restoring(Match.objects.get(pk=semi.pk)).stages
        assert list(seen.restored) == [final]
        restoring.restore(semi, hall.ada, "it was another one")
        told = {entry.match_id: entry for entry in hall.contest.ledger.filter(kind=Kind.MATCH_RESTORED)}
        assert told.keys() == {semi.pk, final.pk}
        assert told[semi.pk].reason == "it was another one"
        assert str(semi) in told[final.pk].reason
        (notice,) = re.findall(r'<p class="notice">.*?</p>', client.get(final.get_absolute_url()).text, re.DOTALL)
        assert notice.count("restored") == 1, "that is said of the other match"

    def test_what_was_voided_for_its_own_reason_stays_void(self) -> None:
        hall = Hall(4)
        stage = begun(hall, **TWOS)
        go_on(stage)
        semi, final = played(stage), stage.matches.get(table__round=2)
        stages.void(final, hall.ada, "a power cut")
        stages.void(semi, hall.ada, "the wrong match")
        restoring.restore(semi, hall.ada, "it was another one")
        final.refresh_from_db()
        assert final.state == "void"
        assert stage.matches.filter(table=final.table_id, state="queued").count() == 1
        assert in_order(hall.contest)

    def test_a_replacement_that_is_being_played_changes_nothing_any_more(self) -> None:
        hall = Hall(2)
        stage = begun(hall, **TWOS)
        go_on(stage)
        match, before = played(stage), standing(stage)
        stages.void(match, hall.ada, "the wrong match")
        claimed = play.claim(stage.matches.get(state="queued").pk, "tester")
        assert claimed is not None
        result = refereed(claimed)
        restoring.restore(match, hall.ada, "it was another one")
        with pytest.raises(LeaseLost):
            play.finish(claimed, result)
        assert standing(stage) == before


class TestAsOf:
    def test_at_every_number_it_is_what_it_was_then(self) -> None:
        """Whoever reads the contest as of an earlier number sees each match as it stood there."""
        hall = Hall(4)
        stage = begun(hall, **TWOS)
        then: dict[int, dict[int, str]] = {}

        def note() -> None:
            states = Match.objects.filter(contest=hall.contest).values_list("pk", "state")
            last = Contest.objects.get(pk=hall.contest.pk).last_number
            then[last] = {pk: "running" if state == "queued" else state for pk, state in states}

        note()
        for _ in range(3):
            go_on(stage, 1)
            note()
        first, second = stage.matches.done().order_by("pk")[:2]
        acts: list[Callable[[], None]] = [
            lambda: stages.void(first, hall.ada, "x"),
            lambda: restoring.restore(first, hall.ada, "x"),
            lambda: stages.void(second, hall.ada, "x"),
            lambda: stages.void(first, hall.ada, "x"),
            lambda: restoring.restore(second, hall.ada, "x"),
            lambda: restoring.restore(first, hall.ada, "x"),
            lambda: stages.void(first, hall.ada, "x"),
        ]
        for act in acts:
            act()
            note()
        assert len(then) == 4 + len(acts)
        for n, states in then.items():
            drawn = Match.objects.filter(contest=hall.contest).as_of(n)
            assert {match.pk: match.status for match in drawn} == states
            void = {pk for pk, state in states.items() if state == "void"}
            assert set(drawn.void_by(n).values_list("pk", flat=True)) == void
            assert set(drawn.not_void_by(n).values_list("pk", flat=True)) == states.keys() - void


class TestRefused:
    @pytest.fixture
    def hall(self) -> Hall:
        return Hall(4)

    @pytest.fixture
    def cup(self, hall: Hall) -> Stage:
        stage = begun(hall, **TWOS)
        go_on(stage)
        return stage

    def refuses(self, hall: Hall, match: Match, word: str, reason: str = "x") -> None:
        before = hall.contest.ledger.count()
        match.refresh_from_db()
        with pytest.raises(Refused, match=word):
            restoring.restore(match, hall.ada, reason)
        assert hall.contest.ledger.count() == before

    def test_while_the_match_played_in_its_place_counts(self, hall: Hall, cup: Stage) -> None:
        match = played(cup)
        stages.void(match, hall.ada, "x")
        go_on(cup)
        other = cup.matches.done().get(table=match.table_id)
        self.refuses(hall, match, str(other))
        stages.void(other, hall.ada, "the first one was right")
        restoring.restore(match, hall.ada, "the first one was right")
        assert cup.matches.done().get(table=match.table_id) == match
        assert in_order(hall.contest)

    def test_a_match_that_a_review_replaced(self, hall: Hall, cup: Stage) -> None:
        match = played(cup)
        review = reviews.start(cup, hall.ada, "x", [match.pk])
        new = review.matches.get()
        play_review(review)
        self.refuses(hall, new, "review")
        reviews.apply(review, hall.ada)
        self.refuses(hall, match, str(new))
        stages.void(new, hall.ada, "x")
        self.refuses(hall, match, str(new))
        restoring.restore(new, hall.ada, "x")
        assert in_order(hall.contest)

    @pytest.mark.long("more")
    def test_after_a_reset(self, hall: Hall, cup: Stage) -> None:
        first, second = cup.matches.done().order_by("pk")[:2]
        stages.void(first, hall.ada, "x")
        endings.reset(cup, hall.ada, "x")
        self.refuses(hall, first, "reset")
        self.refuses(hall, second, "reset")

    @pytest.mark.long("more")
    def test_after_the_stage_was_abandoned(self, hall: Hall) -> None:
        cup = begun(hall, **TWOS)
        go_on(cup, 2)
        first, second = cup.matches.done().order_by("pk")
        stages.void(first, hall.ada, "x")
        endings.abandon(cup, hall.ada, "x")
        self.refuses(hall, first, "abandoned")
        stages.void(second, hall.ada, "x")
        restoring.restore(second, hall.ada, "the wrong match")
        assert in_order(hall.contest)

    @pytest.mark.long("more")
    def test_a_round_that_a_shortened_stage_does_not_play(self) -> None:
        hall = Hall(4)
        swiss = begun(hall, "swiss", **TWOS, rounds=3)
        go_on(swiss, 3)
        late = swiss.matches.done().get(table__round=2)
        stages.void(late, hall.ada, "x")
        for match in swiss.matches.filter(table__round=2, state="queued"):
            stages.void(match, hall.ada, "x")
        Stage.objects.filter(pk=swiss.pk).update(last_round=1)
        swiss.tables.filter(round__gt=1).update(until=hall.contest.ledger.latest("number").number)
        self.refuses(hall, late, "shortened")

    @pytest.mark.long("more")
    def test_when_others_meet_there_by_now(self, hall: Hall, cup: Stage) -> None:
        """The final, when the semi-final has another winner."""
        semi, final = played(cup), cup.matches.get(table__round=2)
        stages.void(semi, hall.ada, "x")
        self.refuses(hall, final, "no place")
        again = cup.matches.get(state="queued")
        finish(again, {team: 3 - place for team, place in by_strength(again).items()})
        self.refuses(hall, final, "other teams")

    def test_not_because_a_team_has_left_since(self, hall: Hall, cup: Stage) -> None:
        """What it has played stands."""
        final = cup.matches.get(table__round=2)
        stages.void(final, hall.ada, "x")
        stages.disqualify(hall.teams[0], hall.ada, "copied a bot")
        restoring.restore(final, hall.ada, "the wrong match")
        assert final in cup.matches.done()
        assert in_order(hall.contest)
