"""The Django admin: every model can be viewed, and what must not change cannot be changed."""

import json
from datetime import datetime

import pytest
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


@pytest.mark.parametrize("model", [Act, Alarm, Membership, Question, Proof])
def test_the_audit_log_cannot_be_changed(root: Client, model: type) -> None:
    name, row = model.__name__.lower(), model.objects.first()  # type: ignore[attr-defined]
    assert root.get(reverse(f"admin:contest_{name}_add")).status_code == 403
    assert root.post(reverse(f"admin:contest_{name}_change", args=[row.pk]), {"verb": "x"}).status_code == 403
    assert root.post(reverse(f"admin:contest_{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert model.objects.filter(pk=row.pk).exists()  # type: ignore[attr-defined]


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


def test_the_admin_is_for_staff(cast: Cast) -> None:
    client = Client()
    assert client.login(username="ada", password=PASSWORD)
    assert client.get(reverse("admin:index")).status_code == 302
    staff = make_user("stan", is_staff=True)
    client.force_login(staff)
    assert client.get(reverse("admin:index")).status_code == 200
    assert client.get(reverse("admin:contest_contest_changelist")).status_code == 403
