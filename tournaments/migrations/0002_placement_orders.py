"""Delete the practice games of placements, and what was asked at positions of them. PostgreSQL wants rows to be gone
before the transaction in which their table is dropped."""

from django.db import migrations


def delete(apps, schema_editor):
    orders = apps.get_model("tournaments", "PracticeOrder").objects
    orders.filter(from_here__practice__order__kind="place").delete()
    orders.filter(kind="place").delete()


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_squashed")]

    operations = [migrations.RunPython(delete, migrations.RunPython.noop, elidable=True)]
