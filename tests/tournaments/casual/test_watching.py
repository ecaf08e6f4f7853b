"""Those who have no seat: they learn of a game in progress only what everybody at the table may know, and later all."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
import redis
from django.test import Client
from django.urls import reverse

from contest.broadcast import publish
from contest.models import User
from tests.cast import make_user
from tests.tournaments.casual.parlour import ask, finish, table
from tests.tournaments.live_table import published, told_by
from tests.tournaments.visitors import seen
from tests.tournaments.worlds import Told, differing, in_both
from tournaments.casual import moves
from tournaments.casual.limits import Who
from tournaments.models import CasualGame

pytestmark = pytest.mark.django_db

NAMES = ("table", "state", "record")
QUERIES = ("", "?ply=0", "?ply=3", *(f"?view={view}" for view in ("table", "hidden", "0", "1", "3", "9", "x")))
MORE = ("?film=table", "?film=hidden", "?asked=table", "?sheets=all", "?transcript=1&view=0")


def places(game: CasualGame) -> list[str]:
    replay = reverse("casual-replay", args=[game.pk, 1])
    found = [reverse(f"casual-{name}", args=[game.pk]) for name in NAMES]
    found += [f"{replay}{query}" for query in (*QUERIES, *MORE)]
    found += [reverse("casual-replay", args=[game.pk, 2]), f"{replay}{game.game.log_name}", f"{replay}te.log"]
    return found


def look(game: CasualGame, client: Client | None = None) -> Callable[[], Told]:
    """All that somebody without a seat can read of a table."""

    def found() -> Told:
        reader = client or Client()
        told = seen(places(game), reader)
        assert not any("data-film" in page for _, page in told.values()), "there is no film to ask for"
        live = [reverse("casual-live", args=[game.pk]), *(it for it in places(game) if "replay/1/" in it)]
        for address in live:
            answer = reader.get(f"{address}{'&' if '?' in address else '?'}from=0")
            told[f"{address} as news"] = told_by(answer)
        return told

    return found


def deal(game: CasualGame, seed: int) -> Callable[[], None]:
    """The table is dealt these cards, and the others have passed some of theirs."""

    def story() -> None:
        CasualGame.objects.filter(pk=game.pk).update(seed=seed)
        dealt = CasualGame.objects.get(pk=game.pk)
        ask(dealt, Random(seed))
        published(dealt.channel, moves.stand(dealt).record)

    return story


FURTHER = pytest.mark.long("worlds")


@pytest.mark.parametrize("slug", ["hearts", pytest.param("intensity", marks=FURTHER)])
@pytest.mark.parametrize("who", ["guest", pytest.param("account", marks=FURTHER), "friend with the link"])
def test_two_worlds_with_other_hands_are_the_same(slug: str, who: str) -> None:
    game, _ = table(slug, who=Who(user=make_user("anna")), people=(3,), private=who == "friend with the link")
    reader = Client()
    if who == "account":
        reader.force_login(make_user("ben"))
    elif who == "friend with the link":
        assert reader.get(f"{game.get_absolute_url()}?key={game.key}").status_code == 302
    worlds = in_both([deal(game, 1), deal(game, 2)], look(game, reader))
    assert differing(worlds) == []
    replay = reverse("casual-replay", args=[game.pk, 1])
    status, page = worlds[0][f"{replay}?view=table"]
    assert status == 200, "else this test tries nothing"
    assert 'data-view="hidden"' in page
    assert worlds[0][f"{replay}?view=0 as news"] == worlds[0][f"{replay}?view=hidden as news"]
    client = Client()
    client.force_login(User.objects.get(username="anna"))
    own = in_both([deal(game, 1), deal(game, 2)], look(game, client))
    assert game.get_absolute_url() in differing(own), "who sits there sees other cards"


@pytest.mark.parametrize("told", ["some of it", "nothing"])
def test_it_goes_with_the_game_to_its_last_card_and_becomes_the_replay(told: str) -> None:
    game, _ = table("intensity", people=(3,))
    ask(game)
    client, replay = Client(), reverse("casual-replay", args=[game.pk, 1])
    assert client.get(game.get_absolute_url())["Location"] == replay
    before = client.get(replay).content.decode()
    assert str(game.seed) not in before
    finish(game)
    publish.fall_silent()  # the rest is never told, as if the server had died when the result was written
    redis.Redis.from_url(publish.settings.CACHE_URL).delete(publish.key_of(game.channel))
    if told == "some of it":
        published(game.channel, {**game.loaded(), "events": game.loaded()["events"][:20]})
    first = client.get(f"{replay}?from=0").json()
    assert first["film"]["length"] == len(game.loaded()["events"])
    assert first["over"]
    rest = client.get(f"{replay}?from=20&run={first['run']}&notes=0").json()
    assert rest["film"]["from"] + rest["film"]["length"] == first["film"]["length"]
    assert rest["over"]
    page = client.get(f"{replay}?view=table").content.decode()
    assert 'data-view="table"' in page
    assert str(game.seed) in page


PEOPLE = ("stranger", "account", "friend", "seat")
SEES = (404, 404, 302, 200)
TABLE = {
    "casual-table": SEES,
    "casual-state": (404, 404, 200, 200),
    "casual-live": (404, 404, 204, 204),
    "casual-replay": (404, 404, 200, 302),
    "casual-record": (404,) * 4,
    "casual-log": (404,) * 4,
}
POSTS = dict.fromkeys(("move", "join", "begin", "leave", "again"), (404, 404, 302, 302))


@pytest.mark.parametrize("who", PEOPLE)
def test_who_may_do_what_at_a_private_table_in_progress(who: str) -> None:
    game, seat = table("hearts", private=True)
    ask(game)
    client = Client()
    if who == "account":
        client.force_login(make_user("zoe"))
    elif who == "friend":
        client.get(f"{game.get_absolute_url()}?key={game.key}")
    elif who == "seat":
        client.get(f"{game.get_absolute_url()}?key={seat.key}")
    column = PEOPLE.index(who)
    more = {"casual-replay": [1], "casual-log": [1, "te.log"]}
    got = {name: client.get(reverse(name, args=[game.pk, *more.get(name, [])])).status_code for name in TABLE}
    assert got == {name: row[column] for name, row in TABLE.items()}
    got = {name: client.post(reverse(f"casual-{name}", args=[game.pk])).status_code for name in POSTS}
    assert got == {name: row[column] for name, row in POSTS.items()}
    left = CasualGame.objects.get(pk=game.pk).seats.get(index=0).left_at
    assert bool(left) == (who == "seat"), "nobody else lets somebody leave"
    assert not game.moves.exists()
