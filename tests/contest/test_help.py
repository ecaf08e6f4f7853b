"""Help: the portal serves the documents, rules with the contest's numbers, and announcements where people are."""

from __future__ import annotations

import re
from urllib.parse import urldefrag, urljoin

import pytest
from django.test import Client
from django.urls import reverse

from contest import contests
from contest.views import documents
from games import GAMES
from games.engine import Game
from tests.cast import make_cast


def test_every_link_between_documents_leads_to_a_page_that_has_the_part() -> None:
    pages: dict[str, str] = {}

    def page(address: str) -> str:
        if address not in pages:
            answer = Client().get(address)
            assert answer.status_code == 200, address
            pages[address] = answer.content.decode()
        return pages[address]

    for name in (it for it in documents() if it.endswith(".md")):
        for link in re.findall(r"<article.*</article>", page(f"/docs/{name}"), re.DOTALL):
            for target in re.findall(r'href="([^"]+)"', link):
                address, part = urldefrag(urljoin(f"/docs/{name}", target))
                if not address.startswith("https:"):
                    assert not part or f'id="{part}"' in page(address), f"{name}: {target}"


@pytest.mark.parametrize("path", ["../README.md", "../contest/settings.py", "bots", "//etc/passwd"])
def test_nothing_else_is_served(path: str) -> None:
    assert Client().get(f"/docs/{path}").status_code == 404


@pytest.mark.django_db
def test_everybody_finds_the_documents_for_what_they_do() -> None:
    cast = make_cast()
    for who, name, document in (
        ("alice", "my-team", "docs/bots.md"),
        ("olga", "home", "docs/organisers.md"),
        ("judy", "desk", "docs/organisers.md"),
        ("root", "operators", "docs/operations.md"),
    ):
        client = Client()
        client.force_login(getattr(cast, who))
        page = client.get(reverse(name, args=[cast.contest.slug] if name in ("my-team", "desk") else []))
        assert f'href="/{document}"' in page.text, (who, name)


@pytest.mark.django_db
def test_every_page_of_a_contest_says_what_was_announced_last() -> None:
    cast = make_cast()
    contests.announce(cast.contest, cast.ada, "The room has changed")
    contests.announce(cast.contest, cast.ada, "The final starts at noon")
    alice = Client()
    alice.force_login(cast.alice)
    for name in ("contest", "rules", "teams", "standings", "my-team", "team-edit"):
        told = alice.get(reverse(name, args=[cast.contest.slug])).content.decode()
        assert "The final starts at noon" in told, name
    assert "The room has changed" not in alice.get(reverse("rules", args=[cast.contest.slug])).content.decode()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_the_rules_have_no_number_left_open(game: Game) -> None:
    odd = {name: 7 if type(value) is not bool else not value for name, value in game.options().items()}
    for text in (game.rules_text(), game.rules_text(odd, memory_mb=7, startup=7)):
        assert not re.search(r"{\w+[}?]", text)
    assert game.rules_text(odd, memory_mb=7, startup=7) != game.rules_text()
