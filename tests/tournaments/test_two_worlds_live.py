"""Games in progress leave no trace where they may not be followed, and hidden hands none where they may."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from random import Random
from typing import Any

import pytest
import redis
from django.test import Client, RequestFactory

import games
from contest.broadcast import channel, publish
from contest.broadcast.following import news
from contest.replay.growing import Growing, film_from
from games.engine import Fault, FaultKind
from games.players import HousePlayer, Seated
from games.record import Record
from games.referee import play as play_game
from tests.contest.test_film import NAMES, record_of
from tests.tournaments.courtroom import Courtroom
from tests.tournaments.live_table import LiveTable, published, told_by
from tests.tournaments.records import Scripted
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import ROUNDS, TWOS, freeze, staged
from tests.tournaments.visitors import seen, visitor
from tests.tournaments.worlds import Told, differing, in_both, play_on, public_addresses
from tournaments.models import Match, Stage
from tournaments.organising import reviews
from tournaments.playing import play
from tournaments.playing.broadcast import channel_of

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


OTHER_GAMES = ("tricky_eights", "barracuda", "intensity")


def running(match: Match, decisions: int = 12) -> None:
    """The match is being played, and has come so far."""
    with LiveTable(match) as table:
        table.let(decisions)


def news_of(client: Client, address: str) -> tuple[int, dict[str, Any]]:
    """What a browser is told that begins to follow."""
    return told_by(client.get(f"{address}{'&' if '?' in address else '?'}from=0"))


def view_told(user: Any, match: Match, view: str) -> str:
    """The view that a browser is told which asks for this one."""
    told = channel.told(channel_of(Match.objects.get(pk=match.pk)))
    assert told is not None
    assert told.record is not None
    film = news_of(visitor(user), f"/m/{match.pk}/1/?view={view}")[1]["film"]
    views = ("table", "hidden", *(str(seat) for seat in range(match.seats.count())))
    films = {each: film_from(Growing(told.record, 1, each, "", (each,)), 0, 1000) for each in views}
    (found,) = [each for each, own in films.items() if json.loads(json.dumps(own)) == film]
    return found


def told(hall: Hall | Courtroom, user: Any = None) -> Callable[[], Told]:
    """All pages about the contest, and for each of its matches the page of its game and its stream."""
    asked = public_addresses(hall) if isinstance(hall, Hall) else [hall.stage.get_absolute_url()]
    ids = list(hall.contest.matches.values_list("pk", flat=True))
    games_ = [f"/m/{match}/1/{query}" for match in ids for query in ("", "?view=table", "?ply=3", "?view=0")]

    def look() -> Told:
        client = visitor(user)
        streams = {f"{address} as news": news_of(client, address) for address in games_}
        return seen([*asked, *games_], client) | streams

    return look


@pytest.mark.long("worlds")
class TestNothingOfIt:
    @pytest.mark.parametrize("who", ["stranger", "member"])
    def test_in_a_freeze(self, who: str) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        first, second = stage.matches.order_by("pk")[:2]
        user = None if who == "stranger" else hall.teams[0].people()[0].user
        look = told(hall, user)
        open_worlds = in_both([lambda: None, lambda: running(first)], look)
        assert f"/m/{first.pk}/1/ as news" in differing(open_worlds), "else this test tries nothing"
        assert "live-bar" in open_worlds[1][f"/m/{first.pk}/1/"][1]
        freeze(hall)
        worlds = in_both([lambda: None, lambda: running(first), lambda: (running(first), running(second, 3))], look)
        assert differing(worlds) == []
        assert worlds[1][f"/m/{first.pk}/1/ as news"] == (404, {})

    def test_in_a_round_that_is_not_released(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS, release=ROUNDS)
        first = stage.matches.order_by("pk")[0]
        worlds = in_both([lambda: None, lambda: running(first)], told(hall))
        assert differing(worlds) == []

    def test_in_a_review_that_is_pending(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        play_on(stage)
        done = stage.matches.done().order_by("pk")[0]
        review = reviews.start(stage, hall.ada, "Somebody tripped over a cable.", [done.pk])
        again = Match.objects.get(review=review)
        worlds = in_both([lambda: None, lambda: running(again)], told(hall))
        assert differing(worlds) == []

    def test_in_a_judged_problem(self) -> None:
        """Nor to the organisers: nothing is told of hidden games at all."""
        hall = Courtroom(2).start()
        hall.send(hall.teams[0], minutes=600)
        match = hall.contest.matches.get()
        claimed = play.claim(match.pk, "test")
        assert claimed is not None
        look = told(hall, hall.teams[0].people()[0].user)()
        assert look[f"/m/{match.pk}/1/ as news"] == (200, {"lost": True})
        assert play.broadcast.of(claimed).begins > 1e9


def test_games_that_do_not_exist_are_not_followed() -> None:
    hall = Hall(4)
    stage = staged(hall, options=TWOS | {"games": 2})
    match = stage.matches.order_by("pk")[0]
    running(match)
    found = [news_of(visitor(), f"/m/{match.pk}/{game}/")[0] for game in (0, 1, 2, 3, 10**9)]
    assert found == [404, 200, 200, 404, 404]


@pytest.fixture
def live() -> Iterator[Callable[[Match], int]]:
    """Begins a match that goes on until the end of the test."""
    with ExitStack() as stack:
        yield lambda match: stack.enter_context(LiveTable(match)).let(12)


class TestOnlyWhatEverybodyAtTheTableMayKnow:
    def test_of_the_same_deals_a_member_sees_their_own_seat(self, live: Callable[[Match], int]) -> None:
        hall = Hall(4)
        stage = staged(hall, options={**TWOS, "duplicate": True})
        match = stage.matches.order_by("pk")[0]
        seat = match.seats.filter(team__isnull=False).first()
        member = seat.team.people()[0].user
        live(match)
        views = f"/m/{match.pk}/1/?view="
        for view in ("table", *map(str, range(4)), "hidden", "nonsense"):
            assert view_told(None, match, view) == "hidden", view
            own = "hidden" if view == "hidden" else str(seat.index)
            assert view_told(member, match, view) == own, view
            assert f'data-view="{own}"' in visitor(member).get(f"{views}{view}").content.decode()
        assert "Hands stay hidden" in visitor().get(f"{views}table").content.decode()
        assert view_told(hall.ada, match, "table") == "table"

    def test_views_where_a_program_is_connected(self, live: Callable[[Match], int]) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        match = stage.matches.order_by("pk")[0]
        member, organiser = hall.teams[0].people()[0].user, hall.ada
        live(match)
        views = f"/m/{match.pk}/1/?view="
        assert view_told(None, match, "table") == "table"
        Match.objects.filter(pk=match.pk).update(live=True)
        for user in (None, member):
            for view in ("table", "0", "1", "hidden", "nonsense"):
                assert view_told(user, match, view) == "hidden", (user, view)
                page = visitor(user).get(f"{views}{view}").content.decode()
                assert 'data-view="hidden"' in page
                assert "Hands stay hidden" in page
        assert view_told(organiser, match, "table") == "table"
        assert view_told(organiser, match, "hidden") == "hidden"

    @pytest.mark.parametrize(
        "slug", ["hearts", *(pytest.param(slug, marks=pytest.mark.long("worlds")) for slug in OTHER_GAMES)]
    )
    def test_other_hidden_cards_give_the_same_bytes(self, slug: str) -> None:
        game = games.get(slug)
        record = record_of(game, 21)
        fault = Fault(FaultKind.ILLEGAL, "played something that it does not hold", b"a secret card")
        players = [Scripted(fault, at=2), *(HousePlayer(game.house[0]) for _ in range(game.seats[1] - 1))]
        seats = [Seated(name, "bot.py", player) for name, player in zip(NAMES, players, strict=False)]
        preset = game.presets[0].name
        faulty = play_game(game, seats, seed=3, options=game.options({}), preset=preset, games=1).record
        for each in (record, faulty):
            half = {**each, "events": each["events"][: len(each["events"]) // 2]}
            other = with_other_secrets(half)
            assert other != half
            assert told_of(half, "hidden") == told_of(other, "hidden")


def with_other_secrets(record: Record, keep: int | None = None) -> Record:
    """Another world in which everybody at the table has heard the same. `keep`: the seat whose own cards stay."""
    chance = Random(5)
    deal = next(event["hands"] for event in record["events"] if event["event"] == "hand")

    def other(event: dict[str, Any]) -> dict[str, Any]:
        if event["event"] == "hand":
            cards = [card for seat, hand in enumerate(event["hands"]) if seat != keep for card in hand]
            chance.shuffle(cards)
            fresh = iter(cards)
            hands = enumerate(event["hands"])
            return {**event, "hands": [hand if seat == keep else [next(fresh) for _ in hand] for seat, hand in hands]}
        if event["event"] == "pass" and keep not in (event["seat"], event["to"]):
            return {**event, "cards": deal[3][: len(event["cards"])]}
        if event["event"] == "fault" and event["seat"] != keep:
            return {**event, "detail": "played another card", "answer": "another card"}
        return event

    return {**record, "events": [other(event) for event in record["events"]]}


def told_of(record: Record, view: str, notes: Sequence[dict[str, Any]] = (), query: str = "from=0") -> dict[str, Any]:
    """The news of a broadcast of this record."""
    published("match:9:9", record, notes)
    return told_by(news(RequestFactory().get(f"/?{query}"), channel.told("match:9:9"), 1, view))[1]


@pytest.mark.parametrize("waiting", [1, 40, 90, 140])
def test_nobody_is_asked_what_they_have_decided_meanwhile(waiting: int) -> None:
    """And a question comes with all that its player has decided before: after a reload, and after a pause."""
    record = record_of(games.get("hearts"), 21)
    half = {**record, "events": record["events"][: waiting + 1]}
    question = {"seat": 0, "name": "question", "data": {"number": 1}}
    asked = told_of(half, "0", [question])
    assert (asked["film"]["length"], asked["notes"]) == (waiting + 1, [{"name": "question", "data": {"number": 1}}])
    assert told_of(half, "1", [question])["notes"] == []
    published("match:9:9", half, [question])
    client = redis.Redis.from_url(publish.settings.CACHE_URL)
    client.xadd(
        publish.key_of("match:9:9"),
        {"json": json.dumps({"at": waiting + 1, "events": record["events"][waiting + 1 :]})},
    )
    assert told_by(news(RequestFactory().get("/?from=0"), channel.told("match:9:9"), 1, "0"))[1]["notes"] == []


def test_a_stage_in_progress_is_no_secret(client: Client) -> None:
    """The list of matches and the page of one lead to what can be followed, and to nothing else."""
    hall = Hall(4)
    stage = staged(hall, options=TWOS)
    match = stage.matches.order_by("pk")[0]
    here = f"/c/{hall.contest.slug}/matches/"
    link = f'href="/m/{match.pk}/1/?live=1"'
    assert link not in client.get(here).content.decode()
    running(match)
    for place in (here, f"/m/{match.pk}/", stage.get_absolute_url()):
        assert link in client.get(place).content.decode(), place
    freeze(hall)
    for place in (here, f"/m/{match.pk}/", stage.get_absolute_url()):
        assert link not in client.get(place).content.decode(), place
    assert Stage.objects.count() == 1
