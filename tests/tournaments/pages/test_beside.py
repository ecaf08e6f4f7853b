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
from tournaments.models import Match, MatchSeat, Stage
from tournaments.organising import releases, stages

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


def address(one: Match, two: Match, **more: object) -> str:
    query = "".join(f"&{name}={value}" for name, value in more.items())
    here, there = (reverse("replay", args=[match.pk, 1]) for match in (one, two))
    return f"{reverse('beside')}?one={here}&two={there}{query}"


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
    assert answer.text.count('class="side"') == 2
    assert answer.text.count('class="felt') == 2
    last = client.get(address(one, two, step=99999, view=2))
    assert last.context["step"] == pairing.last
    assert last.context["pairing"].view == "2"
    for name in ("next-card", "prev-trick"):
        href = pairing.links(5)[name].href
        assert client.get(href).context["step"] == pairing.links(5)[name].ply


def test_whole_addresses_may_be_pasted(matches: list[Match], client: Client) -> None:
    one, two = (f"http://testserver{reverse('replay', args=[match.pk, 1])}?ply=7" for match in matches)
    assert client.get(reverse("beside"), {"one": one, "two": f" {two} "}).status_code == 200
    assert client.get(reverse("beside")).status_code == 200


@pytest.mark.parametrize(
    "wrong", ["/nowhere/", "http://elsewhere.example/m/1/1/", "/accounts/", "x" * 500, "/m/9999/1/"]
)
def test_what_is_no_replay_is_refused_in_words(matches: list[Match], client: Client, wrong: str) -> None:
    answer = client.get(reverse("beside"), {"one": reverse("replay", args=[matches[0].pk, 1]), "two": wrong})
    assert answer.status_code == 422
    assert "There is no replay at this address that you may see" in answer.text


def test_other_cards_cannot_be_compared(cast: Cast, client: Client) -> None:
    scenes.arm(cast.aces, cast.clubs)
    one = scenes.play_match(scenes.stage_of(cast.contest, "Cup").matches.get())
    other = scenes.stage_of(cast.contest, "Second Cup", started=False)
    Stage.objects.filter(pk=other.pk).update(seed=18)
    stages.start(other, None)
    two = scenes.play_match(other.matches.get())
    answer = client.get(address(one, two))
    assert answer.status_code == 422
    assert "dealt different cards" in answer.text
    assert client.get(address(one, one).replace(f"/m/{one.pk}/1/&", f"/m/{one.pk}/9/&")).status_code == 422


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
