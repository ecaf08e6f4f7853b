"""The organisers' desk: teams, lists of them to import, seed numbers, announcements, the audit log."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest import contests, export, roster, spreadsheets
from contest import teams as team_actions
from contest.forms import (
    AnnouncementForm,
    AuditLogForm,
    DeskTeamSearchForm,
    OptionalReasonForm,
    RosterForm,
    SeedsForm,
    SeedsPasteForm,
    TeamForm,
)
from contest.models import Announcement, Contest, Team
from contest.paging import page_of
from contest.permissions import desk_page, me, organiser_page
from contest.refusal import refusals_told
from contest.setup_forms import LaterUploadsForm
from contest.team_views import edited
from contest.words import numbers_in

# Teams ----------------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_teams(request: HttpRequest, contest: Contest) -> HttpResponse:
    """All teams, whatever their state. The waiting ones can be approved or refused many at once; one can be added."""
    if request.method == "POST" and "do" in request.POST:
        return _decide_many(request, contest)
    new = TeamForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and new.is_valid():
        with refusals_told(new, "name"):
            team = team_actions.add(contest, me(request), **new.cleaned_data)
            messages.success(request, f"“{team}” has entered. Give its members this code: {team.code}.")
            return redirect("desk-team", contest.slug, team.pk)
    form = DeskTeamSearchForm(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {"q": "", "state": ""}
    teams = contest.teams.called(chosen["q"]).with_member_count().in_seed_order()
    if chosen["state"]:
        teams = teams.filter(state=chosen["state"])
    page = page_of(request, teams)
    waiting = contest.teams.filter(state=Team.State.PENDING).count()
    context = {"contest": contest, "form": form, "new": new, "page": page, "chosen": chosen, "waiting": waiting}
    return render(request, "contest/desk_teams.html", context, status=422 if new.errors else 200)


def _decide_many(request: HttpRequest, contest: Contest) -> HttpResponse:
    approved = request.POST.get("do") == "approve"
    count = team_actions.decide_many(contest, me(request), numbers_in(request.POST.getlist("team")), approved=approved)
    if count:
        word = "approved" if approved else "refused"
        messages.success(request, f"{count} team{'s' if count > 1 else ''} {word}.")
    else:
        messages.error(request, "None of the selected teams is waiting for approval.")
    return redirect("desk-teams", contest.slug)


@require_safe
@desk_page
def desk_teams_csv(request: HttpRequest, contest: Contest) -> HttpResponseBase:
    """All teams with their members, as CSV."""
    return spreadsheets.download(f"{contest.slug}-teams.csv", export.team_rows(contest))


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_team(request: HttpRequest, contest: Contest, team_id: int) -> HttpResponse:
    """One team: its members with addresses, its name, its history and the actions on it."""
    team = get_object_or_404(contest.teams, pk=team_id)
    team.contest = contest
    form = edited(request, team)
    if form.is_bound and not form.errors:
        return redirect("desk-team", contest.slug, team.pk)
    return _team_page(request, contest, team, form=form)


def _team_page(request: HttpRequest, contest: Contest, team: Team, **forms: object) -> HttpResponse:
    failed = any(getattr(form, "errors", None) for form in forms.values())
    acts = contest.acts.filter(Q(data__team=team.pk) | Q(data__teams__isnull=False))  # an import names all of its teams
    context = {
        "contest": contest,
        "team": team,
        "form": TeamForm(initial={"name": team.name, "school": team.school}),
        "optional_reason_form": OptionalReasonForm(),
        "uploads_form": _uploads_form(team),
        "members": team.memberships.select_related("user"),
        "acts": [act for act in acts.select_related("user") if team.pk in act.data.get("teams", [team.pk])][:30],
        **forms,
    }
    return render(request, "contest/desk_team.html", context, status=422 if failed else 200)


def _uploads_form(team: Team, typed: QueryDict | None = None) -> LaterUploadsForm:
    return LaterUploadsForm(typed, initial={"until": team.upload_deadline, "reason": team.uploads_until_reason})


@require_POST
@organiser_page
def desk_team_act(request: HttpRequest, contest: Contest, team_id: int, act: str) -> HttpResponse:
    """Approve or refuse, or replace the joining code. Other actions on a team that takes part concern its matches
    (tournaments/desk/impacts.py)."""
    team = get_object_or_404(contest.teams, pk=team_id)
    team.contest = contest
    form = OptionalReasonForm(request.POST)
    if not form.is_valid():
        return _team_page(request, contest, team, optional_reason_form=form)
    with refusals_told(request):
        if act == "code":
            code = team_actions.change_code(team, me(request))
            messages.success(request, f"The new code is {code}. The old one no longer works.")
        elif act == "approve":
            team_actions.approve(team, me(request))
            messages.success(request, f"“{team}”: {team.get_state_display().lower()}.")
        else:
            team_actions.refuse(team, me(request), form.cleaned_data["reason"])
            messages.success(request, f"“{team}”: {team.get_state_display().lower()}.")
    return redirect("desk-team", contest.slug, team.pk)


@require_POST
@organiser_page
def desk_team_uploads(request: HttpRequest, contest: Contest, team_id: int) -> HttpResponse:
    """A later upload deadline for this team."""
    team = get_object_or_404(contest.teams, pk=team_id)
    team.contest = contest
    form = _uploads_form(team, request.POST)
    if form.is_valid():
        with refusals_told(form, "until"):
            team_actions.extend_uploads(team, me(request), form.cleaned_data["until"], form.cleaned_data["reason"])
            messages.success(request, "Saved.")
            return redirect("desk-team", contest.slug, team.pk)
    return _team_page(request, contest, team, uploads_form=form)


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_seeds(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Seed numbers of all competing teams, typed into a table or pasted from a spreadsheet."""
    teams = list(contest.teams.competing().in_seed_order())
    pasting = "paste" in request.POST
    typed = request.POST if request.method == "POST" else None
    table = SeedsForm(teams, None if pasting else typed)
    paste = SeedsPasteForm(contest, typed if pasting else None)
    form = paste if pasting else table
    if typed is not None and form.is_valid():
        with refusals_told(form):
            seeds = paste.cleaned_data["paste"] if pasting else table.seeds()
            changed = team_actions.set_seeds(contest, me(request), seeds)
            messages.success(request, f"Seed numbers changed: {changed}." if changed else "Nothing changed.")
            return redirect("desk-seeds", contest.slug)
    context = {"contest": contest, "table": table, "paste": paste, "count": len(teams)}
    return render(request, "contest/desk_seeds.html", context, status=422 if form.errors else 200)


