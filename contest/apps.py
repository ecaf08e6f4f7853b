from django.apps import AppConfig
from django.db.backends.signals import connection_created

from contest import changes, checks  # noqa: F401  # checks register themselves


class ContestConfig(AppConfig):
    name = "contest"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        connection_created.connect(changes.follow, dispatch_uid="contest.changes")
