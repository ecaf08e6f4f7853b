"""Two games on the same deal side by side: where the page is offered, and who may see it."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from contest.models import Contest
from tests.cast import Cast, make_cast
from tests.tournaments import scenes
from tests.tournaments.records import Scripted
from tests.tournaments.visitors import seen, visitor
from tests.tournaments.worlds import differing, in_both
from tournaments.models import Match, MatchSeat
from tournaments.organising import releases

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]
LINK = re.compile(r'href="(/beside/\?one=[^"]*)"')


def bots(seat: MatchSeat) -> Scripted:
    return Scripted(at=20) if seat.name == "Clubs" else Scripted()


@pytest.fixture
def cast() -> Cast:
    return make_cast(options={"target": 25})


@pytest.fixture
def matches(cast: Cast) -> list[Match]:
    """The first two matches on the same deals. All are played, so their hands are open."""
    return played(cast)[:2]


def played(cast: Cast, most: int | None = None) -> list[Match]:
    """The first matches of a set on the same deals; all of them, by default."""
    scenes.arm(cast.aces, cast.clubs)
    stage = scenes.stage_of(cast.contest, "Cup", duplicate=True)
    return [scenes.play_match(it, bots, reconcile=False) for it in stage.matches.order_by("number")[:most]]


def address(one: Match, two: Match) -> str:
    here, there = (reverse("replay", args=[match.pk, 1]) for match in (one, two))
    return f"{reverse('beside')}?one={here}&two={there}"


def test_duplicate_matches_offer_it_and_it_shows_both(matches: list[Match], client: Client) -> None:
    one, two = matches
    assert one.seed == two.seed
    for page in (reverse("replay", args=[one.pk, 1]), one.get_absolute_url()):
        html = client.get(page).text
        links = [link.replace("&amp;", "&") for link in LINK.findall(html)]
        assert links, page
        answer = client.get(links[0])
        assert answer.status_code == 200
        pairing = answer.context["pairing"]
        assert [side.base_url for side in pairing.sides] == [reverse("replay", args=[it.pk, 1]) for it in (one, two)]


def test_both_must_be_open_to_the_reader(cast: Cast, matches: list[Match]) -> None:
    here = address(*matches)
    Contest.objects.filter(pk=cast.contest.pk).update(visibility="private")
    assert [visitor(user).get(here).status_code for user in (None, cast.zoe, cast.carl, cast.olga)] == [
        422,
        422,
        200,
        200,
    ]
    Contest.objects.filter(pk=cast.contest.pk).update(visibility="public")
    assert visitor().get(here).status_code == 200


def test_a_frozen_match_tells_nothing(cast: Cast) -> None:
    """What happens to the second pair of matches during a freeze changes nothing that others see."""
    matches = played(cast, most=2)
    waiting = Match.objects.filter(stage=matches[0].stage_id, state=Match.State.QUEUED).first()
    assert waiting is not None
    releases.freeze(cast.contest, cast.olga)
    cast.contest.refresh_from_db()
    asked = [address(matches[0], waiting), address(waiting, matches[0]), address(*matches)]
    asked += [reverse("replay", args=[matches[0].pk, 1]), matches[0].get_absolute_url()]

    stories = [lambda: None, lambda: scenes.play_match(waiting, bots, reconcile=False)]
    worlds = in_both(stories, lambda: seen(asked, cast.carl))
    assert differing(worlds) == []
    assert [worlds[0][each][0] for each in asked] == [422, 422, 200, 200, 200]
