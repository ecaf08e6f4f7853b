"""Pages about bots: a team's own page, the pages of a version, the organisers' list of versions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any
from urllib.parse import quote

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from contest.body_limits import takes_uploads
from contest.forms import OptionalReasonForm
from contest.models import Contest, Team
from contest.paging import page_of
from contest.permissions import access, desk_page, get_contest, member_page
from contest.refusal import Refused, refusals_told
from contest.words import number_in
from games.kits import zipped
from submissions import advice, check, intake, languages, lifecycle, listing, turns, upload_request
from submissions.forms import UploadForm
from submissions.models import Submission, revision_of
from submissions.sources import languages_of
from submissions.tree import changes, tree_of
from submissions.version_view import check_rows, timeline

NEWEST = 5
"""The versions on a team's page; a link leads to all."""

# The team's page ------------------------------------------------------------------------------------------------------


@takes_uploads
@csrf_exempt  # only until the upload handler is in place: `_my_team` is protected
@require_http_methods(["GET", "HEAD", "POST"])
@member_page
def my_team(request: HttpRequest, contest: Contest, team: Team) -> HttpResponseBase:
    if not upload_request.read(request):
        sentence = "The pasted text is far too large, and nothing was stored. Go back and upload a file instead."
        messages.error(request, sentence)
        return redirect("my-team", contest.slug)
    return _my_team(request, contest, team)


@csrf_protect
def _my_team(request: HttpRequest, contest: Contest, team: Team) -> HttpResponse:
    if request.method == "POST":
        form = upload_request.bound_form(request, contest)
        if "look" in request.POST:
            return upload_request.look(request, form, team)
        return _upload(request, contest, team, form)
    versions = _versions(team)
    rev = revision_of(versions)
    if request.GET.get("rev"):
        if request.GET["rev"] == rev:
            return HttpResponse(status=204)
        context = {"polled": True, **_team_context(request, contest, team, versions, rev)}
        return render(request, "submissions/_my_versions.html", context)
    context = {"form": UploadForm(contest), **_team_context(request, contest, team, versions, rev)}
    return render(request, "submissions/my_team.html", context)


def _upload(request: HttpRequest, contest: Contest, team: Team, form: UploadForm) -> HttpResponse:
    if upload_request.accept(request, form, team):
        return redirect("my-team", contest.slug)
    versions = _versions(team)
    context = {"form": form, **_team_context(request, contest, team, versions, revision_of(versions))}
    return render(request, "submissions/my_team.html", context, status=422 if form.errors else 200)


def _versions(team: Team) -> list[Submission]:
    """A team's versions, newest first, without their long columns."""
    versions = list(team.submissions.without_source().with_games_played().select_related("uploaded_by"))
    for version in versions:
        version.team = team
    turns.mark(versions)
    return versions


def _team_context(
    request: HttpRequest, contest: Contest, team: Team, versions: list[Submission], rev: str
) -> dict[str, Any]:
    now, shows_all = timezone.now(), "all" in request.GET
    return {
        "contest": contest,
        "team": team,
        "versions": versions,
        "shown": versions if shows_all else versions[:NEWEST],
        "shows_all": shows_all,
        "rev": rev,
        "live": any(version.in_progress for version in versions),
        "active": next((version for version in versions if version.is_active), None),
        "advice": advice.for_team(team, versions, now),
        "closed": intake.closed(team, now),
        "next_upload_at": intake.next_upload_at(team, now),
        "languages": languages_of(contest),
        "may_change": not intake.closed(team, now),
        "base": reverse("my-team", args=[contest.slug]),
        "upload_to": reverse("my-team", args=[contest.slug]),
    }


# One version ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VersionPage:
    """A version, and how its reader reached it."""

    contest: Contest
    submission: Submission
    base: str  # the address of the version's page, the prefix of its other addresses
    is_own: bool
    organises: bool

    def url_of(self, other: Submission | None) -> str:
        """The address of another version of the team, for the same reader."""
        return self.base.removesuffix(f"{self.submission.number}/") + f"{other.number}/" if other else ""

    def withdraw_url(self) -> str:
        args = [self.contest.slug] if self.is_own else [self.contest.slug, self.submission.team_id]
        return reverse("bot-withdraw", args=args)

    def context(self, **more: Any) -> dict[str, Any]:
        """The context of every page of a version."""
        version = self.submission
        return {
            "contest": self.contest,
            "version": version,
            "team": version.team,
            "base": self.base,
            "is_own": self.is_own,
            "organises": self.organises,
            "language": languages.LANGUAGES.get(version.language),
            "may_change": self.organises or (self.is_own and not intake.closed(version.team, timezone.now())),
            **more,
        }


