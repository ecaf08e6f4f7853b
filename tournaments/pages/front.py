"""The portal's front page: what was decided, what is played, what opens and closes, and all contests by phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

import games
from contest.models import Contest, Phase
from contest.models.contests import ContestQuerySet
from contest.paging import page_of
from contest.permissions import may_create_contests
from contest.views import my_places
from tournaments.attention import needs
from tournaments.view_models.front import Front, front_of
from tournaments.view_models.my_day import my_day

SOON = timedelta(days=14)
DATES = 6
OPEN, ALWAYS = "Open now", "Always open"  # what teams may enter; these groups come first
CARDS = 9  # of a group of contests; the others are listed


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What everybody may see of play, then all contests that this reader may see by phase, their own first."""
    now = timezone.now()
    front = front_of(now)
    request.__dict__["_revision"] = front.revision
    if "now" in request.GET:
        if request.GET["now"] == front.revision:
            return HttpResponse(status=204)
        return render(request, "tournaments/_front_now.html", {"front": front})
    visible = Contest.objects.visible_to(request.user).with_team_count()
    past = visible.in_phase(Phase.ENDED, now).order_by("-ended_at", "-id")
    day = my_day(request)
    told = {each.team.contest_id for each in day}
    places = my_places(request.user)
    run = [contest for contest, _, role in places if role and not contest.ended_at]
    waiting = needs(run) if run else {}
    groups = [Group(title, found) for title, found in grouped(visible, front, now) if found]
    context = {
        "front": front,
        "crowned": front.champions,
        "soon": soon((each for it in groups for each in it.contests if each.pk not in front.champions), now),
        "groups": groups,
        "past": page_of(request, past, 20),
        "mine": [(*place, waiting.get(place[0].pk, "")) for place in places if place[2] or place[0].pk not in told],
        "day": day,
        "enterable": bool(groups) and groups[0].title in (OPEN, ALWAYS),
        "any": bool(groups) or past.exists(),
        "may_create": may_create_contests(request.user),
        "games": games.GAMES.values(),
    }
    return render(request, "contest/home.html", context)


@dataclass(frozen=True, slots=True)
class Group:
    """Contests in the same phase: the first as cards, the others as a list."""

    title: str
    contests: Sequence[Contest]

    @property
    def cards(self) -> Sequence[Contest]:
        return self.contests if len(self.contests) <= CARDS + 1 else self.contests[:CARDS]

    @property
    def more(self) -> Sequence[Contest]:
        return self.contests[len(self.cards) :]


def grouped(visible: ContestQuerySet, front: Front, now: datetime) -> Iterator[tuple[str, list[Contest]]]:
    """All contests that have not ended. One that is played out is finished, even if teams may still enter and
    practise."""
    over = {pk for pk, crowned in front.champions.items() if crowned.is_over}
    started = [
        (OPEN, list(visible.in_phase(Phase.OPEN, now).order_by("entry_deadline", "id"))),
        ("Under way", list(visible.in_phase(Phase.CLOSED, now).order_by("-upload_deadline", "-id"))),
    ]
    for title, found in started:
        yield title, [each for each in found if not each.endless and each.pk not in over]
        if title == OPEN:
            yield ALWAYS, [each for each in found if each.endless]
    yield "Coming", list(visible.in_phase(Phase.ANNOUNCED, now).order_by("opens_at", "id"))
    yield "Finished", [each for _, found in started for each in found if each.pk in over]


def soon(contests: Iterable[Contest], now: datetime) -> list[tuple[datetime, str, Contest]]:
    """What opens and closes next: (when, what, contest), earliest first."""
    found: dict[tuple[datetime, int], tuple[datetime, str, Contest]] = {}
    for contest in contests:
        if contest.endless:
            continue
        dates = [(contest.opens_at, "opens")]
        if contest.entry_deadline == contest.upload_deadline:
            dates += [(contest.entry_deadline, "entry and uploads close")]
        else:
            dates += [(contest.entry_deadline, "entry closes"), (contest.upload_deadline, "uploads close")]
        found |= {(moment, contest.pk): (moment, words, contest) for moment, words in dates if moment > now}
    return [each for _, each in sorted(found.items()) if each[0] <= now + SOON][:DATES]
