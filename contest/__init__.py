"""The portal's base: the Django project, and contests, teams, accounts and announcements."""

from contest.celery import app as celery_app

__all__ = ["celery_app"]
