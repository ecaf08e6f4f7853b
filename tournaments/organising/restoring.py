"""Taking back that a match was voided: its old result stands again, and what is still to be played for it is not.

What the portal voided because of it counts again, too, where the plan wants it as it was. A match that was played in
its place stays until an organiser voids that one: nobody's result falls away unasked.
"""

from __future__ import annotations

from django.db import transaction

from contest.models import Kind, User
from contest.refusal import Refused, reason_given
from tournaments import kinds
from tournaments.kinds import schedule
from tournaments.models import Match
from tournaments.models.stages import hold_stage
from tournaments.organising.stages import reconcile_contest


def why_not(match: Match) -> str:
    """Why a match cannot be restored, in a sentence; blank: it can, if the plan has a place for it."""
    if match.pending:
        return f"{match} belongs to {match.review}. Its result counts only if you apply the review."
    if match.state != Match.State.VOID:
        return f"{match} is not void, so there is nothing to restore."
    if match.resulted is None or match.counts_until is None:
        return f"{match} was voided before it had a result, so there is nothing to restore."
    return _why_gone(match, match.counts_until) or _why_taken(match)


def _why_gone(match: Match, number: int) -> str:
    """What organisers did that took the match out for good, with entry `number` or since."""
    entries = match.contest.ledger.order_by("number")
    voided = entries.get(number=number)
    if voided.kind == Kind.REVIEW_APPLIED:
        successor = next((new for old, new in voided.data["replaced"] if old == match.pk), None)
        return f"The organisers reviewed {match} and applied the result of Match {successor} in its place."
    if match.table.until:
        done = "reset" if entries.get(number=match.table.until).kind == Kind.STAGE_RESET else "shortened"
        return f"The stage was {done} since, so its earlier matches stay void."
    if match.stage.ledger.filter(kind=Kind.STAGE_ABANDONED, number__gt=number).exists():
        return "The stage was abandoned since, so its results stay as they were then."
    return ""


def _why_taken(match: Match) -> str:
    """Which match counts in its place."""
    other = match.stage.matches.done().filter(table=match.table_id, number=match.number).first()
    return "" if other is None else f"{other} was played in its place. To restore {match}, void {other} first."


@transaction.atomic
def restore(match: Match, by: User, reason: str) -> None:
    """Let a void match count again with the result that it had. Raises Refused."""
    reason = reason_given(reason, "Enter a reason. Everybody can read it on the page of the match.")
    held, stage = hold_stage(match.stage)
    match = Match.objects.select_related("contest", "stage", "table").get(pk=match.pk)
    if refusal := why_not(match):
        raise Refused(refusal)
    found = kinds.of(stage).restored(stage, match)
    because = f"{match} was restored: {reason}"[:300]
    replaced = [(each, because) for each in found.replaced]
    schedule.void(held, [pair for pair in replaced if pair[0].table_id == match.table_id], by)
    schedule.void(held, [pair for pair in replaced if pair[0].table_id != match.table_id], by, by_plan=True)
    restored = [(each, reason if each.pk == match.pk else because) for each in found.matches]
    schedule.restore(held, restored, by)
    reconcile_contest(stage.contest)
