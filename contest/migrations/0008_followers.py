"""Reactions to the ledger may fail, and the portal tells teams what happened to them: from now on, not of the past."""

import django.db.models.deletion
from django.db import migrations, models


def start_here(apps, schema_editor):
    Contest, Follower = apps.get_model("contest", "Contest"), apps.get_model("contest", "Follower")
    contests = Contest.objects.values_list("pk", "last_number")
    Follower.objects.bulk_create(Follower(name="news", contest_id=pk, number=number) for pk, number in contests)


class Migration(migrations.Migration):
    dependencies = [
        ("contest", "0007_plain_labels"),
        ("tournaments", "0015_plain_labels"),  # the ledger of contests that are older than it has been written
    ]

    operations = [
        migrations.AddField("follower", "passed_over", models.JSONField(blank=True, default=list)),
        migrations.AddField("follower", "tries", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField(
            "question",
            "entry",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="contest.ledgerentry",
            ),
        ),
        migrations.AddConstraint(
            "question",
            models.UniqueConstraint(fields=("team", "entry"), name="one_notice_per_team_and_entry"),
        ),
        migrations.RunPython(start_here, migrations.RunPython.noop),
    ]
