from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0005_advice_on_faults")]

    operations = [
        migrations.AddIndex("submission", models.Index(fields=["team", "state"], name="submissions_team_id_82e298_idx")),
        migrations.AddIndex("submission", models.Index(fields=["team", "turn_at"], name="submissions_team_id_4c06b1_idx")),
        migrations.AddIndex("submission", models.Index(fields=["finished_at"], name="submissions_finishe_f6381c_idx")),
    ]
