"""The public pages about contests, and the page to enter one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_http_methods, require_safe

from contest import guesses, languages, markdown, zones
from contest import teams as team_actions
from contest.forms import JoinForm, TeamForm, TeamSearchForm
from contest.models import AnyUser, Contest, Membership, Team
from contest.paging import page_of
from contest.permissions import access, contest_page, me, watch
from contest.refusal import refusals_told
from contest.setup_forms import option_label
from games import kits

ANNOUNCEMENTS_SHOWN = 5


def my_places(user: AnyUser) -> list[tuple[Contest, Team | None, str]]:
    """(contest, team, role in words) for every contest where the user has a team or a role, newest first."""
    if not user.is_authenticated:
        return []
    roles = {role.contest_id: role.role.capitalize() for role in user.roles.all()}
    mine = Membership.objects.filter(user=user).select_related("team")
    teams_by_contest = {membership.contest_id: membership.team for membership in mine}
    places = []
    for contest in Contest.objects.mine(user):
        team = teams_by_contest.get(contest.pk)
        if team:
            team.contest = contest
        places.append((contest, team, roles.get(contest.pk, "")))
    return places


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """What browsers ask for by themselves where no page names an icon, such as beside a download."""
    return redirect(static("icons/kibitz.svg"), permanent=True)


@require_safe
@contest_page
def contest(request: HttpRequest, contest: Contest) -> HttpResponse:
    """The contest's page, or its live part for polling: 204 if nothing has changed since `?rev=`."""
    live = request.headers.get("HX-Request") == "true"
    revision = access(request, contest).revision
    if live and request.GET.get("rev") == revision:
        return HttpResponse(status=204)
    announcements = list(contest.announcements.select_related("posted_by"))
    context = {
        "contest": contest,
        "revision": revision,
        "announcements": announcements[:ANNOUNCEMENTS_SHOWN],
        "older": announcements[ANNOUNCEMENTS_SHOWN:],
        "team_count": contest.teams.competing().count(),
    }
    return render(request, "contest/_live.html" if live else "contest/contest.html", context)


@require_safe
@guesses.code_page("spectators")
def spectate(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """The link for spectators, which gives its holder the public view of a contest."""
    contest = get_object_or_404(Contest, slug=slug)
    if not watch(request, contest, code):
        raise Http404("no contest of that name, or the link has expired")
    return redirect(contest)


@require_safe
@contest_page
def rules(request: HttpRequest, contest: Contest) -> HttpResponse:
    options = [(option_label(contest.game, name), value) for name, value in contest.full_options().items()]
    context = {
        "contest": contest,
        "game": contest.game,
        "options": options,
        "text": markdown.document(contest.rules_text()),
        "languages": languages.known(contest.languages),
        **kits_of(contest),
    }
    return render(request, "contest/rules.html", context)


def kits_of(contest: Contest) -> dict[str, Any]:
    """The kits for the contest's languages, and the languages without a kit."""
    names = kits.kit_names(contest.game)
    offered = [name for name in names if name in contest.languages]
    return {
        "kits": [(name, kits.kit_title(name)) for name in offered]
        + [
            (name, f"{title}, to connect from your own machine")
            for name, title in kits.remote_kits(contest.game).items()
        ],
        "full_kit": kits.ALL if names else "",
        "more_kits": len(names) - 1 > len(offered),
        "without_kit": [it.name for it in languages.known(contest.languages) if it.slug not in names],
    }


@require_safe
@contest_page
def kit(request: HttpRequest, contest: Contest, name: str) -> HttpResponse:
    return kit_file(contest, name)


def kit_file(contest: Contest, name: str) -> HttpResponse:
    """A starter kit as a ZIP file. Raises Http404."""
    if name not in (*kits.kit_names(contest.game), *kits.remote_kits(contest.game)):
        raise Http404(f"{contest.game.title} has no kit called {name}")
    response = HttpResponse(kits.kit_zip(contest.game, name), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{contest.game.slug}-{name}.zip"'
    return response


@cache
def documents() -> dict[str, Path]:
    """The files of docs/ by their paths there. Links between them lead from page to page."""
    folder = settings.BASE_DIR / "docs"
    return {str(path.relative_to(folder)): path for path in folder.rglob("*.*") if path.suffix != ".png"}


@require_safe
def help_page(request: HttpRequest, name: str = "README.md") -> HttpResponse:
    """A document of the repository's docs/, or a file that one of them refers to."""
    if name not in documents():
        raise Http404(f"there is no document {name}")
    text = documents()[name].read_text(encoding="utf-8")
    if not name.endswith(".md"):
        return HttpResponse(text, content_type="text/plain; charset=utf-8")
    title, _, text = text.removeprefix("# ").partition("\n")
    return render(request, "contest/help.html", {"title": title, "text": markdown.document(text, 0), "name": name})


@require_safe
def kibitz(request: HttpRequest) -> HttpResponse:
    """The command for contestants, as it is in every kit."""
    response = HttpResponse(kits.kibitz_pyz(), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="kibitz.pyz"'
    return response


@require_safe
@contest_page
def teams(request: HttpRequest, contest: Contest) -> HttpResponse:
    form = TeamSearchForm(request.GET)
    text = form.cleaned_data["q"] if form.is_valid() else ""
    everybody = contest.teams.listed()
    found = everybody.called(text).with_member_count().in_seed_order()
    page = page_of(request, found)
    for team in page:
        team.contest = contest
    context = {
        "contest": contest,
        "page": page,
        "text": text,
        "total": everybody.count(),
        "seeded": everybody.filter(seed__isnull=False).exists(),
        "from_schools": any(team.school for team in page),
    }
    return render(request, "contest/teams.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Enter a new team, or join one by its code.

    A team's code is an invitation: with it, strangers can open this page of a private contest, and no other.
    """
    contest = get_object_or_404(Contest, slug=slug)
    code = request.POST.get("code") or request.GET.get("code") or ""
    attempt = guesses.at_code(request, "team") if code else guesses.Attempt()
    if attempt is None:
        return guesses.too_many(request)
    inviting = contest.teams.with_code(code).first()
    if inviting is not None:
        attempt.was_right()
    invited = inviting is not None and (request.method != "POST" or "join" in request.POST)
    if not (invited or access(request, contest).may_enter):
        raise Http404("no contest of that name")
    zones.use(contest.time_zone)
    if request.method == "POST":
        return _enter(request, contest)
    if access(request, contest).team:
        return redirect("team-edit", contest.slug)
    forms = {"team_form": TeamForm(), "join_form": JoinForm(initial={"code": code})}
    return render(request, "contest/enter.html", {"contest": contest, "inviting": inviting, "code": code, **forms})


@login_required
def _enter(request: HttpRequest, contest: Contest) -> HttpResponse:
    joining = "join" in request.POST
    team_form = TeamForm(None if joining else request.POST)
    join_form = JoinForm(request.POST if joining else None)
    form = join_form if joining else team_form
    if form.is_valid():
        with refusals_told(form):
            if joining:
                team = team_actions.join(contest, me(request), form.cleaned_data["code"])
                messages.success(request, f"You are now a member of “{team}”.")
            else:
                team = team_actions.create(contest, me(request), **form.cleaned_data)
                waiting = " An organiser still has to approve it." if team.state == Team.State.PENDING else ""
                messages.success(request, f"“{team}” has entered {contest}.{waiting}")
            return redirect("contest", contest.slug)
    context = {"contest": contest, "team_form": team_form, "join_form": join_form}
    return render(request, "contest/enter.html", context, status=422)
