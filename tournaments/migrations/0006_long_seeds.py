"""Draw the seeds of stages anew where nothing goes by the old one: before the start, and on ladders.

Seeds had 31 bits, so that the seed of one match, which is public, gave away the stage's and all deals to come.
"""

from django.db import migrations, models
from django.db.models import Q

from tournaments.models.stages import new_seed


def draw_again(apps, schema_editor):
    Stage = apps.get_model("tournaments", "Stage")
    onward = Q(state__in=("draft", "published")) | Q(format="ladder", state__in=("running", "paused"))
    stages = list(Stage.objects.filter(onward).only("seed"))
    for stage in stages:
        stage.seed = new_seed()
    Stage.objects.bulk_update(stages, ["seed"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_duty_since")]

    operations = [
        migrations.AlterField(
            model_name="stage",
            name="seed",
            field=models.BigIntegerField(default=new_seed),
        ),
        migrations.RunPython(draw_again, migrations.RunPython.noop),
    ]
