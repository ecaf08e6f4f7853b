"""The Django admin: every model can be viewed, and what must not change cannot be changed."""

import json
from datetime import datetime

import pytest
from django.contrib import admin
from django.db.models.signals import pre_save
from django.template.response import TemplateResponse
from django.test import Client
from django.urls import reverse

from contest import contests
from contest.models import Act, Alarm, Announcement, Contest, Membership, Proof, Question, Role, Team, User
from tests.cast import PASSWORD, Cast, make_cast, make_contest, make_user

pytestmark = pytest.mark.long("more")

MODELS = (User, Contest, Team, Role, Membership, Announcement, Question, Act, Alarm, Proof)


@pytest.fixture
def cast(db: None) -> Cast:
    cast = make_cast()
    contests.announce(cast.contest, cast.ada, "Welcome")
    Proof.objects.create(game_slug="hearts", language="c", host="here", level="full", seconds=90)
    Alarm.objects.create(key="disk", message="little is free")
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


@pytest.mark.parametrize("model", [Act, Alarm, Membership, Question, Proof])
def test_the_audit_log_cannot_be_changed(root: Client, model: type) -> None:
    name, row = model.__name__.lower(), model.objects.first()  # type: ignore[attr-defined]
    assert root.get(reverse(f"admin:contest_{name}_add")).status_code == 403
    assert root.post(reverse(f"admin:contest_{name}_change", args=[row.pk]), {"verb": "x"}).status_code == 403
    assert root.post(reverse(f"admin:contest_{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert model.objects.filter(pk=row.pk).exists()  # type: ignore[attr-defined]


def test_a_contest_with_teams_cannot_be_deleted_here_either(root: Client, cast: Cast) -> None:
    url = reverse("admin:contest_contest_delete", args=[cast.contest.pk])
    assert root.post(url, {"post": "yes"}).status_code == 403
    assert Contest.objects.filter(pk=cast.contest.pk).exists()


def typed(page: TemplateResponse) -> dict[str, object]:
    """What a browser would send back from an admin form."""
    form = page.context["adminform"].form
    data: dict[str, object] = {}
    for field in form:
        value = field.value()
        if isinstance(value, datetime):  # in two fields
            data |= {f"{field.html_name}_0": f"{value:%Y-%m-%d}", f"{field.html_name}_1": f"{value:%H:%M:%S}"}
        elif value is not None and value is not False:
            data[field.html_name] = value if isinstance(value, str) else json.dumps(value)
    for inline in page.context["inline_admin_formsets"]:
        data |= {field.html_name: field.value() for field in inline.formset.management_form}
        for row in inline.formset.initial_forms:
            data |= {field.html_name: field.value() for field in row if field.value() is not None}
    return data


def test_what_the_desk_would_check_is_changed_there_alone(root: Client, cast: Cast) -> None:
    """The game, its options, and whether programs connect: stages and bots must suit them."""
    before = Contest.objects.get(pk=cast.contest.pk)
    url = reverse("admin:contest_contest_change", args=[before.pk])
    page = root.get(url)
    wished = {
        "blurb": "Repaired.",
        "live": "on",
        "game_slug": "barracuda",
        "preset": "open",
        "options": '{"target": 1}',
    }
    answer = root.post(url, {**typed(page), **wished})
    assert answer.status_code == 302, answer.context["errors"]
    after = Contest.objects.get(pk=before.pk)
    assert after.blurb == "Repaired."
    for name in ("live", "game_slug", "preset", "options"):
        assert getattr(after, name) == getattr(before, name), name


def test_facts_of_the_ledger_are_not_changed_here(root: Client, cast: Cast) -> None:
    """Who is out, and what is frozen: organisers do that on the desk, which writes to the audit log."""
    page = root.get(reverse("admin:contest_contest_change", args=[cast.contest.pk]))
    frozen = {"frozen_from_0": "2020-01-01", "frozen_from_1": "12:00:00", "blurb": "Repaired."}
    assert root.post(page.request["PATH_INFO"], {**typed(page), **frozen}).status_code == 302
    contest = Contest.objects.get(pk=cast.contest.pk)
    assert (contest.blurb, contest.frozen_from) == ("Repaired.", None)

    elsewhere = make_contest(cast.ada)
    page = root.get(reverse("admin:contest_team_change", args=[cast.clubs.pk]))
    wished = {"school": "Repaired", "state": "disqualified", "state_reason": "x", "contest": elsewhere.pk}
    assert root.post(page.request["PATH_INFO"], {**typed(page), **wished}).status_code == 302
    team = Team.objects.get(pk=cast.clubs.pk)
    assert (team.school, team.state, team.contest) == ("Repaired", "approved", cast.contest)


def test_what_is_written_meanwhile_stays(root: Client, cast: Cast) -> None:
    """A result that arrives while the form is being saved has taken the next ledger number."""
    page = root.get(reverse("admin:contest_contest_change", args=[cast.contest.pk]))
    before = Contest.objects.get(pk=cast.contest.pk)

    def meanwhile(sender: object, instance: Contest, **more: object) -> None:
        Contest.objects.filter(pk=instance.pk).update(last_number=7, revision=7)

    pre_save.connect(meanwhile, Contest)
    try:
        assert root.post(page.request["PATH_INFO"], {**typed(page), "blurb": "Repaired."}).status_code == 302
    finally:
        pre_save.disconnect(meanwhile, Contest)
    after = Contest.objects.get(pk=before.pk)
    assert (after.blurb, after.last_number, after.revision) == ("Repaired.", 7, 7)


def test_a_contest_is_not_made_here(root: Client) -> None:
    """It would have no owner, no stages, and no entry in the audit log."""
    assert root.get(reverse("admin:contest_contest_add")).status_code == 403


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
