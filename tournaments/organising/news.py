"""What teams are told unasked: that a stage is finished, and where they came; that they are out, or back.

It follows the ledger (contest/followers.py) and writes notices, which the page of questions shows and
contest/mailing.py sends. Nothing is told before everybody may know it: a stage that is finished in a freeze, or whose
last round is not released, is told of when that ends, with the ranking that everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from contest import questions
from contest.followers import Reaction
from contest.formatting import ordinal
from contest.ledger import Held, hold
from contest.models import Contest, Kind, LedgerEntry, Membership, Question
from contest.questions import Notice
from tournaments import kinds
from tournaments.models import Stage
from tournaments.results import visibility

OLD = timedelta(days=2)  # nobody is told of what came out before: the portal has stood still
RELEASING = (Kind.ROUND_RELEASED, Kind.STAGE_RELEASED)
ABOUT_A_TEAM = {
    Kind.TEAM_DISQUALIFIED: "The organisers have disqualified your team",
    Kind.TEAM_WITHDRAWN: "The organisers have withdrawn your team",
    Kind.TEAM_REINSTATED: "Your team takes part again",
}


def _tell(entries: Sequence[LedgerEntry]) -> None:
    for entry in entries:
        if entry.at < timezone.now() - OLD:
            continue
        with transaction.atomic():
            held = hold(entry.contest_id)
            if entry.kind in ABOUT_A_TEAM:
                _tell_team(held, entry)
            else:
                for finished in _made_known(entry):
                    _tell_results(held, finished)


def _tell_team(held: Held, entry: LedgerEntry) -> None:
    own = Membership.objects.filter(team=entry.team_id, user=entry.by_id).exists()
    if entry.team_id is not None and not own:  # members know what they have done themselves
        reason = f"The reason: {entry.reason}" if entry.reason else "They have given no reason."
        questions.notify(held, entry, [Notice(entry.team_id, ABOUT_A_TEAM[Kind(entry.kind)], reason)])


def _made_known(entry: LedgerEntry) -> Iterator[LedgerEntry]:
    """Entries about finished stages which everybody may know from this one on, unless something else hides them."""
    ledger = LedgerEntry.objects.filter(contest=entry.contest_id)
    finished = ledger.filter(kind=Kind.STAGE_FINISHED, number__lte=entry.number).order_by("number")
    if entry.kind == Kind.FREEZE_LIFTED:
        since = ledger.filter(kind=Kind.FREEZE_SET, number__lt=entry.number).order_by("number").last()
        yield from finished.filter(number__gt=since.number) if since else ()
    elif entry.kind in RELEASING and entry.stage_id is not None:
        yield from finished.filter(stage__in=_led_by(entry.contest_id, entry.stage_id))
    else:
        yield entry


def _led_by(contest_id: int, stage_id: int) -> set[int]:
    """A stage, and those whose entrants follow from it."""
    sources = Stage.objects.filter(contest=contest_id, source__isnull=False).order_by("pk").values_list("pk", "source")
    found = {stage_id}
    for pk, source in sources:  # a source is older than what it leads to
        if source in found:
            found.add(pk)
    return found


def _tell_results(held: Held, finished: LedgerEntry) -> None:
    """By what everybody sees now. If the stage goes on again, or is finished once more since, a later entry tells."""
    sight = visibility.public(Contest.objects.get(pk=held.pk))
    stage = next((stage for stage in sight.stages if stage.pk == finished.stage_id), None)
    if stage is None or stage.state != Stage.State.DONE or stage.pk in sight.concealed:
        return
    again = held.ledger.filter(kind=Kind.STAGE_FINISHED, stage=stage.pk, number__gt=finished.number)
    if (again if sight.n is None else again.filter(number__lte=sight.n)).exists():
        return
    if sight.n is not None and finished.number > sight.n:
        return
    ranks = {line["team_id"]: line["rank"] for line in kinds.of(stage).export(stage, sight) if line["rank"]}
    shared = list(ranks.values())
    earlier = _told_before(finished)
    page = f"\n\n[The whole ranking]({settings.PORTAL_URL}{stage.get_absolute_url()})"
    notices = []
    for team, rank in ranks.items():
        subject, text = f"{stage} is finished", _came(rank, shared.count(rank) > 1, len(ranks))
        if team in earlier:
            subject, text = f"{stage}: the result has changed", f"{_since(earlier[team], text)} {text}"
        notices.append(Notice(team, subject, f"{text}{page}"))
    questions.notify(held, finished, notices)


def _told_before(finished: LedgerEntry) -> dict[int, str]:
    """What teams were told last when this stage was finished before, by team."""
    before = LedgerEntry.objects.filter(
        kind=Kind.STAGE_FINISHED, stage=finished.stage_id, contest=finished.contest_id, number__lt=finished.number
    )
    told = Question.objects.filter(entry__in=before, team__isnull=False).order_by("entry__number")
    return dict(told.values_list("team", "answer"))


def _since(earlier: str, now: str) -> str:
    if now in earlier:
        return "The result of this stage has changed, but your team’s place has not."
    return "The result of this stage has changed since our last message."


def _came(rank: int, is_shared: bool, count: int) -> str:
    if is_shared:
        return f"Your team shares {ordinal(rank)} place among {count} teams."
    return f"Your team came {ordinal(rank)} of {count} teams."


CONCERNED = frozenset({*ABOUT_A_TEAM, *RELEASING, Kind.STAGE_FINISHED, Kind.FREEZE_LIFTED})
NEWS = Reaction("news", CONCERNED, _tell, woken_by=CONCERNED)
