"""The Django admin: every model can be looked at, what must not change cannot be changed."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from contest import contests
from contest.models import Act, Announcement, Contest, Membership, Question, Role, Team, User
from tests.cast import PASSWORD, Cast, make_cast, make_user

MODELS = (User, Contest, Team, Role, Membership, Announcement, Question, Act)


@pytest.fixture
def cast(db: None) -> Cast:
    cast = make_cast()
    contests.announce(cast.contest, cast.ada, "Welcome")
    Question.objects.create(contest=cast.contest, team=cast.aces, subject="Ties", text="Who wins one?")
    return cast


@pytest.fixture
def root(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.root)
    return client


@pytest.mark.parametrize("model", MODELS)
def test_every_model_has_a_list_and_a_page(root: Client, model: type) -> None:
    name = model.__name__.lower()
    listed = root.get(reverse(f"admin:contest_{name}_changelist"), {"q": "a"})
    assert listed.status_code == 200
    row = model.objects.first()  # type: ignore[attr-defined]
    assert root.get(reverse(f"admin:contest_{name}_change", args=[row.pk])).status_code == 200


def test_every_model_of_this_app_is_there() -> None:
    assert {model for model in admin.site._registry if model._meta.app_label == "contest"} == set(MODELS)


@pytest.mark.parametrize("model", [Act, Membership, Question])
def test_the_trail_cannot_be_changed(root: Client, model: type) -> None:
    name, row = model.__name__.lower(), model.objects.first()  # type: ignore[attr-defined]
    assert root.get(reverse(f"admin:contest_{name}_add")).status_code == 403
    assert root.post(reverse(f"admin:contest_{name}_change", args=[row.pk]), {"verb": "x"}).status_code == 403
    assert root.post(reverse(f"admin:contest_{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert model.objects.filter(pk=row.pk).exists()  # type: ignore[attr-defined]


def test_a_contest_with_teams_cannot_be_deleted_here_either(root: Client, cast: Cast) -> None:
    url = reverse("admin:contest_contest_delete", args=[cast.contest.pk])
    assert root.post(url, {"post": "yes"}).status_code == 403
    assert Contest.objects.filter(pk=cast.contest.pk).exists()


def test_a_member_added_here_belongs_to_the_teams_contest(root: Client, cast: Cast) -> None:
    url = reverse("admin:contest_team_change", args=[cast.clubs.pk])
    page = root.get(url)
    data = {
        "contest": cast.contest.pk,
        "name": "Clubs",
        "school": "",
        "state": "approved",
        "state_reason": "",
        "seed": "",
    }
    for form in page.context["inline_admin_formsets"][0].formset.management_form:
        data[form.html_name] = form.value()
    mine = cast.clubs.memberships.get()
    data |= {"memberships-TOTAL_FORMS": 2, "memberships-0-id": mine.pk, "memberships-0-team": cast.clubs.pk}
    data |= {"memberships-0-user": mine.user_id, "memberships-0-is_captain": "on"}
    data |= {"memberships-1-team": cast.clubs.pk, "memberships-1-user": cast.zoe.pk}
    assert root.post(url, data).status_code == 302
    assert Membership.objects.get(user=cast.zoe).contest == cast.contest


def test_the_admin_is_for_staff(cast: Cast) -> None:
    client = Client()
    assert client.login(username="ada", password=PASSWORD)
    assert client.get(reverse("admin:index")).status_code == 302
    staff = make_user("stan", is_staff=True)
    client.force_login(staff)
    assert client.get(reverse("admin:index")).status_code == 200
    assert client.get(reverse("admin:contest_contest_changelist")).status_code == 403