def version_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view for members of the version's team and people with a role. Everyone else gets a 404."""

    @wraps(view)
    def page(request: HttpRequest, slug: str, number: int, team: int | None = None, **kwargs: Any) -> HttpResponse:
        contest = get_contest(request, slug)
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        mine = access(request, contest).team
        if team is not None:
            pk = team
        elif mine is not None:
            pk = mine.pk
        else:
            messages.info(request, "You are not in a team of this contest yet.")
            return redirect("enter", contest.slug)
        seen = Submission.objects.visible_to(request.user).filter(team__contest=contest)
        seen = seen.with_games_played().select_related("team", "uploaded_by")
        submission = get_object_or_404(seen, team=pk, number=number)
        submission.team.contest = contest
        args = [slug, number] if team is None else [slug, team, number]
        place = VersionPage(
            contest,
            submission,
            reverse("version", args=args),
            is_own=mine is not None and mine.pk == pk,
            organises=access(request, contest).organises,
        )
        return view(request, place, **kwargs)

    return page


@require_GET
@version_page
def version(request: HttpRequest, place: VersionPage) -> HttpResponse:
    submission = place.submission
    games = list(submission.check_games.defer("record", "stderr"))
    turns.mark([submission])
    rev = revision_of([submission], len(games))
    if request.GET.get("rev") == rev:
        return HttpResponse(status=204)
    others = submission.team.submissions.without_source()
    previous = others.filter(number__lt=submission.number).first()
    following = others.filter(number__gt=submission.number).last()
    rows = check_rows(games, place.base, place.contest.game)
    is_rejected = submission.state == Submission.State.REJECTED
    context = place.context(
        rev=rev,
        rows=rows,
        failed=next((row for row in rows if is_rejected and not row.game.passed), None),
        steps=timeline(submission, len(games), check.planned(place.contest.game)),
        withdraw_url=place.withdraw_url(),
        advice=advice.for_version(submission, timezone.now()),
        previous=previous,
        previous_url=place.url_of(previous),
        following=following,
        following_url=place.url_of(following),
    )
    template = "submissions/_version.html" if request.GET.get("rev") else "submissions/version.html"
    return render(request, template, context)


@require_GET
@version_page
def source(request: HttpRequest, place: VersionPage) -> HttpResponse:
    """The source with line numbers; of several files, the one that `?file=` names, beside their tree."""
    submission = place.submission
    path = request.GET.get("file") or submission.filename
    data = _file(submission, path)
    text = listing.text_of(data) if submission.is_folder else data.decode("utf-8", "replace").removeprefix("\ufeff")
    context = place.context(
        here="Source",
        path=path,
        size=len(data),
        code=None if text is None else listing.coloured(text, path),
        tree=tree_of(((it["path"], it["size"]) for it in submission.files), submission.filename),
    )
    return render(request, "submissions/source.html", context)


def _file(submission: Submission, path: str) -> bytes:
    """One of a version's files. Raises Http404."""
    if path == submission.filename:
        return submission.source_bytes()
    found = submission.all_files().get(path)
    if found is None:
        raise Http404("this version has no such file")
    return found


@require_GET
@version_page
def download(request: HttpRequest, place: VersionPage) -> HttpResponse:
    """The source, byte for byte as it was uploaded."""
    return source_file(place.submission, request.GET.get("file", ""))


def source_file(submission: Submission, path: str = "") -> HttpResponse:
    """The source as a file: the one at this path, or else the only one, or several as a ZIP. Raises Http404."""
    if submission.is_folder and not path:
        name = f"{slugify(submission.team.name)[:40] or 'bot'}-version-{submission.number}"
        content = {f"{name}/{it}": data for it, data in submission.all_files().items()}
        return _attachment(zipped(content), f"{name}.zip", "application/zip")
    data, path = _file(submission, path or submission.filename), path or submission.filename
    name = path.rsplit("/", 1)[-1]
    if submission.is_folder and listing.text_of(data) is None:
        return _attachment(data, name, "application/octet-stream")
    return text_file(data, name)


