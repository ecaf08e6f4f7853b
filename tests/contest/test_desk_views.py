"""The organisers' desk."""

import csv
import io
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from contest import contests, teams
from contest.models import Contest, Team
from tests.cast import Cast, make_team, make_user
from tests.contest.test_views import many_teams, text_of
from tests.tournaments.visitors import visitor


def get(cast: Cast, page: str, *args: Any, user: Any = None, **query: Any) -> Any:
    return visitor(user or cast.olga).get(reverse(page, args=[cast.contest.slug, *args]), query)


def post(cast: Cast, page: str, *args: Any, user: Any = None, **data: Any) -> Any:
    return visitor(user or cast.olga).post(reverse(page, args=[cast.contest.slug, *args]), data, follow=True)


def waiting_teams(cast: Cast, count: int) -> list[Team]:
    Contest.objects.update(approval_required=True)
    cast.contest.refresh_from_db()
    return [make_team(cast.contest, name=f"Waiting {number}") for number in range(count)]


def test_teams_are_searched_by_word_and_state(cast: Cast) -> None:
    waiting_teams(cast, 2)
    table = lambda **query: get(cast, "desk-teams", **query).content.decode().partition("<tbody>")[2]  # noqa: E731
    assert "Waiting 0" in table(state="pending")
    assert "Aces" not in table(state="pending")
    assert "Aces" in table(q="ace")
    assert "Waiting" not in table(q="ace")
    assert "No team matches." in text_of(get(cast, "desk-teams", q="xyzzy"))
    assert "Aces" in table(state="nonsense")


def test_a_judge_is_not_given_the_code_that_would_let_him_in(cast: Cast) -> None:
    code = Team.objects.get(pk=cast.aces.pk).code
    assert code in get(cast, "desk-team", cast.aces.pk).text
    page = get(cast, "desk-team", cast.aces.pk, user=cast.judy).text
    assert "alice@example.org" in page
    assert code not in page


def test_one_team_with_its_people_and_its_history(cast: Cast) -> None:
    page = text_of(get(cast, "desk-team", cast.aces.pk))
    for words in ("alice Captain", "alice@example.org", "bob@example.org", "Enter: Aces", "Join: Aces"):
        assert words in page
    assert "Clubs" not in page


def test_the_list_for_a_spreadsheet_is_complete_and_harmless(cast: Cast) -> None:
    teams.edit(cast.clubs, cast.carl, "=1+1", "Ünï, High")
    teams.set_seeds(cast.contest, cast.olga, {cast.aces.pk: 3})
    rows = list(csv.DictReader(io.StringIO(get(cast, "desk-teams-csv").getvalue().decode("utf-8-sig"))))
    assert [(row["seed"], row["team"], row["members"]) for row in rows] == [
        ("3", "Aces", "alice; bob"),
        ("", "'=1+1", "carl"),
    ]
    assert rows[1]["school"] == "Ünï, High"
    assert rows[0]["e-mail"] == "alice@example.org; bob@example.org"


# Seed numbers ---------------------------------------------------------------------------------------------------------


def test_seed_numbers_are_typed(cast: Cast) -> None:
    names = {cast.aces: f"seed_{cast.aces.pk}", cast.clubs: f"seed_{cast.clubs.pk}"}
    said = text_of(post(cast, "desk-seeds", **{names[cast.aces]: "2", names[cast.clubs]: "1"}))
    assert "changed: 2." in said
    assert "Nothing changed." in text_of(post(cast, "desk-seeds", **{names[cast.aces]: "2", names[cast.clubs]: "1"}))
    doubled = post(cast, "desk-seeds", **{names[cast.aces]: "1", names[cast.clubs]: "1"})
    assert doubled.status_code == 422
    assert "Two teams cannot have the same seed number: 1" in text_of(doubled)
    bad = post(cast, "desk-seeds", **{names[cast.aces]: "first"})
    assert "Enter a whole number." in text_of(bad)
    assert 'value="first"' in bad.content.decode()
    assert dict(cast.contest.teams.values_list("name", "seed")) == {"Aces": 2, "Clubs": 1}


# Announcements --------------------------------------------------------------------------------------------------------


# The audit log --------------------------------------------------------------------------------------------------------


def test_the_audit_log_is_filtered_by_person_action_and_word(cast: Cast) -> None:
    teams.disqualify(cast.clubs, cast.olga, "copied a bot")
    contests.edit(cast.contest, cast.ada, {"memory_mb": 8})
    rows = lambda **query: text_of(get(cast, "desk-audit-log", **query)).partition("Why")[2]  # noqa: E731
    assert "Disqualify team: Clubs Before: taking part copied a bot" in rows()
    assert "memory mb: 4 → 8" in rows(verb="change settings")
    assert "Disqualify" not in rows(verb="change settings")
    assert "Disqualify" in rows(who=cast.olga.pk)
    assert "Change settings" not in rows(who=cast.olga.pk)
    assert "Disqualify" in rows(q="COPIED")
    assert "Nothing yet." in text_of(get(cast, "desk-audit-log", q="xyzzy"))
    for nonsense in ({"who": "x"}, {"who": "9" * 40}, {"verb": "dance"}, {"q": "\0"}, {"q": "x" * 500}):
        assert "Disqualify" in rows(**nonsense)


@pytest.mark.parametrize(
    "name", ["desk", "desk-teams", "desk-seeds", "desk-audit-log", "desk-people", "desk-teams-csv"]
)
def test_two_hundred_teams_cost_no_more_queries(cast: Cast, name: str, django_assert_max_num_queries: Any) -> None:
    client, url = visitor(cast.olga), reverse(name, args=[cast.contest.slug])
    with CaptureQueriesContext(connection) as few:
        client.get(url)
    many_teams(cast.contest, 200)
    for number in range(30):
        contests.announce(cast.contest, make_user() if number % 2 else cast.olga, f"News {number}")
    with django_assert_max_num_queries(len(few)):
        assert client.get(url).status_code == 200
