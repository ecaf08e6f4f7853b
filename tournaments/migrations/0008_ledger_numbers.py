"""A match knows the entries of the ledger from and until which it counts, and that of its result.

`reason` said two things: why its players met, and once it was void, why that is. The first stays, as `why`; the
second is an entry of the ledger (0009_ledger).
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_won_tied_lost")]

    operations = [
        migrations.AddField("match", "counts_from", models.PositiveBigIntegerField(blank=True, null=True)),
        migrations.AddField("match", "resulted", models.PositiveBigIntegerField(blank=True, null=True)),
        migrations.AddField("match", "counts_until", models.PositiveBigIntegerField(blank=True, null=True)),
        migrations.AddField("match", "why", models.CharField(blank=True, max_length=300)),
        migrations.AddField("arrears", "number", models.PositiveBigIntegerField(default=0)),
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
                    ("removed", "Removed"),
                ],
                default="draft",
                max_length=10,
            ),
        ),
    ]
