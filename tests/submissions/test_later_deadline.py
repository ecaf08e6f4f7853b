"""One team may upload longer than others, and everybody may know once a stage has begun."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import teams
from contest.models import Act, Contest, Team
from contest.refusal import Refused
from submissions import intake, lifecycle
from submissions.models import Submission
from submissions.templatetags.submission_tags import steps
from tests.cast import open_until
from tests.programs import post, program
from tests.tournaments.stagecraft import Hall, give_bot
from tournaments.models import Stage
from tournaments.organising import admission, deadlines, releases, stages

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
WHY = "The power was out in their street."


@pytest.fixture
def hall() -> Hall:
    found = Hall(teams=4)
    open_until(found.contest, hours=-1)
    return found


def later(hall: Hall, index: int = 0, hours: float = 2) -> Team:
    until = timezone.now() + hours * HOUR
    teams.extend_uploads(hall.teams[index], hall.ada, until, WHY)
    return Team.objects.select_related("contest").get(pk=hall.ids[index])


def captain(team: Team) -> Client:
    client = Client()
    client.force_login(team.memberships.get().user)
    return client


def test_uploads_and_activation_follow_it(hall: Hall) -> None:
    team, now = later(hall), timezone.now()
    other = Team.objects.select_related("contest").get(pk=hall.ids[1])
    assert not intake.closed(team, now)
    assert "Uploads closed on" in intake.closed(other, now)
    assert "Uploads closed on" in intake.closed(team, now + 3 * HOUR)
    lifecycle.may_change(team, team.memberships.get().user, now)
    with pytest.raises(Refused, match="Uploads have closed"):
        lifecycle.may_change(other, other.memberships.get().user, now)
    Submission.objects.filter(team__in=[team, other]).delete()
    assert [steps(team.contest, each).missed for each in (team, other)] == [False, True]
    page = captain(team).get(reverse("my-team", args=[hall.contest.slug])).content.decode()
    assert 'id="id_source"' in page
    assert WHY in page
    assert WHY in captain(team).get(hall.contest.get_absolute_url()).content.decode()
    assert 'id="id_source"' not in captain(other).get(reverse("my-team", args=[hall.contest.slug])).content.decode()
    own = program(team.memberships.get().user, "team").get(f"/api/v1/contests/{hall.contest.slug}/team").json()
    assert datetime.fromisoformat(own["uploads_until"]) == team.uploads_until


def test_a_contest_that_has_ended_takes_nothing(hall: Hall) -> None:
    team = later(hall)
    Contest.objects.update(ended_at=timezone.now())
    assert "ended" in intake.closed(Team.objects.get(pk=team.pk), timezone.now())


def seen_by_strangers(hall: Hall) -> list[bool]:
    pages = (hall.contest.get_absolute_url(), hall.teams[0].get_absolute_url())
    told = Client().get(f"/api/v1/contests/{hall.contest.slug}/teams/{hall.ids[0]}").json()["uploads_until_reason"]
    return [WHY in Client().get(page).content.decode() for page in pages] + [told == WHY]


def test_others_read_it_once_a_stage_has_begun(hall: Hall) -> None:
    later(hall)
    assert seen_by_strangers(hall) == [False] * 3
    hall.stage()
    assert seen_by_strangers(hall) == [True] * 3


def test_a_start_behind_a_freeze_does_not_show_by_it(hall: Hall) -> None:
    later(hall)
    stage = hall.stage(start=False, publish=True)
    releases.freeze(hall.contest, hall.ada)
    stages.start(stage, hall.ada)
    assert seen_by_strangers(hall) == [False] * 3


def test_only_organisers_set_it_and_only_later(hall: Hall) -> None:
    address = reverse("desk-team-uploads", args=[hall.contest.slug, hall.ids[0]])
    until = timezone.now() + 2 * HOUR
    sent = {"until": f"{timezone.localtime(until):%Y-%m-%dT%H:%M}", "reason": WHY}
    assert captain(hall.teams[0]).post(address, sent).status_code == 403
    owner = Client()
    owner.force_login(hall.ada)
    assert owner.post(address, {**sent, "reason": ""}).status_code == 422
    early = hall.contest.upload_deadline - HOUR
    assert owner.post(address, {**sent, "until": f"{timezone.localtime(early):%Y-%m-%dT%H:%M}"}).status_code == 422
    assert Team.objects.exclude(uploads_until=None).count() == 0
    assert owner.post(address, sent).status_code == 302
    assert Team.objects.get(pk=hall.ids[0]).uploads_until == until.replace(second=0, microsecond=0)
    assert Act.objects.get(verb="change upload deadline of team").reason == WHY
    here = f"/api/v1/contests/{hall.contest.slug}/desk/teams/{hall.ids[0]}/uploads"
    client = program(hall.ada, "desk")
    assert post(client, here, {}).status_code == 422
    assert post(client, here, {"until": None}).json()["uploads_until"] is None
    assert Team.objects.exclude(uploads_until=None).count() == 0


def test_the_desk_warns_and_a_start_waits_for_versions_that_came_in_time(hall: Hall) -> None:
    later(hall, hours=2)
    stage = hall.stage(start=False, publish=True)
    Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() + HOUR)
    stage.refresh_from_db()
    assert str(hall.teams[0]) in deadlines.too_early_for(stage, timezone.now())
    Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() + 3 * HOUR)
    stage.refresh_from_db()
    assert deadlines.too_early_for(stage, timezone.now()) == ""
    Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now())
    stage.refresh_from_db()
    moments = {"uploaded_at": timezone.now() - HOUR / 2, "state": Submission.State.QUEUED}
    for index, waits in ((1, False), (0, True)):
        version = give_bot(hall.teams[index], active=False, number=2)
        Submission.objects.filter(pk=version.pk).update(activate_when_ready=True, **moments)
        assert bool(admission.held_back(stage, timezone.now() + HOUR / 2)) is waits
