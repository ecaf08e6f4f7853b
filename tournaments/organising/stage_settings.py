"""A stage as an organiser fills it in, whether it suits the contest, and its settings in words for the audit log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from contest.audit_log import word
from contest.models import Contest, Team
from contest.names import one_line
from contest.refusal import Refused
from tournaments import formats, kinds
from tournaments.formats import FormatError
from tournaments.models import Round, Stage
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
    name = one_line(wish.name)
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


HIDDEN = {"seats"}  # options that follow from others
LABELS = {
    "table_size": "teams at a table",
    "advance": "teams that advance",
    "games": "games at a table",
    "house": "house players",
    "freeze_versions": "versions fixed at the start",
    "duplicate": "same deals from every seat",
    "playoff_all": "play off every tie in the final",
    "third_place": "match for third place",
    "best_of": "best of",
    "schools_apart": "schools apart",
    "budget": "maximum number of games",
    "hidden": "hidden games",
    "draw": "random hidden games",
    "draw_seed": "seed of the random games",
    "wrong_minutes": "penalty minutes for a wrong run",
    "pause": "rest between matches, in seconds",
    "final_minutes": "final phase, in minutes",
}


def described(stage: Stage) -> dict[str, str]:
    """The settings by display name. The order is included only if it was made by hand."""
    found = {
        "name": stage.name,
        "format": stage.format_title,
        "teams": stage.entrants_name,
        "seeding": stage.get_seeding_display().lower(),
        "start": _start(stage),
        **rounds_described(stage),
        "end": _moment(stage.ends_at) if stage.ends_at else "–",
        "check-in closes": _moment(stage.check_in_closes_at) if stage.check_in_closes_at else "–",
        "results become public": stage.get_release_display().lower(),
    }
    options = {name: value for name, value in stage.options.items() if name not in HIDDEN}
    found |= {LABELS.get(name, name.replace("_", " ")): word(value) for name, value in options.items()}
    if stage.seeding == Stage.Seeding.HAND:
        names = dict(Team.objects.filter(pk__in=stage.order).values_list("pk", "name"))
        found["order"] = word([names[team] for team in stage.order if team in names])
    if stage.entry == Stage.Entry.INVITED:
        invited = Team.objects.filter(pk__in=stage.invited).values_list("name", flat=True)
        found["invited"] = word(list(invited))
    return found


def rounds_described(stage: Stage) -> dict[str, str]:
    """What is arranged for its rounds, by round."""
    return {f"round {row.number}": _arranged(row) for row in stage.timetable.all()}


def _arranged(row: Round) -> str:
    said = [f"starts {_moment(row.starts_at)}"] if row.starts_at else []
    if row.break_minutes is not None:
        said.append(f"{row.break_minutes} minutes after the round before")
    said += ["on hold"] if row.hold else []
    said += ["one table after the other"] if row.in_turn else []
    if row.release != Round.Release.AT_ONCE:
        said.append(f"results {_moment(row.release_at)}" if row.release_at else "results released by organisers")
    return ", ".join(said) or "when its teams are known"


def changes(before: dict[str, str], after: dict[str, str]) -> dict[str, list[str]]:
    """The differences, in the form stored in the audit log."""
    names = dict.fromkeys([*before, *after])
    return {
        name: [before.get(name, "–"), after.get(name, "–")] for name in names if before.get(name) != after.get(name)
    }


def _start(stage: Stage) -> str:
    if stage.starts_after:
        return f"when {stage.source} is finished"
    return _moment(stage.starts_at) if stage.starts_at else "by hand"


def _moment(at: object) -> str:
    return f"{timezone.localtime(at):%a %d %b %Y, %H:%M %Z}"  # type: ignore[arg-type]
