"""Names are compared by a key of our own. Rows of before that have the same key keep their names (contest/names.py)."""

import django.contrib.auth.validators
from django.db import migrations, models

import contest.names
from contest.names import folded


def fill(apps, schema_editor):
    Team, User = apps.get_model("contest", "Team"), apps.get_model("contest", "User")
    known, teams, users = set(), list(Team.objects.order_by("pk")), list(User.objects.order_by("pk"))
    for row, name, within in [*((it, it.name, it.contest_id) for it in teams), *((it, it.username, None) for it in users)]:
        row.key = folded(name)
        if (within, row.key) in known:
            row.key += f"\n{row.pk}"
        known.add((within, row.key))
    for team in teams:
        team.school_key = folded(team.school)
    Team.objects.bulk_update(teams, ["key", "school_key"], batch_size=500)
    User.objects.bulk_update(users, ["key"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("contest", "0009_later_uploads")]

    operations = [
        migrations.RemoveConstraint(model_name="team", name="team_name_is_unique_in_contest"),
        migrations.AddField(model_name="team", name="key", field=contest.names.FoldedField(of="name")),
        migrations.AddField(model_name="team", name="school_key", field=contest.names.FoldedField(of="school")),
        migrations.AddField(model_name="user", name="key", field=contest.names.FoldedField(of="username")),
        migrations.RunPython(fill, migrations.RunPython.noop),
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
