"""Who enters a stage, in which order, and which of the entrants could play now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from contest.ledger import hold
from contest.models import Act, Contest, Team, User
from contest.refusal import Refused
from submissions.models import Submission
from tournaments import kinds
from tournaments.formats import FormatError
from tournaments.models import Client, Duty, Stage
from tournaments.results import standings
from tournaments.results.visibility import everything
from tournaments.seating import draw, programs

PATIENCE = timedelta(minutes=10)  # how long a due start waits for teams that cannot play yet
BUILDS = timedelta(hours=1)  # … for versions uploaded in time whose turn to be built has not come yet
RETURN = timedelta(seconds=20)  # for a program to reconnect; the server refuses it for the first five seconds
RETURNS = timedelta(minutes=1)  # … the most a start waits for this, if programs come and go all the time


# Who, and in which order ----------------------------------------------------------------------------------------------


def seeded(stage: Stage) -> list[int]:
    """Return the entrants from the first seed, as they would be now. The stage may be unsaved.

    If seeded by hand, those in `stage.order` come first. Raises FormatError while a stage on which this depends has no
    ranking.
    """
    entrants = _entrants(stage)
    if stage.seeding == Stage.Seeding.STANDINGS:
        rows = standings.of_contest(everything(stage.contest))
        return _in_order_of(_in_seats(stage, [row.team.pk for row in rows]), entrants)
    if stage.seeding == Stage.Seeding.HAND:
        return _in_order_of(stage.order, entrants)
    if stage.seeding == Stage.Seeding.SOURCE and stage.source and stage.entry != Stage.Entry.BEST:
        return _in_order_of(_in_seats(stage, kinds.of(stage.source).ranking(stage.source)), entrants)
    if stage.seeding == Stage.Seeding.NUMBER and stage.entry == Stage.Entry.BEST:
        return _in_order_of(_with_seats(stage), entrants)
    return entrants


def candidates(stage: Stage) -> list[int]:
    """Return the teams that `seeded` may name later, in its order as far as it is known, for seeding by hand."""
    competing = _with_seats(stage)
    if stage.entry == Stage.Entry.INVITED:
        competing = _among(competing, stage.invited)
    if stage.awaits_source and stage.seeding != Stage.Seeding.HAND:
        return competing
    if stage.seeding == Stage.Seeding.HAND:
        return _in_order_of(stage.order, competing)
    return _in_order_of(seeded(stage), competing)


def _entrants(stage: Stage) -> list[int]:
    """The entrants in their default order: the best of a stage by rank, others by seed number."""
    competing = _with_seats(stage)
    if stage.entry == Stage.Entry.INVITED:
        return _among(competing, stage.invited)
    if stage.entry == Stage.Entry.BEST:
        if stage.source is None:
            raise FormatError("The stage that the teams come from is missing")
        return _among(_in_seats(stage, kinds.of(stage.source).ranking(stage.source)), competing)[: stage.best]
    return competing


def _competing(contest: Contest) -> list[int]:
    return list(Team.objects.filter(contest=contest).competing().in_seed_order().values_list("pk", flat=True))


def _with_seats(stage: Stage) -> list[int]:
    """The teams that take part in the contest, in seed order, as in `_in_seats`."""
    competing = _competing(stage.contest)
    if not stage.substitutes:
        return competing
    everybody = Team.objects.filter(contest=stage.contest).in_seed_order().values_list("pk", flat=True)
    return _among(_in_seats(stage, everybody), competing)


def _in_seats(stage: Stage, order: Iterable[int]) -> list[int]:
    """An order of teams for a stage that is to start: those that gave up their seat have left it, and the team that has
    the seat now takes its place."""
    gone, holders = set[int](), dict[int, int]()
    for team, first in stage.substitutes if not stage.has_started else ():
        if first is not None:
            gone.add(holders.get(first, first))
            holders[first] = team
        gone.discard(team)
    moved = gone.union(holders.values())
    return [holders.get(team, team) for team in order if team in holders or team not in moved]


def _among(teams: Iterable[int], others: Iterable[int]) -> list[int]:
    """The teams that are among the others, in their order."""
    known = set(others)
    return [team for team in teams if team in known]


def _in_order_of(order: Sequence[int], entrants: Sequence[int]) -> list[int]:
    """The entrants: first those in `order`, then the rest as they are."""
    named = _among(dict.fromkeys(order), entrants)
    taken = set(named)
    return named + [team for team in entrants if team not in taken]


def current_order(stage: Stage) -> list[int]:
    """Return the order in which the stage would be published now or, once published, would start.

    A published stage of all teams keeps its order. Teams that have entered since follow behind. Empty while it is
    unknown.
    """
    if stage.awaits_source:
        return []
    if stage.state == Stage.State.PUBLISHED:
        entrants = _with_seats(stage)
        return (_in_order_of if stage.entry == Stage.Entry.ALL else _among)(stage.order, entrants)
    if stage.has_started:
        return list(stage.order)
    try:
        return seeded(stage)
    except FormatError:
        return []


# Who could play -------------------------------------------------------------------------------------------------------


def ready(stage: Stage, order: Sequence[int]) -> list[int]:
    """The teams that could play now: still in the contest, with an active version or a connection, and checked in in
    time."""
    away = {team.pk for team in absent(stage.contest, order)}
    able = set(Team.objects.competing().filter(pk__in=order).exclude(pk__in=away).values_list("pk", flat=True))
    return [team for team in _there(stage, order, timezone.now()) if team in able]


def _there(stage: Stage, order: Sequence[int], now: datetime) -> list[int]:
    """The entrants: once check-in has closed, those that were there."""
    away = {team.pk for team in missing(stage, order)} if stage.has_closed_check_in(now) else ()
    return [team for team in order if team not in away]


def missing(stage: Stage, order: Sequence[int]) -> list[Team]:
    """Entrants that are not checked in, or came after check-in had closed, unless organisers have put them in by hand.
    None in a stage without check-in."""
    if stage.check_in_closes_at is None:
        return []
    found = Team.objects.competing().filter(pk__in=order).exclude(pk__in=dict(stage.substitutes)).in_bulk()
    return [found[it] for it in order if it in found and not found[it].was_checked_in(stage.check_in_closes_at)]


@transaction.atomic
def check_in(team: Team, by: User, *, present: bool) -> None:
    """Note that a team has come, or take that back. A second press of the same button changes nothing. A team that was
    there when a check-in closed and is only then taken back is in time for it again with the next press."""
    contest, now = hold(team.contest_id), timezone.now()
    team.refresh_from_db(fields=["state", "checked_in_at", "earlier_check_ins"])
    if not team.is_competing:
        raise Refused(f"“{team}” does not take part ({team.get_state_display().lower()}).")
    if present is ((came := team.checked_in_at) is not None):
        return
    if came is not None:
        team.earlier_check_ins.append((came.timestamp(), now.timestamp()))
    team.checked_in_at = now if present else None
    team.save(update_fields=["checked_in_at", "earlier_check_ins"])
    Act.record(contest, by, "check in team" if present else "undo check-in", team, team=team.pk)
    contest.touch(hidden=True)


def absent(contest: Contest, order: Sequence[int]) -> list[Team]:
    """Entrants without an active version or a connection: a stage that starts now would leave them out."""
    entrants = Team.objects.in_bulk(order)
    active = set(Submission.objects.active().filter(team__in=entrants).values_list("team", flat=True))
    here = active | draw.connected_teams(contest)
    return [entrants[team] for team in order if team in entrants and team not in here]


def why_left_out(stage: Stage, order: Sequence[int]) -> dict[str, list[Team]]:
    """By reason, those of these entrants that cannot play or, once the stage has started, could not at its start. Which
    version was active then is not kept, but whether there was any is."""
    at = stage.started_at or timezone.now()
    bots = Submission.objects.filter(uploaded_at__lt=at) if stage.has_started else Submission.objects.active()
    armed = {*bots.filter(team__in=order).values_list("team", flat=True), *draw.connected_teams(stage.contest)}
    there, teams, found = set(_there(stage, order, at)), Team.objects.in_bulk(order), defaultdict(list)
    for team in (teams[pk] for pk in order if pk in teams):
        why = "no active bot, not connected" if stage.contest.live else "no active bot"
        if not team.is_competing:
            why = "no longer in the contest"
        elif team.pk not in there:
            why = "not checked in" if team.pk in armed else "not checked in, no active bot"
        found[why].append(team)
    return dict(found)


def held_back(stage: Stage, now: datetime) -> str:
    """Return why a published stage that is due waits a little before it starts, in words. Blank: it does not wait.

    It waits for entrants whose first bot is being built or checked, for versions uploaded before the deadline, and for
    programs that lost their connection a moment ago. So neither a long queue of builds nor a restart of the contest
    server at the wrong minute puts anybody out of a final, or has them play with an old version.
    """
    due = stage.due_at
    if due is None or not due <= now < due + BUILDS:
        return ""
    order = _there(stage, current_order(stage), now)
    deadline = Q(uploaded_at__lte=stage.contest.upload_deadline) | Q(uploaded_at__lte=F("team__uploads_until"))
    in_time = Q(deadline, team__in=order, activate_when_ready=True, uploaded_at__lte=due)
    coming = Submission.objects.in_progress()
    # A version whose turn comes late gets as long for it as one whose turn had come when the start was due.
    in_turn = Q(turn_at=None, state=Submission.State.QUEUED) | Q(turn_at__gt=now - PATIENCE, turns=0)
    if coming.filter(in_time, in_turn).exists():
        return "the portal is still building versions that were uploaded in time"
    if now >= due + PATIENCE:
        return ""
    waiting = absent(stage.contest, order)
    if coming.filter(in_time | Q(team__in=waiting)).exists():
        return "the portal is still building and checking bots of its teams"
    known = Client.objects.filter(team__in=waiting, seen_at__isnull=False)
    if not (stage.contest.live and known.exists()):
        return ""
    server = Duty.held(programs.DUTY, now)
    if server is None:
        return "the contest server does not answer"
    if now < server.since + RETURN or (now < due + RETURNS and known.filter(seen_at__gt=now - RETURN).exists()):
        return "programs of its teams may be about to reconnect"
    return ""


# Changes since the start ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drift:
    """Differences from the earlier stage. A stage that has started stays as drawn, whatever happens to its source."""

    reopened: str  # what happened to the source: "was reset"; empty: it is finished
    missing: tuple[str, ...]  # would be in by its present ranking
    surplus: tuple[str, ...]  # are in, but would not be
    reordered: bool  # same teams, different seeds

    def __bool__(self) -> bool:
        return bool(self.reopened) or bool(self.missing) or bool(self.surplus) or self.reordered

    def words(self, stage: Stage) -> str:
        """How the stage that the teams came from has changed since this one started."""
        source = f"“{stage.source}”"
        if self.reopened:
            return f"{source} {self.reopened}."
        if self.missing:
            instead = f" instead of {', '.join(map(format, self.surplus))}" if self.surplus else ""
            names = ", ".join(map(format, self.missing))
            return f"The ranking of {source} has changed since: {names} would now play here{instead}."
        if self.reordered:
            return f"The ranking of {source} has changed since: the seeding would now be another."
        return f"The ranking of {source} has changed since this stage started."


def _since_finished(source: Stage) -> str:
    if source.state == Stage.State.ABANDONED:
        return "was abandoned"
    return "is being played again in part" if source.has_started else "was reset"


def drift(stage: Stage) -> Drift | None:
    """How the earlier stage now differs from what the stage started with. None: it does not differ."""
    if not (stage.is_led and stage.has_started and stage.source):
        return None
    if not stage.source.is_over:
        return Drift(_since_finished(stage.source), (), (), False)
    put_in = dict(stage.substitutes)
    drawn = (put_in.get(team, team) for team in stage.order)
    began_with = [team for team in (*drawn, *stage.left_out) if team is not None]
    try:
        now = seeded(stage)
    except FormatError:
        return None
    then = set(began_with)
    expected = set(now) | (then - set(_competing(stage.contest)))
    names = dict(Team.objects.filter(pk__in=[*began_with, *now]).values_list("pk", "name"))
    missing = tuple(names[team] for team in now if team not in then)
    surplus = tuple(names[team] for team in began_with if team not in expected)
    kept = _among(now, stage.order)
    by_source = stage.seeding == Stage.Seeding.SOURCE
    reordered = by_source and kept != _among(stage.order, kept)
    found = Drift("", missing, surplus, reordered)
    return found or None
