"""Add up what has been played so far, and have it rated again. From then on both are written with every result.

Nothing was played on common deals before this, so every match is a unit. Ratings were OpenSkill in every game and went
by no version: the tick computes them anew, as after `manage.py rerate`.
"""

from datetime import UTC, datetime

from django.db import migrations
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


def rate_again(apps, schema_editor):
    Arrears, Rating = (apps.get_model("tournaments", name) for name in ("Arrears", "Rating"))
    for contest in Rating.objects.order_by("contest").values_list("contest", flat=True).distinct():
        values = {"at": datetime(1970, 1, 1, tzinfo=UTC), "match": 0, "known": {}, "everybody": True}
        Arrears.objects.update_or_create(contest_id=contest, defaults=values)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_formats")]

    operations = [
        migrations.RunPython(add_up, migrations.RunPython.noop),
        migrations.RunPython(rate_again, migrations.RunPython.noop),
    ]
