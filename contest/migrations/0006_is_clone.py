"""Whether a contest was made from another one is a fact of its own: nothing is decided by the audit log."""

from django.db import migrations, models


def mark(apps, schema_editor):
    Act, Contest = apps.get_model("contest", "Act"), apps.get_model("contest", "Contest")
    clones = Act.objects.filter(verb="clone contest", data__has_key="of").values("contest")
    Contest.objects.filter(pk__in=clones).update(is_clone=True)


class Migration(migrations.Migration):
    dependencies = [("contest", "0005_ledger")]

    operations = [
        migrations.AddField("contest", "is_clone", models.BooleanField(default=False, editable=False)),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
