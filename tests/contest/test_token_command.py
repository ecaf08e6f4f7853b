"""`manage.py token`: a token for scripts on the portal's machine."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from contest.models import ApiToken, User
from tests.cast import make_user

pytestmark = pytest.mark.django_db


def made(*words: str) -> ApiToken | None:
    out = StringIO()
    call_command("token", *words, stdout=out)
    return ApiToken.find(out.getvalue().strip())


def test_it_prints_a_token_that_works() -> None:
    user = make_user("ada")
    row = made("ada", "--scope", "bot", "--scope", "team", "--days", "30")
    assert row is not None
    assert (row.user, row.scopes) == (user, ["bot", "team"])
    assert row.expires_at is not None
    assert abs(row.expires_at - timezone.now() - timedelta(days=30)) < timedelta(minutes=5)


def test_it_makes_an_account_only_if_asked() -> None:
    with pytest.raises(CommandError, match="--create"):
        made("nobody")
    assert not User.objects.exists()
    row = made("nobody", "--create")
    assert row is not None
    assert not row.user.has_usable_password()


def test_it_keeps_the_limit_of_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    make_user("ada")
    monkeypatch.setattr(ApiToken, "MOST", 0)
    with pytest.raises(CommandError, match="the most"):
        made("ada")


@pytest.mark.parametrize("days", ["999999999", "99999999999"])
def test_a_lifetime_that_no_clock_reaches_is_refused(days: str) -> None:
    make_user("ada")
    with pytest.raises(CommandError, match="--days"):
        made("ada", "--days", days)
