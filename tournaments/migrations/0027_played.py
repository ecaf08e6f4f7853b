"""Teams are told that their matches were played: from now on, not of the past."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


def start_here(apps, schema_editor):
    Contest, Follower = apps.get_model("contest", "Contest"), apps.get_model("contest", "Follower")
    contests = Contest.objects.values_list("pk", "last_number")
    Follower.objects.bulk_create(Follower(name="played", contest_id=pk, number=number) for pk, number in contests)


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0014_clubs'),
        ('tournaments', '0026_casual_games'),
    ]

    operations = [
        migrations.CreateModel(
            name='LadderTold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(default=0)),
                ('told_at', models.DateTimeField(null=True)),
                ('due_at', models.DateTimeField(db_index=True, null=True)),
                ('rating', models.FloatField(null=True)),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.stage')),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.team')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('team', 'stage'), name='one_row_per_team_and_ladder')],
            },
        ),
        migrations.CreateModel(
            name='Played',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('noted_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('due_at', models.DateTimeField(null=True)),
                ('told_at', models.DateTimeField(null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.match')),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.team')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('told_at', None)), fields=['due_at'], name='matches_to_tell')],
                'constraints': [models.UniqueConstraint(fields=('team', 'match'), name='a_team_is_told_of_a_match_once')],
            },
        ),
        migrations.RunPython(start_here, migrations.RunPython.noop),
    ]
