"""A stage can be abandoned."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_reset")]

    operations = [
        migrations.AlterField(
            "stage",
            "state",
            models.CharField(
                choices=[
                    ("draft", "Draft"),
                    ("published", "Published"),
                    ("running", "Being played"),
                    ("paused", "Paused"),
                    ("done", "Finished"),
                    ("abandoned", "Abandoned"),
                    ("removed", "Removed"),
                ],
                default="draft",
                max_length=10,
            ),
        ),
    ]
