"""Play a contest through a seeded schedule of faults, and look at the end whether everything is right."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from celery import current_app
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone
from kombu.exceptions import OperationalError

from contest.models import Contest, Kind, LedgerEntry
from games import record as records
from tests.cast import make_contest, make_teams, make_user
from tests.chaos.faults import Fault, faults_of
from tests.chaos.portal import Disk, Postgresql, Processes, Undo
from tests.chaos.shim import Shim
from tests.submissions import bots
from tests.tournaments.stagecraft import give_bot
from tests.waiting import wait_for
from tournaments.models import Match, Record, Stage
from tournaments.organising import stages
from tournaments.results import replay, tallies

PATIENCE = 60.0  # seconds without a result and without a fault, after which the portal has failed to heal
TICK_EVERY = 1.0
LOOK_EVERY = 0.1


class Stuck(Exception):
    """The contest does not go on, although everything works again."""


@dataclass(slots=True)
class Happened:
    """A fault, and how long it took until the next result."""

    at: float
    what: str
    results: int
    healed_after: float | None = None


@dataclass(slots=True)
class Scene:
    """Everything that faults can happen to."""

    processes: Processes
    shim: Shim
    disk: Disk
    server: Postgresql | None
    endings: list[tuple[float, Undo]] = field(default_factory=list)
    lock: threading.RLock = field(default_factory=threading.RLock)
    over: threading.Event = field(default_factory=threading.Event)

    def take_care(self) -> None:
        """Tend in a thread, because a question to a database that is stopped may keep the others waiting."""
        threading.Thread(target=self._take_care, daemon=True).start()

    def _take_care(self) -> None:
        while not self.over.wait(LOOK_EVERY):
            with self.lock:
                self.tend()
        threading.Event().wait()  # the kernel ends what this thread has started when the thread ends

    def later(self, seconds: float, undo: Undo) -> None:
        self.endings.append((time.monotonic() + seconds, undo))

    def tend(self) -> None:
        """Start again what has died, and end faults that are over."""
        now = time.monotonic()
        for ending in [each for each in self.endings if each[0] <= now]:
            self.endings.remove(ending)
            ending[1]()
        self.processes.tend()
        if self.server is not None:
            self.server.tend()

    def heal(self) -> None:
        with self.lock:
            for _, undo in self.endings:
                undo()
            self.endings.clear()


CONTESTS = 3  # so that a match that waits for its lease holds up one round only


def arrange(matches: int) -> tuple[list[Contest], int]:
    """Contests in which everybody meets everybody, at tables of two teams and two house players: at least so many
    matches. Returns how many there are."""
    teams = next(count for count in range(2, 1000) if CONTESTS * count * (count - 1) // 2 >= matches)
    owner = make_user()
    contests = []
    for number in range(CONTESTS):
        contest = make_contest(owner, name=f"Chaos {number}", game="tricky_eights", options={"target": 5})
        for team in make_teams(contest, teams):
            give_bot(team, source=bots.python_bot())
        stage = stages.create(contest, owner, stages.Wish("All", "round_robin", {"games": 1}))
        stages.start(stage, owner)
        contests.append(contest)
    return contests, CONTESTS * teams * (teams - 1) // 2


def schedule(seed: int, vendor: str, matches: int, faults: int, only: Sequence[str] = ()) -> list[tuple[int, Fault]]:
    """After how many results which fault happens. Every kind comes once before any comes twice."""
    random = Random(seed)
    chosen: list[Fault] = []
    while len(chosen) < faults:
        kinds = [each for each in faults_of(vendor) if not only or each.__name__ in only]
        random.shuffle(kinds)
        chosen += kinds
    last = matches - max(2, matches // 6)
    return [(1 + number * last // faults, fault) for number, fault in enumerate(chosen[:faults])]


class Conductor:
    def __init__(self, scene: Scene, seed: int, say: Callable[[str], None]) -> None:
        self.scene = scene
        self.random = Random(seed)
        self.say = say
        self.began = time.monotonic()
        self.happened: list[Happened] = []
        self._results = 0
        self._moved_at = time.monotonic()
        self._ticked_at = 0.0

    def play(self, plan: list[tuple[int, Fault]]) -> None:
        """Until the stage is over. Raises Stuck."""
        waiting = list(plan)
        while not self._look():
            if waiting and self._due(waiting[0][0]):
                self._do(waiting.pop(0)[1])
            if self.scene.endings or (waiting and waiting[0][0] <= self._results):
                self._moved_at = max(self._moved_at, time.monotonic() - PATIENCE / 2)
            if time.monotonic() - self._moved_at > PATIENCE:
                raise Stuck(self.state())
            self._tick()
            time.sleep(LOOK_EVERY)
        self.heal()

    def heal(self) -> None:
        """End all faults, and wait for a database that is just being restarted."""
        self.scene.heal()
        wait_for(self._answers, seconds=PATIENCE, pause=LOOK_EVERY)

    def _answers(self) -> bool:
        try:
            connection.close()
            return Match.objects.exists()
        except (DatabaseError, InterfaceError):
            return False

    def _due(self, results: int) -> bool:
        """Faults follow results; one that keeps results away is joined by the next one after a while."""
        if self.happened and time.monotonic() - self.began - self.happened[-1].at < 1:
            return False
        return self._results >= results and len(self.scene.endings) < 3

    def _do(self, fault: Fault) -> None:
        at = time.monotonic() - self.began
        with self.scene.lock:
            what = fault(self.scene, self.random)
        self.happened.append(Happened(at, what, self._results))
        self.say(f"{at:6.1f} s  {self._results:4d} results  {what}")

    def _look(self) -> bool:
        """Count the results; true when the stage is over. The database may be away."""
        try:
            results = Match.objects.done().count()
            over = not Stage.objects.exclude(state=Stage.State.DONE).exists()
            Match.objects.stopped().update(due_at=timezone.now())  # as organisers do who are asked
        except (DatabaseError, InterfaceError):
            connection.close()
            return False
        if results > self._results:
            now = time.monotonic()
            self._results, self._moved_at = results, now
            for each in self.happened:
                if each.healed_after is None:
                    each.healed_after = now - self.began - each.at
        return over

    def _tick(self) -> None:
        """What the beat does, more often."""
        if time.monotonic() - self._ticked_at < TICK_EVERY:
            return
        self._ticked_at = time.monotonic()
        with suppress(OperationalError):
            current_app.send_task("tournaments.tasks.tick", expires=7200)  # this clock may not be the worker's

    def state(self) -> str:
        found = Match.objects.order_by("pk")
        states = Counter(found.values_list("state", flat=True))
        lines = [f"no result for {PATIENCE:.0f} s: {dict(states)}"]
        columns = ("pk", "state", "attempt", "worker", "lease_until", "due_at", "failures", "last_error")
        lines += [str(row) for row in found.exclude(state="done").values_list(*columns)[:10]]
        return "\n".join(lines)


def problems(contest: Contest) -> Iterator[str]:
    """Everything that is not as it would be without any fault."""
    contest.refresh_from_db()
    matches = Match.objects.filter(contest=contest).order_by("pk")
    results = Counter(
        LedgerEntry.objects.filter(contest=contest, kind=Kind.MATCH_RESULT).values_list("match_id", flat=True)
    )
    for match in matches.select_related("record").prefetch_related("seats"):
        if match.state != Match.State.DONE:
            yield f"{match} is {match.state}"
            continue
        if results[match.pk] != 1:
            yield f"{match} has {results[match.pk]} results in the ledger"
        yield from _wrong_with(match)
    if Record.objects.filter(match__contest=contest).count() != matches.count():
        yield "there is not one record for each match"
    numbers = list(LedgerEntry.objects.filter(contest=contest).order_by("number").values_list("number", flat=True))
    if numbers != list(range(1, contest.last_number + 1)):
        yield f"the ledger has gaps: {numbers}"
    yield from (f"ledger: {each}" for each in replay.differences(contest))
    if changed := tallies.count_all(contest):
        yield f"rerate changes {changed} matches"
    yield from (f"ledger after rerate: {each}" for each in replay.differences(contest))


def _wrong_with(match: Match) -> Iterator[str]:
    record: Any = records.loads(match.record.text())
    if difference := records.verify(record):
        yield f"the record of {match} does not verify: {difference}"
    if record["result"]["disqualified"] or any(event.get("e") == "fault" for event in record["events"]):
        yield f"a bot is blamed in {match}: {record['result']}"
    seats = list(match.seats.all())
    if [seat.place for seat in seats] != record["result"]["places"]:
        yield f"{match} and its record differ about the places"
    if [seat.score for seat in seats] != record["result"]["scores"]:
        yield f"{match} and its record differ about the scores"


def attempts() -> Counter[int]:
    """How many matches took how many attempts."""
    return Counter(Match.objects.values_list("attempt", flat=True))
