"""Taking one's data along, and deleting an account: what goes at once, what stays, and who cannot go yet."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from contest import contests, leaving, questions, teams
from contest.models import Act, ApiToken, Membership, Role, Scope, Team, User
from contest.refusal import Refused
from submissions.models import Submission
from tests.cast import PASSWORD, Cast, make_team
from tests.contest.test_second_factor import code, same_code  # noqa: F401 - a fixture
from tests.tournaments.stagecraft import give_bot
from tests.tournaments.visitors import visitor
from tournaments.models import Webhook
from tournaments.webhooks import changes

pytestmark = pytest.mark.promise

PAGE = "/accounts/delete/"


def exported(user: User) -> dict[str, Any]:
    response = visitor(user).get(reverse("account-export"))
    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    return {
        name: json.loads(archive.read(name)) if name.endswith(".json") else archive.read(name)
        for name in archive.namelist()
    }


def test_the_export_holds_what_is_theirs_and_no_secret(cast: Cast) -> None:
    version = give_bot(cast.aces, source=b"print('mine')\n")
    Submission.objects.filter(pk=version.pk).update(uploaded_by=cast.alice)
    theirs = give_bot(cast.aces, number=2, source=b"print('of bob')\n")
    Submission.objects.filter(pk=theirs.pk).update(uploaded_by=cast.bob)
    questions.ask(cast.aces, cast.alice, "Ties", "Who wins one?")
    _, token = ApiToken.issue(cast.alice, "laptop", [Scope.BOT])
    found = exported(cast.alice)
    assert found["profile.json"]["username"] == "alice"
    assert found["memberships.json"][0]["team"] == "Aces"
    assert found["questions.json"]["asked"][0]["text"] == "Who wins one?"
    assert found["tokens.json"][0]["name"] == "laptop"
    assert found["sessions.json"]
    sources = [content for name, content in found.items() if name.startswith("uploads/")]
    assert sources == [b"print('mine')\n"]
    everything = repr(found)
    assert token not in everything
    assert cast.alice.password not in everything
    assert cast.aces.code not in everything


def test_the_page_tells_what_will_happen_and_asks_for_the_password(cast: Cast) -> None:
    client = visitor(cast.alice)
    text = client.get(PAGE).text
    assert "bob becomes captain" in text
    assert client.post(PAGE, {}).status_code == 422
    assert client.post(PAGE, {"password": "wrong"}).status_code == 422
    assert User.objects.filter(username="alice").exists()
    assert client.post(PAGE, {"password": PASSWORD}, follow=True).redirect_chain == [("/", 302)]
    assert not User.objects.filter(username="alice").exists()


def test_a_code_of_the_second_factor_will_do(cast: Cast) -> None:
    secret = generate_totp_secret()
    TOTP.activate(cast.bob, secret)
    client = visitor(cast.bob)
    assert "code" in client.get(PAGE).text
    assert client.post(PAGE, {"code": "000000"}).status_code == 422
    assert client.post(PAGE, {"code": code(secret)}).status_code == 302
    assert not User.objects.filter(username="bob").exists()


def test_everything_ends_at_once_and_the_teams_work_stays(cast: Cast) -> None:
    version = give_bot(cast.aces)
    Submission.objects.filter(pk=version.pk).update(uploaded_by=cast.alice)
    question = questions.ask(cast.aces, cast.alice, "Ties", "Who wins one?")
    _, token = ApiToken.issue(cast.alice, "laptop", [Scope.BOT])
    webhook = changes.create(cast.contest, cast.aces, cast.alice, "https://example.org/hook", [])
    other = visitor(cast.alice)
    leaving.delete(cast.alice)
    assert reverse("account_login") in other.get(reverse("account"))["Location"]
    assert not Session.objects.exists()
    assert Client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    webhook = Webhook.objects.get(pk=webhook.pk)
    assert (webhook.is_on, webhook.switched_off_why, webhook.reads_as) == (False, Webhook.Off.READER, None)
    version.refresh_from_db()
    assert str(version.uploaded_by) == "a former member"
    question.refresh_from_db()
    assert str(question.asked_by) == "a former member"
    assert cast.aces.memberships.get().user == cast.bob
    assert cast.aces.memberships.get().is_captain
    row = User.objects.get(pk=cast.alice.pk)
    assert (row.email, row.get_full_name(), row.is_active, row.has_usable_password()) == ("", "", False, False)
    desk = visitor(cast.ada)
    for name in ("desk-audit-log", "desk-teams"):
        text = desk.get(reverse(name, args=[cast.contest.slug])).text
        assert "alice" not in text
    assert "a former member" in desk.get(reverse("desk-audit-log", args=[cast.contest.slug])).text
    leaving.delete(row)  # a second time changes nothing
    assert User.objects.get(pk=row.pk).left_at == row.left_at


def test_the_audit_log_forgets_their_name_where_others_acted(cast: Cast) -> None:
    contests.give_role(cast.contest, cast.ada, cast.zoe, Role.Kind.JUDGE)
    make_team(cast.contest, cast.judy, "zoe")
    leaving.delete(cast.zoe)
    assert not Act.objects.filter(verb="give role", target="zoe").exists()
    assert Act.objects.filter(verb="enter", target="zoe").exists(), "a team may be called like a person"


def test_a_team_without_members_is_left_to_the_organisers(cast: Cast) -> None:
    text = visitor(cast.carl).get(PAGE).text
    assert "you are its last member" in text
    leaving.delete(cast.carl)
    clubs = Team.objects.get(pk=cast.clubs.pk)
    assert clubs.state == Team.State.APPROVED
    assert not clubs.memberships.exists()
    teams.join(cast.contest, cast.zoe, clubs.code)
    assert Membership.objects.get(team=clubs).is_captain


def test_the_only_owner_cannot_go(cast: Cast) -> None:
    text = visitor(cast.ada).get(PAGE).text
    assert "You are the only owner of “Spring Cup”" in text
    assert "Delete my account" not in text
    with pytest.raises(Refused, match="only owner"):
        leaving.delete(cast.ada)
    contests.give_role(cast.contest, cast.ada, cast.olga, Role.Kind.OWNER)
    leaving.delete(cast.ada)
    assert not Role.objects.filter(user=cast.ada).exists()
