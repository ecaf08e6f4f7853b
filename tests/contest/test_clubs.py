"""Which teams are the same one: only a captain of both may say so."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from contest import clubs, teams
from contest.clone import Wish, clone
from contest.models import Club, Contest, Team
from contest.refusal import Refused
from tests.cast import Cast, make_cast, make_contest, make_team

pytestmark = pytest.mark.long("more")


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def autumn(cast: Cast) -> Contest:
    return make_contest(cast.ada, "Autumn Cup")


def test_the_captain_of_both_links_them_and_takes_it_back(cast: Cast, autumn: Contest) -> None:
    again = make_team(autumn, cast.alice, "Aces of Autumn")
    assert again.club is None
    club = clubs.link(again, cast.aces, cast.alice)
    assert {team.name for team in club.teams.all()} == {"Aces", "Aces of Autumn"}
    assert clubs.continued(again) == [cast.aces]
    again = Team.objects.get(pk=again.pk)
    assert clubs.link(again, Team.objects.get(pk=cast.aces.pk), cast.alice) == club, "the form was sent twice"
    assert club.teams.count() == 2
    third = make_team(make_contest(cast.ada), cast.alice, "Three Aces")
    assert clubs.link(third, again, cast.alice) == club
    clubs.unlink(third, cast.alice)
    assert club.teams.count() == 2
    clubs.unlink(again, cast.alice)
    assert not Club.objects.exists()
    assert Team.objects.filter(club=None).count() == 4


def test_nobody_else_can_say_so(cast: Cast, autumn: Contest) -> None:
    theirs = make_team(autumn, cast.zoe, "Aces")
    assert theirs.club is None, "a name proves nothing"
    for by in (cast.zoe, cast.alice, cast.bob, cast.ada):
        with pytest.raises(Refused, match="Only the captain"):
            clubs.link(theirs, cast.aces, by)
    member = make_team(make_contest(cast.ada), cast.bob, "Aces")
    assert member.club is None, "bob is not the captain of the Aces"


def test_a_captain_who_enters_under_the_same_name_is_recognised(cast: Cast, autumn: Contest) -> None:
    client = Client()
    client.force_login(cast.alice)
    page = client.post(reverse("enter", args=[autumn.slug]), {"name": "aces", "school": ""}, follow=True).text
    assert "It is linked to your team of that name in another contest." in page
    assert Team.objects.get(contest=autumn).club == Team.objects.get(pk=cast.aces.pk).club is not None


def test_two_teams_of_one_contest_are_never_the_same(cast: Cast, autumn: Contest) -> None:
    again = make_team(autumn, cast.alice, "Aces")
    teams.make_captain(teams_member(cast.aces, cast.bob), cast.alice)
    teams.join(autumn, cast.carl, again.code)
    other = make_team(make_contest(cast.ada), cast.bob, "Aces")
    assert other.club == again.club
    twin = make_contest(cast.ada)
    first, second = make_team(twin, cast.alice, "Aces"), make_team(twin, cast.bob, "More Aces")
    assert first.club == again.club
    assert second.club is None
    with pytest.raises(Refused, match="Another team of this contest"):
        clubs.link(second, other, cast.bob)


def teams_member(team: Team, user: object):
    return team.memberships.select_related("user", "team__contest").get(user=user)


def test_a_cloned_contest_keeps_the_link(cast: Cast, autumn: Contest) -> None:
    make_team(autumn, cast.alice, "Aces")
    copy = clone(autumn, cast.ada, Wish("Autumn again", autumn.opens_at, teams=True)).contest
    assert copy.teams.get().club == autumn.teams.get().club is not None


def test_the_page_of_the_team_offers_it_and_names_no_hidden_contest(cast: Cast, autumn: Contest) -> None:
    again = make_team(autumn, cast.alice, "Aces of Autumn")
    client, page = Client(), reverse("team-edit", args=[autumn.slug])
    client.force_login(cast.alice)
    assert "Aces in Spring Cup" in client.get(page).text
    client.post(reverse("team-link", args=[autumn.slug]), {"team": cast.aces.pk})
    again.refresh_from_db()
    assert again.club is not None
    for act, public in (("hide", False), ("show", True)):
        client.post(reverse("team-act", args=[autumn.slug, act]))
        assert Club.objects.get().is_public is public
    assert "Choose one of the teams" in client.post(
        reverse("team-link", args=[autumn.slug]), {"team": cast.clubs.pk}, follow=True
    ).text  # fmt: skip
    teams.join(autumn, cast.zoe, again.code)
    Contest.objects.filter(pk=cast.contest.pk).update(visibility=Contest.Visibility.PRIVATE)
    client.force_login(cast.zoe)
    text = client.get(page).text
    assert "Spring Cup" not in text
    assert "1 more in contests that you cannot see" in text
    client.force_login(cast.alice)
    client.post(reverse("team-act", args=[autumn.slug, "unlink"]))
    assert not Club.objects.exists()
