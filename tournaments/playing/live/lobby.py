"""Who may connect, who is connected, and what the database says about the clients.

There is one lobby for each game that is played over connections. Its doors and its matches call it from their threads,
and the server's main thread writes. So frequent messages cause few writes.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from threading import Lock
from time import monotonic, time
from typing import Any

from django.db import transaction
from django.utils import timezone

from contest.models import Contest, Phase
from games.connections import CLOSED
from games.engine import Game
from games.server.door import plain
from games.server.line import TeamLine
from games.server.practice import Practice
from games.server.teams import Registered, Team
from tournaments.models import Client
from tournaments.seating import player_numbers, programs

PAUSE = 0.001
"""Seconds that each table of the test port pauses after a decision, multiplied by the number of tables. Together they
make at most a thousand decisions a second, so practice never takes time from a contest."""


OFTEN = 5.0
"""The least number of seconds between two writes about a program that keeps failing."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A team that may connect, as the database has it."""

    known: Team  # as the door and the bots know it
    team: int
    client: int
    address: str
    token: str


@dataclass(eq=False)
class Guest:
    """A team's line, with the state to show on its page."""

    contest: int
    client: int
    line: TeamLine
    address: str = ""  # of its newest connection
    by_address: bool = False  # it was recognised by its address, not by its token
    since: datetime | None = None  # the newest connection
    shown: tuple[datetime | None, str] | None = None  # the connection stored in the row
    there_at: datetime | None = None  # when it was last seen connected
    error: str = ""
    error_at: datetime | None = None
    error_shown: datetime | None = None  # the `error_at` stored in the row
    error_written: float = -OFTEN  # when it was stored
    matches: int = 0  # in progress on the line

    def complain(self, words: str) -> None:
        self.error, self.error_at = words[:300], timezone.now()

    def says_nothing_since(self) -> bool:
        """Whether no error explains its disconnection: none was reported since it was last seen connected."""
        return self.error_at is None or self.there_at is None or self.error_at < self.there_at

    def is_settled(self) -> bool:
        """Whether no match needs the line and the row is up to date."""
        return not self.matches and self.shown is None and self.error_at == self.error_shown


