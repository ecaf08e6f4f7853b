from django.db import migrations

from contest.names import folded


def fold_again(apps, schema_editor):
    """Keys were numbers or of other letters before. Where another row has the new one, see FoldedField."""
    for name, of in (("Team", "name"), ("User", "username")):
        rows = apps.get_model("contest", name).objects
        for row in rows.order_by("pk"):
            key, place = folded(getattr(row, of)), {"contest": row.contest_id} if name == "Team" else {}
            if key != row.key.partition("\n")[0]:
                taken = rows.filter(key=key, **place).exists()
                rows.filter(pk=row.pk).update(key=f"{key}\n{row.pk}" if taken else key)
            if name == "Team" and row.school_key != (school := folded(row.school)):
                rows.filter(pk=row.pk).update(school_key=school)


class Migration(migrations.Migration):
    dependencies = [("contest", "0012_earlier_check_ins")]
    operations = [
        migrations.AlterModelOptions("team", {"ordering": ["key", "id"]}),
        migrations.RunPython(fold_again, migrations.RunPython.noop),
    ]
