"""The Django admin, for repairs by staff. Organisers use the desk, and only the desk writes to the audit log."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.forms import ModelForm
from django.http import HttpRequest

from contest.models import Act, Alarm, Announcement, Contest, Membership, Proof, Question, Role, Team, User

admin.site.site_header = "Kibitz administration"
admin.site.site_title = "Kibitz"
admin.site.index_title = "Tables"
# One log-in page for everybody, with its limits and the second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

admin.site.register(User, UserAdmin)


class ReadOnly(admin.ModelAdmin):
    """Can be viewed and searched, but not changed."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class RoleInline(admin.TabularInline):
    model = Role
    autocomplete_fields = ("user",)
    extra = 0


class MembershipInline(admin.TabularInline):
    model = Membership
    autocomplete_fields = ("user",)
    exclude = ("contest",)
    extra = 0


@admin.register(Contest)
class ContestAdmin(admin.ModelAdmin):
    """Contests are created, and their games changed, on the portal's pages, which check stages, bots and programs.

    A freeze is a fact of the ledger, which the desk writes.
    """

    list_display = ("name", "game_slug", "preset", "visibility", "opens_at", "upload_deadline", "ended_at")
    list_filter = ("game_slug", "visibility")
    search_fields = ("name", "slug")
    readonly_fields = ("game_slug", "preset", "options", "live", "frozen_from", "revision", "created_at")
    exclude = ("spectator_code",)  # a secret, shown on the desk
    inlines = (RoleInline,)

    def save_model(self, request: HttpRequest, obj: Contest, form: ModelForm, change: bool) -> None:
        """Write nothing else, because the numbers of the ledger may have moved on in the meantime."""
        obj.save(update_fields=form.changed_data)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Not while it has teams, whose work it holds; see contest.contests.delete."""
        allowed = super().has_delete_permission(request, obj)
        return allowed and not (isinstance(obj, Contest) and obj.teams.exists())


@admin.register(Team)
class TeamAdmin(admin.ModelAdmin):
    """Departures and returns are facts of the ledger, which the desk writes."""

    list_display = ("name", "contest", "school", "state", "seed")
    list_filter = ("state", "contest")
    list_select_related = ("contest",)
    search_fields = ("name", "school", "code")
    autocomplete_fields = ("contest",)
    readonly_fields = ("code", "state", "state_reason", "created_at")
    inlines = (MembershipInline,)

    def get_readonly_fields(self, request: HttpRequest, obj: Team | None = None) -> tuple[str, ...]:
        """An existing team stays in its contest."""
        return self.readonly_fields if obj is None else (*self.readonly_fields, "contest")

    def save_formset(self, request: HttpRequest, form: object, formset: object, change: bool) -> None:
        """Take each membership's contest from its team."""
        for membership in formset.save(commit=False):  # type: ignore[attr-defined]
            membership.contest_id = membership.team.contest_id
        super().save_formset(request, form, formset, change)


@admin.register(Role)
class RoleAdmin(admin.ModelAdmin):
    list_display = ("user", "contest", "role")
    list_filter = ("role", "contest")
    list_select_related = ("user", "contest")
    search_fields = ("user__username", "user__email", "contest__name")
    autocomplete_fields = ("user", "contest")


@admin.register(Membership)
class MembershipAdmin(ReadOnly):
    list_display = ("user", "team", "contest", "is_captain", "joined_at")
    list_filter = ("contest",)
    list_select_related = ("user", "team", "contest")
    search_fields = ("user__username", "user__email", "team__name")


@admin.register(Announcement)
class AnnouncementAdmin(admin.ModelAdmin):
    list_display = ("title", "contest", "posted_at", "posted_by")
    list_filter = ("contest",)
    list_select_related = ("contest", "posted_by")
    search_fields = ("title", "text")
    autocomplete_fields = ("contest", "posted_by")


@admin.register(Question)
class QuestionAdmin(ReadOnly):
    """Answered on the desk, which records who answered."""

    list_display = ("subject", "contest", "team", "asked_at", "answered_at", "answered_by", "to_all")
    list_filter = ("to_all", "contest")
    list_select_related = ("contest", "team", "answered_by")
    search_fields = ("subject", "text", "answer", "team__name")


@admin.register(Proof)
class ProofAdmin(ReadOnly):
    list_display = ("game_slug", "language", "host", "problem", "toolchain", "level", "proved_at")
    list_filter = ("game_slug", "language", "host")
    search_fields = ("game_slug", "language", "host", "problem")


@admin.register(Alarm)
class AlarmAdmin(ReadOnly):
    """Silenced on the operators' page."""

    list_display = ("key", "message", "raised_at", "over_at", "silent_until", "silenced_by")
    search_fields = ("key", "message")


@admin.register(Act)
class ActAdmin(ReadOnly):
    list_display = ("at", "contest", "user", "verb", "target", "reason")
    list_filter = ("verb", "contest")
    list_select_related = ("contest", "user")
    search_fields = ("target", "reason", "user__username")
    date_hierarchy = "at"
