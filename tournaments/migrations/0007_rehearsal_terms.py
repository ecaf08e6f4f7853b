from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_tallies")]

    operations = [
        migrations.AddField("rehearsal", "format", models.CharField(blank=True, max_length=30)),
        migrations.AddField("rehearsal", "terms", models.JSONField(default=dict)),
    ]
