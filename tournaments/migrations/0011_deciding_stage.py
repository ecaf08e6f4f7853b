from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_without_old_marks")]

    operations = [
        migrations.AddField("stage", "decides", models.BooleanField(default=False)),
        migrations.AddConstraint(
            "stage",
            models.UniqueConstraint(
                fields=["contest"], condition=models.Q(decides=True), name="one_stage_decides_a_contest"
            ),
        ),
    ]
