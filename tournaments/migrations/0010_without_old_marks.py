"""What the ledger says now needs no other place."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_ledger")]

    operations = [
        migrations.RemoveIndex("match", "tournaments_contest_534025_idx"),
        migrations.RemoveIndex("match", "tournaments_stage_i_20c825_idx"),
        migrations.RemoveField("match", "reason"),
        migrations.RemoveField("match", "voided_at"),
        migrations.RemoveField("arrears", "at"),
        migrations.RemoveField("arrears", "match"),
        migrations.AlterField("arrears", "number", models.PositiveBigIntegerField()),
        migrations.AddIndex(
            "match", models.Index(fields=["contest", "state", "resulted"], name="match_by_contest_and_result")
        ),
        migrations.AddIndex(
            "match", models.Index(fields=["stage", "state", "resulted"], name="match_by_stage_and_result")
        ),
    ]
