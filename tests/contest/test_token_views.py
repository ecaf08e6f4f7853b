"""One's own tokens: made, shown once, listed and revoked by their owner alone; and `manage.py token`."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest.models import ApiToken, Scope, User
from tests.cast import PASSWORD, make_user
from tests.contest.test_views import text_of
from tests.tournaments.visitors import visitor

pytestmark = pytest.mark.promise

PAGE = "/accounts/tokens/"


@pytest.fixture
def ada(db: None) -> User:
    return make_user("ada")


def make(client: Client, **fields: Any) -> Any:
    return client.post(PAGE, {"name": "laptop", "scopes": ["bot"], "lifetime": "90", **fields})


def shown(response: Any) -> str:
    return response.context["new"]


def test_a_new_token_is_shown_once_and_works(ada: User) -> None:
    client = visitor(ada)
    made = make(client)
    assert (made.status_code, made["Location"]) == (302, PAGE)
    page = client.get(PAGE)
    token = shown(page)
    assert token in page.content.decode()
    assert f"kibitz.pyz login http://testserver --token {token}" in text_of(page)
    assert "no-store" in page["Cache-Control"]
    assert token not in client.get(PAGE).content.decode()
    assert token not in str(dict(client.session))
    row = ApiToken.find(token)
    assert row is not None
    assert (row.user, row.name, row.scopes) == (ada, "laptop", ["bot"])
    assert row.beginning in text_of(client.get(PAGE))


@pytest.mark.parametrize(("lifetime", "days"), [("30", 30), ("90", 90), ("365", 365), ("", None)])
def test_a_token_lives_as_long_as_chosen(ada: User, lifetime: str, days: int | None) -> None:
    make(visitor(ada), lifetime=lifetime, scopes=[])
    expires = ada.tokens.get().expires_at
    assert (expires is None) if days is None else abs(expires - timezone.now() - timedelta(days=days)).seconds < 60


def test_an_account_has_a_limit_of_working_tokens(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ApiToken, "MOST", 2)
    client = visitor(ada)
    make(client, name="first")
    make(client, name="second")
    refused = make(client)
    assert refused.status_code == 422
    assert "Revoke one" in text_of(refused)
    ada.tokens.get(name="first").revoke()
    assert make(client).status_code == 302


def test_only_the_owner_sees_and_revokes_a_token(ada: User) -> None:
    row, token = ApiToken.issue(ada, "laptop", Scope.values, None)
    eve = visitor(make_user("eve", is_superuser=True, is_staff=True))
    address = reverse("token-revoke", args=[row.pk])
    assert row.beginning not in text_of(eve.get(PAGE))
    assert eve.post(address).status_code == 404
    assert Client().post(address)["Location"].startswith(reverse("account_login"))
    assert Client().get(PAGE)["Location"].startswith(reverse("account_login"))
    assert visitor(ada).get(address).status_code == 405
    assert ApiToken.find(token) == row
    assert visitor(ada).post(address)["Location"] == PAGE
    assert ApiToken.find(token) is None


def test_a_program_cannot_make_itself_a_token(ada: User) -> None:
    _, token = ApiToken.issue(ada, "laptop", Scope.values, None)
    program = Client(headers={"authorization": f"Bearer {token}"})
    assert make(program)["Location"].startswith(reverse("account_login"))
    assert ada.tokens.count() == 1


def test_a_new_password_revokes_all_tokens(ada: User) -> None:
    """Whoever got into the account may have made one."""
    other, client = make_user("bob"), visitor(ada)
    token, others = (ApiToken.issue(it, "laptop", ["desk"])[1] for it in (ada, other))
    new = {"oldpassword": PASSWORD, "password1": "nine of hearts", "password2": "nine of hearts"}
    assert "tokens" in text_of(client.get(reverse("account_change_password")))
    done = client.post(reverse("account_change_password"), new, follow=True)
    assert "revoked" in text_of(done)
    assert ApiToken.find(token) is None
    assert ApiToken.find(others) is not None
    ada.refresh_from_db()
    ada.mail_news = not ada.mail_news
    fresh = ApiToken.issue(ada, "laptop", ["desk"])[1]
    ada.save()
    assert ApiToken.find(fresh) is not None, "something else was saved"
    ada.set_password("ten of clubs")  # as the admin and `manage.py changepassword` do
    ada.save()
    assert ApiToken.find(fresh) is None


def test_a_stronger_hash_of_the_same_password_revokes_nothing(ada: User, settings: Any) -> None:
    hashers = "django.contrib.auth.hashers"
    settings.PASSWORD_HASHERS = [f"{hashers}.ScryptPasswordHasher", f"{hashers}.MD5PasswordHasher"]
    User.objects.filter(pk=ada.pk).update(password=make_password(PASSWORD, hasher="md5"))
    token = ApiToken.issue(ada, "laptop", [])[1]
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)
    ada.refresh_from_db()
    assert ada.password.startswith("scrypt")
    assert ApiToken.find(token) is not None


# The command ---------------------------------------------------------------------------------------------------------


def made(*words: str) -> ApiToken | None:
    out = StringIO()
    call_command("token", *words, stdout=out)
    return ApiToken.find(out.getvalue().strip())


def test_the_command_prints_a_token_that_works(ada: User) -> None:
    row = made("ada", "--scope", "bot", "--scope", "team", "--days", "30")
    assert row is not None
    assert (row.user, row.scopes) == (ada, ["bot", "team"])
    assert row.expires_at is not None
    assert abs(row.expires_at - timezone.now() - timedelta(days=30)) < timedelta(minutes=5)


def test_it_makes_an_account_only_if_asked(db: None) -> None:
    with pytest.raises(CommandError, match="--create"):
        made("nobody")
    assert not User.objects.exists()
    row = made("nobody", "--create")
    assert row is not None
    assert not row.user.has_usable_password()


def test_it_keeps_the_limit_of_tokens(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ApiToken, "MOST", 0)
    with pytest.raises(CommandError, match="the most"):
        made("ada")


@pytest.mark.parametrize("days", ["999999999", "99999999999"])
def test_a_lifetime_that_no_clock_reaches_is_refused(ada: User, days: str) -> None:
    with pytest.raises(CommandError, match="--days"):
        made("ada", "--days", days)
