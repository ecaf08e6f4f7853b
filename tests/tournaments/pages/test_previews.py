"""Preview pictures and oEmbed: of all games, and never more than everybody may see."""

from __future__ import annotations

import struct

import pytest
from django.test import Client
from django.urls import reverse

import games
from contest.models import Contest
from tests.tournaments import scenes, stagecraft
from tournaments.organising import releases
from tournaments.view_models import previews

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize("slug", games.GAMES)
def test_every_game_has_pictures(client: Client, slug: str) -> None:
    match = stagecraft.any_match(games.get(slug))
    hidden = bool(match.contest.game.sample)
    whole = client.get(reverse("match-picture", args=[match.pk]))
    assert size_of(whole.content) == (1200, 630)
    assert "max-age=600" in whole["Cache-Control"]
    position = client.get(reverse("position-picture", args=[match.pk, 1]), {"ply": 9})
    assert size_of(position.content) == (1200, 630)
    assert (position.content == whole.content) is hidden  # hidden games show nothing but who played
    assert len(position.content) < 60_000
    if not hidden:
        assert client.get(reverse("position-picture", args=[match.pk, 99])).status_code == 404


def test_links_tell_what_everybody_may_know() -> None:
    contest = scenes.small_contest(name="Autumn Cup")
    owner = contest.roles.get().user
    scenes.enter(contest, 4)
    stage = scenes.stage_of(contest)
    match = stage.matches.get()
    stranger, organiser = Client(), Client()
    organiser.force_login(owner)
    page, picture = match.get_absolute_url(), reverse("match-picture", args=[match.pk])

    def told(client: Client, address: str = page) -> str:
        return client.get(reverse("oembed"), {"url": f"http://testserver{address}"}).json()["title"]

    before = stranger.get(picture).content
    assert "Team 001" in told(stranger)
    releases.freeze(contest, owner)
    scenes.play_match(match)
    previews.PICTURES.clear()
    seat = match.seats.get(place=1)
    assert stranger.get(picture).status_code == organiser.get(picture).status_code == 404
    assert organiser.get(reverse("oembed"), {"url": page}).status_code == 404
    releases.lift(contest, owner)
    assert f"{seat.name} {seat.score:g}" in told(stranger)
    assert stranger.get(picture).content != before

    html = stranger.get(page).text
    assert f"/oembed?url=http%3A%2F%2Ftestserver%2Fm%2F{match.pk}%2F" in html
    replay = stranger.get(reverse("oembed"), {"url": f"http://testserver{page}1/?ply=17&view=2"}).json()
    assert (replay["type"], replay["width"]) == ("rich", 800)
    assert f'src="http://testserver{page}1/embed/?ply=17"' in replay["html"]
    frame = stranger.get(f"{page}1/embed/")
    assert "frame-ancestors *" in frame["Content-Security-Policy"]
    assert "X-Frame-Options" not in frame
    assert "frame-ancestors 'none'" in stranger.get(f"{page}1/")["Content-Security-Policy"]
    assert "debug=1" not in organiser.get(f"{page}1/embed/").text
    for wrong in ("http://elsewhere.example/m/1/", "http://testserver/accounts/", "http://testserver/nowhere", ""):
        assert stranger.get(reverse("oembed"), {"url": wrong}).status_code == 404
    assert stranger.get(reverse("oembed"), {"url": page, "format": "xml"}).status_code == 501

    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    for address in (picture, f"{page}1/embed/", reverse("contest-picture", args=[contest.slug])):
        assert organiser.get(address).status_code == 404
