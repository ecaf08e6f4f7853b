"""Ratings of games for more than two follow from another model: the tick computes those of all contests again."""

from django.db import migrations


def rate_again(apps, schema_editor):
    Contest = apps.get_model("contest", "Contest")
    Arrears = apps.get_model("tournaments", "Arrears")
    for contest in Contest.objects.filter(ratings__isnull=False).distinct():
        Arrears.objects.update_or_create(contest=contest, defaults={"number": 0, "known": {}, "everybody": True})


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0035_match_by_table")]
    operations = [migrations.RunPython(rate_again, migrations.RunPython.noop)]
