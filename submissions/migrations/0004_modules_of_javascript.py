"""A single JavaScript source `.mjs` now starts as bot.mjs, so versions that were built as bot.js are built anew."""

from django.db import migrations


def build_anew(apps, schema_editor):
    versions = apps.get_model("submissions", "Submission").objects.filter(language="javascript")
    versions.filter(filename__iendswith=".mjs").update(artifact=None)


class Migration(migrations.Migration):
    dependencies = [("submissions", "0003_arguments")]
    operations = [migrations.RunPython(build_anew, migrations.RunPython.noop, elidable=True)]
