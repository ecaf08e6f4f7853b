"""People follow contests and teams, and no longer teams across contests."""

from django.db import migrations, models
from django.db.models import Q


def unfollow_clubs(apps, schema_editor):
    apps.get_model("tournaments", "Follow").objects.filter(club__isnull=False).delete()


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_without_pins")]

    operations = [
        migrations.RunPython(unfollow_clubs, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="follow", name="a_club_is_followed_once"),
        migrations.RemoveConstraint(model_name="follow", name="one_thing_is_followed"),
        migrations.RemoveField(model_name="follow", name="club"),
        migrations.AddConstraint(
            model_name="follow",
            constraint=models.CheckConstraint(
                condition=Q(contest__isnull=False, team=None) | Q(contest=None, team__isnull=False),
                name="one_thing_is_followed",
            ),
        ),
    ]
