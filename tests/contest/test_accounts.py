"""Sign-up, log-in, new passwords: allauth within our pages."""

import re
from typing import Any

import pytest
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
