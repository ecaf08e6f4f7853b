"""Rehearsals: house players play a stage in the teams' seats before it starts. Nothing of it counts.

A rehearsal does what the stage would do: the format's plan, the referee, results, the plan again, until nothing is left
to play. It creates no matches. A worker plays all of it in memory and stores results as they come, so that organisers
can follow. Like a match it is claimed with a lease; if the worker is lost, another one starts it again.

    queued → running → done | failed
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from contest import workers
from contest.ledger import hold
from contest.models import Act, User
from contest.refusal import Refused
from games import referee
from games.players import HousePlayer, Seated
from submissions import clock
from submissions.lease import Lease, working_on
from tournaments import formats, kinds
from tournaments.formats import FormatError
from tournaments.formats.plan import Plan, Result, TableKey, TablePlan, WantedMatch
from tournaments.kinds.planned import drawn_up_to
from tournaments.kinds.plans import schools_to_part
from tournaments.models import Rehearsal, Stage
from tournaments.models.stages import hold_stage
from tournaments.organising import admission
from tournaments.seating import draw, queue
from tournaments.seating.player_numbers import house_names

logger = logging.getLogger(__name__)

REHEARSE = "tournaments.tasks.rehearse"
LEASE = timedelta(seconds=40)
LONGEST = 300.0  # seconds before it is stopped: a worker that rehearses plays no matches
WRITE_EVERY = 1.0  # seconds
MOST_ATTEMPTS = 3
State = Rehearsal.State

DRAWN = "drawn"  # a key of the terms, for formats by rounds: the tables of rounds that have begun, as drawn

Results = dict[TableKey, dict[int, Result]]


# Reading --------------------------------------------------------------------------------------------------------------


def why_none(stage: Stage) -> str:
    """Why a stage cannot be rehearsed. Blank if it can."""
    return kinds.of(stage).why_no_rehearsal or (
        "This stage has started, so there is nothing to rehearse." if stage.has_started else ""
    )


def entrants(stage: Stage) -> list[int]:
    """Everybody who is expected, with or without a bot. While names are unknown: as many placeholders as will come."""
    if stage.awaits_source:
        return admission.candidates(stage)[: stage.best]
    if stage.state == Stage.State.DRAFT:
        return admission.seeded(stage)
    return list(stage.order)


def results_of(rehearsal: Rehearsal) -> Results:
    found: Results = {}
    for round, table, number, players, places, scores in rehearsal.results:
        result = Result(tuple(players), tuple(places), tuple(scores))
        found.setdefault((round, table), {})[number] = result
    return found


def plan_of(rehearsal: Rehearsal, results: Results | None = None) -> Plan:
    """The plan so far. Raises FormatError."""
    terms = dict(rehearsal.terms)
    if drawn := terms.pop(DRAWN, None):
        terms[DRAWN] = {(round, number): tuple(teams) for round, number, teams in drawn}
    results = results_of(rehearsal) if results is None else results
    return formats.get(rehearsal.format).plan(rehearsal.order, results, terms)


def is_outdated(rehearsal: Rehearsal) -> bool:
    """Whether the stage or its entrants have changed since."""
    stage = rehearsal.stage
    terms = {name: value for name, value in rehearsal.terms.items() if name != DRAWN}
    same = (rehearsal.format, terms) == (stage.format, _terms(stage))
    return not same or (not stage.has_started and rehearsal.order != entrants(stage))


def _terms(stage: Stage) -> dict[str, Any]:
    return {**stage.options, "seed": stage.chance, **schools_to_part(stage)}


# Requests -------------------------------------------------------------------------------------------------------------


@transaction.atomic
def ask(stage: Stage, by: User) -> Rehearsal:
    """Request a rehearsal of a stage. It replaces an earlier one. Raises Refused."""
    _, stage = hold_stage(stage)
    if why := why_none(stage):
        raise Refused(why)
    try:
        order = entrants(stage)
        stage.played_in.plan(order, {}, _terms(stage))
    except FormatError as error:
        raise Refused(f"{error}.") from None
    before = Rehearsal.objects.filter(stage=stage).first()
    if before and before.in_progress:
        raise Refused("This stage is already being rehearsed.")
    Rehearsal.objects.filter(stage=stage).delete()
    rehearsal = Rehearsal.objects.create(stage=stage, format=stage.format, terms=_terms(stage), order=order)
    Act.record(stage.contest, by, "rehearse stage", stage, stage=stage.pk)
    stage.contest.touch(hidden=True)
    transaction.on_commit(send)
    return rehearsal


@transaction.atomic
def delete(stage: Stage, by: User) -> None:
    """Delete the rehearsal, even while it is being played: the worker then loses its claim."""
    contest = hold(stage.contest_id)
    if Rehearsal.objects.filter(stage=stage).delete()[0]:
        Act.record(contest, by, "delete rehearsal", stage, stage=stage.pk)
        contest.touch(hidden=True)


def send() -> None:
    """Wake a worker. The message names no rehearsal, as with matches (queue.py)."""
    workers.wake(REHEARSE)


def revive(now: datetime) -> None:
    """Take rehearsals from lost workers, and wake others. This also covers lost messages."""
    for lost in Rehearsal.objects.abandoned(now):
        held = Rehearsal.objects.abandoned(now).held_by(lost)
        if lost.attempt < MOST_ATTEMPTS:
            held.give_back(results=[])
        else:
            error = f"The worker was lost {MOST_ATTEMPTS} times."
            held.update(state=State.FAILED, lease_until=None, error=error, finished_at=now)
    try:
        if Rehearsal.objects.filter(state=State.QUEUED).exists() and not queue.waiting():
            send()
    except OperationalError:
        logger.warning("the broker does not answer: a rehearsal waits")


# Playing --------------------------------------------------------------------------------------------------------------


def play_next() -> Rehearsal | None:
    """Play the rehearsal that was requested first. None if there is none."""
    for pk in Rehearsal.objects.filter(state=State.QUEUED).order_by("asked_at").values_list("pk", flat=True):
        if (claimed := claim(pk)) is not None:
            _play(claimed)
            return claimed
    return None


def pull_in(now: datetime) -> int:
    """Called by the tick: correct leases that a clock which was ahead has written. Returns how many."""
    late = Rehearsal.objects.filter(state=State.RUNNING, lease_until__gt=now + LEASE + clock.SLACK)
    return late.update(lease_until=now + LEASE)


def claim(pk: int) -> Rehearsal | None:
    taken = Rehearsal.objects.filter(pk=pk).claim(clock.now(), LEASE)
    return Rehearsal.objects.select_related("stage__contest").get(pk=pk) if taken else None


def _play(claimed: Rehearsal) -> None:
    held = Rehearsal.objects.held_by(claimed)

    def settle(error: str, state: str = State.FAILED) -> None:
        played = {"results": claimed.results, "terms": claimed.terms}
        held.update(state=state, error=error[:300], lease_until=None, finished_at=timezone.now(), **played)

    with working_on(claimed, settle), Lease(held, length=LEASE, every=LEASE / 4) as lease:
        settle(_play_out(claimed, lease.check), State.DONE)


def _play_out(claimed: Rehearsal, check: Callable[[], None]) -> str:
    """Play, and store results as they come. Returns why it was stopped early, or "" at the end."""
    begun = written = time.monotonic()
    results: Results = {}
    claimed.results, claimed.terms = [], {name: value for name, value in claimed.terms.items() if name != DRAWN}
    format = formats.get(claimed.format)
    while True:
        plan = plan_of(claimed, results)
        missing = list(_missing(plan, results))
        if not missing:
            return ""
        claimed.terms |= drawn_up_to(format, plan, max(table.round for table, _ in missing))
        for table, wanted in missing:
            check()
            result = play_match(claimed, table, wanted)
            results.setdefault(table.key, {})[wanted.number] = result
            claimed.results.append([*table.key, wanted.number, result.players, result.places, result.scores])
            if time.monotonic() - written > WRITE_EVERY:
                Rehearsal.objects.held_by(claimed).update(results=claimed.results, terms=claimed.terms)
                written = time.monotonic()
            if time.monotonic() - begun > LONGEST:
                minutes = round(LONGEST / 60)
                return f"The rehearsal was stopped after {minutes} minutes (matches played: {len(claimed.results)})."


def _missing(plan: Plan, results: Mapping[TableKey, Mapping[int, Result]]) -> Iterator[tuple[TablePlan, WantedMatch]]:
    for table in plan.tables():
        for wanted in table.matches:
            if wanted.number not in results.get(table.key, {}):
                yield table, wanted


def play_match(rehearsal: Rehearsal, table: TablePlan, wanted: WantedMatch) -> Result:
    """Play the match on the deals that the stage would use. Stronger house players take the higher seeds."""
    stage = rehearsal.stage
    game = stage.contest.game
    seed = draw.seed_of(stage, table.key, wanted)
    empty = max(wanted.seats, game.seats[0]) - len(wanted.teams)
    players: list[int | str] = [*wanted.teams, *house_names(stage, empty)]
    players = draw.seated(players, seed, wanted.rotation)
    strength = {house.name: house for house in game.house}
    best_first = list(reversed(game.house))
    seats = []
    for player in players:
        if isinstance(player, str):
            house = strength[player]
        else:
            house = best_first[rehearsal.order.index(player) * len(best_first) // len(rehearsal.order)]
        seats.append(Seated(f"House: {house.name}", f"house:{house.name}", HousePlayer(house)))
    played = referee.play(
        game,
        seats,
        seed=seed,
        options=stage.contest.full_options(),
        preset=stage.contest.preset,
        games=stage.options.get("games"),
        openings=draw.openings_of(stage, wanted) or None,
    )
    result = played.record["result"]
    sign = -1 if game.low_wins else 1
    return Result(
        tuple(player if isinstance(player, int) else None for player in players),
        tuple(result["places"]),
        tuple(float(sign * score) for score in result["scores"]),
    )
