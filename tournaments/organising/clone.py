"""A contest copied from another one, with its stages as drafts."""

from __future__ import annotations

from django.db import transaction

from contest import clone as contests
from contest.clone import Copy, Wish
from contest.models import Contest, User
from tournaments.formats.judged_set import new_seed
from tournaments.models import Round, Stage

KEPT = ("name", "entry", "best", "format", "seeding", "starts_after", "release", "decides")


@transaction.atomic
def clone(original: Contest, by: User, wish: Wish) -> Contest:
    """Copy settings, shifted dates, stages as drafts and, if wished, people. Never copies bots, matches or results."""
    copy = contests.clone(original, by, wish)
    made: dict[int, Stage] = {}
    for stage in original.stages.order_by("pk"):
        made[stage.pk] = _copied(stage, copy)
        made[stage.pk].save()
        Round.objects.bulk_create(_round(row, made[stage.pk], copy) for row in stage.timetable.all())
    for stage in original.stages.exclude(source=None):
        Stage.objects.filter(pk=made[stage.pk].pk).update(source=made.get(stage.source_id or 0))
    return copy.contest


def _copied(stage: Stage, copy: Copy) -> Stage:
    """An unsaved copy. Chance is drawn again, including hidden games that were drawn; written ones stay."""
    options = dict(stage.options)
    if "draw_seed" in options:
        options["draw_seed"] = new_seed()
    order = stage.order if stage.seeding == Stage.Seeding.HAND else []
    return Stage(
        contest=copy.contest,
        options=options,
        order=[copy.teams[team] for team in order if team in copy.teams],
        invited=[copy.teams[team] for team in stage.invited if team in copy.teams],
        starts_at=copy.moved(stage.starts_at),
        ends_at=copy.moved(stage.ends_at),
        check_in_closes_at=copy.moved(stage.check_in_closes_at),
        **{name: getattr(stage, name) for name in KEPT},
    )


def _round(row: Round, stage: Stage, copy: Copy) -> Round:
    """An unsaved copy of a round's place in the timetable."""
    moments = {name: copy.moved(getattr(row, name)) for name in ("starts_at", "release_at")}
    kept = {name: getattr(row, name) for name in ("number", "break_minutes", "hold", "in_turn", "release")}
    return Round(stage=stage, **moments, **kept)


def known_games(contest: Contest) -> list[Stage]:
    """Stages with written hidden games that the original contest has as well."""
    return [stage for stage in contest.stages.order_by("pk") if stage.options.get("hidden")]
