import contest.models.contests
import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import rest_framework.utils.encoders
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('contest', '0001_initial'), ('contest', '0002_sanitize'), ('contest', '0003_formats'), ('contest', '0004_mail'), ('contest', '0006_is_clone'), ('contest', '0007_plain_labels'), ('contest', '0009_api_tokens'), ('contest', '0010_practice'), ('contest', '0011_one_file'), ('contest', '0012_endless'), ('contest', '0013_account'), ('contest', '0014_clubs'), ('contest', '0015_public_notes'), ('contest', '0016_proofs'), ('contest', '0017_places_versions'), ('contest', '0018_contest_time_zone'), ('contest', '0019_proof_seen_at'), ('contest', '0020_alarms'), ('contest', '0021_letters')]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Alarm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=40, unique=True)),
                ('message', models.CharField(blank=True, max_length=500)),
                ('bad_since', models.DateTimeField(blank=True, null=True)),
                ('good_since', models.DateTimeField(blank=True, null=True)),
                ('raised_at', models.DateTimeField(blank=True, null=True)),
                ('over_at', models.DateTimeField(blank=True, null=True)),
                ('mailed', models.CharField(blank=True, choices=[('', 'nothing'), ('raised', 'that it is raised'), ('over', 'that it is over')], max_length=6)),
                ('posted', models.CharField(blank=True, choices=[('', 'nothing'), ('raised', 'that it is raised'), ('over', 'that it is over')], max_length=6)),
                ('silent_until', models.DateTimeField(blank=True, null=True)),
                ('silenced_by', models.CharField(blank=True, max_length=150)),
                ('remembered', models.JSONField(blank=True, default=dict)),
            ],
            options={
                'ordering': ['key'],
            },
        ),
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('is_public', models.BooleanField(default=True)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('mail_news', models.BooleanField(default=True)),
                ('mail_matches', models.BooleanField(default=True)),
                ('time_zone', models.CharField(blank=True, max_length=60)),
                ('is_public', models.BooleanField(default=True)),
                ('shows_casual', models.BooleanField(default=False)),
                ('left_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
                ('name', models.CharField(max_length=60)),
                ('beginning', models.CharField(editable=False, max_length=13)),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('scopes', models.JSONField(blank=True, default=list)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='AnsweredRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('key', models.CharField(max_length=100)),
                ('asked', models.CharField(max_length=64)),
                ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('headers', models.JSONField(default=dict)),
                ('data', models.JSONField(encoder=rest_framework.utils.encoders.JSONEncoder, null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='one_answer_per_idempotency_key')],
            },
        ),
        migrations.CreateModel(
            name='Contest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('game_slug', models.CharField(max_length=40, verbose_name='game')),
                ('preset', models.CharField(max_length=40)),
                ('options', models.JSONField(blank=True, default=dict)),
                ('blurb', models.CharField(blank=True, max_length=300)),
                ('description', models.TextField(blank=True)),
                ('visibility', models.CharField(choices=[('public', 'Public: listed and open to everybody'), ('unlisted', 'Unlisted: open to anyone who has the link'), ('private', 'Private: organisers and teams only')], default='public', max_length=10)),
                ('time_zone', models.CharField(default=django.utils.timezone.get_default_timezone_name, max_length=64)),
                ('opens_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('entry_deadline', models.DateTimeField()),
                ('upload_deadline', models.DateTimeField()),
                ('play_started_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('languages', models.JSONField(default=list)),
                ('memory_mb', models.PositiveIntegerField(default=256, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(8192)])),
                ('startup_seconds', models.FloatField(default=5.0, validators=[django.core.validators.MinValueValidator(0.1), django.core.validators.MaxValueValidator(120)])),
                ('source_kb', models.PositiveIntegerField(default=256, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(4096)])),
                ('uploads_per_hour', models.PositiveIntegerField(default=12, validators=[django.core.validators.MinValueValidator(1)])),
                ('team_size', models.PositiveIntegerField(default=4, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(50)])),
                ('approval_required', models.BooleanField(default=False)),
                ('one_file', models.BooleanField(default=False)),
                ('needs_strategy', models.BooleanField(default=False)),
                ('sanitize', models.BooleanField(default=False)),
                ('practice', models.CharField(choices=[('open', 'Against the house, own versions and other teams'), ('own', 'Against the house and own versions'), ('closed', 'Nobody practises')], default='open', max_length=6)),
                ('practice_per_hour', models.PositiveIntegerField(default=400, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10000)])),
                ('places_versions', models.BooleanField(default=True)),
                ('public_notes', models.BooleanField(default=False)),
                ('live', models.BooleanField(default=False)),
                ('frozen_from', models.DateTimeField(blank=True, null=True)),
                ('spectator_code', models.CharField(blank=True, max_length=40)),
                ('revision', models.PositiveBigIntegerField(default=0, editable=False)),
                ('public_revision', models.PositiveBigIntegerField(default=0, editable=False)),
                ('is_clone', models.BooleanField(default=False, editable=False)),
                ('endless', models.BooleanField(default=False, editable=False)),
                ('last_number', models.PositiveBigIntegerField(default=0, editable=False)),
                ('frozen_number', models.PositiveBigIntegerField(blank=True, editable=False, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['-opens_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Role',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roles', to='contest.contest')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roles', to=settings.AUTH_USER_MODEL)),
                ('role', models.CharField(choices=[('owner', 'Owner: full control, including roles and deletion'), ('organiser', 'Organiser: runs the contest'), ('judge', 'Judge: can see everything, but change nothing')], max_length=10)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('contest', 'user'), name='one_role_per_contest')],
            },
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='teams', to='contest.contest')),
                ('name', models.CharField(max_length=60)),
                ('school', models.CharField(blank=True, max_length=100, verbose_name='school or company')),
                ('code', models.CharField(default=contest.models.contests.new_code, editable=False, max_length=12, unique=True, verbose_name='joining code')),
                ('state', models.CharField(choices=[('pending', 'Waiting for approval'), ('approved', 'Taking part'), ('refused', 'Refused'), ('withdrawn', 'Withdrawn'), ('disqualified', 'Disqualified')], default='approved', max_length=12)),
                ('state_reason', models.CharField(blank=True, max_length=300)),
                ('seed', models.PositiveIntegerField(blank=True, null=True, verbose_name='seed number')),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='teams', to='contest.club')),
                ('accepts_practice', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['name', 'id'],
                'constraints': [models.UniqueConstraint(models.F('contest'), django.db.models.functions.text.Lower('name'), name='team_name_is_unique_in_contest'), models.UniqueConstraint(condition=models.Q(('seed__isnull', False)), fields=('contest', 'seed'), name='seed_is_unique_in_contest')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='contest.team')),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.contest')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('is_captain', models.BooleanField(default=False)),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('mailed_until', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-is_captain', 'joined_at'],
                'constraints': [models.UniqueConstraint(fields=('contest', 'user'), name='one_team_per_person_and_contest')],
            },
        ),
        migrations.CreateModel(
            name='Act',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='acts', to='contest.contest')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('verb', models.CharField(max_length=40)),
                ('target', models.CharField(blank=True, max_length=200)),
                ('reason', models.TextField(blank=True)),
                ('data', models.JSONField(blank=True, default=dict)),
            ],
            options={
                'ordering': ['-at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Follower',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='followers', to='contest.contest')),
                ('number', models.PositiveBigIntegerField(default=0)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('passed_over', models.JSONField(blank=True, default=list)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('name', 'contest'), name='one_follower_per_name_and_contest')],
            },
        ),
        migrations.CreateModel(
            name='Letter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('due_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('sender', models.TextField()),
                ('recipient', models.TextField()),
                ('subject', models.TextField()),
                ('body', models.TextField()),
                ('headers', models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='announcements', to='contest.contest')),
                ('title', models.CharField(max_length=120)),
                ('text', models.TextField(blank=True)),
                ('posted_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('posted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-posted_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Proof',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game_slug', models.CharField(max_length=40)),
                ('language', models.CharField(max_length=20)),
                ('host', models.CharField(max_length=100)),
                ('problem', models.TextField(blank=True)),
                ('digest', models.CharField(max_length=64)),
                ('toolchain', models.CharField(blank=True, max_length=200)),
                ('level', models.CharField(max_length=20)),
                ('seconds', models.FloatField()),
                ('proved_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('seen_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game_slug', 'language', 'host'), name='one_proof_per_host')],
            },
        ),
    ]
