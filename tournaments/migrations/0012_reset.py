"""A stage that has started can be reset: the tables at which it was played are set aside."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0011_deciding_stage")]

    operations = [
        migrations.AddField("stage", "resets", models.PositiveIntegerField(default=0)),
        migrations.AddField("table", "until", models.PositiveBigIntegerField(default=0)),
        migrations.RemoveConstraint("table", "table_numbers_are_unique"),
        migrations.AddConstraint(
            "table",
            models.UniqueConstraint(fields=["stage", "until", "round", "number"], name="table_numbers_are_unique"),
        ),
    ]
