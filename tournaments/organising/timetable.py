"""A stage's timetable as organisers fill it in, and what is wrong with it. rounds.py has what they do with rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count

from contest.models.moments import FIRST, LAST, OUT_OF_RANGE, within_range
from tournaments.formats.plan import Plan
from tournaments.models import Round, Stage
from tournaments.organising.durations import whole_plan

LONGEST_BREAK = 7 * 24 * 60  # minutes
FIELDS = ("starts_at", "break_minutes", "hold", "in_turn", "release", "release_at")


@dataclass(frozen=True, slots=True)
class RoundWish:
    """What an organiser arranges for a round. The first one starts with its stage."""

    number: int
    starts_at: datetime | None = None
    break_minutes: int | None = None
    hold: bool = False
    in_turn: bool = False
    release: str = Round.Release.AT_ONCE
    release_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with a field of a round, as a sentence."""

    number: int
    field: str
    why: str


def rounds_of(stage: Stage, count: int, n: int | None = None, plan: Plan | None = None) -> list[Round]:
    """The first `count` rounds of a stage, stored or as new ones, and any others that are stored, as of ledger number
    `n` (None: now). The first has the start of its stage. `plan`: the whole one, if it is known."""
    rows = Round.known_of(stage, n) if stage.pk else []
    stored = {row.number: row for row in _from_the_end(stage, rows, plan)}
    release = Round.Release.MANUAL if stage.release == Stage.Release.ROUNDS else Round.Release.AT_ONCE
    numbers = sorted({*range(1, count + 1), *stored})
    found = [stored.get(number) or Round(stage=stage, number=number, release=release) for number in numbers]
    if found:
        found[0].starts_at = found[0].starts_at or stage.starts_at
    return found


def _from_the_end(stage: Stage, rows: list[Round], plan: Plan | None) -> list[Round]:
    """The rows with the numbers of their rounds in the plan: in a bracket a final stays the final, however many rounds
    there are. A hold of the first round is one of its stage, so it stays there."""
    last = rows[-1].number if rows else 0
    if last < 2 or not stage.played_in.is_bracket() or any(row.started_at for row in rows):
        return rows
    more, hold = (count_of(plan or whole_plan(stage)) or last) - last, rows[0].number == 1 and rows[0].hold
    rows = [row for row in rows if row.number > -more]
    for row in rows:
        row.number += more if more < 0 or row.number > 1 else 0
    if rows[0].number == 1:
        rows[0].break_minutes, rows[0].hold = None, rows[0].hold or hold
    return rows


def keep_names(stage: Stage, plan: Plan | None, number: int = 0) -> None:
    """Store the rows as `rounds_of` numbers them. `number`: the ledger entry by which readers know; 0: all do."""
    old = stage.timetable.all()
    rows = _from_the_end(stage, list(old), plan)
    if [row.number for row in rows] != [row.number for row in old.all()]:
        old.update(until=number) if number else old.delete()
        for row in rows:
            row.pk = None
        Round.objects.bulk_create(rows)


def count_of(plan: Plan | None) -> int:
    """How many rounds a plan has, counting those that are not drawn yet."""
    return 0 if plan is None else max(plan.length, len(plan.rounds))


def name_of(stage: Stage, number: int, plan: Plan | None = None) -> str:
    """The name of a round in the plan, by default as it is drawn: "Quarter-finals". Beyond it: "Round 5"."""
    drawn = stage.tables.order_by("round").values_list("round").annotate(count=Count("pk")) if plan is None else ()
    sizes = [count for _, count in drawn] if plan is None else [len(tables) for tables in plan.rounds]
    beyond = number > max(count_of(plan), len(sizes))
    return f"Round {number}" if beyond else stage.played_in.round_name(number, sizes, stage.options)


# Arranging ------------------------------------------------------------------------------------------------------------


