"""Forms that are sent twice, too late or from an old page, and the cookies that two portals on one host share."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from contest.models import Announcement, ApiToken, Contest, Question, Team
from tests.cast import PASSWORD, Cast, make_cast
from tests.contest.test_views import text_of
from tests.markup import forms
from tournaments.models import Stage, Webhook

FORMS: list[tuple[str, str, Any, dict[str, str]]] = [  # the page, who opens it, what it makes, what they type
    ("desk-announcements", "olga", Announcement, {"title": "Doors open at nine", "text": "Bring a cable."}),
    ("desk-questions", "olga", Question, {"subject": "Your log", "text": "Look at it.", "team": "Clubs"}),
    ("questions", "alice", Question, {"subject": "Ties", "text": "Who wins a tie?"}),
    ("desk-teams", "olga", Team, {"name": "Owls", "school": "North"}),
    ("enter", "zoe", Team, {"name": "Owls", "school": "North"}),
    ("tokens", "zoe", ApiToken, {"name": "laptop"}),
    ("contest-new", "root", Contest, {"name": "Autumn Cup"}),
    ("desk-clone", "root", Contest, {"name": "Spring Cup again"}),
    ("desk-stage-new", "olga", Stage, {"name": "Cup"}),
    ("desk-webhooks", "olga", Webhook, {"url": "https://hooks.example.org/kibitz"}),
]


def filled(client: Client, cast: Cast, name: str, typed: dict[str, str]) -> tuple[str, dict[str, Any]]:
    """The address and the content of the form of a page that has these fields, as a browser would send it."""
    known = name in ("tokens", "contest-new")
    page = reverse(name, args=() if known else [cast.contest.slug])
    query = {"contest-new": "?preset=tricky_eights:utah-1998", "desk-stage-new": "?format=round_robin"}.get(name, "")
    found = [it for it in forms(client.get(page + query).content.decode()) if it.method == "post"]
    form = next(it for it in found if typed.keys() <= it.values.keys())
    if "team" in typed:
        typed = typed | {"team": str(cast.clubs.pk)}
    return form.action or page + query, {**form.values, **typed}


@pytest.mark.parametrize(("name", "who", "model", "typed"), FORMS, ids=[form[0] for form in FORMS])
def test_a_form_that_is_sent_twice_makes_one_thing(
    cast: Cast, name: str, who: str, model: Any, typed: dict[str, str]
) -> None:
    client, before = Client(enforce_csrf_checks=True), model.objects.count()
    client.force_login(getattr(cast, who))
    address, content = filled(client, cast, name, typed)
    first, second = client.post(address, content), client.post(address, content)
    assert first.status_code == second.status_code == 302, text_of(first)
    assert first["Location"] == second["Location"]
    assert model.objects.count() == before + 1


def test_a_form_that_was_refused_may_be_sent_again_and_a_new_page_makes_another_thing(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.olga)
    address, content = filled(client, cast, "desk-teams", {"name": "Aces", "school": ""})
    assert client.post(address, content).status_code == 422
    Team.objects.filter(name="Aces").update(name="Kings", key="kings")
    assert client.post(address, content).status_code == 302
    for _ in range(2):
        assert client.post(*filled(client, cast, "desk-announcements", FORMS[0][3])).status_code == 302
    assert Announcement.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_clicks_that_arrive_together_make_one_thing() -> None:
    cast = make_cast()
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.olga)
    address, content = filled(client, cast, "desk-announcements", FORMS[0][3])
    barrier, answers = threading.Barrier(6), []

    def click() -> None:
        mine = Client(enforce_csrf_checks=True)
        mine.cookies = client.cookies
        barrier.wait()
        try:
            answers.append(mine.post(address, content)["Location"])
        finally:
            connection.close()

    threads = [threading.Thread(target=click) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 6
    assert len(set(answers)) == 1
    assert Announcement.objects.count() == 1


@pytest.mark.parametrize(("name", "who", "model", "typed"), [FORMS[0], FORMS[2], FORMS[3], FORMS[4], FORMS[5]])
@pytest.mark.parametrize("why", ["logged out", "logged in elsewhere", "logged out of a private contest"])
def test_what_cannot_be_sent_is_shown_again_with_the_way_back(
    cast: Cast, name: str, who: str, model: Any, typed: dict[str, str], why: str
) -> None:
    client, before = Client(enforce_csrf_checks=True), model.objects.count()
    client.force_login(getattr(cast, who))
    address, content = filled(client, cast, name, typed)
    if why != "logged in elsewhere":
        Contest.objects.update(visibility="private" if "private" in why else "public")
        del client.cookies[settings.SESSION_COOKIE_NAME]
    else:
        client.post(reverse("account_logout"), {"csrfmiddlewaretoken": content["csrfmiddlewaretoken"]})
        login = client.get(reverse("account_login"))
        token = {"csrfmiddlewaretoken": login.context["csrf_token"]}
        client.post(reverse("account_login"), {"login": who, "password": PASSWORD, **token})
    page = client.post(
        address, content | {"password": "s3cr3t", "code": "MY-CODE"}, headers={"referer": f"http://testserver{address}"}
    )
    assert (page.status_code, model.objects.count()) == (403, before)
    said, html = text_of(page), page.content.decode()
    assert "Nothing was done" in said
    assert all(value in said for value in typed.values() if value)
    assert "s3cr3t" not in html
    assert ("MY-CODE" in html) == address.startswith("/c/"), "a joining code, and no second factor"
    assert f'data-unsent="{address}"' in html
    way = "" if why == "logged in elsewhere" else f"{reverse('account_login')}?next="
    assert unquote(page.context["back"]) == way + unquote(address)


def test_files_are_to_be_chosen_again(cast: Cast) -> None:
    sent = {"source": SimpleUploadedFile("bot.c", b"int x;"), "strategy_text": "Eights!", "kept": "UEsDBA"}
    page = Client().post(reverse("my-team", args=[cast.contest.slug]), sent | {"csrfmiddlewaretoken": "x" * 64})
    said = text_of(page)
    assert "Choose your files again" in said
    assert "Eights!" in said
    assert "UEsDBA" not in page.content.decode()


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("desk-team-approve", "team"),
        ("team-act", "leave"),
        ("desk-leave", ""),
        ("bot-withdraw", ""),
        ("follow", None),
    ],
)
def test_nobody_comes_back_to_an_address_that_takes_forms_only(cast: Cast, name: str, more: str | None) -> None:
    args = {"team": [cast.contest.slug, cast.aces.pk], "": [cast.contest.slug], None: []}.get(
        more, [cast.contest.slug, more]
    )
    client = Client()
    login = client.post(reverse(name, args=args), {"contest": cast.contest.pk})
    assert login["Location"].startswith(reverse("account_login"))
    assert "nothing was done" in text_of(client.get(login["Location"]))
    client.force_login(cast.root)
    back = client.post(login["Location"], {"login": "root", "password": PASSWORD}, follow=True)
    assert back.status_code == 200


@pytest.mark.parametrize(
    "cookie", [settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.MESSAGES_COOKIE_NAME]
)
def test_the_cookies_of_a_portal_are_its_own(cast: Cast, cookie: str) -> None:
    digest = settings.SESSION_COOKIE_NAME.rpartition("-")[2]
    assert re.fullmatch(r"[a-z]+-[0-9a-f]{8}", cookie)
    assert cookie.endswith(digest)
    client = Client()
    client.force_login(cast.ada)
    client.get(reverse("account"))
    client.post(reverse("desk-announcements", args=[cast.contest.slug]), FORMS[0][3])
    assert client.cookies[cookie].value
    rule = re.search(r'"~(.+)" 1;', (Path(settings.BASE_DIR) / "docker/nginx.conf").read_text())
    assert rule
    assert bool(re.search(rule[1], f"theme=dark; {cookie}=x")) == ("csrf" not in cookie), "nginx keeps no personal page"
