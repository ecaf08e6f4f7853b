"""What people follow, and the news of contests: from now on, not of the past."""

import django.db.models.deletion
import django.utils.timezone
import tournaments.models.feeds
from django.conf import settings
from django.db import migrations, models


def start_here(apps, schema_editor):
    Contest, Follower = apps.get_model("contest", "Contest"), apps.get_model("contest", "Follower")
    contests = list(Contest.objects.values_list("pk", "last_number"))
    Follower.objects.bulk_create(Follower(name="feeds", contest_id=pk, number=number) for pk, number in contests)
    Place = apps.get_model("tournaments", "FeedPlace")
    Place.objects.bulk_create(Place(contest_id=pk, number=number, resume=number) for pk, number in contests)


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0015_public_notes'),
        ('tournaments', '0028_from_here'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='FeedPlace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(default=0)),
                ('hiding', models.CharField(blank=True, max_length=64)),
                ('resume', models.PositiveBigIntegerField(default=0)),
                ('contest', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.contest')),
            ],
        ),
        migrations.CreateModel(
            name='FollowSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(blank=True, choices=[('', 'Never'), ('daily', 'Every day, at seven in the morning'), ('weekly', 'Every Monday, at seven in the morning')], default='', max_length=6)),
                ('mailed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('key', models.CharField(default=tournaments.models.feeds.new_key, max_length=40, unique=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.club')),
                ('contest', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.contest')),
                ('team', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.team')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-since', '-id'],
                'constraints': [models.UniqueConstraint(fields=('user', 'contest'), name='a_contest_is_followed_once'), models.UniqueConstraint(fields=('user', 'team'), name='a_team_is_followed_once'), models.UniqueConstraint(fields=('user', 'club'), name='a_club_is_followed_once'), models.CheckConstraint(condition=models.Q(models.Q(('club', None), ('contest__isnull', False), ('team', None)), models.Q(('club', None), ('contest', None), ('team__isnull', False)), models.Q(('club__isnull', False), ('contest', None), ('team', None)), _connector='OR'), name='one_thing_is_followed')],
            },
        ),
        migrations.CreateModel(
            name='NewsItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('kind', models.CharField(max_length=20)),
                ('title', models.CharField(max_length=200)),
                ('text', models.CharField(blank=True, max_length=500)),
                ('path', models.CharField(max_length=200)),
                ('announcement', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.announcement')),
                ('contest', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='news', to='contest.contest')),
                ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.match')),
                ('stage', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.stage')),
                ('teams', models.ManyToManyField(related_name='+', to='contest.team')),
            ],
            options={
                'ordering': ['-at', '-id'],
                'indexes': [models.Index(fields=['contest', '-at'], name='news_by_contest'), models.Index(fields=['-at'], name='news_by_time')],
                'constraints': [models.UniqueConstraint(fields=('contest', 'name'), name='news_are_told_once')],
            },
        ),
        migrations.RunPython(start_here, migrations.RunPython.noop),
    ]
