"""Import a list of teams, and download the joining codes to hand out."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from contest import roster, spreadsheets
from contest.forms import RosterForm
from contest.models import Contest
from contest.permissions import me, organiser_page
from contest.refusal import Refused


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def desk_teams_import(request: HttpRequest, contest: Contest) -> HttpResponse:
    """The list is sent twice: first to be checked, then (`enter`) to be imported if it has no problems."""
    form = RosterForm(request.POST, request.FILES) if request.method == "POST" else RosterForm()
    entries: list[roster.Entry] = []
    if request.method == "POST" and form.is_valid():
        try:
            entries = roster.read(contest, form.cleaned_data["text"])
            if "enter" in request.POST and not any(entry.problems for entry in entries):
                teams = roster.enter(contest, me(request), entries)
                count = "1 team has" if len(teams) == 1 else f"{len(teams)} teams have"
                messages.success(
                    request, f"{count} entered. You can download the joining codes below and hand them out."
                )
                return redirect("desk-teams", contest.slug)
        except Refused as refusal:
            form.add_error(None, str(refusal))
    wrong = sum(1 for entry in entries if entry.problems)
    text = form.cleaned_data.get("text", "") if form.is_bound else ""
    if entries:  # the content of a file moves into the field, to be corrected and sent again
        form = RosterForm(initial={"text": text}) if not form.errors else form
    context = {"contest": contest, "form": form, "entries": entries, "wrong": wrong, "text": text}
    context["doubtful"] = sum(1 for entry in entries if entry.doubts)
    status = 422 if form.errors or wrong else 200
    return render(request, "contest/desk_teams_import.html", context, status=status)


@require_safe
@organiser_page
def desk_codes_csv(request: HttpRequest, contest: Contest) -> HttpResponseBase:
    """The joining codes of all teams that are still in the contest, as CSV."""
    entering = request.build_absolute_uri(reverse("enter", args=[contest.slug]))
    return spreadsheets.download(f"{contest.slug}-codes.csv", _code_rows(contest, entering))


def _code_rows(contest: Contest, entering: str) -> Iterator[list[object]]:
    yield ["team", "school", "members", "joining code", "link"]
    for row in roster.joining(contest):
        yield [row["team"], row["school"], row["members"], row["code"], f"{entering}?code={row['code']}"]
