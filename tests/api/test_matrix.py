"""Who is turned away, at every address of the API: what must hold whatever an address is about.

Tables of who may do what stand beside the tests of each app.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from contest.api.views import ApiView, scopes_of
from contest.models import Contest, Scope
from tests.cast import Cast
from tests.programs import patch, program
from tests.tournaments.visitors import PARAMETER

pytestmark = pytest.mark.promise

METHODS = ("get", "post", "patch", "put", "delete")


def operations() -> Iterator[tuple[str, str, type[ApiView]]]:
    """Every (address with its parameters, method, view) of the API."""

    def views(entries: list[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, Any]]:
        for entry in entries:
            whole = prefix + str(entry.pattern)
            if isinstance(entry, URLResolver):
                yield from views(entry.url_patterns, whole)
            elif whole.startswith("api/v1/"):
                yield whole, getattr(entry.callback, "view_class", None)

    for route, view in views(get_resolver().url_patterns, ""):
        if view is not None and issubclass(view, ApiView):
            yield from ((route, method, view) for method in METHODS if hasattr(view, method))


def address(route: str, cast: Cast) -> str:
    known = {"slug": cast.contest.slug, "team_id": cast.aces.pk, "name": "c", "file": "teams.csv"}
    known["role_id"] = cast.contest.roles.get(user=cast.judy).pk
    return "/" + PARAMETER.sub(lambda found: str(known.get(found[1], 1)), route)


def ask(cast: Cast, route: str, method: str, client: Client) -> Any:
    return getattr(client, method)(address(route, cast))


OPERATIONS = list(operations())
BELOW_CONTESTS = [each for each in OPERATIONS if "<slug:slug>" in each[0]]


def test_every_address_below_api_is_one_of_these() -> None:
    assert len(OPERATIONS) > 30
    assert {method for _, method, _ in OPERATIONS} >= {"get", "post", "patch"}


def test_what_needs_a_scope_is_refused_without_it(cast: Cast) -> None:
    """Of the captain of the team and of the owner, who may do everything with the right token."""
    stranger, known = program(), dict[tuple[str, ...], list[Client]]()
    for route, method, view in OPERATIONS:
        needed = scopes_of(view, method.upper())
        if needed:
            others = tuple(scope for scope in Scope.values if scope not in needed)
            if others not in known:
                known[others] = [program(user, *others) for user in (cast.alice, cast.ada)]
            assert ask(cast, route, method, stranger).status_code == 401, (route, method)
            for client in known[others]:
                assert ask(cast, route, method, client).status_code in (403, 404), (route, method)


def test_what_changes_something_always_needs_a_scope(cast: Cast) -> None:
    acting = [each for each in OPERATIONS if each[1] != "get"]
    assert [(route, method) for route, method, view in acting if not scopes_of(view, method.upper())] == []


def test_a_private_contest_is_not_found_by_strangers(cast: Cast) -> None:
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    for route, method, _ in BELOW_CONTESTS:
        if route.endswith(("/teams", "/teams/join")) and method == "post":
            continue  # a joining code is an invitation; see test_own_team.py
        cast.zoe.tokens.all().delete()
        for scopes in ((), tuple(Scope.values)):
            answer = ask(cast, route, method, program(cast.zoe, *scopes))  # a new token: requests are counted
            assert answer.status_code in (403, 404), (route, method)
            assert cast.contest.name not in answer.content.decode(), (route, method)


@pytest.mark.long("more")
def test_a_field_that_an_address_does_not_take_is_refused_by_name(cast: Cast) -> None:
    """A misspelt field is never ignored: nothing happens that nobody meant."""
    refused = 0
    for route, method, _ in OPERATIONS:
        if method in ("post", "patch"):
            for user in (cast.alice, cast.ada):
                user.tokens.all().delete()
                client = program(user, *Scope.values)  # a new token: requests are counted
                answer = getattr(client, method)(
                    address(route, cast), json.dumps({"opne": 1}), content_type="application/json"
                )
                assert answer.status_code in (403, 404, 422), (route, method)
                refused += answer.status_code == 422
                assert answer.status_code != 422 or answer.json()["errors"][0]["field"] == "opne", (route, method)
    assert refused > 50


def test_a_question_that_is_misspelt_is_not_taken_for_the_action(cast: Cast) -> None:
    here, owner = f"/api/v1/contests/{cast.contest.slug}/desk", program(cast.ada, "desk")
    for method, rest in (("post", f"teams/{cast.aces.pk}/disqualify"), ("delete", "spectator-link")):
        answer = getattr(owner, method)(f"{here}/{rest}?dryrun=true")
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "dryrun")
        assert "Did you mean “dry_run”?" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"visiblity": "private"}, "Did you mean “visibility”?"),
        ({"visibility": "private", "zzz": 1, "yyy": 2}, "This address takes approval_required, "),
    ],
)
def test_a_misspelt_field_is_told_from_what_was_meant(cast: Cast, sent: dict[str, Any], words: str) -> None:
    answer = patch(program(cast.ada, "desk"), f"/api/v1/contests/{cast.contest.slug}/desk/settings", sent)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert {it["field"] for it in answer.json()["errors"]} == sent.keys() - {"visibility"}
    cast.contest.refresh_from_db()
    assert cast.contest.visibility == Contest.Visibility.PUBLIC
