import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('submissions', '0001_initial'), ('submissions', '0002_more_of_a_check'), ('submissions', '0003_folders'), ('submissions', '0004_turns'), ('submissions', '0005_advice_on_faults'), ('submissions', '0006_indexes_of_turns')]

    initial = True

    dependencies = [
        ('contest', '0001_squashed'),
    ]

    operations = [
        migrations.CreateModel(
            name='Artifact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64, unique=True)),
                ('data', models.BinaryField()),
                ('command', models.TextField()),
                ('toolchain', models.CharField(blank=True, max_length=200)),
                ('log', models.TextField(blank=True)),
                ('seconds', models.FloatField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='submissions', to='contest.team')),
                ('number', models.PositiveIntegerField()),
                ('language', models.CharField(max_length=20)),
                ('filename', models.CharField(max_length=150)),
                ('source', models.BinaryField()),
                ('files', models.JSONField(blank=True, default=list)),
                ('folder', models.BinaryField(default=b'')),
                ('size', models.PositiveIntegerField()),
                ('sha256', models.CharField(db_index=True, max_length=64)),
                ('strategy_filename', models.CharField(blank=True, max_length=100)),
                ('strategy', models.TextField(blank=True)),
                ('uploaded_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('uploaded_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('building', 'Building'), ('checking', 'Checking'), ('ready', 'Ready'), ('rejected', 'Rejected'), ('superseded', 'Superseded'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('verdict', models.TextField(blank=True)),
                ('check_note', models.TextField(blank=True)),
                ('check_warning', models.TextField(blank=True)),
                ('findings', models.JSONField(blank=True, default=list)),
                ('own_name', models.CharField(blank=True, max_length=60)),
                ('skill', models.CharField(blank=True, max_length=60)),
                ('is_active', models.BooleanField(default=False)),
                ('activate_when_ready', models.BooleanField(default=True)),
                ('build_command', models.TextField(blank=True)),
                ('run_command', models.TextField(blank=True)),
                ('toolchain', models.CharField(blank=True, max_length=200)),
                ('build_log', models.TextField(blank=True)),
                ('build_seconds', models.FloatField(null=True)),
                ('artifact', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='submissions.artifact')),
                ('worker', models.CharField(blank=True, max_length=100)),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('due_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('turn_at', models.DateTimeField(blank=True, null=True)),
                ('turns', models.PositiveIntegerField(default=0)),
                ('ahead_at', models.DateTimeField(blank=True, null=True)),
                ('ordered', models.BooleanField(default=False)),
                ('superseded_by', models.PositiveIntegerField(blank=True, null=True)),
                ('enqueued_at', models.DateTimeField(blank=True, null=True)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('last_error', models.TextField(blank=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('built_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('activated_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-number'],
                'indexes': [models.Index(fields=['state', 'lease_until'], name='submissions_state_db92a4_idx'), models.Index(fields=['team', 'uploaded_at'], name='submissions_team_id_c14cd2_idx'), models.Index(fields=['team', 'state'], name='submissions_team_id_82e298_idx'), models.Index(fields=['team', 'turn_at'], name='submissions_team_id_4c06b1_idx'), models.Index(fields=['finished_at'], name='submissions_finishe_f6381c_idx')],
                'constraints': [models.UniqueConstraint(fields=('team', 'number'), name='version_numbers_are_unique'), models.UniqueConstraint(condition=models.Q(('is_active', True)), fields=('team',), name='one_active_version_per_team'), models.UniqueConstraint(condition=models.Q(('state__in', ('building', 'checking'))), fields=('team',), name='one_build_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='CheckGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='check_games', to='submissions.submission')),
                ('number', models.PositiveIntegerField()),
                ('seat', models.PositiveIntegerField()),
                ('passed', models.BooleanField()),
                ('fault_kind', models.CharField(blank=True, max_length=12)),
                ('fault_detail', models.TextField(blank=True)),
                ('fault_advice', models.TextField(blank=True)),
                ('fault_ply', models.PositiveIntegerField(null=True)),
                ('fault_game', models.PositiveIntegerField(default=1)),
                ('faults', models.PositiveIntegerField(default=0)),
                ('fine', models.PositiveIntegerField(default=0)),
                ('fault_place', models.CharField(blank=True, max_length=200)),
                ('opponents', models.JSONField(default=list)),
                ('seed', models.BigIntegerField(default=0)),
                ('score', models.FloatField(null=True)),
                ('place', models.PositiveIntegerField(null=True)),
                ('slowest_ms', models.FloatField(null=True)),
                ('cpu_ms', models.FloatField(null=True)),
                ('record', models.BinaryField()),
                ('stderr', models.BinaryField(default=b'')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('submission', 'number'), name='check_game_numbers_are_unique')],
            },
        ),
    ]
