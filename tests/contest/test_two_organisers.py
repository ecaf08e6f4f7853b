"""Two people have the same form open: each changes what they changed, and nobody takes back what the other saved."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import contests
from contest.models import Contest, Role, Team
from tests.cast import make_user
from tests.markup import Values, forms, submitted
from tests.tournaments.stagecraft import Hall
from tournaments.models import Stage
from tournaments.webhooks import changes

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return Hall(4)


def organiser(hall: Hall) -> Client:
    user = make_user()
    contests.give_role(hall.contest, hall.ada, user, Role.Kind.ORGANISER)
    client = Client()
    client.force_login(user)
    return client


class Editor:
    """Somebody who opened a form and sends it later, as a browser does."""

    def __init__(self, hall: Hall, name: str, *args: object, page: str = "") -> None:
        self.client, self.address = organiser(hall), reverse(name, args=[hall.contest.slug, *args])
        self.form = self.opened(self.client.get(page or self.address).content.decode())

    def opened(self, page: str) -> Values:
        own = [form.values for form in forms(page) if form.action == self.address]
        return own[-1] if own else submitted(page)

    def send(self, **changes: Any) -> Any:
        answer = self.client.post(self.address, {**self.form, **changes})
        if answer.status_code == 422:
            self.form = self.opened(answer.content.decode())
        return answer


SETTINGS = {
    "name": ("Winter Cup", "Summer Cup"),
    "upload_deadline": ("2199-05-01T12:00", "2199-06-01T12:00"),
    "memory_mb": ("77", "88"),
    "approval_required": ("on", ""),
    "visibility": ("private", "unlisted"),
    "description": ("Of one", "Of the other"),
    "option-target": ("20", "30"),
}


def value_of(hall: Hall, name: str) -> str:
    contest = Contest.objects.get(pk=hall.contest.pk)
    if name.startswith("option-"):
        return str(contest.full_options()[name.removeprefix("option-")])
    value = getattr(contest, name)
    if name == "upload_deadline":
        return f"{value:%Y-%m-%dT%H:%M}"
    return {True: "on", False: ""}.get(value, str(value))


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_another_changed_stay(hall: Hall, name: str) -> None:
    Contest.objects.update(time_zone="UTC")
    one, other = Editor(hall, "desk-settings"), Editor(hall, "desk-settings")
    assert one.send(**{name: SETTINGS[name][0]}).status_code == 302
    assert other.send(blurb="Cards for all").status_code == 302
    assert value_of(hall, name) == SETTINGS[name][0]
    assert value_of(hall, "blurb") == "Cards for all"


@pytest.mark.parametrize("name", [name for name in SETTINGS if name != "approval_required"])
def test_who_changed_the_same_setting_is_shown_the_other_value_first(hall: Hall, name: str) -> None:
    Contest.objects.update(time_zone="UTC")
    first, second = SETTINGS[name]
    one, other = Editor(hall, "desk-settings"), Editor(hall, "desk-settings")
    one.send(**{name: first})
    answer = other.send(**{name: second})
    assert answer.status_code == 422
    form = answer.context["options" if name.startswith("option-") else "form"]
    assert set(form.errors) == {name.removeprefix("option-")}
    assert value_of(hall, name) == first
    assert other.send().status_code == 302
    assert value_of(hall, name) == second


def test_languages_that_another_took_away_stay_away(hall: Hall) -> None:
    contests.edit(hall.contest, hall.ada, {"languages": ["c", "python"]})
    one, other = Editor(hall, "desk-settings"), Editor(hall, "desk-settings")
    one.send(languages=["python"])
    other.send(blurb="Cards for all")
    assert Contest.objects.get(pk=hall.contest.pk).languages == ["python"]


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [("starts_at", "2199-05-01T12:00", "2199-06-01T12:00"), ("games", "8", "12"), ("name", "Cup", "League")],
)
def test_a_stage_keeps_what_another_changed(hall: Hall, name: str, first: str, second: str) -> None:
    Contest.objects.update(time_zone="UTC")
    stage = hall.stage(start=False)
    one, other = Editor(hall, "desk-stage-edit", stage.pk), Editor(hall, "desk-stage-edit", stage.pk)

    def value() -> str:
        fresh = Stage.objects.get(pk=stage.pk)
        return {
            "starts_at": fresh.starts_at and f"{fresh.starts_at:%Y-%m-%dT%H:%M}",
            "games": str(fresh.options["games"]),
            "name": fresh.name,
        }[name]

    assert one.send(**{name: first}).status_code == 302
    assert other.send(round_1_release="manual").status_code == 302
    assert value() == first
    assert Stage.objects.get(pk=stage.pk).release == "rounds"
    late = Editor(hall, "desk-stage-edit", stage.pk)
    one = Editor(hall, "desk-stage-edit", stage.pk)
    one.send(**{name: second})
    assert late.send(**{name: first}).status_code == 302, "who changed nothing takes nothing back"
    assert value() == second


def test_a_format_that_another_chose_is_not_taken_back(hall: Hall) -> None:
    stage = hall.stage(start=False)
    one, other = Editor(hall, "desk-stage-edit", stage.pk), Editor(hall, "desk-stage-edit", stage.pk)
    one.address += "?format=swiss"
    one.form = submitted(one.client.get(one.address).content.decode())
    assert one.send().status_code == 302
    assert other.send(name="Final").status_code == 422
    assert Stage.objects.get(pk=stage.pk).format == "swiss"
    assert other.send(format="swiss").status_code == 302


@pytest.mark.parametrize(("own", "one", "other"), [(False, "name", "school"), (True, "first_name", "last_name")])
def test_members_keep_what_was_changed_meanwhile(hall: Hall, client: Client, own: bool, one: str, other: str) -> None:
    """Of their team, and of their own account on another device."""
    member = hall.teams[0].memberships.get()
    client.force_login(member.user)
    page = reverse("account") if own else reverse("team-edit", args=[hall.contest.slug])
    typed, row = submitted(client.get(page).content.decode()), member.user if own else member.team
    type(row).objects.filter(pk=row.pk).update(**{one: "Renamed"})
    client.post(page, {**typed, other: "Another"})
    row.refresh_from_db()
    assert (getattr(row, one), getattr(row, other)) == ("Renamed", "Another")


def test_seed_numbers_that_another_gave_stay(hall: Hall) -> None:
    first, second = hall.teams[:2]
    one, other = Editor(hall, "desk-seeds"), Editor(hall, "desk-seeds")
    one.send(**{f"seed_{first.pk}": "13"})
    assert other.send(**{f"seed_{second.pk}": "14"}).status_code == 302
    assert [Team.objects.get(pk=team.pk).seed for team in (first, second)] == [13, 14]


def test_a_later_deadline_that_another_gave_is_shown_first(hall: Hall) -> None:
    team = hall.teams[0]
    page = reverse("desk-team", args=[hall.contest.slug, team.pk])
    late, later = (
        f"{timezone.localtime(hall.contest.upload_deadline) + timedelta(days=n):%Y-%m-%dT%H:%M}" for n in (1, 2)
    )
    one, other = (
        Editor(hall, "desk-team-uploads", team.pk, page=page),
        Editor(hall, "desk-team-uploads", team.pk, page=page),
    )
    assert one.send(until=later, reason="A power cut.").status_code == 302
    assert other.send(until=late, reason="Ill.").status_code == 422
    assert Team.objects.get(pk=team.pk).uploads_until_reason == "A power cut."
    assert other.send(until=late, reason="Ill.").status_code == 302


def test_a_webhook_keeps_what_another_changed(hall: Hall) -> None:
    row = changes.create(hall.contest, None, hall.ada, "https://example.org/one", [])
    one, other = Editor(hall, "desk-webhook", row.pk), Editor(hall, "desk-webhook", row.pk)
    one.send(url="https://example.org/two")
    assert other.send(kinds=["match_result"]).status_code == 302
    row.refresh_from_db()
    assert (row.url, row.kinds) == ("https://example.org/two", ["match_result"])