@require_GET
@version_page
def strategy(request: HttpRequest, place: VersionPage) -> HttpResponse:
    submission = place.submission
    if not submission.strategy:
        raise Http404("this version has no text about its strategy")
    return text_file(submission.strategy.encode(), submission.strategy_filename or f"strategy-{submission.number}.txt")


def text_file(data: bytes, name: str) -> HttpResponse:
    return _attachment(data, name, "text/plain; charset=utf-8")


def _attachment(data: bytes, name: str, content_type: str) -> HttpResponse:
    response = HttpResponse(data, content_type=content_type)
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    return response


@require_GET
@version_page
def diff(request: HttpRequest, place: VersionPage) -> HttpResponse:
    """Compare with the previous version, or with the one that `?against=` names."""
    submission = place.submission
    others = submission.team.submissions.exclude(pk=submission.pk)
    wanted = number_in(request.GET.get("against", ""))
    if wanted is not None:
        old = get_object_or_404(others, number=wanted)
    else:
        old = get_object_or_404(others.filter(number__lt=submission.number)[:1])
    before, after = old.all_files(), submission.all_files()
    renamed = len(before) == len(after) == 1 and old.filename != submission.filename
    if renamed:
        before = {submission.filename: old.source_bytes()}
    context = place.context(
        here="Changes",
        old=old,
        others=others.values_list("number", flat=True),
        renamed=renamed,
        changes=changes(before, after),
        of_folders=len(before) > 1 or len(after) > 1,
    )
    return render(request, "submissions/diff.html", context)


@require_POST
@version_page
def activate(request: HttpRequest, place: VersionPage) -> HttpResponse:
    with refusals_told(request):
        if not (place.is_own or place.organises):
            raise Refused("Only the team and the organisers can choose the active version.")
        lifecycle.activate(place.submission, request.user, _reason(request))
        messages.success(request, f"Version {place.submission.number} is now active.")
        if place.is_own:
            return redirect("my-team", place.contest.slug)
    return redirect(place.base)


@require_POST
@version_page
def recheck(request: HttpRequest, place: VersionPage) -> HttpResponse:
    with refusals_told(request):
        if not place.organises:
            raise Refused("Only organisers can have a version checked again.")
        lifecycle.recheck(place.submission, request.user, _reason(request))
        messages.success(request, f"Version {place.submission.number} will be built and checked again.")
    return redirect(place.base)


@require_POST
def withdraw(request: HttpRequest, slug: str, team: int | None = None) -> HttpResponse:
    """Withdraw a bot: a team its own, an organiser any team's."""
    contest = get_contest(request, slug)
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("my-team", args=[slug]))
    mine = access(request, contest).team
    if team is None or (mine and mine.pk == team):
        target, back = mine, reverse("my-team", args=[slug])
    else:
        if not access(request, contest).organises:
            raise Http404("no such page")
        target, back = get_object_or_404(contest.teams, pk=team), reverse("desk-versions", args=[slug])
    if target is None:
        return redirect("enter", slug)
    target.contest = contest
    with refusals_told(request):
        lifecycle.withdraw(target, request.user, _reason(request))
        messages.success(request, f"The bot of {target} is withdrawn. No version is active; all are kept.")
    return redirect(back)


def _reason(request: HttpRequest) -> str:
    """The reason that was typed, possibly blank. Raises Refused if it is not valid text."""
    form = OptionalReasonForm(request.POST)
    if not form.is_valid():
        raise Refused(f"This reason is not valid. {form.complaint}")
    return form.cleaned_data["reason"]


# The organisers' list -------------------------------------------------------------------------------------------------


@require_GET
@desk_page
def desk_versions(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Every team with its newest version, those that need attention first."""
    teams = Team.objects.filter(contest=contest)
    newest = Submission.objects.filter(team__in=teams).newest_of_each_team()
    rows = newest.in_order_of_concern().without_source().with_games_played().with_active_number().select_related("team")
    page = page_of(request, rows)
    for row in page:
        row.team.contest = contest
    context = {
        "contest": contest,
        "page": page,
        "without": teams.competing().filter(submissions__isnull=True),
        "counts": newest.counts(),
        "rev": (rev := revision_of(page.object_list)),
        "live": any(row.in_progress for row in page),
    }
    if request.GET.get("rev") == rev:
        return HttpResponse(status=204)
    return render(request, f"submissions/{'_' if request.GET.get('rev') else ''}desk_versions.html", context)
