"""Seats that change hands before their first match: a team is replaced by another one, or a bye is given away.

The plan decides what follows. A newcomer has the seed number of the team that it replaces or, instead of a bye, the
last one, whose opponent would have had no other. So everybody else meets whom they were to meet.
"""

from __future__ import annotations

from copy import copy

from django.db import transaction

from contest.models import Act, Team, User
from contest.refusal import Refused, reason_given
from tournaments import kinds
from tournaments.formats import FormatError
from tournaments.kinds import following, schedule
from tournaments.kinds.planned import PLANNED, rounds_that_stay
from tournaments.models import Match, Stage
from tournaments.models.stages import hold_stage
from tournaments.organising import admission, stages
from tournaments.organising.endings import WHY
from tournaments.results import history
from tournaments.results.visibility import public
from tournaments.seating import draw


def why_not(stage: Stage) -> str:
    """Why no seat of this stage can change hands, as a sentence. Empty: some may."""
    if kinds.of(stage) is not PLANNED:
        return "Nobody has a seat in this stage, so there is none to give away. Teams come and go as it is played."
    if stage.state == Stage.State.DRAFT:
        return "This stage is a draft. Choose its teams and their order in its form."
    if stage.has_ended:
        return "This stage is over."
    if stage.awaits_source:
        return f"“{stage.source}” is not finished, so it is not known yet who plays here."
    hidden = stage.pk in public(stage.contest).concealed or history.is_secretly_reset(stage)
    if hidden and not stage.has_started:
        return "Results that are hidden from the public decide who plays here. Start the stage first, or publish them."
    return ""


def put_in(stage: Stage, team: Team, instead_of: Team | None) -> tuple[Stage, list[Match]]:
    """Return the stage with this team, unsaved, and the matches that become void. `instead_of`: the team whose seat it
    takes; None: it takes a bye. Raises Refused."""
    if why := why_not(stage):
        raise Refused(why)
    if not team.is_competing:
        raise Refused(f"“{team}” does not take part ({team.get_state_display().lower()}).")
    if team.pk in stage.order:
        raise Refused(f"“{team}” has a seat in this stage already.")
    if stage.has_started and admission.absent(stage.contest, [team.pk]):
        raise Refused(f"“{team}” has nothing to play with: no active version, and no connection.")
    then = _seated(stage, team, instead_of)
    if (begun_rounds := rounds_that_stay(stage)) > (instead_of is not None):
        raise Refused(f"Round {begun_rounds} has begun, and it stays as it was drawn.")
    try:
        before, after = PLANNED.preview(stage).plan, PLANNED.preview(then)
    except FormatError as error:
        raise Refused(f"{error}.") from None
    if len(before.rounds[0]) != len(after.plan.rounds[0]):
        raise Refused("No team has a bye and no seat is empty in round 1, so there is none to give away.")
    stale = [match for match, _ in after.stale]
    if begun := next((match for match in stale if match.state != Match.State.QUEUED), None):
        raise Refused(f"{begun} has begun, and it would have to be played again with “{team}”.")
    return then, stale


def _seated(stage: Stage, team: Team, instead_of: Team | None) -> Stage:
    """The stage with other entrants. One that has not started no longer follows another stage, which would undo it. One
    of all teams still takes in those that come later."""
    then = copy(stage)
    if instead_of is None:
        then.order, first = [*stage.order, team.pk], None
    else:
        if instead_of.pk not in stage.order:
            raise Refused(f"“{instead_of}” has no seat in this stage.")
        if stage.matches.filter(history.not_reset(None), seats__team=instead_of, started_at__isnull=False).exists():
            raise Refused(f"A match of “{instead_of}” has begun in this stage, so it keeps its seat.")
        then.order = [team.pk if each == instead_of.pk else each for each in stage.order]
        if (school := stage.schools.get(str(instead_of.pk))) is not None:  # of the seat, so nothing is drawn anew
            then.schools = {**stage.schools, str(team.pk): school}
        first = dict(stage.substitutes).get(instead_of.pk, instead_of.pk)
        if not stage.has_started:  # who gives up a bye would come in again as a team that enters later
            first = first or instead_of.pk
    then.substitutes = [*stage.substitutes, (team.pk, first)]
    if stage.has_started:
        playing = {each: version for each, version in stage.versions.items() if int(each) in then.order}
        then.versions = playing | {str(each): version for each, version in draw.active_versions([team.pk]).items()}
        then.left_out = [each for each in stage.left_out if each != team.pk]
    else:
        if stage.is_led or instead_of is None:
            then.seeding = Stage.Seeding.HAND
        if stage.entry != Stage.Entry.ALL:
            then.entry, then.invited = Stage.Entry.INVITED, sorted(then.order)
        then.best, then.source = None, stage.source if stage.starts_after else None
    return then


@transaction.atomic
def substitute(stage: Stage, by: User, team: Team, reason: str, *, instead_of: Team | None = None) -> None:
    """Give a team the seat of another one, or (None) a bye. Everybody can read the reason. Raises Refused."""
    reason = reason_given(reason, WHY)
    held, stage = hold_stage(stage)
    team = held.teams.get(pk=team.pk)
    then, stale = put_in(stage, team, instead_of)
    then.save()
    said = f"{team} plays instead of {instead_of}" if instead_of else f"{team} plays where there was a bye"
    changed = {"team": team.pk, "instead_of": instead_of and instead_of.pk}
    stages.write_entrants(held, then, by, reason, changed)
    schedule.void(held, [(match, f"{said}: {reason}") for match in stale], by, by_plan=True)
    Act.record(held, by, "change entrants", stage, reason, stage=stage.pk, team=team.pk, said=[said])
    following.reconcile(then)
