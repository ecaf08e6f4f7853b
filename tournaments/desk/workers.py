"""The workers of the portal: which there are, what they can build, and how they confine bots."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contest import workers
from contest.models import Contest
from contest.permissions import access, desk_page
from contest.version import RELEASE
from submissions.languages import LANGUAGES


@require_safe
@desk_page
def desk_workers(request: HttpRequest, contest: Contest) -> HttpResponse:
    """All workers. They belong to the portal and not to the contest."""
    rows = [(worker, names(worker)) for worker in workers.known()]
    context = {"contest": contest, "rows": rows, "release": RELEASE, "operates": access(request, contest).is_superuser}
    return render(request, "tournaments/desk/workers.html", context)


def names(worker: workers.Worker) -> list[str]:
    """The languages that it builds and runs."""
    slugs = (worker.confinement and worker.confinement.languages) or ()
    return [language.name for slug, language in LANGUAGES.items() if slug in slugs]
