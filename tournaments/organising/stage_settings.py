"""A stage as an organiser fills it in, and whether it suits the contest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from contest.models import Contest
from contest.refusal import Refused
from tournaments import formats, kinds
from tournaments.formats import FormatError
from tournaments.models import Stage
from tournaments.organising import timetable
from tournaments.organising.timetable import RoundWish
from tournaments.seating import deals

NAME_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Wish:
    """The settings of a stage as filled in by an organiser."""

    name: str
    format: str = "single_elimination"
    options: Mapping[str, Any] | None = None
    seeding: str = Stage.Seeding.NUMBER
    order: Sequence[int] = ()  # team ids from the first seed, if seeded by hand
    starts_at: datetime | None = None
    starts_after: bool = False  # start automatically when the source is finished
    ends_at: datetime | None = None  # of a ladder
    check_in_closes_at: datetime | None = None
    entry: str = Stage.Entry.ALL
    source: Stage | None = None
    best: int | None = None
    invited: Sequence[int] = ()  # team ids
    release: str = Stage.Release.LIVE
    timetable: Sequence[RoundWish] | None = None  # None: as it is


def checked(contest: Contest, wish: Wish, stage: Stage | None = None) -> Wish:
    """The wish with complete options. `stage`: the one to change. The contest must be locked. Raises Refused."""
    name = " ".join(wish.name.split())
    if not name:
        raise Refused("A stage needs a name.")
    if len(name) > NAME_LENGTH:
        raise Refused(f"The name of a stage can have at most {NAME_LENGTH} characters.")
    try:
        format = formats.get(wish.format)
        if not format.fits(contest.game):
            raise FormatError(f"{contest.game.title} cannot be played as {format.title}")
        options = format.options(wish.options or {}, contest.game)
    except FormatError as error:
        raise Refused(f"{error}.") from None
    deals.check_stage(contest, options)
    wish = replace(wish, source=_check_source(contest, wish, stage))
    if wish.ends_at and wish.starts_at and wish.ends_at <= wish.starts_at:
        raise Refused("The end must be after the start.")
    for wrong in timetable.what_is_wrong(wish.timetable or (), timezone.now()):
        raise Refused(f"Round {wrong.number}: {wrong.why}")
    return replace(wish, name=name, options=options, ends_at=kinds.of_format(format).end_of(wish.ends_at))


def _check_source(contest: Contest, wish: Wish, stage: Stage | None) -> Stage | None:
    """The earlier stage, fresh from the database."""
    if wish.source is None:
        if wish.entry == Stage.Entry.BEST:
            raise Refused("Choose the stage the teams come from.")
        if wish.seeding == Stage.Seeding.SOURCE or wish.starts_after:
            raise Refused("Choose the earlier stage.")
        return None
    source = contest.stages.filter(pk=wish.source.pk).first()
    if source is None:
        raise Refused(f"This contest has no stage “{wish.source}”. It may have been deleted.")
    if stage is not None and stage.pk in _line_of(source):
        raise Refused(f"“{source}” follows this stage, so it cannot be the earlier stage.")
    if wish.entry == Stage.Entry.BEST and wish.best is not None and wish.best < 1:
        raise Refused("At least one team must come from the earlier stage.")
    return source


def _line_of(source: Stage) -> set[int]:
    """The stage and all stages before it."""
    line: set[int] = set()
    stage: Stage | None = source
    while stage is not None and stage.pk not in line:
        line.add(stage.pk)
        stage = stage.source
    return line
