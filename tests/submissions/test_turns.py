"""Whose turn it is: teams take turns, newer versions supersede older ones, checks give way, organisers can step in."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.urls import reverse
from django.utils import timezone

from contest import workers
from contest.models import Act, Team
from contest.refusal import Refused
from submissions import advice, intake, lifecycle, process, turns
from submissions.intake import Upload
from submissions.models import CheckGame, Submission, revision_of
from tests.cast import Cast, make_teams
from tests.sandbox.sandboxes import needs_jail
from tests.submissions import bots
from tests.submissions.test_lifecycle import state_of

State = Submission.State


@pytest.fixture(autouse=True)
def two_slots(db: None) -> None:
    workers.sign_of_life("builds@here", ("builds",))


def uploaded(team: Team, text: str = "", **options: Any) -> Submission:
    """A version of a team's, by its captain. No two are equal."""
    number = team.submissions.count() + 1
    source = Upload("bot.py", f"print({number})  # {text}\n".encode())
    return intake.receive(team, team.memberships.get(is_captain=True).user, [source], **options).submission


def numbers() -> list[tuple[str, int]]:
    found = Submission.objects.in_bulk([each.pk for each in turns.order(timezone.now())])
    return [(found[each.pk].team.name, found[each.pk].number) for each in turns.order(timezone.now())]


def finish(claimed: Submission, *, ready: bool = True) -> None:
    if ready:
        lifecycle.ready(claimed)
    else:
        lifecycle.reject(claimed, "It does not compile.")


def next_one() -> Submission:
    claimed = lifecycle.claim_next("worker")
    assert claimed
    return claimed


# The order ------------------------------------------------------------------------------------------------------------


def test_the_team_whose_last_turn_is_the_longest_ago_goes_first(cast: Cast) -> None:
    one, two, three = make_teams(cast.contest, 3)
    for team in (one, two):
        uploaded(team)
    for _ in range(2):
        finish(next_one())
    uploaded(two)
    uploaded(one)
    uploaded(three)
    assert [name for name, _ in numbers()] == [three.name, one.name, two.name]


def test_nobody_waits_for_more_than_one_turn_of_each_other_team(cast: Cast) -> None:
    """A team that uploads again after each of its turns never gets two turns before somebody who waits."""
    greedy, *others = make_teams(cast.contest, 6)
    uploaded(greedy)
    for team in others:
        uploaded(team)
    took = []
    while len(took) < 6:
        claimed = next_one()
        took.append(claimed.team_id)
        finish(claimed)
        if claimed.team_id == greedy.pk:
            uploaded(greedy)
    assert took == [greedy.pk, *(team.pk for team in others)]


def test_a_team_has_one_build_at_a_time(cast: Cast) -> None:
    first = uploaded(cast.aces)
    claimed = lifecycle.claim(first.pk, "one")
    assert claimed
    second = uploaded(cast.aces)
    assert lifecycle.claim(second.pk, "two") is None, "the database refuses it"
    assert lifecycle.claim_next("two") is None
    with pytest.raises(IntegrityError, match=r"UNIQUE|one_build_at_a_time"):
        Submission.objects.filter(pk=second.pk).update(state=State.BUILDING)


def test_the_next_build_of_a_team_begins_when_one_is_over(cast: Cast) -> None:
    first = next_one_of(uploaded(cast.aces))
    second = uploaded(cast.aces)
    place = turns.place_of(second)
    assert place
    assert place.behind_own
    assert "A team has one build at a time" in place.words()
    finish(first)
    assert next_one() == second


def next_one_of(version: Submission) -> Submission:
    claimed = next_one()
    assert claimed == version
    return claimed


