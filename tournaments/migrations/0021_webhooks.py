"""Webhooks. Their reaction to the ledger begins now, because there is nothing to tell of the past."""

import django.db.models.deletion
import django.utils.timezone
import tournaments.models.webhooks
from django.conf import settings
from django.db import migrations, models


def start_here(apps, schema_editor):
    Contest, Follower = apps.get_model("contest", "Contest"), apps.get_model("contest", "Follower")
    contests = Contest.objects.values_list("pk", "last_number")
    Follower.objects.bulk_create(Follower(name="webhooks", contest_id=pk, number=number) for pk, number in contests)


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0010_practice'),
        ('tournaments', '0020_practice'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500)),
                ('kinds', models.JSONField(blank=True, default=list)),
                ('secret', models.CharField(default=tournaments.models.webhooks.new_secret, editable=False, max_length=80)),
                ('old_secret', models.CharField(blank=True, editable=False, max_length=80)),
                ('old_secret_until', models.DateTimeField(blank=True, null=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('number', models.PositiveBigIntegerField(default=0)),
                ('hiding', models.CharField(blank=True, max_length=64)),
                ('resume', models.PositiveBigIntegerField(default=0)),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('retry_at', models.DateTimeField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('failing_since', models.DateTimeField(blank=True, null=True)),
                ('switched_off_at', models.DateTimeField(blank=True, null=True)),
                ('switched_off_why', models.CharField(blank=True, choices=[('person', 'somebody switched it off'), ('failing', 'it failed for a day'), ('gone', 'the receiver answered 410 Gone'), ('reader', 'the person it reads as lost access')], max_length=8)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='contest.contest')),
                ('reads_as', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='contest.team')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message', models.CharField(max_length=64)),
                ('kind', models.CharField(max_length=20)),
                ('entry', models.CharField(blank=True, max_length=100)),
                ('number', models.PositiveBigIntegerField(blank=True, null=True)),
                ('payload', models.TextField()),
                ('is_test', models.BooleanField(default=False)),
                ('is_again', models.BooleanField(default=False)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('delivered', 'Delivered'), ('failed', 'Failed'), ('skipped', 'Skipped')], default='waiting', max_length=9)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('tried_at', models.DateTimeField(blank=True, null=True)),
                ('sent_to', models.CharField(blank=True, max_length=500)),
                ('status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('duration_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('answer', models.TextField(blank=True)),
                ('delivered_at', models.DateTimeField(blank=True, null=True)),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='tournaments.webhook')),
            ],
            options={
                'verbose_name_plural': 'deliveries',
                'ordering': ['-id'],
            },
        ),
        migrations.AddIndex(
            model_name='webhook',
            index=models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='webhooks_to_send'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['webhook', 'id'], name='deliveries_waiting'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(fields=['webhook', 'message'], name='deliveries_by_message'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(fields=['made_at'], name='deliveries_by_age'),
        ),
        migrations.RunPython(start_here, migrations.RunPython.noop),
    ]
