"""The tables of the portal in Django's admin: superusers read them there, and nobody changes anything."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.apps import apps
from django.contrib import admin
from django.db.models import BinaryField, BooleanField, JSONField, Model, TextField
from django.http import HttpRequest

SECRET = {"code", "digest", "key", "old_secret", "password", "secret", "session_key", "spectator_code", "token"}
"""Fields with these names let somebody in, or let somebody forge messages."""

SECRET |= {"event", "how", "made_from", "past", "record", "seed"}  # would tell the cards of a game in progress
SECRET |= {"body", "sent_to", "url", "contest.AnsweredRequest.data", "mfa.Authenticator.data", "tournaments.Note.text"}
LEFT_OUT = {"account.EmailConfirmation", "sessions.Session"}  # their rows are named by a secret


class Site(admin.AdminSite):
    site_header, site_title, index_title = "Kibitz tables", "Kibitz", "Tables"

    def has_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_superuser  # type: ignore[union-attr]


class ReadOnly(admin.ModelAdmin):
    show_full_result_count = False

    def __init__(self, model: type[Model], site: admin.AdminSite) -> None:
        fields = [it for it in model._meta.concrete_fields if not isinstance(it, BinaryField)]
        told = [it for it in fields if not {it.name, f"{model._meta.label}.{it.name}"} & SECRET]
        self.fields = [it.name for it in told]
        self.list_display = ["__str__", *(it.name for it in told if not isinstance(it, JSONField | TextField))]
        self.list_select_related = [it.name for it in told if it.is_relation]
        self.list_filter = [it.name for it in told if it.choices or isinstance(it, BooleanField)]
        self.search_fields = [it.name for it in told if it.name in ("username", "email", "name", "subject", "title")]
        super().__init__(model, site)

    def _never(self, request: HttpRequest, *_: Any) -> bool:
        return False

    has_add_permission = has_change_permission = has_delete_permission = _never


site = Site()
site.login = secure_admin_login(site.login)  # type: ignore[method-assign]  # the log-in page that all people use
site.register([it for it in apps.get_models() if it._meta.label not in LEFT_OUT], ReadOnly)
