from django.apps import AppConfig

from contest import checks  # noqa: F401  # checks register themselves


class ContestConfig(AppConfig):
    name = "contest"
    default_auto_field = "django.db.models.BigAutoField"
