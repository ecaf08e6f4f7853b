from django.conf import settings
from django.core.management import CommandError
from django.db import migrations


def take_in(apps, schema_editor):
    """Put records that release 1.0 kept elsewhere into their rows."""
    Record = apps.get_model("tournaments", "Record")
    if Record.objects.filter(store="objects").exists():
        raise CommandError(
            "Records of matches are in object storage, which this release does not know: start "
            "`./run manage records move --to row` with release 1.0, then this release again."
        )
    for record in Record.objects.filter(store="files").iterator(100):
        name = f"{record.match_id // 1000:06}/{record.match_id}-{record.sha256[:32]}.json.zst"
        path = settings.VAR_DIR / "records" / name
        try:
            record.data = path.read_bytes()
        except OSError as error:
            raise CommandError(f"A record cannot be read: {error}. Release 1.0 kept it in RECORDS_FOLDER.") from None
        record.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_no_clubs")]

    operations = [migrations.RunPython(take_in, migrations.RunPython.noop)]
