"""Names are compared by a key of our own. Rows of before that have the same key keep their names (contest/names.py)."""

import django.contrib.auth.validators
from django.db import migrations, models
from django.db.models.functions import Cast, Concat

import contest.names


def differ(apps, schema_editor):
    """Migration 0013 writes the keys. Until then they are like no name's."""
    for name in ("Team", "User"):
        apps.get_model("contest", name).objects.update(key=Concat(models.Value("\n"), Cast("pk", models.TextField())))


class Migration(migrations.Migration):
    dependencies = [("contest", "0009_later_uploads")]

    operations = [
        migrations.RemoveConstraint(model_name="team", name="team_name_is_unique_in_contest"),
        migrations.AddField(model_name="team", name="key", field=contest.names.FoldedField(of="name")),
        migrations.AddField(model_name="team", name="school_key", field=contest.names.FoldedField(of="school")),
        migrations.AddField(model_name="user", name="key", field=contest.names.FoldedField(of="username")),
        migrations.RunPython(differ, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.UniqueConstraint(fields=("contest", "key"), name="team_name_is_unique_in_contest"),
        ),
        migrations.AlterField(
            model_name="user", name="key", field=contest.names.FoldedField(of="username", unique=True)
        ),
        migrations.AlterField(
            model_name="user",
            name="username",
            field=models.CharField(
                error_messages={"unique": "A user with that username already exists."},
                max_length=150,
                unique=True,
                validators=[
                    django.contrib.auth.validators.UnicodeUsernameValidator(),
                    contest.names.is_username,
                ],
            ),
        ),
    ]
