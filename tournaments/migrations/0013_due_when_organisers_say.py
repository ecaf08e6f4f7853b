import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0012_moments_of_answers'),
    ]

    operations = [
        migrations.AlterField(
            model_name='match',
            name='due_at',
            field=models.DateTimeField(default=django.utils.timezone.now, null=True),
        ),
    ]
