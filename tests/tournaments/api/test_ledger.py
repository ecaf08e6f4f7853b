"""The ledger as a feed: who reads what of it, and that nobody misses or learns anything by following it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from contest.models import Contest, Kind
from tests.programs import program
from tests.tournaments.api.contract import everything, lines, told
from tests.tournaments.courtroom import Courtroom
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import ROUNDS, staged
from tests.tournaments.worlds import play_on
from tournaments.models import Stage
from tournaments.organising import releases, reviews, stages

pytestmark = pytest.mark.django_db

TWOS = {"table_size": 2, "games": 1}


@pytest.fixture
def hall() -> Hall:
    return Hall(8)


def feed(hall: Hall, after: str = "") -> list[Any]:
    return lines(Client(), f"/api/v1/contests/{hall.contest.slug}/ledger?after={after}")


def kinds(entries: list[Any]) -> list[str]:
    return [entry["kind"] for entry in entries]


class Follower:
    """A stranger who reads what is new from time to time, and forgets what comes twice."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.cursor = hall, ""
        self.heard: dict[str, Any] = {}
        self.repeated = 0

    def read(self) -> list[Any]:
        """What it has not heard before."""
        found = feed(self.hall, self.cursor)
        new = [entry for entry in found if entry["id"] not in self.heard]
        self.repeated += len(found) - len(new)
        self.heard |= {entry["id"]: entry for entry in found}
        self.cursor = found[-1]["cursor"] if found else self.cursor
        return new


def test_the_desk_reads_every_entry_with_its_number(hall: Hall) -> None:
    stage = staged(hall, options=TWOS)
    play_on(stage, most=3)
    reviews.start(stage, hall.ada, "A cable.", [stage.matches.done()[0].pk])
    play_on(stage, most=1)  # of the review: a result for organisers
    releases.freeze(hall.contest, hall.ada)
    play_on(stage, most=1)
    address = f"/api/v1/contests/{hall.contest.slug}/ledger"
    desk, last = program(hall.ada, "desk"), Contest.objects.get(pk=hall.contest.pk).last_number
    whole = everything(desk, f"{address}?limit=3")
    assert [entry["number"] for entry in whole] == list(range(1, last + 1))
    assert whole == lines(desk, address)
    assert [entry["number"] for entry in lines(desk, f"{address}?after=4")] == list(range(5, last + 1))
    assert {entry["audience"] for entry in whole} == {"everyone", "results", "organisers"}
    assert whole[0]["by"] == hall.ada.username
    as_public = lines(desk, f"{address}?as=public")
    assert as_public == feed(hall)
    assert {(entry["number"], entry["audience"], entry["by"], entry["review"]) for entry in as_public} == {(None,) * 4}


def test_the_public_reads_it_in_pieces_as_a_whole(hall: Hall) -> None:
    stage = staged(hall, options=TWOS)
    play_on(stage, most=3)
    address = f"/api/v1/contests/{hall.contest.slug}/ledger"
    whole = feed(hall)
    assert everything(Client(), f"{address}?limit=2") == whole
    assert len({entry["id"] for entry in whole}) == len(whole)
    assert [entry["match"] for entry in whole if entry["kind"] == Kind.MATCH_RESULT] == list(
        stage.matches.done().order_by("resulted").values_list("pk", flat=True)
    )
    assert feed(hall, whole[-1]["cursor"]) == []
    assert told(Client(), f"{address}?after={whole[-1]['cursor']}") == {"next": None, "results": []}


def test_in_a_freeze_only_announcements_come_and_afterwards_everything(hall: Hall) -> None:
    stage = staged(hall, options=TWOS)
    follower = Follower(hall)
    play_on(stage, most=1)
    before = follower.read()
    assert kinds(before)[-1] == Kind.MATCH_RESULT
    releases.freeze(hall.contest, hall.ada)
    assert kinds(follower.read()) == [Kind.FREEZE_SET]
    play_on(stage, most=2)
    assert follower.read() == []
    stages.withdraw(hall.teams[0], hall.ada, "Ill.")
    (left,) = follower.read()
    assert (left["kind"], left["team"], left["reason"]) == (Kind.TEAM_WITHDRAWN, hall.teams[0].pk, "Ill.")
    play_on(stage, most=1)
    releases.lift(hall.contest, hall.ada)
    late = follower.read()
    assert kinds(late).count(Kind.MATCH_RESULT) == 3
    assert kinds(late)[-1] == Kind.FREEZE_LIFTED
    assert set(follower.heard) == {entry["id"] for entry in feed(hall)}
    assert feed(hall, follower.cursor) == []


def test_a_planned_freeze_is_told_when_it_begins_whether_or_not_anything_happens(hall: Hall) -> None:
    stage = staged(hall, options=TWOS)
    play_on(stage, most=1)
    follower = Follower(hall)
    follower.read()
    Contest.objects.filter(pk=hall.contest.pk).update(frozen_from=timezone.now() - timedelta(seconds=1))
    assert kinds(follower.read()) == [Kind.FREEZE_SET]
    assert follower.read() == []
    play_on(stage, most=1)  # now it is written
    assert follower.read() == []
    releases.lift(Contest.objects.get(pk=hall.contest.pk), hall.ada)
    assert kinds(follower.read())[-2:] == [Kind.MATCH_RESULT, Kind.FREEZE_LIFTED]


def test_rounds_come_when_they_are_released(hall: Hall) -> None:
    options = {"table_size": 2, "rounds": 3, "games": 1}
    swiss = staged(hall, "swiss", options=options, release=ROUNDS)
    ladder = staged(hall, "ladder", name="Ladder", options={"table_size": 2})
    follower = Follower(hall)
    follower.read()
    play_on(swiss, most=4)
    play_on(ladder, most=2)
    assert {entry["stage"] for entry in follower.read()} == {ladder.pk}
    stages.void(ladder.matches.done()[0], hall.ada, "A cable.")
    (void,) = follower.read()[:1]
    assert (void["kind"], void["reason"]) == (Kind.MATCH_VOIDED, "A cable.")
    releases.release(swiss, hall.ada, 1)
    new = follower.read()
    results = [entry for entry in new if entry["kind"] == Kind.MATCH_RESULT]
    assert {entry["match"] for entry in results} == set(
        swiss.matches.filter(table__round=1).values_list("pk", flat=True)
    )
    assert follower.repeated, "what came in between, once more"
    drawn = {match for entry in new if entry["kind"] == Kind.MATCHES_DRAWN for match in entry["data"]["matches"]}
    assert drawn == {entry["match"] for entry in results}
    play_on(swiss)
    Stage.objects.get(pk=swiss.pk)
    for number in (2, 3):
        releases.release(Stage.objects.get(pk=swiss.pk), hall.ada, number)
    assert Kind.STAGE_FINISHED in kinds(follower.read())
    assert set(follower.heard) == {entry["id"] for entry in feed(hall)}


def test_how_long_a_run_was_judged_is_secret_until_the_contest_ends() -> None:
    court = Courtroom(1).start()
    court.send(court.teams[0])
    run = court.judge()
    address = f"/api/v1/contests/{court.contest.slug}/ledger"

    def result(client: Client) -> Any:
        return next(entry for entry in lines(client, address) if entry["kind"] == Kind.MATCH_RESULT)

    assert (result(Client())["match"], result(Client())["at"]) == (run.pk, None)
    assert result(program(court.ada, "desk"))["at"] is not None
    Contest.objects.filter(pk=court.contest.pk).update(ended_at=timezone.now())
    assert result(Client())["at"] is not None
