"""The ledger: numbered without gaps, append-only, and the only basis for decisions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.db import DatabaseError, transaction
from django.db.models import ProtectedError, RestrictedError
from django.utils import timezone

from contest import ledger, teams
from contest.ledger import Fact, hold
from contest.models import Act, Audience, Contest, Kind, LedgerEntry
from tests.tournaments.stagecraft import Hall, finish, play_out
from tests.tournaments.visitors import seen
from tests.tournaments.worlds import public_addresses
from tournaments.kinds import following
from tournaments.organising import releases, reviews, stages

pytestmark = [pytest.mark.promise, pytest.mark.django_db]
ROOT = Path(__file__).resolve().parents[2]


def _modules() -> list[Path]:
    found = [path for app in ("contest", "submissions", "tournaments") for path in (ROOT / app).rglob("*.py")]
    return [path for path in found if "migrations" not in path.parts]


def numbers(contest: Contest) -> list[int]:
    return list(contest.ledger.order_by("number").values_list("number", flat=True))


def an_eventful_contest() -> Hall:
    """A contest with every kind of organiser's action on a bracket."""
    hall = Hall(8)
    cup = hall.stage(games=1, table_size=2)
    first, second, third, _ = cup.matches.order_by("pk")
    finish(first)
    stages.void(first, hall.ada, "the wrong deals", hold=True)
    stages.resume(cup, hall.ada, "they are right again")
    for match in (second, third):
        finish(match)
    review = reviews.start(cup, hall.ada, "a slow machine", [second.pk])
    finish(review.matches.get())
    reviews.apply(review, hall.ada)
    stages.disqualify(hall.teams[7], hall.ada, "copied a bot")
    releases.freeze(hall.contest, hall.ada)
    play_out(cup)
    stages.void(third, hall.ada, "a power cut")
    stages.pause(cup, hall.ada, "lunch")
    stages.reinstate(hall.teams[7], hall.ada, "it was another team")
    side = stages.create(hall.contest, hall.ada, stages.Wish("Side", "swiss", {"games": 1, "rounds": 2}))
    stages.start(side, hall.ada)
    hall.contest.refresh_from_db()
    return hall


class TestNumbers:
    def test_they_have_no_gaps_whatever_happens(self) -> None:
        contest = an_eventful_contest().contest
        assert numbers(contest) == list(range(1, contest.last_number + 1))
        kinds = set(contest.ledger.values_list("kind", flat=True))
        assert {Kind.MATCH_VOIDED, Kind.REVIEW_APPLIED, Kind.FREEZE_SET, Kind.STAGE_PAUSED} <= kinds

    def test_what_is_rolled_back_gives_its_numbers_back(self) -> None:
        hall = Hall(2)
        before = Contest.objects.get(pk=hall.contest.pk).last_number
        with transaction.atomic():
            ledger.write(hold(hall.contest.pk), Fact(Kind.TEAM_WITHDRAWN, team=hall.teams[0].pk))
            transaction.set_rollback(True)
        teams.withdraw(hall.teams[0], hall.teams[0].people()[0].user)
        assert numbers(hall.contest) == list(range(1, before + 2))

    def test_a_transaction_that_holds_the_contest_twice_uses_no_number_twice(self) -> None:
        hall = Hall(2)
        with transaction.atomic():
            one, other = hold(hall.contest.pk), hold(hall.contest.pk)
            for held, team in ((one, hall.teams[0]), (other, hall.teams[1]), (one, hall.teams[0])):
                ledger.write(held, Fact(Kind.TEAM_WITHDRAWN, team=team.pk))
        assert numbers(hall.contest) == [1, 2, 3]

    def test_the_first_who_writes_after_a_planned_freeze_writes_down_that_it_began(self) -> None:
        hall = Hall(4)
        cup = hall.stage(games=1)
        Contest.objects.filter(pk=hall.contest.pk).update(frozen_from=timezone.now())
        last = Contest.objects.get(pk=hall.contest.pk).last_number
        finish(cup.matches.get())
        contest = Contest.objects.get(pk=hall.contest.pk)
        assert contest.frozen_number == last + 1
        assert contest.ledger.get(number=last + 1).kind == Kind.FREEZE_SET
        assert contest.ledger.get(number=last + 2).kind == Kind.MATCH_RESULT
        assert contest.ledger.filter(kind=Kind.FREEZE_SET).count() == 1


