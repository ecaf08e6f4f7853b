"""The desk's page about the records of matches: which are kept, what a rule would delete, and how to change it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from contest.models import Contest
from contest.permissions import me, organiser_page
from contest.refusal import Refused
from contest.words import number_in
from tournaments.forms.records import RuleForm
from tournaments.models import Match, PrunedRecord, Record
from tournaments.playing import pruning
from tournaments.playing.pruning import Rule

EXAMPLES = 3  # at each end
LEEWAY = 10  # more records, or a tenth more, may go than were shown: matches finish while somebody reads


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def desk_records(request: HttpRequest, contest: Contest) -> HttpResponse:
    """GET with a rule shows what it would delete; POST puts it in force, and the tick carries it out."""
    posted = request.method == "POST"
    asked = request.POST if posted else request.GET if "kind" in request.GET else None
    form = RuleForm(contest, asked)
    if asked is None or not form.is_valid():
        return _page(request, contest, form)
    chosen = form.rule
    rule = pruning.portal_rule(contest) if chosen is None else chosen
    foreseen = _foreseen(contest, rule)
    if posted:
        confirmed, deleted = number_in(request.POST.get("deleted", "")), foreseen["preview"].deleted
        if confirmed is not None and deleted <= confirmed + max(LEEWAY, confirmed // 10):
            try:
                _put_in_force(request, contest, chosen)
                return redirect("desk-records", contest.slug)
            except Refused as refusal:
                form.add_error(None, str(refusal))
        elif deleted:
            form.add_error(None, "Nothing has changed yet. Please check what would be deleted, then confirm.")
        else:
            form.add_error(None, "Nothing has changed yet. Please confirm.")
    return _page(request, contest, form, foreseen | {"same": pruning.own_rule(contest) == chosen})


def _put_in_force(request: HttpRequest, contest: Contest, rule: Rule | None) -> None:
    if pruning.change_rule(contest, me(request), rule):
        messages.success(request, f"Saved. {pruning.rule_of(contest).words}")
    else:
        messages.info(request, "Nothing changed: this rule was in force already.")


def _foreseen(contest: Contest, rule: Rule) -> dict[str, Any]:
    """What a rule would delete, with the oldest and the newest of these matches."""
    now = timezone.now()
    seen = pruning.preview(contest, rule, now)
    matches = pruning.stale(contest, rule, now).select_related("contest", "stage__contest", "table")
    few = seen.deleted <= 2 * EXAMPLES
    first = list(_in_time(matches)[: 2 * EXAMPLES if few else EXAMPLES])
    last = [] if few else list(reversed(_in_time(matches).reverse()[:EXAMPLES]))
    between = seen.deleted - len(first) - len(last)
    return {"rule": rule, "preview": seen, "first": first, "last": last, "between": max(0, between)}


def _in_time(matches: QuerySet[Match]) -> QuerySet[Match]:
    return matches.prefetch_related("seats__team").order_by("finished_at", "pk")


def _page(
    request: HttpRequest, contest: Contest, form: RuleForm, foreseen: dict[str, Any] | None = None
) -> HttpResponse:
    now = timezone.now()
    own, current = pruning.own_rule(contest), pruning.rule_of(contest)
    records = Record.objects.filter(match__contest=contest)
    pruned = PrunedRecord.objects.filter(match__contest=contest)
    stores = pruning.stored(records)
    elsewhere = [it for it in stores if it.store != Record.Store.ROW]
    context = {
        "contest": contest,
        "form": form,
        "own": own,
        "current": current,
        "portal": pruning.portal_rule(contest),
        "stores": stores,
        "count": sum(it.number for it in stores),
        "bytes": sum(it.size for it in stores),
        "ends": _ends(contest),
        "pruned": pruned.count(),
        "left": pruned.exclude(left="").count(),
        "due": pruning.preview(contest, current, now),
        "waits": pruning.waits(contest, now),
        "frozen": contest.is_frozen(now),
        "troubles": [(it, said) for it in elsewhere if (said := pruning.trouble(records, it.store))],
        **(foreseen or {}),
    }
    return render(request, "tournaments/desk/kept_records.html", context, status=422 if form.errors else 200)


def _ends(contest: Contest) -> tuple[Match, Match] | None:
    """The first and the last match that has a record."""
    kept = Match.objects.filter(contest=contest, finished_at__isnull=False, record__isnull=False)
    first, last = kept.order_by("finished_at").first(), kept.order_by("finished_at").last()
    return (first, last) if first and last else None
