"""The settings of a stage in words, so that the audit log can say what an organiser has changed."""

from __future__ import annotations

from django.utils import timezone

from contest.audit_log import word
from contest.models import Team
from tournaments.models import Round, Stage

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
        **timetable(stage),
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
        invited = Team.objects.filter(pk__in=stage.invited).order_by("name").values_list("name", flat=True)
        found["invited"] = word(list(invited))
    return found


def timetable(stage: Stage) -> dict[str, str]:
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
