"""A team's own page."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from contest import teams
from contest.models import Contest
from tests.cast import Cast, make_user
from tests.contest.test_views import text_of
from tests.tournaments.visitors import visitor

RE_ENTER = "/my/team/reenter/"


def page(cast: Cast, user: Any) -> Any:
    return visitor(user).get(reverse("team-edit", args=[cast.contest.slug]))


def act(cast: Cast, user: Any, name: str) -> str:
    return text_of(visitor(user).post(reverse("team-act", args=[cast.contest.slug, name]), follow=True))


def member_act(cast: Cast, user: Any, member: Any, name: str) -> str:
    membership = cast.aces.memberships.get(user=member)
    url = reverse("member-act", args=[cast.contest.slug, membership.pk, name])
    return text_of(visitor(user).post(url, follow=True))


def test_the_captain_rules_among_members(cast: Cast) -> None:
    assert "bob is now the captain." in member_act(cast, cast.alice, cast.bob, "captain")
    assert "Only the captain can do this." in member_act(cast, cast.alice, cast.bob, "remove")
    assert "alice is no longer in the team." in member_act(cast, cast.bob, cast.alice, "remove")


@pytest.mark.parametrize("name", ["code", "withdraw", "reenter"])
def test_what_is_the_captains_is_nobody_elses(cast: Cast, name: str) -> None:
    code = cast.aces.code
    assert "Only the captain can do this." in act(cast, cast.bob, name)
    cast.aces.refresh_from_db()
    assert (cast.aces.code, cast.aces.state) == (code, "approved")


def test_names_are_for_the_team_and_the_organisers(cast: Cast) -> None:
    teams.join(cast.contest, make_user("ann", first_name="Ann", last_name="Oakley"), cast.aces.code)
    assert "Ann Oakley (ann)" in text_of(page(cast, cast.alice))
    public = reverse("team", args=[cast.contest.slug, cast.aces.pk])
    for who, named in [(cast.alice, True), (cast.olga, True), (cast.judy, True), (cast.carl, False), (None, False)]:
        shown = text_of(visitor(who).get(public))
        assert "ann" in shown
        assert ("Oakley" in shown) == named, who
    assert "Ann Oakley (ann)" in text_of(
        visitor(cast.judy).get(reverse("desk-team", args=[cast.contest.slug, cast.aces.pk]))
    )
    csv = visitor(cast.judy).get(reverse("desk-teams-csv", args=[cast.contest.slug])).getvalue().decode()
    assert "Ann Oakley (ann)" in csv
    assert "alice; bob;" in csv


def test_before_withdrawing_the_page_says_whether_there_is_a_way_back(cast: Cast) -> None:
    assert "until entry closes or play begins" in text_of(page(cast, cast.alice))
    Contest.objects.update(play_started_at=timezone.now())
    assert "only an organiser can" in text_of(page(cast, cast.alice))
    act(cast, cast.alice, "withdraw")
    shown = page(cast, cast.alice)
    assert "the tournament has begun" in text_of(shown)
    assert RE_ENTER not in shown.content.decode()
    assert "until entry closes" not in text_of(visitor(cast.alice).get(reverse("contest", args=[cast.contest.slug])))
    assert "Ask an organiser" in act(cast, cast.alice, "reenter")
