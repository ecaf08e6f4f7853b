from django.db import migrations
from django.db.models import CASCADE, ForeignKey


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_due_when_organisers_say")]
    operations = [
        migrations.AlterField("matchseat", name, ForeignKey(to, CASCADE, related_name=back, null=null, db_index=False))
        for name, to, back, null in (
            ("match", "tournaments.match", "seats", False),
            ("team", "contest.team", "match_seats", True),
        )
    ]
