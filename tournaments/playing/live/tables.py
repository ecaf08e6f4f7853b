"""Matches with connected teams: claimed, each played in a thread, written one by one."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread

from django.conf import settings
from django.db import OperationalError, connection
from django.utils import timezone

from contest.broadcast.publish import Broadcast
from games import referee
from games.players import Seated
from games.sockets import LinePlayer
from submissions.lease import LeaseLost
from tournaments.kinds import following
from tournaments.models import Match, MatchSeat
from tournaments.playing import broadcast, play
from tournaments.playing.live.lobby import Lobby

logger = logging.getLogger(__name__)

WAIT = float(settings.BOT_WAIT)
"""Seconds that a match waits for an absent team: more than the five for which reconnecting is refused."""

MOST = 200
"""The most matches at once."""

CAGES = 2 * (os.cpu_count() or 1)
"""The most matches at once that include an uploaded bot: those need a core and memory of this machine."""

OFTEN = 1.0
"""Seconds after which the consequences of results are drawn, even while more results wait to be written."""

TRIES, APART = 20, 1.0
"""How often to retry writing a result when the database does not answer, and the seconds between attempts."""


class Left(Exception):
    """The server is shutting down and has requeued the match."""


@dataclass(eq=False)
class Running:
    """A match in progress on this server."""

    match: Match
    teams: frozenset[int]  # that play through their connection
    caged: bool
    lost: bool = False  # another process has taken it
    left: bool = False  # we have requeued it
    told: Broadcast | None = None  # to those who follow it

    def check(self) -> None:
        """Raise LeaseLost or Left if the match must not continue."""
        if self.left:
            raise Left
        if self.lost:
            raise LeaseLost

    def end(self) -> None:
        """It is over here, and its result is written if it has one."""
        if self.told is not None:
            self.told.end()


class _Player(LinePlayer):
    """A team on its line. If we lose the match, it no longer waits for an absent team."""

    running: Running

    def _look_after(self) -> None:
        self.running.check()


class Tables:
    """The matches of all lobbies. Methods belong to the main thread unless they say otherwise."""

    def __init__(self, lobbies: Mapping[str, Lobby], worker: str) -> None:
        """`lobbies` by the slug of their game."""
        self._lobbies = lobbies
        self._worker = worker
        self._running: dict[int, Running] = {}  # by match, until its result is written
        self._playing: set[Running] = set()
        self._awaited: dict[int, float] = {}  # by match: since when it waits for a team
        self._results: SimpleQueue[tuple[Running, referee.Match] | None] = SimpleQueue()
        self._writer = Thread(target=self._write, name="results", daemon=True)
        self._turns = Lock()  # for the database: SQLite's own waiting costs far more
        self.closing = False  # claims nothing more

    def start(self) -> None:
        self._writer.start()

    # Claiming

    def claim(self) -> None:
        """Start the due matches whose teams are free, and are connected or have been waited for."""
        room = MOST - len(self._running)
        if room <= 0 or self.closing:
            return
        due = Match.objects.claimable(timezone.now()).filter(live=True, contest__game_slug__in=self._lobbies)
        candidates = list(due.taking_turns().values_list("pk", "contest__game_slug")[: 4 * MOST])
        self._awaited = {pk: self._awaited.get(pk, time.monotonic()) for pk, _ in candidates}
        if not candidates:
            return
        seats = _seats_of([pk for pk, _ in candidates])
        busy = {team for running in list(self._playing) for team in running.teams}
        cages = CAGES - sum(running.caged for running in list(self._playing))
        wanted: dict[int, tuple[frozenset[int], bool]] = {}
        for pk, game in candidates:
            teams, caged = seats.get(pk, (frozenset(), False))
            if teams & busy:
                del self._awaited[pk]
                continue
            if not room or (caged and cages <= 0) or not self._all_there(pk, teams, self._lobbies[game]):
                continue
            wanted[pk] = teams, caged
            room, cages, busy = room - 1, cages - caged, busy | teams
        if not wanted:
            return
        with self._turns:
            claimed = play.claim_all(wanted, self._worker)
        for match in claimed:
            self._begin(Running(match, *wanted[match.pk]))

    def _all_there(self, match: int, teams: frozenset[int], lobby: Lobby) -> bool:
        waited = time.monotonic() - self._awaited[match] >= WAIT
        return waited or all(lobby.is_there(team) for team in teams)

    def _begin(self, running: Running) -> None:
        self._running[running.match.pk] = running
        self._playing.add(running)
        with _not_put_back(running), play.safely(running.match) as outcome:  # starting a thread may fail
            Thread(target=self._play, args=(running,), name=str(running.match), daemon=True).start()
        if not outcome.done:
            self._forget(running)

    # Playing, in one thread for each match

    def _play(self, running: Running) -> None:
        played = None
        with _not_put_back(running), play.safely(running.match), suppress(Left):
            played = self._referee(running)
        connection.close()
        if played is None:
            running.end()
            self._forget(running)
        else:
            self._playing.discard(running)
            self._results.put((running, played))

    def _forget(self, running: Running) -> None:
        """Stop tracking a match that is over here."""
        self._playing.discard(running)
        self._running.pop(running.match.pk, None)

    def _referee(self, running: Running) -> referee.Match:
        with ExitStack() as stack:
            ready = play.prepared(running.match, partial(self._seated, running, stack))
            running.told = told = broadcast.of(running.match)
            connection.close()  # not needed during the match
            return ready(on_progress=lambda decisions: running.check(), on_event=told.tell)

    def _seated(self, running: Running, stack: ExitStack, seat: MatchSeat, number: int) -> Seated:
        if not seat.is_live:
            return play.seated(seat, number, match=running.match, stack=stack)
        contest, team = running.match.contest, seat.team_id
        assert team is not None
        lobby = self._lobbies[contest.game_slug]
        line = stack.enter_context(lobby.seated(team, contest.pk))
        player = _Player(line, complain=partial(lobby.complain, team))
        player.running = running
        return Seated(seat.name, "client", player, number)

    # Writing, in one thread for all matches

    def _write(self) -> None:
        contests: set[int] = set()  # with new results
        drawn = time.monotonic()
        while (result := self._results.get()) is not None:
            running, played = result
            with _not_put_back(running), play.safely(running.match) as outcome, self._turns:
                _finish(running, played)
            running.end()
            self._running.pop(running.match.pk, None)
            if outcome.done and not running.match.pending:
                contests.add(running.match.contest_id)
            if self._results.empty() or time.monotonic() >= drawn + OFTEN:
                self._draw_consequences(contests)
                drawn = time.monotonic()
        self._draw_consequences(contests)

    def _draw_consequences(self, contests: set[int]) -> None:
        """Bring the contests' stages in line, once for many results."""
        for contest in contests:
            try:
                with self._turns:
                    following.follow_ledger(contest)
            except Exception:  # the tick tries again
                logger.exception("contest %d: its stages cannot be reconciled", contest)
        contests.clear()
        connection.close()

    # Leases

    def renew(self) -> None:
        """Renew the leases of matches played here, and notice those we have lost."""
        mine = list(self._running.values())
        if not mine:
            return
        ours = Match.objects.filter(
            pk__in=[one.match.pk for one in mine], worker=self._worker, state=play.State.RUNNING
        )
        ours.update(lease_until=timezone.now() + play.LEASE)
        attempts = dict(ours.values_list("pk", "attempt"))
        for running in mine:
            if attempts.get(running.match.pk) != running.match.attempt:
                running.lost = True

    def leave(self) -> None:
        """Requeue the matches in progress."""
        leaving = list(self._playing)
        for running in leaving:
            running.left = True
        count = play.give_back(self._worker, [running.match.pk for running in leaving])
        logger.info("requeued %d matches", count)

    def close(self, seconds: float) -> None:
        """Write finished matches, and wait at most this long for all to end."""
        ends = time.monotonic() + seconds
        self._results.put(None)
        self._writer.join(max(0.0, ends - time.monotonic()))
        while self._playing and time.monotonic() < ends:
            time.sleep(0.02)


@contextmanager
def _not_put_back(running: Running) -> Iterator[None]:
    """If even requeuing fails, let the lease expire, so that the thread goes on."""
    try:
        yield
    except Exception:
        logger.exception("%s, attempt %d: left to its lease", running.match, running.match.attempt)


def _finish(running: Running, played: referee.Match) -> None:
    """Write the result. A brief failure of the database must not cost it."""
    for _ in range(TRIES):
        try:
            play.finish(running.match, played)
            return
        except OperationalError:
            logger.warning("%s: the result cannot be written, trying again", running.match, exc_info=True)
            connection.close()
            time.sleep(APART)
    play.finish(running.match, played)


def _seats_of(matches: list[int]) -> dict[int, tuple[frozenset[int], bool]]:
    """By match: the connected teams, and whether anybody plays with an uploaded version."""
    teams: dict[int, set[int]] = {pk: set() for pk in matches}
    caged = set()
    seats = MatchSeat.objects.filter(match__in=matches, team__isnull=False).order_by()
    for match, team, submission in seats.values_list("match", "team", "submission"):
        if submission is None:
            teams[match].add(team)
        else:
            caged.add(match)
    return {pk: (frozenset(found), pk in caged) for pk, found in teams.items()}
