"""The ledger. The database itself refuses to change what is written in it, but for who did it: accounts are deleted.

SQLite loses a trigger when a later migration builds the table anew: such a migration has to make it again.
"""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


UNCHANGED = "contest_id, number, at, kind, audience, reason, stage_id, match_id, team_id, review_id, round, data"


def refuse_changes(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(
            f"CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OF {UNCHANGED} ON contest_ledgerentry"
            " BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
        )
    elif schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
        )
        schema_editor.execute(
            f"CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OF {UNCHANGED} ON contest_ledgerentry"
            " FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only()"
        )


def allow_changes(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER ledger_is_append_only")
    elif schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER ledger_is_append_only ON contest_ledgerentry")
        schema_editor.execute("DROP FUNCTION ledger_is_append_only()")


class Migration(migrations.Migration):

    replaces = [('contest', '0005_ledger'), ('contest', '0008_followers')]

    initial = True

    dependencies = [
        ('contest', '0001_squashed'),
        ('tournaments', '0001_squashed'),
    ]

    operations = [
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ledger', to='contest.contest')),
                ('number', models.PositiveBigIntegerField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('kind', models.CharField(choices=[('stage_published', 'Stage published'), ('stage_unpublished', 'Stage unpublished'), ('entrants_set', 'Entrants set'), ('stage_started', 'Stage started'), ('stage_paused', 'Stage paused'), ('stage_resumed', 'Stage resumed'), ('stage_finished', 'Stage finished'), ('stage_reopened', 'Stage reopened'), ('stage_reset', 'Stage reset'), ('stage_shortened', 'Stage shortened'), ('stage_abandoned', 'Stage abandoned'), ('stage_removed', 'Stage removed'), ('matches_drawn', 'Matches drawn'), ('match_result', 'Result'), ('match_voided', 'Match voided'), ('match_restored', 'Match restored'), ('review_applied', 'Review applied'), ('team_disqualified', 'Team disqualified'), ('team_withdrawn', 'Team withdrawn'), ('team_reinstated', 'Team reinstated'), ('round_released', 'Round released'), ('round_taken_back', 'Round hidden again'), ('stage_released', 'All results of a stage released'), ('freeze_set', 'Results frozen'), ('freeze_lifted', 'Freeze lifted')], max_length=20)),
                ('audience', models.CharField(choices=[('everyone', 'Everyone, even during a freeze'), ('results', 'Everyone who may see results'), ('organisers', 'People with a role')], max_length=10)),
                ('by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('stage', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='ledger', to='tournaments.stage')),
                ('match', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='ledger', to='tournaments.match')),
                ('team', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='ledger', to='contest.team')),
                ('review', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='ledger', to='tournaments.review')),
                ('round', models.PositiveIntegerField(null=True)),
                ('data', models.JSONField(default=dict)),
            ],
            options={
                'verbose_name_plural': 'ledger entries',
                'ordering': ['contest', 'number'],
                'indexes': [models.Index(condition=models.Q(('match__isnull', False)), fields=['match', 'number'], name='ledger_by_match'), models.Index(condition=models.Q(('kind__in', ('stage_published', 'stage_unpublished', 'entrants_set', 'stage_started', 'stage_paused', 'stage_resumed', 'stage_finished', 'stage_reopened', 'stage_reset', 'stage_shortened', 'stage_abandoned', 'stage_removed', 'match_voided', 'match_restored', 'review_applied', 'team_disqualified', 'team_withdrawn', 'team_reinstated', 'round_released', 'round_taken_back', 'stage_released', 'freeze_set', 'freeze_lifted'))), fields=['contest', 'number'], name='ledger_of_few_kinds')],
                'constraints': [models.UniqueConstraint(fields=('contest', 'number'), name='ledger_numbers_are_unique'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='ledger_numbers_start_at_1'), models.CheckConstraint(condition=models.Q(models.Q(models.Q(('kind__in', ('stage_published', 'stage_unpublished', 'stage_started', 'stage_paused', 'stage_resumed', 'stage_finished', 'stage_reopened', 'stage_reset', 'stage_shortened', 'stage_abandoned', 'stage_removed', 'round_released', 'round_taken_back', 'stage_released', 'entrants_set', 'matches_drawn')), _negated=True), ('stage__isnull', False), _connector='OR'), models.Q(models.Q(('kind__in', ('match_result', 'match_voided', 'match_restored')), _negated=True), models.Q(('match__isnull', False), ('stage__isnull', False)), _connector='OR'), models.Q(models.Q(('kind__in', ('team_disqualified', 'team_withdrawn', 'team_reinstated')), _negated=True), ('team__isnull', False), _connector='OR'), models.Q(models.Q(('kind', 'review_applied'), _negated=True), models.Q(('review__isnull', False), ('stage__isnull', False)), _connector='OR')), name='ledger_entries_have_a_subject')],
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='contest.contest')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='contest.team')),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('subject', models.CharField(max_length=120)),
                ('text', models.TextField()),
                ('answer', models.TextField(blank=True)),
                ('answered_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('to_all', models.BooleanField(default=False)),
                ('entry', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.ledgerentry')),
            ],
            options={
                'ordering': ['-asked_at', '-id'],
                'constraints': [models.UniqueConstraint(fields=('team', 'entry'), name='one_notice_per_team_and_entry')],
            },
        ),
        migrations.RunPython(refuse_changes, allow_changes),
    ]