def test_a_lost_worker_gives_its_team_no_second_turn_before_others(cast: Cast) -> None:
    lost = next_one_of(uploaded(cast.aces))
    other = uploaded(cast.clubs)
    Submission.objects.filter(pk=lost.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    lifecycle.requeue_abandoned(timezone.now())
    assert state_of(lost) == State.QUEUED
    assert [next_one().pk, next_one().pk] == [other.pk, lost.pk]


# Newer versions -------------------------------------------------------------------------------------------------------


def test_a_newer_upload_takes_the_place_of_an_older_one(cast: Cast) -> None:
    early = timezone.now() - timedelta(minutes=5)
    old = uploaded(cast.aces, now=early)
    uploaded(cast.clubs, now=early + timedelta(minutes=1))
    receipt = intake.receive(cast.aces, cast.alice, [Upload("bot.py", b"print(2)\n")])
    assert receipt.notices == ["It takes the place of version 1 in the queue, whose turn had not come."]
    old.refresh_from_db()
    assert (old.state, old.superseded_by, old.in_progress) == (State.SUPERSEDED, 2, False)
    assert numbers() == [("Aces", 2), ("Clubs", 1)]
    assert receipt.submission.uploaded_at > early, "the deadline asks when it was uploaded"


def test_every_entry_of_a_judged_problem_counts(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(cast.contest.game), "sample", ({},))
    versions = [uploaded(cast.aces), uploaded(cast.aces)]
    assert [state_of(it) for it in versions] == [State.QUEUED, State.QUEUED]
    assert numbers() == [("Aces", 1), ("Aces", 2)]


def test_a_version_that_comes_back_is_superseded_by_one_that_came_meanwhile(cast: Cast) -> None:
    first = next_one_of(uploaded(cast.aces))
    second = uploaded(cast.aces)
    lifecycle.put_back(first, "the machine failed")
    assert state_of(first) == State.SUPERSEDED
    assert next_one() == second


def test_a_superseded_version_gets_its_turn_if_the_newer_one_is_rejected(cast: Cast) -> None:
    versions = [uploaded(cast.aces) for _ in range(3)]
    finish(next_one_of(versions[2]), ready=False)
    assert [state_of(it) for it in versions] == [State.SUPERSEDED, State.QUEUED, State.REJECTED]
    finish(next_one_of(versions[1]))
    assert [state_of(it) for it in versions] == [State.SUPERSEDED, State.READY, State.REJECTED]
    assert Submission.objects.active().get() == versions[1]


def test_a_superseded_version_is_promised_a_turn_only_if_it_gets_one(cast: Cast) -> None:
    playing, trial = uploaded(cast.aces), uploaded(cast.clubs, activate=False)
    uploaded(cast.aces)
    uploaded(cast.clubs)
    now = timezone.now()
    for version, is_promised in ((playing, True), (trial, False)):
        version.refresh_from_db()
        assert version.state == State.SUPERSEDED
        assert ("gets its turn after all" in advice.for_version(version, now).text) == is_promised


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(it, marks=pytest.mark.long("more")) for it in range(2, 12))])
def test_what_plays_in_the_end_does_not_depend_on_the_queue(cast: Cast, seed: int) -> None:
    """The same uploads with the same outcomes, once built at once and once at random moments."""
    random = Random(seed)
    one, two = make_teams(cast.contest, 2)
    good: dict[int, bool] = {}

    def build(team: Team) -> bool:
        waiting = [each.pk for each in turns.order(timezone.now()) if each.team == team.pk]
        claimed = lifecycle.claim(waiting[0], "worker") if waiting else None
        if claimed:
            finish(claimed, ready=good[claimed.number])
        return bool(claimed)

    for number in range(1, 9):
        good[number], activate = random.random() < 0.5, random.random() < 0.7
        for team in (one, two):
            uploaded(team, activate=activate)
        while build(one):
            pass
        if random.random() < 0.3:
            build(two)
    while build(two):
        pass
    active = [team.submissions.active().values_list("number", flat=True).first() for team in (one, two)]
    assert active[0] == active[1]


# Checks ---------------------------------------------------------------------------------------------------------------


