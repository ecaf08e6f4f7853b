from django.db import migrations, models
from django.db.models import Q


def put_back(apps, schema_editor):
    """Queue what is being built again: before this, a team may have had several builds at a time."""
    working = apps.get_model("submissions", "Submission").objects.filter(state__in=("building", "checking"))
    working.update(state="queued", lease_until=None, started_at=None, enqueued_at=None, worker="")


class Migration(migrations.Migration):
    dependencies = [("submissions", "0003_folders")]

    operations = [
        migrations.AlterField(
            model_name="submission",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "Queued"), ("building", "Building"), ("checking", "Checking"), ("ready", "Ready"),
                    ("rejected", "Rejected"), ("superseded", "Superseded"), ("cancelled", "Cancelled"),
                ],
                default="queued",
                max_length=10,
            ),
        ),
        migrations.AddField("submission", "turn_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("submission", "turns", models.PositiveIntegerField(default=0)),
        migrations.AddField("submission", "ahead_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("submission", "ordered", models.BooleanField(default=False)),
        migrations.AddField("submission", "superseded_by", models.PositiveIntegerField(blank=True, null=True)),
        migrations.RunPython(put_back, migrations.RunPython.noop),
        migrations.AddConstraint(
            "submission",
            models.UniqueConstraint(
                fields=["team"], condition=Q(state__in=("building", "checking")), name="one_build_at_a_time"
            ),
        ),
    ]
