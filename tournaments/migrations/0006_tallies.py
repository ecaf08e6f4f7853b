"""Add up what has been played so far. From then on it is written with every result (tallies.py).

Nothing was played on common deals before this, so every match is a unit.
"""

from django.db import migrations, models
from django.db.models import Count, F, FloatField, Q, Sum
from django.db.models.functions import Cast

import games

PLACES = ("first", "second", "third", "fourth")


def add_up(apps, schema_editor):
    MatchSeat, Stage, Tally = (apps.get_model("tournaments", name) for name in ("MatchSeat", "Stage", "Tally"))
    value = Cast(F("score") + F("penalty"), FloatField()) / F("match__games")
    for stage in Stage.objects.select_related("contest"):
        alone = games.get(stage.contest.game_slug).seats[1] == 1
        won = Q(score__gt=0) if alone else Q()  # who plays alone is first also with a wrong answer
        done = MatchSeat.objects.filter(match__stage=stage, match__state="done", match__pending=False)
        rows = (
            done.filter(match__games__gt=0, team__isnull=False)
            .order_by()
            .values("team")
            .annotate(
                matches=Count("pk"),
                games=Sum("match__games"),
                points=Sum("score"),
                fines=Sum("penalty"),
                faulty=Sum("faults"),
                total=Sum(value),
                squares=Sum(value * value),
                **{name: Count("pk", filter=Q(place=place) & won) for place, name in enumerate(PLACES, 1)},
            )
        )
        Tally.objects.filter(stage=stage).delete()
        Tally.objects.bulk_create(
            [
                Tally(
                    stage=stage,
                    team_id=row["team"],
                    matches=row["matches"],
                    units=row["matches"],
                    games=row["games"],
                    points=row["points"] or 0.0,
                    penalty=row["fines"] or 0.0,
                    faults=row["faulty"] or 0,
                    total=row["total"] or 0.0,
                    squares=row["squares"] or 0.0,
                    **{name: row[name] for name in PLACES},
                )
                for row in rows
            ],
            batch_size=500,
        )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_voided_at")]

    operations = [
        migrations.CreateModel(
            name="Arrears",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("match", models.PositiveBigIntegerField()),
                ("known", models.JSONField(default=dict)),
                ("everybody", models.BooleanField(default=False)),
                (
                    "contest",
                    models.OneToOneField(on_delete=models.CASCADE, related_name="arrears", to="contest.contest"),
                ),
            ],
            options={"verbose_name_plural": "arrears"},
        ),
        migrations.AddIndex(
            model_name="matchseat", index=models.Index(fields=["team", "match"], name="seat_by_team_and_match")
        ),
        migrations.AddIndex(
            model_name="match", index=models.Index(fields=["contest", "started_at"], name="match_by_contest_and_start")
        ),
        migrations.RunPython(add_up, migrations.RunPython.noop),
    ]
