"""While a set of matches on the same deals is played, nobody without a role learns from one what they may not know in
another. When the set is over, however it ends, everything is open."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from html import unescape

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

import games
from games import record as records
from tests.tournaments.stagecraft import Hall, finish, play_out
from tests.tournaments.test_two_worlds import TWOS, freeze, staged
from tests.tournaments.test_two_worlds_live import with_other_secrets
from tests.tournaments.visitors import seen, visitor
from tests.tournaments.worlds import ABOUT_RESULTS, EVERYWHERE, Told, differing, in_both, public_addresses, readers
from tournaments.kinds.secrecy import Part, Shown, part_of
from tournaments.models import Match, MatchSeat, Record, Stage
from tournaments.organising import endings, releases, stages
from tournaments.practice import again
from tournaments.results.visibility import public

pytestmark = [pytest.mark.promise, pytest.mark.django_db]
FILMS = re.compile(r'data-film="([^"]*)"')
SHORT = "tricky_eights"
GAMES = {SHORT: 4, "hearts": 4, "intensity": 4, "barracuda": 2}


def hall_of(game: str = SHORT) -> tuple[Hall, Stage]:
    preset = games.get(game).presets[0].name
    hall = Hall(GAMES[game]) if game == SHORT else Hall(GAMES[game], game=game, preset=preset, target=None, live=False)
    format = "swiss" if GAMES[game] == 4 else "round_robin"
    options = {"duplicate": True, "games": 1} | ({"rounds": 1} if format == "swiss" else {})
    return hall, staged(hall, format, options=options)


def matches_of(stage: Stage) -> list[Match]:
    return list(stage.matches.order_by("number"))


def other_cards(match: Match, keep: int | None = None) -> None:
    """Another world, in which hands were different that nobody has seen but those who held them. `keep`: whose hand
    stays, by the player."""
    kept = Record.objects.get(match=match)
    record = with_other_secrets(kept.loaded(), keep)
    fresh = Record.of(match, records.dumps(record))
    Record.objects.filter(match=match).update(data=fresh.data, sha256=fresh.sha256)
    faulty(match, "played the Q♠ instead", keep)


def faulty(match: Match, detail: str, keep: int | None = None) -> None:
    """Others made a fault, whose words name a card."""
    others = MatchSeat.objects.filter(match=match).exclude(index=keep)
    others.update(fault_kind="illegal", faults=1, fault_detail=detail)


def with_films(match: Match, asked: list[str], look: Callable[[list[str]], Told], client: Client) -> Callable[[], Told]:
    """All addresses, and the films that the pages of the match name."""

    def look_at_all() -> Told:
        shutil.rmtree(settings.VAR_DIR / "films", ignore_errors=True)  # nothing is left of the other world
        found = look(asked)
        pages = [f"/m/{match.pk}/1/", f"/m/{match.pk}/1/embed/", f"/m/{match.pk}/1/?view=table"]
        told = seen(pages, client)
        films = [
            address
            for page in pages
            for listed in FILMS.findall(told[page][1])
            for address in json.loads(unescape(listed)).values()
        ]
        return found | told | seen(films, client)

    return look_at_all


@pytest.mark.parametrize(
    ("who", "where"),
    [
        ("stranger", EVERYWHERE),
        ("member", ABOUT_RESULTS),
        ("program", "api/v1/"),
        ("spectator", ABOUT_RESULTS),
    ],
)
@pytest.mark.long("worlds")
def test_other_hidden_cards_give_the_same_bytes_until_the_set_is_over(who: str, where: str) -> None:
    hall, stage = hall_of()
    first, *others = matches_of(stage)
    finish(first)
    asked = [*public_addresses(hall, where), f"/m/{first.pk}/1/?view=0", f"/m/{first.pk}/1/?ply=30&view=2"]
    own = first.seats.get(team=hall.teams[0]).index if who in ("member", "program") else None
    user = hall.teams[0].people()[0].user if own is not None else None
    look = with_films(first, asked, readers(hall)[who], visitor(user))
    stories = [lambda: faulty(first, "played the 2♣", own), lambda: other_cards(first, own)]
    shut = in_both(stories, look)
    assert differing(shut) == []
    assert shut[0][f"/m/{first.pk}/1/"][0] == 200
    assert sum("film=" in address for address in shut[0]) >= 1
    for match in others:
        finish(match)
    told = [reverse("record", args=[first.pk]), f"/api/v1/contests/{hall.contest.slug}/matches"]
    assert differing(in_both(stories, lambda: seen(told, user))) == told, "else this tries nothing"


@pytest.mark.parametrize(
    "game", [SHORT, *(pytest.param(it, marks=pytest.mark.long("worlds")) for it in GAMES if it != SHORT)]
)
def test_nothing_is_left_in_what_is_shown(game: str) -> None:
    hall, stage = hall_of(game)
    first, *others = matches_of(stage)
    finish(first)
    record = Record.objects.get(match=first).loaded()
    for player in (None, 0):
        known = Shown(Part.SEEN, player)
        other = with_other_secrets(record, player)
        assert other["events"] != record["events"]
        assert part_of(first, record, known) == part_of(first, other, known)
    client = visitor()
    for address in ("", "1/", "1/?ply=9999", "1/?transcript=1", "1/?sheets=all", "1/embed/"):
        answer = client.get(f"/m/{first.pk}/{address}")
        assert answer.status_code == 200, address
    member = visitor(hall.teams[1].people()[0].user)
    replay = member.get(f"/m/{first.pk}/1/").context["replay"]
    seat = next(seat for seat in replay.seats if seat.name == hall.teams[1].name)
    assert list(replay.views) == [str(seat.index), "hidden"]
    assert replay.view == str(seat.index)
    asked = (ply for ply in range(replay.last + 1) if replay.question(ply))
    assert {replay.events[ply]["seat"] for ply in asked} <= {seat.index}
    assert others


def test_the_parts_that_name_every_card_are_shut_and_open_together(client: Client) -> None:
    hall, stage = hall_of()
    first, *others = matches_of(stage)
    finish(first)
    log = hall.contest.game.log_name
    shut = [*(reverse(name, args=[first.pk]) for name in ("record", "match-zip", "api-record")),
            reverse("game-log", args=[first.pk, 1, log]), reverse("api-game-log", args=[first.pk, 1])]  # fmt: skip
    page, told = f"/m/{first.pk}/", f"/api/v1/matches/{first.pk}"
    assert [client.get(address).status_code for address in shut] == [404] * len(shut)
    assert "no hands" in client.get(page).text
    assert str(first.seed) not in client.get(page).text
    about = client.get(told).json()
    assert (about["seed"], about["record"], about["record_sha256"]) == (None, None, "")
    assert about["game_results"][0]["log"] is None
    assert not again.is_open(first)
    assert visitor(hall.ada).get(shut[0]).status_code == 200, "organisers see everything"
    for match in others:
        finish(match)
    assert [client.get(address).status_code for address in shut] == [200] * len(shut)
    assert client.get(told).json()["seed"] == first.seed
    assert again.is_open(first)


def leave_by(act: Callable) -> Callable[[Hall, Stage], None]:
    def act_on(hall: Hall, stage: Stage) -> None:
        act(hall.teams[-1], hall.ada, "They were not there.")
        play_out(stage)

    return act_on


def voided(hall: Hall, stage: Stage) -> None:
    """The last one is void, and is played again at once."""
    *most, last = stage.matches.filter(state=Match.State.QUEUED).order_by("pk")
    for match in most:
        finish(match)
    stages.void(last, hall.ada, "A power cut.", hold=False)
    play_out(stage)


ENDS: dict[str, Callable[[Hall, Stage], None]] = {
    "void": voided,
    "reset": lambda hall, stage: endings.reset(stage, hall.ada, "A wrong list of teams."),
    "abandoned": lambda hall, stage: endings.abandon(stage, hall.ada, "A fire alarm."),
    "withdrawn": leave_by(stages.withdraw),
    "disqualified": leave_by(stages.disqualify),
}


@pytest.mark.parametrize(
    "end", ["void", *(pytest.param(it, marks=pytest.mark.long("worlds")) for it in ENDS if it != "void")]
)
def test_a_set_that_ends_otherwise_opens_too(end: str, client: Client) -> None:
    hall, stage = hall_of()
    first = finish(matches_of(stage)[0])
    assert client.get(reverse("record", args=[first.pk])).status_code == 404
    ENDS[end](hall, stage)
    assert client.get(reverse("record", args=[first.pk])).status_code == 200
    assert public(hall.contest)._unfinished_sets == frozenset()


def test_behind_a_freeze_a_set_stays_as_it_was(client: Client) -> None:
    """That the others were played is hidden, too."""
    hall, stage = hall_of()
    first, *others = matches_of(stage)
    finish(first)
    freeze(hall)

    def play() -> None:
        for match in others:
            finish(match)

    asked = [f"/m/{first.pk}/", f"/m/{first.pk}/1/", f"/c/{hall.contest.slug}/matches/matches.csv"]
    assert differing(in_both([lambda: None, play], lambda: seen(asked, None))) == []
    play()
    assert client.get(reverse("record", args=[first.pk])).status_code == 404
    releases.lift(hall.contest, hall.ada)
    assert client.get(reverse("record", args=[first.pk])).status_code == 200


def test_matches_on_their_own_deals_open_at_their_end(client: Client) -> None:
    hall = Hall(4)
    stage = staged(hall, options=TWOS)
    first, _ = stage.matches.order_by("pk")[:2]
    finish(first)
    assert client.get(reverse("record", args=[first.pk])).status_code == 200
