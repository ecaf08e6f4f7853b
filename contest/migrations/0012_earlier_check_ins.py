from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("contest", "0011_undone_check_in")]
    operations = [
        migrations.RemoveField("team", "undone_check_in_at"),
        migrations.AddField("team", "earlier_check_ins", models.JSONField(default=list, editable=False)),
    ]
