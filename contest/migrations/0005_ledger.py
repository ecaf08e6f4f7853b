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

    dependencies = [
        ('contest', '0004_mail'),
        ('tournaments', '0006_long_seeds'),
    ]

    operations = [
        migrations.AddField(
            model_name='contest',
            name='frozen_number',
            field=models.PositiveBigIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='contest',
            name='last_number',
            field=models.PositiveBigIntegerField(default=0, editable=False),
        ),
        migrations.CreateModel(
            name='Follower',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('number', models.PositiveBigIntegerField(default=0)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='followers', to='contest.contest')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('name', 'contest'), name='one_follower_per_name_and_contest')],
            },
        ),
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('kind', models.CharField(choices=[('stage_published', 'Stage published'), ('stage_unpublished', 'Stage taken back'), ('entrants_set', 'Entrants set'), ('stage_started', 'Stage started'), ('stage_paused', 'Stage paused'), ('stage_resumed', 'Stage resumed'), ('stage_finished', 'Stage finished'), ('stage_reopened', 'Stage reopened'), ('stage_reset', 'Stage reset'), ('stage_shortened', 'Stage shortened'), ('stage_abandoned', 'Stage abandoned'), ('stage_removed', 'Stage removed'), ('matches_drawn', 'Matches drawn'), ('match_result', 'Result'), ('match_voided', 'Match voided'), ('match_restored', 'Match restored'), ('review_applied', 'Review applied'), ('team_disqualified', 'Team disqualified'), ('team_withdrawn', 'Team withdrawn'), ('team_reinstated', 'Team reinstated'), ('round_released', 'Round released'), ('round_taken_back', 'Round taken back'), ('stage_released', 'All results of a stage released'), ('freeze_set', 'Results frozen'), ('freeze_lifted', 'Freeze lifted')], max_length=20)),
                ('audience', models.CharField(choices=[('everyone', 'Everyone, whatever is frozen'), ('results', 'Everyone, unless results are kept from them'), ('organisers', 'Those with a role')], max_length=10)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('round', models.PositiveIntegerField(null=True)),
                ('data', models.JSONField(default=dict)),
                ('by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ledger', to='contest.contest')),
                ('match', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='ledger', to='tournaments.match')),
                ('review', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='ledger', to='tournaments.review')),
                ('stage', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='ledger', to='tournaments.stage')),
                ('team', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='ledger', to='contest.team')),
            ],
            options={
                'verbose_name_plural': 'ledger entries',
                'ordering': ['contest', 'number'],
                'indexes': [models.Index(condition=models.Q(('match__isnull', False)), fields=['match', 'number'], name='ledger_by_match'), models.Index(condition=models.Q(('kind__in', ('stage_published', 'stage_unpublished', 'entrants_set', 'stage_started', 'stage_paused', 'stage_resumed', 'stage_finished', 'stage_reopened', 'stage_reset', 'stage_shortened', 'stage_abandoned', 'stage_removed', 'match_voided', 'match_restored', 'review_applied', 'team_disqualified', 'team_withdrawn', 'team_reinstated', 'round_released', 'round_taken_back', 'stage_released', 'freeze_set', 'freeze_lifted'))), fields=['contest', 'number'], name='ledger_of_few_kinds')],
                'constraints': [models.UniqueConstraint(fields=('contest', 'number'), name='ledger_numbers_are_unique'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='ledger_numbers_start_at_1'), models.CheckConstraint(condition=models.Q(models.Q(models.Q(('kind__in', ('stage_published', 'stage_unpublished', 'stage_started', 'stage_paused', 'stage_resumed', 'stage_finished', 'stage_reopened', 'stage_reset', 'stage_shortened', 'stage_abandoned', 'stage_removed', 'round_released', 'round_taken_back', 'stage_released', 'entrants_set', 'matches_drawn')), _negated=True), ('stage__isnull', False), _connector='OR'), models.Q(models.Q(('kind__in', ('match_result', 'match_voided', 'match_restored')), _negated=True), models.Q(('match__isnull', False), ('stage__isnull', False)), _connector='OR'), models.Q(models.Q(('kind__in', ('team_disqualified', 'team_withdrawn', 'team_reinstated')), _negated=True), ('team__isnull', False), _connector='OR'), models.Q(models.Q(('kind', 'review_applied'), _negated=True), models.Q(('review__isnull', False), ('stage__isnull', False)), _connector='OR')), name='ledger_entries_have_a_subject')],
            },
        ),
        migrations.RunPython(refuse_changes, allow_changes),
    ]