class Lobby:
    """The teams of all contests in one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._registered = Registered([])
        self._entries: dict[Team, Entry] = {}
        self._guests: dict[int, Guest] = {}  # by team
        self._practices: dict[int, tuple[dict[str, Any], Practice]] = {}  # by contest, with the options
        self._numbers = count(int(time()))
        self._lock = Lock()

    # Called by doors

    def at(self, address: str) -> Team | None:
        return self._registered.at(address)

    def with_token(self, token: str) -> Team | None:
        return self._registered.with_token(token) or self._just_made(token)

    def _just_made(self, token: str) -> Team | None:
        """The owner of a token created since the last look. Refusing it would end the team's program for good."""
        client = Client.objects.filter(token=token).select_related("team__contest").first() if token else None
        if client is None:
            return None
        contest = client.team.contest
        if not self._is_open(contest, timezone.now()):
            return None
        entry = next((entry for entry in entries_of(contest) if entry.token == token), None)
        if entry is None:
            return None
        with self._lock:
            self._entries[entry.known] = entry
        return entry.known

    def _is_open(self, contest: Contest, now: datetime) -> bool:
        """Whether the programs of its teams may connect here now."""
        played_here = contest.live and contest.game_slug == self.game.slug
        return played_here and contest.phase(now) not in (Phase.ANNOUNCED, Phase.ENDED)

    def welcome(self, team: Team, stream: socket.socket) -> None:
        """Take in a client of the team at the contest's port."""
        with self._lock:
            entry = self._entries.get(team)
            if entry is None:  # it has just been removed
                stream.close()
                return
            guest, address = self._guest_of(entry), _address_of(stream)
            if guest.line.alive():
                older = f"the older connection from {guest.address}"
                guest.complain(f"connected again from {address}, so {older} was closed")
            guest.line.attach(stream)
            guest.address, guest.since = address, timezone.now()
            guest.by_address = self.at(address) == team  # the door asks this before it waits for a token

    def welcome_to_practice(self, team: Team, stream: socket.socket) -> None:
        """Take in a client of the team at the test port."""
        practice = self._practices.get(team.contest)
        if practice is None:
            stream.close()
        else:
            practice[1].welcome(team, stream)

    def turned_away(self, address: str, team: Team | None, words: str) -> None:
        """Note that a client was refused. Only its address can tell whose it is."""
        with self._lock:
            if team is not None:
                entries: Iterable[Entry] = filter(None, [self._entries.get(team)])
            else:
                entries = [entry for entry in self._entries.values() if entry.address == address]
                words += ", and several teams have registered its address"
            for entry in entries:
                self._guest_of(entry).complain(f"{words} (from {address})")

    # Called by matches

    @contextmanager
    def seated(self, team: int, contest: int) -> Iterator[TeamLine]:
        """The line to a team, connected or not, for the duration of a match."""
        with self._lock:
            if team not in self._guests:  # it may not connect (any more), or has never connected
                client = Client.objects.get_or_create(team_id=team)[0]
                self._guests[team] = Guest(contest, client.pk, TeamLine())
            guest = self._guests[team]
            guest.matches += 1
        try:
            yield guest.line
        finally:
            with self._lock:
                guest.matches -= 1

    def is_there(self, team: int) -> bool:
        guest = self._guests.get(team)
        return guest is not None and guest.line.alive()

    def complain(self, team: int, words: str) -> None:
        if guest := self._guests.get(team):
            guest.complain(words)

    # Called by the main thread

    def refresh(self) -> None:
        """Reload who may connect, and disconnect those who no longer may, or not by that address or token."""
        now = timezone.now()
        contests = list(Contest.objects.filter(live=True, game_slug=self.game.slug))
        contests = [contest for contest in contests if self._is_open(contest, now)]
        entries = {entry.known: entry for contest in contests for entry in entries_of(contest)}
        with self._lock:
            before, self._entries = self._entries, entries
            self._registered = Registered([(one.known, one.address, one.token) for one in entries.values()])
        for known, old in before.items():
            new = entries.get(known)
            if new is None or (old.address, old.token) != (new.address, new.token):
                self._part_with(old, new)
        self._forget()
        self._keep_practices(contests)

    def look(self) -> set[int]:
        """Write who has connected and disconnected. Returns the contests with new connections."""
        changed, wrong, now, moment = [], [], timezone.now(), monotonic()
        for guest in list(self._guests.values()):
            seen = (guest.since, guest.address) if guest.line.alive() else None
            if seen is None and guest.shown and guest.says_nothing_since():
                guest.complain(guest.line.ended or CLOSED)
            if seen is not None:
                guest.there_at = now
            if seen != guest.shown:
                guest.shown = seen
                changed.append(guest)
            elif guest.error_at != guest.error_shown and moment - guest.error_written >= OFTEN:
                wrong.append(guest)
        self._write([*changed, *wrong])
        return {guest.contest for guest in changed if guest.shown}

    def confirm(self) -> None:
        """Confirm all present connections in the database."""
        connected = [guest.client for guest in list(self._guests.values()) if guest.shown]
        Client.objects.filter(pk__in=connected).update(seen_at=timezone.now())

    def close(self, *, say_so: bool = True) -> None:
        """Close all connections and write that. `say_so` is False if another server has taken over."""
        for _, practice in self._practices.values():
            practice.close()
        guests = list(self._guests.values())
        for guest in guests:
            guest.line.hang_up()
            guest.shown = None
        if say_so:
            self._write(guests)

    def _guest_of(self, entry: Entry) -> Guest:
        if entry.team not in self._guests:
            self._guests[entry.team] = Guest(entry.known.contest, entry.client, TeamLine())
        return self._guests[entry.team]

    def _part_with(self, old: Entry, new: Entry | None) -> None:
        """Disconnect a client, unless the address or the token by which it was recognised is still valid."""
        guest = self._guests.get(old.team)
        if practice := self._practices.get(old.known.contest):
            practice[1].dismiss(old.known)
        if guest is None or not guest.line.alive():
            return
        if new is None or (new.address != old.address if guest.by_address else new.token != old.token):
            guest.complain("may not play any more" if new is None else "came with an old address or token")
            guest.line.hang_up()

    def _forget(self) -> None:
        """Drop the lines of teams that may no longer connect, because each line holds descriptors."""
        with self._lock:
            expected = {entry.team for entry in self._entries.values()}
            gone = [team for team, it in self._guests.items() if team not in expected and it.is_settled()]
            lines = [self._guests.pop(team).line for team in gone]
        for line in lines:
            line.close()

    def _keep_practices(self, contests: Sequence[Contest]) -> None:
        """Keep a practice table for every contest, with its present options."""
        wanted = {contest.pk: contest.full_options() for contest in contests}
        for pk, (options, practice) in list(self._practices.items()):
            if wanted.get(pk) != options:
                practice.close()
                del self._practices[pk]
        for pk, options in wanted.items():
            if pk not in self._practices:
                made = Practice(self.game, options, lambda: next(self._numbers), self._complain_of_practice, PAUSE)
                self._practices[pk] = options, made

    def _complain_of_practice(self, team: Team, words: str) -> None:
        with self._lock:
            if entry := self._entries.get(team):
                self._guest_of(entry).complain(f"{words} (at the test port)")

    @staticmethod
    def _write(guests: Sequence[Guest]) -> None:
        """Write the rows of these guests as they are now."""
        if not guests:
            return
        now = timezone.now()
        present, wrong = [], []
        for guest in guests:
            row = Client(pk=guest.client, seen_at=now, error=guest.error, error_at=guest.error_at)
            if guest.shown:
                row.connected_since, row.connected_from = guest.shown
                present.append(row)
            if guest.error_at != guest.error_shown:
                wrong.append(row)
                guest.error_shown, guest.error_written = row.error_at, monotonic()
        absent = [guest.client for guest in guests if not guest.shown]
        with transaction.atomic():
            for contest in Contest.objects.filter(pk__in={guest.contest for guest in guests}).order_by("pk"):
                contest.touch()
            Client.objects.filter(pk__in=absent).update(connected_since=None)
            Client.objects.bulk_update(present, ["connected_since", "connected_from", "seen_at"], batch_size=200)
            Client.objects.bulk_update(wrong, ["error", "error_at"], batch_size=200)


def entries_of(contest: Contest) -> list[Entry]:
    """The teams of a contest that may connect."""
    programs.enter(contest)
    numbers = player_numbers.team_numbers(contest)
    rows = Client.objects.filter(team__in=contest.teams.competing()).values_list(
        "team", "team__name", "pk", "address", "token"
    )
    return [
        Entry(Team(numbers[team], name, contest.pk), team, client, address or "", token)
        for team, name, client, address, token in rows
        if team in numbers  # otherwise it has only just entered
    ]


def _address_of(stream: socket.socket) -> str:
    try:
        return plain(stream.getpeername()[0])
    except OSError:  # it has disconnected again
        return ""