class TestTheLock:
    def test_there_is_one_way_to_hold_a_contest(self) -> None:
        """So the type checker proves that whoever writes to the ledger has locked the contest."""
        one_way = re.compile(r"\bHeld\(|Contest\.objects\.select_for_update|cast\(.*Held")
        found = {str(path.relative_to(ROOT)) for path in _modules() if one_way.search(path.read_text(encoding="utf-8"))}
        assert found == {"contest/ledger.py"}


class TestAppendOnly:
    @pytest.mark.parametrize("change", [{"kind": "match_result"}, {"number": 99}, {"reason": "another"}, {"data": {}}])
    def test_the_database_refuses_to_change_an_entry(self, change: dict[str, object]) -> None:
        hall = Hall(2)
        teams.withdraw(hall.teams[0], hall.teams[0].people()[0].user)
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            LedgerEntry.objects.filter(contest=hall.contest).update(**change)

    def test_somebody_whose_account_is_gone_is_forgotten(self) -> None:
        hall = Hall(2)
        stages.disqualify(hall.teams[0], hall.ada, "copied a bot")
        Act.objects.all().delete()
        LedgerEntry.objects.filter(by=hall.ada).update(by=None)
        assert hall.contest.ledger.get().by is None

    def test_what_it_names_cannot_be_deleted(self) -> None:
        hall = Hall(4)
        cup = hall.stage(games=1)
        match, team = cup.matches.get(), hall.teams[0]
        finish(match)
        stages.withdraw(team, hall.ada, "ill")
        for named in (cup, match, team):
            with pytest.raises((RestrictedError, ProtectedError)):
                named.delete()

    def test_a_kind_without_its_subject_is_refused(self) -> None:
        hall = Hall(2)
        with pytest.raises(DatabaseError), transaction.atomic():
            ledger.write(hold(hall.contest.pk), Fact(Kind.MATCH_RESULT, stage=None, match=None))


class TestAudience:
    def test_a_reaction_behind_a_freeze_learns_of_no_number(self) -> None:
        """The public revision moves exactly when the public may notice."""
        hall = an_eventful_contest()
        contest = Contest.objects.get(pk=hall.contest.pk)
        before = contest.public_revision
        with transaction.atomic():
            ledger.write(hold(contest.pk), Fact(Kind.STAGE_FINISHED, stage=contest.stages.first().pk))
        contest.refresh_from_db()
        assert contest.public_revision == before
        with transaction.atomic():
            ledger.write(hold(contest.pk), Fact(Kind.TEAM_WITHDRAWN, team=hall.teams[0].pk))
        contest.refresh_from_db()
        assert contest.public_revision == before + 1

    def test_results_of_a_review_are_for_organisers(self) -> None:
        contest = an_eventful_contest().contest
        audiences = contest.ledger.filter(match__review__isnull=False, kind=Kind.MATCH_RESULT)
        assert set(audiences.values_list("audience", flat=True)) == {Audience.ORGANISERS}


class TestTheAuditLogDecidesNothing:
    def test_pages_say_the_same_whatever_its_verbs_are(self) -> None:
        hall = an_eventful_contest()
        desk = [f"/c/{hall.contest.slug}/desk/stages/{stage.pk}/" for stage in hall.contest.stages.all()]
        asked = [*public_addresses(hall), *desk, f"/c/{hall.contest.slug}/desk/visibility/"]
        asked = [address for address in asked if "rev=" not in address]
        before = {who: seen(asked, who) for who in (None, hall.ada)}
        states = list(hall.contest.stages.order_by("pk").values_list("state", "finished_at"))
        Act.objects.update(verb="something", data={})
        for stage in hall.contest.stages.all():
            assert not following.reconcile(stage)
        assert states == list(hall.contest.stages.order_by("pk").values_list("state", "finished_at"))
        assert {who: seen(asked, who) for who in (None, hall.ada)} == before
