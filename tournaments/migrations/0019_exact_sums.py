"""Add up points, penalties and averages again, rounded so that their sums do not depend on any order."""

from django.db import migrations
from django.db.models import F, FloatField, Sum
from django.db.models.functions import Cast

FINE, COARSE = 1.5 * 2**22, 1.5 * 2**28


def exact(value, by=FINE):
    return (value + by) - by


def add_up(apps, schema_editor):
    """As tournaments.results.tallies does."""
    Stage, Tally, MatchSeat = (apps.get_model("tournaments", name) for name in ("Stage", "Tally", "MatchSeat"))
    for stage in Stage.objects.only("options"):
        seats = MatchSeat.objects.filter(
            match__stage=stage, match__state="done", match__pending=False, match__games__gt=0, team__isnull=False
        ).order_by()
        value = exact(Cast(F("score") + F("penalty"), FloatField()) / F("match__games"))
        rows = seats.values("team").annotate(
            points=Sum(exact(F("score"))),
            fines=Sum(exact(F("penalty"))),
            total=Sum(value),
            squares=Sum(exact(value * value, COARSE)),
        )
        found = {row["team"]: row for row in rows}
        if stage.options.get("duplicate"):
            units = seats.values("team", "match__table", "match__seed").annotate(
                points=Sum(exact(F("score") + F("penalty"))), games=Sum("match__games")
            )
            for row in found.values():
                row["total"] = row["squares"] = 0.0
            for unit in units:
                average = exact((unit["points"] or 0.0) / unit["games"])
                found[unit["team"]]["total"] += average
                found[unit["team"]]["squares"] += exact(average * average, COARSE)
        tallies = list(Tally.objects.filter(stage=stage, team__in=found))
        for tally in tallies:
            row = found[tally.team_id]
            tally.points, tally.penalty = row["points"] or 0.0, row["fines"] or 0.0
            tally.total, tally.squares = row["total"] or 0.0, row["squares"] or 0.0
        Tally.objects.bulk_update(tallies, ["points", "penalty", "total", "squares"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0018_seats_of_a_table")]

    operations = [migrations.RunPython(add_up, migrations.RunPython.noop)]
