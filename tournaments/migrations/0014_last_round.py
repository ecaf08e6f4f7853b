"""A stage that is played in rounds can be shortened."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_abandoned")]

    operations = [
        migrations.AddField("stage", "last_round", models.PositiveIntegerField(blank=True, null=True)),
    ]
