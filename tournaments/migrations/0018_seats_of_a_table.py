"""Call the option that says how many sit at a table `seats`, as everything else does."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def rename(apps: Apps, old: str, new: str) -> None:
    for model, field in (("Stage", "options"), ("Rehearsal", "terms")):
        for row in apps.get_model("tournaments", model).objects.filter(**{f"{field}__has_key": old}):
            options = getattr(row, field)
            options[new] = options.pop(old)
            row.save(update_fields=[field])


def forwards(apps: Apps, schema: BaseDatabaseSchemaEditor) -> None:
    rename(apps, "chairs", "seats")


def backwards(apps: Apps, schema: BaseDatabaseSchemaEditor) -> None:
    rename(apps, "seats", "chairs")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0017_plain_words")]

    operations = [migrations.RunPython(forwards, backwards)]
