"""The tables of the portal in Django's admin: superusers read them there, and nobody changes anything."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.apps import apps
from django.contrib import admin
from django.db.models import BinaryField, BooleanField, JSONField, TextField
from django.http import HttpRequest

SECRET = {"code", "digest", "key", "old_secret", "password", "secret", "session_key", "spectator_code", "token"}
"""Fields with these names let somebody in, or let somebody forge messages."""

SECRET |= {"event", "how", "made_from", "past", "record", "seed"}  # would tell the cards of a game in progress
SECRET |= {"body", "sent_to", "url", "contest.AnsweredRequest.data", "mfa.Authenticator.data", "tournaments.Note.text"}
LEFT_OUT = {"account.EmailConfirmation", "sessions.Session"}  # their rows are named by a secret


class Site(admin.AdminSite):
    site_header, site_title, index_title = "Kibitz tables", "Kibitz", "Tables"

    def has_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_superuser


class ReadOnly(admin.ModelAdmin):
    show_full_result_count = False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    has_add_permission = has_delete_permission = has_change_permission


site = Site()
site.login = secure_admin_login(site.login)  # type: ignore[method-assign]  # the log-in page that all people use
for model in apps.get_models():
    fields = [it for it in model._meta.concrete_fields if not isinstance(it, BinaryField)]
    told = [it for it in fields if not {it.name, f"{model._meta.label}.{it.name}"} & SECRET]
    if model._meta.label not in LEFT_OUT:
        site.register(
            model,
            ReadOnly,
            fields=[it.name for it in told],
            list_display=["__str__", *(it.name for it in told if not isinstance(it, JSONField | TextField))],
            list_select_related=[it.name for it in told if it.is_relation],
            list_filter=[it.name for it in told if it.choices or isinstance(it, BooleanField)],
            search_fields=[it.name for it in told if it.name in ("username", "email", "name", "subject", "title")],
        )
