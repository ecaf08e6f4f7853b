from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0016_proofs'),
    ]

    operations = [
        migrations.AddField(
            model_name='contest',
            name='places_versions',
            field=models.BooleanField(default=True),
        ),
    ]
