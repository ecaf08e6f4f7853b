"""Sign-up, log-in, new passwords: allauth within our pages."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from contest.models import User
from tests.cast import PASSWORD, Cast, make_user
from tests.contest.test_views import text_of

NEW = {"username": "newbie", "email": "newbie@example.org", "password1": PASSWORD, "password2": PASSWORD}


def sign_up(**changes: str) -> Any:
    return Client().post(reverse("account_signup"), {**NEW, **changes}, follow=True)


def test_who_signs_up_is_logged_in_and_back_where_the_story_began(cast: Cast) -> None:
    enter = reverse("enter", args=[cast.contest.slug]) + f"?code={cast.clubs.code}"
    response = sign_up(next=enter)
    assert response.redirect_chain[-1][0] == enter
    assert response.context["user"].username == "newbie"
    assert [str(said) for said in response.context["messages"]] == ["You are logged in as newbie."]
    assert f'value="{cast.clubs.code}"' in response.content.decode()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"username": "ada"}, "already exists"),
        ({"username": ""}, "This field is required."),
        ({"username": "teacher@school.org"}, "cannot contain @"),
        ({"email": "ada@example.org"}, "already registered"),
        ({"password1": "short1", "password2": "short1"}, "at least 8 characters"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(cast: Cast, changes: dict[str, str], words: str) -> None:
    response = sign_up(**changes)
    assert words in text_of(response)
    html = response.content.decode()
    assert 'aria-invalid="true"' in html
    if "username" not in changes:
        assert 'value="newbie"' in html
    assert not User.objects.filter(email=NEW["email"], username="newbie").exists()


def test_the_page_of_ones_account_changes_the_name_and_leads_to_the_rest(cast: Cast) -> None:
    client = Client()
    assert client.get(reverse("account")).status_code == 302
    client.force_login(cast.alice)
    page = client.get(reverse("account"))
    assert "alice@example.org Only the organisers" in text_of(page), "nothing is confirmed where no mail is sent"
    assert "confirm" not in text_of(page).lower()
    for name in ("account_email", "account_change_password"):
        assert f'href="{reverse(name)}"' in page.content.decode()
    response = client.post(reverse("account"), {"first_name": "Alice", "last_name": "Liddell"}, follow=True)
    assert "Saved." in text_of(response)
    assert 'value="Liddell"' in response.content.decode()
    assert User.objects.get(pk=cast.alice.pk).called == "Alice Liddell (alice)"
    assert client.post(reverse("account"), {"first_name": "x" * 61}).status_code == 422
    EmailAddress.objects.create(user=cast.alice, email="alice@example.org", verified=True, primary=True)
    assert "alice@example.org Confirmed" in text_of(client.get(reverse("account")))


@pytest.mark.parametrize("login", ["ada", "ADA", "ada@example.org"])
def test_people_log_in_by_name_or_address(cast: Cast, login: str) -> None:
    response = Client().post(reverse("account_login"), {"login": login, "password": PASSWORD}, follow=True)
    assert response.context["user"] == cast.ada


def test_logging_out_is_a_button(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.ada)
    assert client.get(reverse("account_logout")).status_code == 200
    assert client.post(reverse("account_logout"), follow=True).context["user"].is_anonymous


def test_a_new_password_by_mail(db: None, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    user = make_user("forgetful")
    client = Client()
    assert (
        "reset"
        in client.post(reverse("account_reset_password"), {"email": user.email}, follow=True).request["PATH_INFO"]
    )
    link = re.search(r"http://testserver(\S+)", mail.outbox[0].body)
    assert link
    page = client.get(link[1], follow=True)
    form = page.redirect_chain[-1][0]
    done = client.post(form, {"password1": "nine of hearts", "password2": "nine of hearts"}, follow=True)
    assert done.status_code == 200
    assert User.objects.get(username="forgetful").check_password("nine of hearts")
    assert "is not valid" in text_of(Client().get(link[1], follow=True))


def test_an_unknown_address_is_not_betrayed(db: None) -> None:
    known, unknown = make_user().email, "nobody@example.org"
    pages = [
        text_of(Client().post(reverse("account_reset_password"), {"email": e}, follow=True)) for e in (known, unknown)
    ]
    assert pages[0] == pages[1]