@needs_jail
@pytest.mark.django_db(transaction=True)
def test_a_long_check_gives_way_and_keeps_its_games(cast: Cast, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CHECK_TURN = 0.0
    monkeypatch.setattr(turns, "LOOK", 0.0)
    monkeypatch.setattr(turns, "PATIENCE", timedelta(0))
    long = intake.receive(cast.aces, cast.alice, [Upload("bot.py", bots.GOOD_PYTHON)]).submission
    played = []
    keep = lifecycle.checked_game

    def first_game_then_company(claimed: Submission, game: CheckGame) -> None:
        keep(claimed, game)
        played.append((claimed.pk, game.number))
        if len(played) == 1:
            uploaded(cast.clubs)

    monkeypatch.setattr(lifecycle, "checked_game", first_game_then_company)
    assert process.take_turn() == long
    long.refresh_from_db()
    assert (long.state, long.turns, long.failures) == (State.QUEUED, 1, 0)
    assert [game.number for game in long.check_games.all()] == [1]
    assert numbers()[0][0] == "Clubs"
    settings.CHECK_TURN = 60
    process.take_turn()
    assert process.take_turn() == long
    assert state_of(long) == State.READY
    assert [number for pk, number in played if pk == long.pk] == [1, 2, 3, 4], "no game was played twice"


# What is told ---------------------------------------------------------------------------------------------------------


def test_the_place_and_the_time_are_told(cast: Cast) -> None:
    now = timezone.now()
    teams = make_teams(cast.contest, 9)
    for team in teams[:6]:
        done = uploaded(team)
        Submission.objects.filter(pk=done.pk).update(
            state=State.READY, started_at=now - timedelta(seconds=200), finished_at=now - timedelta(seconds=80)
        )
    for team in teams[6:]:
        uploaded(team)
    mine = uploaded(cast.aces)
    place = turns.place_of(mine)
    assert place
    assert (place.position, place.waiting, round(place.soonest)) == (4, 4, 360), "one slot, two minutes each"
    assert place.words() == (
        "It is number 4 of 4 in the queue, where teams take turns. It should begin in about 6 minutes."
    )
    next_one()
    before = revision(mine)
    assert revision(mine) == before
    next_one()
    assert revision(mine) != before, "pages and programs that wait hear of it"


def revision(version: Submission) -> str:
    turns.mark([version])
    return revision_of([version])


# Organisers -----------------------------------------------------------------------------------------------------------


def test_an_organiser_moves_one_to_the_front(cast: Cast) -> None:
    one, two = make_teams(cast.contest, 2)
    for team in (one, two):
        uploaded(team)
    last = uploaded(cast.aces)
    lifecycle.move_up(last, cast.olga)
    assert [name for name, _ in numbers()] == ["Aces", one.name, two.name]
    assert Act.objects.filter(verb="move build to the front", user=cast.olga).exists()
    uploaded(cast.aces)
    assert numbers()[0] == ("Aces", 2), "a newer version keeps the place"
    finish(next_one())
    with pytest.raises(Refused, match="is not waiting"):
        lifecycle.move_up(last, cast.olga)


def test_an_organiser_cancels_one(cast: Cast) -> None:
    waiting, running = uploaded(cast.aces), uploaded(cast.clubs)
    claimed = lifecycle.claim(running.pk, "worker")
    assert claimed
    with pytest.raises(Refused, match="Please give a reason"):
        lifecycle.cancel(waiting, cast.olga, " ")
    for version in (waiting, running):
        lifecycle.cancel(version, cast.olga, "They flood us.")
        version.refresh_from_db()
        assert (version.state, version.verdict) == ("cancelled", "An organiser cancelled the build: They flood us.")
    with pytest.raises(lifecycle.LeaseLost):
        lifecycle.ready(claimed)
    assert Act.objects.filter(verb="cancel build", reason="They flood us.").count() == 2
    with pytest.raises(Refused, match="neither waiting"):
        lifecycle.cancel(waiting, cast.olga, "again")
    lifecycle.recheck(waiting, cast.olga, "It was a mistake.")
    assert state_of(waiting) == State.QUEUED
    uploaded(cast.aces)
    assert state_of(waiting) == State.QUEUED, "an organiser wants it built"


def test_the_desk_sees_who_is_built_and_who_waits(cast: Cast, client: Any) -> None:
    address = reverse("desk-builds", args=[cast.contest.slug])
    running, waiting = uploaded(cast.aces), uploaded(cast.clubs)
    lifecycle.claim(running.pk, "worker")
    others = make_teams(cast.contest, 1)
    uploaded(others[0])
    client.force_login(cast.judy)
    page = client.get(address)
    text = page.content.decode()
    assert text.index("Aces") < text.index("Clubs") < text.index(others[0].name)
    words = " ".join(re.sub("<[^>]*>", " ", text).split())
    assert "began less than a minute ago" in words
    assert "queued less than a minute ago" in words
    assert "move-up" not in text, "a judge changes nothing"
    assert client.get(f"{address}?rev={page.context['rev']}").status_code == 204
    up = reverse("build-move-up", args=[cast.contest.slug, others[0].pk, 1])
    cancel = reverse("build-cancel", args=[cast.contest.slug, cast.clubs.pk, 1])
    assert client.post(up).status_code == 403
    client.force_login(cast.alice)
    assert client.get(address).status_code == client.post(cancel, {"reason": "x"}).status_code == 403
    client.force_login(cast.olga)
    assert client.get(f"{address}?rev={page.context['rev']}").status_code == 204
    client.post(up)
    assert numbers() == [(others[0].name, 1), ("Clubs", 1)]
    client.post(cancel)
    assert state_of(waiting) == State.QUEUED, "without a reason"
    client.post(cancel, {"reason": "They asked."})
    assert state_of(waiting) == State.CANCELLED
    assert "Nothing is being built" not in client.get(f"{address}?rev=x").content.decode()


# Many workers ---------------------------------------------------------------------------------------------------------


@pytest.mark.promise
@pytest.mark.django_db(transaction=True)
def test_workers_that_claim_at_once_get_one_version_of_each_team(cast: Cast) -> None:
    teams = make_teams(cast.contest, 4)
    for _ in range(2):
        for team in teams:
            uploaded(team, activate=False)
    for team in teams:
        uploaded(team, activate=True)  # which supersedes both
        lifecycle.recheck(team.submissions.get(number=1), cast.olga, "so that a team has two")
    start = threading.Barrier(8)

    def work(number: int) -> int | None:
        try:
            start.wait()
            claimed = lifecycle.claim_next(f"worker {number}")
            return claimed and claimed.team_id
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as workers:
        got = [team for team in workers.map(work, range(8)) if team]
    assert sorted(got) == sorted(team.pk for team in teams)
    assert Submission.objects.filter(state=State.BUILDING).count() == 4


@pytest.mark.promise
@pytest.mark.django_db(transaction=True)
def test_an_upload_and_a_claim_at_once_lose_nothing(cast: Cast) -> None:
    """Either the older version is built or the newer one takes its place, never both and never neither."""
    for _ in range(5):
        Submission.objects.all().delete()
        old = uploaded(cast.aces)
        start = threading.Barrier(2)

        def claim(start: threading.Barrier = start) -> bool:
            try:
                start.wait()
                return lifecycle.claim_next("worker") is not None
            finally:
                connection.close()

        def upload(start: threading.Barrier = start) -> Submission:
            try:
                start.wait()
                return uploaded(cast.aces)
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as both:
            claimed, newer = both.submit(claim), both.submit(upload)
            assert claimed.result() in (True, False)
        states = {old.pk: state_of(old), newer.result().pk: state_of(newer.result())}
        assert list(states.values()) in (["building", "queued"], ["superseded", "building"], ["superseded", "queued"])
