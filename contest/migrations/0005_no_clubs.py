"""Teams across contests, and the time zone that a person chose."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("contest", "0004_without_placements"),
        ("tournaments", "0005_no_clubs"),
    ]

    operations = [
        migrations.RemoveField(model_name="team", name="club"),
        migrations.DeleteModel(name="Club"),
        migrations.RemoveField(model_name="user", name="time_zone"),
    ]
