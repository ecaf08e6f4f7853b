"""A match in progress whose cards come when the test wants them, told to those who follow it as a worker does."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

import redis
from django.http import HttpResponse

import games
from contest.broadcast import publish
from contest.broadcast.channel import Channel, read
from games import referee
from games.engine import Action, Event
from games.players import HousePlayer, Seated
from games.record import Record
from tests.waiting import wait_for
from tournaments.kinds import following
from tournaments.models import Match
from tournaments.playing import broadcast, play


def published(name: str, record: Record, notes: Sequence[dict[str, Any]] = ()) -> None:
    """Tell a channel all events of a record, and then the notes."""
    client, key = redis.Redis.from_url(publish.settings.CACHE_URL), publish.key_of(name)
    head = {key: record[key] for key in ("format", "game", "rules", "options", "seats") if key in record} | {"seed": 0}
    entries = [{"head": head}, {"at": 0, "events": record["events"]}, *({"note": note} for note in notes)]
    client.delete(key)
    for entry in entries:
        client.xadd(key, {"json": json.dumps(entry)})


def told_by(answer: HttpResponse) -> tuple[int, dict[str, Any]]:
    """The status and the news in an answer, but for the name of the telling."""
    news = json.loads(answer.content) if answer.status_code == 200 else {}
    return answer.status_code, {name: value for name, value in news.items() if name != "run"}


class Stopped(Exception):
    """The worker is gone."""


class Gate:
    """Lets players decide, one at a time."""

    def __init__(self) -> None:
        self.open = threading.Semaphore(0)
        self.free = self.stopped = False
        self.asked = self.allowed = 0  # how often a player came, and how many may pass

    def is_awaited(self) -> bool:
        """Whether a player waits here, so nothing happens before it may decide."""
        return self.asked > self.allowed

    def wait(self) -> None:
        self.asked += 1
        if not self.free:
            self.open.acquire()
        if self.stopped:
            raise Stopped

    def let(self, decisions: int) -> None:
        self.allowed += decisions
        self.open.release(decisions)

    def let_all(self) -> None:
        self.free = True
        self.open.release()


class Gated(HousePlayer):
    """A house player that waits at the gate."""

    gate: Gate

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Any:
        self.gate.wait()
        return super().decide(legal, place)


class LiveTable:
    """A running match. A context; leaving it stops the match, wherever it is."""

    def __init__(self, match: Match, house: str = "") -> None:
        claimed = play.claim(match.pk, "test")
        assert claimed is not None
        self.match, self.gate, self.events = claimed, Gate(), []
        self.told = broadcast.of(claimed)
        self.told.begins = 0  # tests have no half second
        self.played: referee.Match | None = None
        game = games.get(claimed.contest.game_slug)
        self.seats = []
        for seat in play.seats_of(claimed):
            player = Gated(game.house_player(house or game.house[0].name))
            player.gate = self.gate
            bot = seat.submission.filename if seat.submission else f"house:{seat.house}"
            self.seats.append(Seated(seat.name, bot, player))
        self.thread = threading.Thread(target=self._play, daemon=True)

    def __enter__(self) -> LiveTable:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.gate.stopped = True
        self.gate.let_all()
        self.thread.join(60)
        self.told.end()

    def _play(self) -> None:
        claimed = self.match
        try:
            self.played = referee.play(
                claimed.contest.game, self.seats, seed=claimed.seed, options=claimed.options,
                preset=claimed.contest.preset, games=claimed.stage.options.get("games"),
                openings=claimed.openings or None, on_event=self._tell,
            )  # fmt: skip
        except Stopped:
            pass

    def _tell(self, event: Event) -> None:
        self.events.append(event)
        self.told.tell(event)

    def let(self, decisions: int) -> int:
        """Let players decide, and wait until everybody can know. Returns how many events there are."""
        self.gate.let(decisions)
        return self.arrived()

    def arrived(self) -> int:
        """Wait until the broadcast has all that was played, and the next player is asked."""
        client, channel = redis.Redis.from_url(publish.settings.CACHE_URL), Channel(self.told.channel)
        wait_for(lambda: self.gate.is_awaited() or self.played)  # a trick or a round may end after a decision
        wait_for(lambda: (read(client, channel), len(channel.events) >= len(self.events))[1])
        return len(self.events)

    def play_on(self) -> Match:
        """Play to the end, and write the result."""
        self.gate.let_all()
        self.thread.join(60)
        assert self.played is not None
        play.finish(self.match, self.played)
        following.reconcile(self.match.stage)
        self.told.end()
        return self.match

    def die(self) -> None:
        """As if the worker had been killed: nothing more is told, and nobody says so."""
        self.told.said_over = self.told.over = True
        self.gate.stopped = True
        self.gate.let_all()
        self.thread.join(60)