# Announcements --------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_announcements(request: HttpRequest, contest: Contest) -> HttpResponse:
    form = AnnouncementForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        contests.announce(contest, me(request), **form.cleaned_data)
        messages.success(request, "Announced.")
        return redirect("desk-announcements", contest.slug)
    page = page_of(request, contest.announcements.select_related("posted_by"))
    context = {"contest": contest, "form": form, "page": page}
    return render(request, "contest/desk_announcements.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def desk_announcement(request: HttpRequest, contest: Contest, announcement_id: int) -> HttpResponse:
    """Edit or withdraw an announcement."""
    announcement = get_object_or_404(Announcement, pk=announcement_id, contest=contest)
    if "withdraw" in request.POST:
        contests.withdraw_announcement(announcement, me(request))
        messages.success(request, f"You withdrew “{announcement}”.")
        return redirect("desk-announcements", contest.slug)
    typed = request.POST if request.method == "POST" else None
    form = AnnouncementForm(typed, initial={"title": announcement.title, "text": announcement.text})
    if typed is not None and form.is_valid():
        contests.change_announcement(announcement, me(request), **form.cleaned_data)
        messages.success(request, "Saved.")
        return redirect("desk-announcements", contest.slug)
    context = {"contest": contest, "form": form, "announcement": announcement}
    return render(request, "contest/desk_announcement.html", context, status=422 if form.errors else 200)


# The audit log --------------------------------------------------------------------------------------------------------


@require_safe
@desk_page
def desk_audit_log(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Who did what, when and why, filtered by person, action or text."""
    form = AuditLogForm(contest, request.GET)
    page = page_of(request, form.chosen(contest.acts.select_related("user")))
    return render(request, "contest/desk_audit_log.html", {"contest": contest, "form": form, "page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def desk_teams_import(request: HttpRequest, contest: Contest) -> HttpResponse:
    """The list is sent twice: first to be checked, then (`enter`) to be imported if it has no problems."""
    form = RosterForm(request.POST, request.FILES) if request.method == "POST" else RosterForm()
    entries = roster.Roster()
    if request.method == "POST" and form.is_valid():
        with refusals_told(form):
            entries = roster.read(contest, form.cleaned_data["text"])
            if "enter" in request.POST and not any(entry.problems for entry in entries):
                teams = roster.enter(contest, me(request), entries)
                count = "1 team has" if len(teams) == 1 else f"{len(teams)} teams have"
                messages.success(request, f"{count} entered. Print the joining codes and hand them out.")
                return redirect("desk-teams", contest.slug)
    wrong = sum(1 for entry in entries if entry.problems)
    text = form.cleaned_data.get("text", "") if form.is_bound else ""
    if entries:  # the content of a file moves into the field, to be corrected and sent again
        form = RosterForm(initial={"text": text}) if not form.errors else form
    context = {"contest": contest, "form": form, "entries": entries, "wrong": wrong, "text": text}
    context["doubtful"] = sum(1 for entry in entries if entry.doubts)
    status = 422 if form.errors or wrong else 200
    return render(request, "contest/desk_teams_import.html", context, status=status)


@never_cache
@require_safe
@organiser_page
def desk_teams_codes(request: HttpRequest, contest: Contest) -> HttpResponse:
    """The joining codes as a sheet to print and cut: of the teams that nobody has joined yet, or (`?all=1`) of all."""
    rows, shows_all = list(roster.joining(contest)), "all" in request.GET
    entering = request.build_absolute_uri(reverse("enter", args=[contest.slug]))
    slips = [row for row in rows if shows_all or not row["members"]]
    context = {"contest": contest, "slips": slips, "shows_all": shows_all, "total": len(rows), "entering": entering}
    return render(request, "contest/desk_codes.html", context)


@require_safe
@organiser_page
def desk_codes_csv(request: HttpRequest, contest: Contest) -> HttpResponseBase:
    """The joining codes of all teams that are still in the contest, as CSV."""
    entering = request.build_absolute_uri(reverse("enter", args=[contest.slug]))
    rows = [
        [it["team"], it["school"], it["members"], it["code"], f"{entering}?code={it['code']}"]
        for it in roster.joining(contest)
    ]
    heads = ["team", "school", "members", "joining code", "link"]
    return spreadsheets.download(f"{contest.slug}-codes.csv", [heads, *rows])
