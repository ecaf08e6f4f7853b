from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created
from django.utils.module_loading import import_string

from contest import changes, statements


class ContestConfig(AppConfig):
    name = "contest"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        connection_created.connect(statements.measure, dispatch_uid="contest.statements")
        connection_created.connect(changes.follow, dispatch_uid="contest.changes")
        if settings.REPORTING:
            import_string(settings.REPORTING)()
