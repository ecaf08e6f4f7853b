"""What those who follow a broadcast are sent: its events folded into a film that grows (contest/replay/reel.py), once
for each topic and process, whoever and however many follow.

    film    a whole film so far: {"game", "ply", "over", "film", "notes"}; whoever comes late, or again, begins with it
    piece   what is new, for `Film.append` (static/js/film.js)
    note    {"name", "data"}, to those who follow with the view of the seat that it is meant for
    over    {"game", "next"}: the game is over, and which one follows in the same match (null: none)
    lost    nobody may follow any more (contest/server/web/streams.py): the page knows why
"""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

import redis

from contest.broadcast.channel import Channel, read
from contest.broadcast.publish import store
from contest.replay.growing import Growing
from contest.replay.reel import Reel
from contest.server.web.streams import News
from games.record import Record

logger = logging.getLogger(__name__)

AT_ONCE = 25  # positions that are drawn of one topic before it is another one's turn
LONGEST = 0.3  # seconds of drawing before what is there is sent
CHECKPOINT = 20_000  # characters of pieces, and half as many as the film has, after which latecomers get a new film


@dataclass(frozen=True, slots=True)
class GameView:
    """One game of a channel, as a view may know it: "table", "hidden", or the number of a seat. Its text is the name of
    its topic (contest/server/web/streams.py)."""

    channel: str
    game: int
    view: str

    def __str__(self) -> str:
        return urlencode({"channel": self.channel, "game": self.game, "view": self.view})

    @classmethod
    def read(cls, text: str) -> GameView:
        found = dict(parse_qsl(text))
        return cls(found["channel"], int(found["game"]), found["view"])


class GameFeed:
    """What is new of a game view, as messages of a stream."""

    def __init__(self, game_view: GameView, channel: Channel) -> None:
        self.game_view, self.channel = game_view, channel
        self.waits = True  # to be told from the start
        self.said_over = False
        self.told_notes = 0
        self._begin()

    def _begin(self) -> None:
        self.begun = self.channel.times_begun
        self.run = secrets.token_hex(4)  # what browsers have of another run fits to nothing of this one
        self.at = 0  # events of the channel that were looked at
        self.number = 1  # of the game that the next of them belongs to
        self.reel: Reel | None = None
        self.weight = self.film_weight = 0  # characters, since the last film and of it
        self.waits, self.said_over = True, False
        self.last_notes: dict[str, Any] = {}

    @property
    def has_work(self) -> bool:
        return self.at < len(self.channel.events) or bool(self.reel and self.reel.drawn <= self.reel.replay.last)

    def news(self) -> Iterator[News]:
        """What is new. It draws at most `AT_ONCE` positions; `has_work` says whether more are waiting."""
        if self.begun != self.channel.times_begun:
            self._begin()
        if self.channel.record is None:
            return
        self._take(self.channel.record)
        reel = self.reel
        if reel is not None and reel.drawn <= reel.replay.last:
            piece = reel.piece(AT_ONCE)
            if not self.waits:
                yield self._piece(piece)
        # Before the film, which has the last ones, and after all that happened before them: a question that came before
        # the earlier decisions of its player would be taken for answered.
        notes = [] if self.has_work else self._notes()
        if reel is not None and not (self.waits and self.has_work):
            yield from self._film()
        yield from notes
        yield from self._over()

    def _take(self, record: Record) -> None:
        """Give the reel the events of its game."""
        events, own = record["events"], []
        while self.at < len(events) and self.number <= self.game_view.game:
            event = events[self.at]
            if self.number == self.game_view.game:
                own.append(event)
            self.number += event["event"] == "result"
            self.at += 1
        if self.number > self.game_view.game:
            self.at = len(events)
        if own and self.reel is None:
            self.reel = Reel(
                Growing(record, own[0], self.game_view.game, self.game_view.view, games=record.get("games", 1))
            )
        if self.reel is not None:
            self.reel.replay.grow(own)

    def _film(self) -> Iterator[News]:
        """The film, for those who come: at the start, and when they would have to be sent too many pieces."""
        assert self.reel is not None
        heavy = self.weight > CHECKPOINT + self.film_weight / 2
        if not self.waits and not heavy:
            return
        notes = [{"name": name, "data": data} for name, data in self.last_notes.items()]
        told = {"game": self.game_view.game, "ply": self.reel.drawn - 1, "over": self.reel.replay.is_over}
        text = _json({**told, "film": self.reel.film(), "notes": notes})
        self.weight, self.film_weight = 0, len(text)
        yield News(self._id(), "film", text, begins=True, joins=not self.waits)
        self.waits = False

    def _piece(self, piece: dict[str, Any]) -> News:
        text = _json(piece)
        self.weight += len(text)
        return News(self._id(), "piece", text)

    def _notes(self) -> list[News]:
        found = []
        for note in self.channel.notes[self.told_notes :]:
            self.told_notes += 1
            if note["seat"] is None or str(note["seat"]) == self.game_view.view:
                self.last_notes[note["name"]] = note["data"]
                text = _json({"name": note["name"], "data": note["data"]})
                found.append(News(f"{self._id()}.{self.told_notes}", "note", text))
        return [] if self.waits else found

    def _over(self) -> Iterator[News]:
        """The end of the game, as soon as it is known whether another one follows."""
        if self.said_over or self.has_work or (self.waits and self.reel is not None):
            return
        goes_on = self.number > self.game_view.game and self._is_followed_by_another()
        if goes_on or self.channel.over:
            self.said_over = True
            following = self.game_view.game + 1 if goes_on else None
            yield News(f"{self._id()}.over", "over", _json({"game": self.game_view.game, "next": following}))

    def _is_followed_by_another(self) -> bool:
        results = 0
        for place, event in enumerate(self.channel.events):
            results += event["event"] == "result"
            if results == self.game_view.game:
                return place + 1 < len(self.channel.events)
        return False

    def _id(self) -> str:
        return f"{self.run}.{self.reel.drawn if self.reel else 0}"


