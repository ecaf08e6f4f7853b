"""Which teams are the same one: only a captain of both may say so."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from contest import clubs, teams
from contest.models import Club, Contest
from contest.refusal import Refused
from tests.cast import Cast, make_cast, make_contest, make_team

pytestmark = pytest.mark.long("more")


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def autumn(cast: Cast) -> Contest:
    return make_contest(cast.ada, "Autumn Cup")


def test_nobody_else_can_say_so(cast: Cast, autumn: Contest) -> None:
    theirs = make_team(autumn, cast.zoe, "Aces")
    assert theirs.club is None, "a name proves nothing"
    for by in (cast.zoe, cast.alice, cast.bob, cast.ada):
        with pytest.raises(Refused, match="Only the captain"):
            clubs.link(theirs, cast.aces, by)
    member = make_team(make_contest(cast.ada), cast.bob, "Aces")
    assert member.club is None, "bob is not the captain of the Aces"


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
