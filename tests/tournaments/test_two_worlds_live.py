"""Games in progress leave no trace where they may not be followed, and hidden hands none where they may."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
import redis
from django.test import Client
from django.utils import timezone

import games
from contest.broadcast import publish
from contest.broadcast.feed import GameFeeds, GameView
from contest.models import Contest
from contest.server.web.streams import FOLLOWS, HEADER
from games.engine import Fault, FaultKind
from games.players import HousePlayer, Seated
from games.record import Record
from games.referee import play as play_game
from tests.contest.test_film import NAMES, record_of
from tests.tournaments.courtroom import Courtroom
from tests.tournaments.live_table import LiveTable
from tests.tournaments.records import Scripted
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import ROUNDS, TWOS, freeze, staged
from tests.tournaments.visitors import seen, visitor
from tests.tournaments.worlds import Told, differing, in_both, play_on, public_addresses
from tournaments.models import Match, Stage
from tournaments.organising import reviews
from tournaments.playing import play

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


OTHER_GAMES = ("tricky_eights", "barracuda", "intensity")


def running(match: Match, decisions: int = 12) -> None:
    """The match is being played, and has come so far."""
    with LiveTable(match) as table:
        table.let(decisions)


def stream_of(client: Client, address: str) -> tuple[int, str]:
    """What the event loop is told about a browser that wants to follow."""
    answer = client.get(address, headers={"accept": "text/event-stream"}, **{FOLLOWS: "first"})
    return answer.status_code, answer.headers.get(HEADER.decode(), "")


def told(hall: Hall | Courtroom, user: Any = None) -> Callable[[], Told]:
    """All pages about the contest, and for each of its matches the page of its game and its stream."""
    asked = public_addresses(hall) if isinstance(hall, Hall) else [hall.stage.get_absolute_url()]
    ids = list(hall.contest.matches.values_list("pk", flat=True))
    games_ = [f"/m/{match}/1/{query}" for match in ids for query in ("", "?view=table", "?ply=3", "?view=0")]

    def look() -> Told:
        client = visitor(user)
        streams = {f"{address} as a stream": stream_of(client, address) for address in games_}
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
        assert f"/m/{first.pk}/1/ as a stream" in differing(open_worlds), "else this test tries nothing"
        assert "live-bar" in open_worlds[1][f"/m/{first.pk}/1/"][1]
        freeze(hall)
        worlds = in_both([lambda: None, lambda: running(first), lambda: (running(first), running(second, 3))], look)
        assert differing(worlds) == []
        assert worlds[1][f"/m/{first.pk}/1/ as a stream"] == (404, "")

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
        assert look[f"/m/{match.pk}/1/ as a stream"] == (204, "")
        assert play.broadcast.of(claimed).begins > 1e9

    def test_a_freeze_by_the_clock_is_known_beforehand(self) -> None:
        """The event loop asks again at that moment, however little happens then."""
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        first = stage.matches.order_by("pk")[0]
        begins = timezone.now() + timedelta(minutes=5)
        Contest.objects.filter(pk=hall.contest.pk).update(frozen_from=begins)
        running(first)
        status, header = stream_of(visitor(), f"/m/{first.pk}/1/")
        assert status == 200
        assert json.loads(header)["until"] == pytest.approx(begins.timestamp())


def test_games_that_do_not_exist_are_not_followed() -> None:
    hall = Hall(4)
    stage = staged(hall, options=TWOS | {"games": 2})
    match = stage.matches.order_by("pk")[0]
    running(match)
    found = [stream_of(visitor(), f"/m/{match.pk}/{game}/")[0] for game in (0, 1, 2, 3, 10**9)]
    assert found == [404, 200, 200, 404, 404]


class TestOnlyWhatEverybodyAtTheTableMayKnow:
    def test_of_the_same_deals_a_member_sees_their_own_seat(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options={**TWOS, "duplicate": True})
        match = stage.matches.order_by("pk")[0]
        seat = match.seats.filter(team__isnull=False).first()
        member = seat.team.people()[0].user
        running(match)
        views = f"/m/{match.pk}/1/?view="
        for view in ("table", *map(str, range(4)), "hidden", "nonsense"):
            assert "view=hidden" in stream_of(visitor(), f"{views}{view}")[1], view
            own = "hidden" if view == "hidden" else seat.index
            header = stream_of(visitor(member), f"{views}{view}")[1]
            assert f"view={own}" in header, view
            assert json.loads(header)["audience"] != "public"
            assert f'data-view="{own}"' in visitor(member).get(f"{views}{view}").content.decode()
        assert "Hands stay hidden" in visitor().get(f"{views}table").content.decode()
        assert "view=table" in stream_of(visitor(hall.ada), f"{views}table")[1]

    def test_views_where_a_program_is_connected(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        match = stage.matches.order_by("pk")[0]
        member, organiser = hall.teams[0].people()[0].user, hall.ada
        running(match)
        views = f"/m/{match.pk}/1/?view="
        assert '"view=table' in stream_of(visitor(), f"{views}table")[1].replace("&view", '"view')
        Match.objects.filter(pk=match.pk).update(live=True)
        for user in (None, member):
            for view in ("table", "0", "1", "hidden", "nonsense"):
                assert "view=hidden" in stream_of(visitor(user), f"{views}{view}")[1], (user, view)
                page = visitor(user).get(f"{views}{view}").content.decode()
                assert 'data-view="hidden"' in page
                assert "Hands stay hidden" in page
        assert "view=table" in stream_of(visitor(organiser), f"{views}table")[1]
        assert "view=hidden" in stream_of(visitor(organiser), f"{views}hidden")[1]

    def test_a_members_audience_is_that_of_everybody(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        match = stage.matches.order_by("pk")[0]
        running(match)
        users = (None, hall.teams[0].people()[0].user)
        heads = [json.loads(stream_of(visitor(user), f"/m/{match.pk}/1/")[1]) for user in users]
        assert heads[0]["limits"].items() < heads[1]["limits"].items(), "an account has a limit of its own"
        assert heads[0] | {"limits": {}} == heads[1] | {"limits": {}}
        assert json.loads(stream_of(visitor(hall.ada), f"/m/{match.pk}/1/")[1])["audience"] == "public"
        freeze(hall)
        assert json.loads(stream_of(visitor(hall.ada), f"/m/{match.pk}/1/")[1])["audience"] != "public"

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
            assert streamed(half, "hidden") == streamed(other, "hidden")


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


def streamed(record: Record, view: str) -> list[tuple[str, str]]:
    """The messages of a broadcast of this record, told in three parts."""
    head = {name: record[name] for name in ("format", "game", "rules", "options", "seats")} | {"seed": 0}
    client, key, feeds = redis.Redis.from_url(publish.settings.CACHE_URL), publish.key_of("match:9:9"), GameFeeds()
    topic, events = str(GameView("match:9:9", 1, view)), record["events"]
    client.delete(key)
    client.xadd(key, {"json": json.dumps({"head": head})})
    third, found = -(-len(events) // 3), []
    for at in range(0, len(events), third):
        client.xadd(key, {"json": json.dumps({"at": at, "events": events[at : at + third]})})
        for _ in range(1000):
            found += [(each.name, each.data) for each in feeds.read([topic]).get(topic, [])]
            if not feeds.feeds[topic].has_work:
                break
    assert [name for name, _ in found][:2] == ["film", "piece"]
    return found


@pytest.mark.parametrize("waiting", [1, 40, 90, 140])
def test_a_question_comes_after_all_that_its_player_has_decided(waiting: int) -> None:
    """However many events are read before it: after a reload, and when a stream begins anew."""
    record = record_of(games.get("hearts"), 21)
    head = {name: record[name] for name in ("format", "game", "rules", "options", "seats")} | {"seed": 0}
    client, key, feeds = redis.Redis.from_url(publish.settings.CACHE_URL), publish.key_of("casual:1"), GameFeeds()
    topic, events = str(GameView("casual:1", 1, "0")), record["events"][: waiting + 1]
    client.delete(key)
    client.xadd(key, {"json": json.dumps({"head": head})})
    for at, event in enumerate(events):
        client.xadd(key, {"json": json.dumps({"at": at, "events": [event]})})
    client.xadd(key, {"json": json.dumps({"note": {"seat": 0, "name": "question", "data": {"number": 1}}})})
    names: list[str] = []
    for _ in range(1000):
        news = feeds.read([topic]).get(topic, [])
        if not news and not feeds.feeds[topic].has_work:
            break
        for each in news:
            names += [each.name] + [note["name"] for note in json.loads(each.data).get("notes", [])]
    asked = min(names.index(name) for name in ("question", "note") if name in names)
    assert names[0] == "film"
    assert "piece" not in names[asked:]


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
