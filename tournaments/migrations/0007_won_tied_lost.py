"""Count matches won, tied and lost: a shared first place is a tie. Adds up again what has been played."""

from django.db import migrations, models
from django.db.models import Count, Exists, OuterRef, Q

FOURS = ("single_elimination", "swiss", "ladder")


def add_up(apps, schema_editor):
    """As tournaments.results.tallies does."""
    Stage, Tally, MatchSeat = (apps.get_model("tournaments", name) for name in ("Stage", "Tally", "MatchSeat"))
    for stage in Stage.objects.only("format", "options"):
        counts_house = stage.format == "combinations" or (
            stage.format in FOURS and stage.options.get("table_size", 2) > 2
        )
        others = MatchSeat.objects.filter(match=OuterRef("match"), disqualified=False).exclude(pk=OuterRef("pk"))
        if not counts_house:
            others = others.filter(team__isnull=False)
        better, level = (
            Exists(others.filter(place__lt=OuterRef("place"))),
            Exists(others.filter(place=OuterRef("place"))),
        )
        fit = Q(disqualified=False) & ~better
        if stage.format == "judged_set":
            fit &= Q(score__gt=0)
        seats = MatchSeat.objects.filter(
            match__stage=stage, match__state="done", match__pending=False, match__games__gt=0, team__isnull=False
        )
        rows = (
            seats.order_by()
            .values("team")
            .annotate(matches=Count("pk"), won=Count("pk", filter=fit & ~level), tied=Count("pk", filter=fit & level))
        )
        found = {row["team"]: row for row in rows}
        tallies = list(Tally.objects.filter(stage=stage, team__in=found))
        for tally in tallies:
            row = found[tally.team_id]
            tally.won, tally.tied, tally.lost = row["won"], row["tied"], row["matches"] - row["won"] - row["tied"]
        Tally.objects.bulk_update(tallies, ["won", "tied", "lost"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_long_seeds")]

    operations = [
        *(
            migrations.AddField("tally", name, models.PositiveIntegerField(default=0))
            for name in ("won", "tied", "lost")
        ),
        migrations.RunPython(add_up, migrations.RunPython.noop),
    ]