class GameFeeds:
    """All topics that are followed in this process. Belongs to one thread."""

    def __init__(self) -> None:
        self.channels: dict[str, Channel] = {}
        self.feeds: dict[str, GameFeed] = {}
        self._client: redis.Redis | None = None
        self._failing = False
        self._turn = 0

    def read(self, topics: Collection[str]) -> dict[str, list[News]]:
        """What is new of each topic."""
        self._keep(topics)
        if not topics:
            self._client = None
            return {}
        try:
            self._client = self._client or store()
            read(self._client, list(self.channels.values()))
            self._failing = False
        except redis.RedisError as error:
            if not self._failing:
                logger.warning("games in progress cannot be followed: %s", error)
            self._failing = True
        return self._draw()

    def _keep(self, topics: Collection[str]) -> None:
        """Forget what nobody follows, and begin with what is new."""
        self.feeds = {name: feed for name, feed in self.feeds.items() if name in topics}
        for name in topics:
            if name not in self.feeds:
                wanted = GameView.read(name)
                channel = self.channels.setdefault(wanted.channel, Channel(wanted.channel))
                self.feeds[name] = GameFeed(wanted, channel)
        used = {feed.game_view.channel for feed in self.feeds.values()}
        self.channels = {name: channel for name, channel in self.channels.items() if name in used}

    def _draw(self) -> dict[str, list[News]]:
        """Draw what is new, in turn, for as long as nobody has to wait for it too long."""
        until = time.monotonic() + LONGEST
        names = list(self.feeds)
        self._turn = (self._turn + 1) % max(1, len(names))
        names = names[self._turn :] + names[: self._turn]
        found: dict[str, list[News]] = {}
        while names:
            again = []
            for name in names:
                if time.monotonic() > until:
                    return found
                feed = self.feeds[name]
                found.setdefault(name, []).extend(self._news(feed))
                if feed.has_work:
                    again.append(name)
            names = again
        return found

    @staticmethod
    def _news(feed: GameFeed) -> list[News]:
        try:
            return list(feed.news())
        except Exception:
            logger.exception("%s can no longer be followed", feed.game_view)
            feed.news = lambda: iter(())  # type: ignore[method-assign]
            feed.at, feed.reel = len(feed.channel.events), None
            return []


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