def what_is_wrong(
    wishes: Sequence[RoundWish | Round], now: datetime, begun: int = 0, stored: Iterable[Round] = ()
) -> Iterator[Wrong]:
    """Everything that contradicts itself, in the order of the rounds. `begun`: rounds that have started, which cannot
    change. The wishes of all rounds, the first with the start of its stage. A start that is `stored` may have passed:
    that round waits for the one before."""
    were = {row.number: row.starts_at for row in stored}
    earliest, released = None, FIRST  # before which a round cannot start, and no results of it become public
    for wish in wishes:
        yield from _wrong_by_itself(wish)
        at, is_open = wish.starts_at, wish.number > begun
        if at is None:
            pause = wish.break_minutes or 0
            if earliest is not None and 0 < pause <= LONGEST_BREAK:
                earliest += timedelta(minutes=pause)
        else:
            if is_open and wish.number > 1 and at <= now and at != were.get(wish.number):
                yield Wrong(wish.number, "starts_at", "This moment has passed.")
            if earliest is not None and at <= earliest:
                yield Wrong(wish.number, "starts_at", "An earlier round does not start before this.")
            earliest = min(at, LAST)
        if wish.release_at is not None:
            if earliest is not None and wish.release_at <= earliest:
                yield Wrong(wish.number, "release_at", "Results cannot become public before the round starts.")
            if is_open and wish.release_at < released:
                yield Wrong(wish.number, "release_at", "The results of an earlier round become public after this.")
            released = wish.release_at
        earliest = earliest if is_open else None  # those that have started may have been early


def _wrong_by_itself(wish: RoundWish | Round) -> Iterator[Wrong]:
    if wish.number == 1 and wish.break_minutes is not None:
        yield Wrong(1, "break_minutes", "The first round starts with the stage, so there is no break before it.")
    elif wish.starts_at is not None and wish.break_minutes is not None:
        yield Wrong(wish.number, "break_minutes", "Give either a start or a break, not both.")
    if wish.break_minutes is not None and not 0 <= wish.break_minutes <= LONGEST_BREAK:
        yield Wrong(wish.number, "break_minutes", "A break is at least 0 minutes and at most a week.")
    for name in ("starts_at", "release_at"):
        moment = getattr(wish, name)
        if moment is not None and moment != within_range(moment):
            yield Wrong(wish.number, name, OUT_OF_RANGE)
    if wish.release == Round.Release.MOMENT and wish.release_at is None:
        yield Wrong(wish.number, "release_at", "Say when the results become public.")
    if wish.release != Round.Release.MOMENT and wish.release_at is not None:
        yield Wrong(wish.number, "release_at", "Results have a moment only if they become public at a time.")


def arrange(stage: Stage, wishes: Sequence[RoundWish]) -> None:
    """Take over the timetable, in the transaction that changes the stage. Rounds that have started stay as they are.

    The caller has checked the wishes and saves the stage.
    """
    stored = {row.number: row for row in stage.timetable.all()}
    for wish in wishes:
        row = stored.pop(wish.number, None) or Round(stage=stage, number=wish.number)
        if row.started_at is not None:
            continue
        before = row.starts_at, row.break_minutes
        for name in FIELDS:
            setattr(row, name, getattr(wish, name))
        if row.number == 1:
            row.starts_at = None  # the stage has it
        if row.pk and before != (row.starts_at, row.break_minutes):
            row.moves += 1
        row.save()
    stage.timetable.filter(pk__in=[row.pk for row in stored.values() if row.started_at is None]).delete()
    at_once = all(wish.release == Round.Release.AT_ONCE for wish in wishes)
    stage.release = Stage.Release.LIVE if at_once else Stage.Release.ROUNDS


def released_with(stage: Stage, number: int) -> int:
    """The last round whose results are public once those of round `number` are: later ones that hide nothing are, too.
    0: what is public at the start."""
    later = list(stage.timetable.filter(number__gt=number).values_list("number", "release"))
    hiding = next((each for each, release in later if release != Round.Release.AT_ONCE), None)
    return hiding - 1 if hiding else max([number, *(each for each, _ in later)])


def show_started(stage: Stage, number: int) -> None:
    """Let everybody know, from ledger entry `number`, who meets in rounds that started before the release of those
    before them."""
    begun = stage.timetable.filter(shown_from=None).exclude(started_at=None)
    by_rounds = stage.release == Stage.Release.ROUNDS
    (begun.filter(number__lte=stage.released + 1) if by_rounds else begun).update(shown_from=number)


def set_aside(stage: Stage, number: int) -> None:
    """Keep the rows that a reset ends for those who do not know of it, and begin anew without moments."""
    rows = list(stage.timetable.all())
    stage.timetable.update(until=number)
    for row in rows:
        row.pk = None
        row.starts_at = row.release_at = row.started_at = row.shown_from = row.reminded_of = None
        if row.release == Round.Release.MOMENT:
            row.release = Round.Release.MANUAL
    Round.objects.bulk_create(rows)
