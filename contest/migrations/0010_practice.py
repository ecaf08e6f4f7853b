"""Practice. In contests that already exist, nobody entered knowing that others might practise against their bot."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models

CHOICES = [
    ("open", "Against the house, own versions and other teams"),
    ("own", "Against the house and own versions"),
    ("closed", "Nobody practises"),
]


class Migration(migrations.Migration):
    dependencies = [("contest", "0009_api_tokens")]

    operations = [
        migrations.AddField(
            "contest", "practice", models.CharField(choices=CHOICES, default="own", max_length=6)
        ),
        migrations.AlterField(
            "contest", "practice", models.CharField(choices=CHOICES, default="open", max_length=6)
        ),
        migrations.AddField(
            "contest",
            "practice_per_hour",
            models.PositiveIntegerField(
                default=400, validators=[MinValueValidator(1), MaxValueValidator(10_000)]
            ),
        ),
        migrations.AddField("team", "accepts_practice", models.BooleanField(default=True)),
    ]
