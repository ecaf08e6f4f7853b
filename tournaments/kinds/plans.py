"""Reading a stage that follows a plan: the plan that agrees with the matches so far, for one reader or for all.

What must be played is always *wanted minus present*: the format's plan against the valid matches. Nothing is written
here; schedule.py brings tables and matches in line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from contest.ledger import Held
from contest.models import Contest, Kind, Team
from contest.names import folded
from contest.refusal import Refused
from submissions.models import Submission
from tournaments.formats.plan import FormatError, Out, Plan, Result, Status, TableKey, TeamId, WantedMatch
from tournaments.kinds.present import Present, in_places, place_of, playing, present, result_of, with_seats
from tournaments.kinds.scores import Usual
from tournaments.kinds.timetable import without_pairings
from tournaments.models import Match, Stage, Table
from tournaments.results.standings import left_as
from tournaments.results.visibility import Sight

NO_END_TIME = "Only a ladder has an end time: this stage ends with its last match."


@dataclass(frozen=True, slots=True)
class Settled:
    """A plan that agrees with the matches that stay, and the `stale` matches that cannot stay, with the reasons."""

    plan: Plan
    stale: tuple[tuple[Match, str], ...]


@dataclass(frozen=True, slots=True)
class Restored:
    """What changes with a void match that is restored."""

    matches: tuple[Match, ...]
    """The match, and those that the plan voided because of it and wants again."""
    replaced: tuple[Match, ...] = ()
    """Matches without a result that would have been played in their place."""


def _fallen_with(stage: Stage, match: Match) -> list[Match]:
    """Matches with results that the plan voided after this one, the last first. A place may have several."""
    since = stage.ledger.filter(kind=Kind.MATCH_VOIDED, number__gt=match.counts_until, data__by_plan=True)
    void = Match.objects.filter(stage=stage, pending=False, resulted__isnull=False, table__until=0)
    return list(with_seats(void.filter(counts_until__in=since.values("number")).order_by("-counts_until")))


def _is_wanted(match: Match, wanted: WantedMatch | None) -> bool:
    players = match.result.players if match.result else [seat.team_id for seat in match.seats.all()]
    return wanted is not None and set(players) - {None} == set(wanted.teams)


def _why_stale(wanted: WantedMatch | None) -> str:
    if wanted is None:
        return "An earlier table had to be decided again, so it was no longer known who would meet here."
    return "An earlier table was decided again, so other teams were to meet here."


def with_names(stale: Iterable[tuple[Match, str]], contest: Contest) -> list[tuple[Match, str]]:
    """The reasons, with the names of the teams whose leaving caused them."""
    stale = list(stale)
    met = {seat.team_id for match, _ in stale for seat in match.seats.all() if seat.team_id is not None}
    gone = {team.pk: team for team in contest.teams.filter(pk__in=met) if not team.is_competing}
    explained = []
    for match, reason in stale:
        leavers = [gone[seat.team_id] for seat in match.seats.all() if seat.team_id in gone]
        explained.append((match, " ".join(map(_why_out, leavers)) or reason))
    return explained


def _why_out(team: Team) -> str:
    reason = f": {team.state_reason}" if team.state_reason else ""
    return f"{team} is out ({team.get_state_display().lower()}{reason})."


@dataclass(frozen=True, slots=True)
class Reading:
    """A stage for one reader: the plan that follows from the results they may see, and the matches they may see in
    full."""

    plan: Plan
    matches: Present
    out: Out
    withheld: frozenset[TableKey] = frozenset()  # tables with a match that the reader knows, but not its outcome


def schools_to_part(stage: Stage) -> dict[str, dict[str, str]]:
    """A part of the terms: the schools of the teams, as they were when the stage was drawn; of a draft, as they are
    now. Empty if the stage does not keep schools apart."""
    if not stage.options.get("schools_apart"):
        return {}
    return {"schools": schools_now(stage) if stage.state == Stage.State.DRAFT else stage.schools}


def schools_now(stage: Stage) -> dict[str, str]:
    """The schools of the contest's teams, by ids as text, as their keys. "": none."""
    teams = Team.objects.filter(contest=stage.contest_id).order_by("pk")
    return {str(team): folded(school) for team, school in teams.values_list("pk", "school")}


def _first_plan(stage: Stage, order: Sequence[TeamId]) -> Plan:
    return stage.played_in.plan(order, {}, {**stage.options, "seed": stage.chance, **schools_to_part(stage)})


class ByPlan(Usual):
    """A kind that follows a plan. Rounds and judged problems differ in the input of the plan."""

    def end_of(self, asked: datetime | None) -> datetime | None:
        """None: it ends when its last match is over."""
        return None

    def sketch(self, stage: Stage, order: Sequence[TeamId]) -> Plan | None:
        try:
            return _first_plan(stage, order)
        except FormatError:
            return None

    def check(self, stage: Stage) -> None:
        _first_plan(stage, stage.order)

    def begin(self, stage: Stage, able: Sequence[TeamId]) -> None:
        """Pin everybody's version, and leave out teams that cannot play."""
        active = Submission.objects.active().filter(team__in=able).order_by("pk").values_list("team", "pk")
        stage.versions = {str(team): version for team, version in active}
        coming = set(able)
        stage.left_out = [team for team in stage.order if team not in coming]
        stage.order = list(able)

    def reschedule(self, stage: Stage, ends_at: datetime | None, options: Mapping[str, Any]) -> None:
        raise Refused(NO_END_TIME)

    def takes_arrivals(self) -> bool:
        return False

    def look_ahead(self, stage: Stage) -> None:
        """None: a plan is made where it is followed."""

    def terms(self, stage: Stage) -> dict[str, Any]:
        """The stage's options, with what else its format needs (formats.plan.Format.plan)."""
        return {**stage.options_played, "seed": stage.chance, **schools_to_part(stage)}

    def make(self, held: Held, stage: Stage, wanted: Sequence[tuple[Table, WantedMatch]]) -> list[Match]:
        """Create matches that the plan wants, with their seats."""
        raise NotImplementedError

    def begun(self, stage: Stage, matches: Present) -> dict[str, Any]:
        """The part of the terms that follows from the existing matches."""
        return {}

    def out_of(self, stage: Stage, teams: Mapping[TeamId, Team] | None = None) -> dict[int, Status]:
        """The entrants that may not go on, each with the way it left the contest. `teams`: the entrants, if read."""
        order = self.entrants(stage)
        read = Team.objects.filter(pk__in=order).order_by().values_list("pk", "state")
        states = dict(read) if teams is None else {pk: team.state for pk, team in teams.items()}
        gone = {team: states.get(team, "") for team in order if states.get(team) != Team.State.APPROVED}
        return {team: left_as(state) for team, state in gone.items()}

    def settle(self, stage: Stage, matches: Present, out: Out) -> Settled:
        """The plan that follows from the valid results. Raises FormatError if there is none yet."""
        if stage.awaits_source:
            raise FormatError(f"It is not known yet who plays here: {stage.source} is not finished")
        format, order = stage.played_in, self.entrants(stage)
        terms = {**self.terms(stage), **self.begun(stage, matches)}
        low_wins = stage.contest.game.low_wins
        staying = dict(matches)
        results: dict[TableKey, dict[int, Result]] = {}
        for (place, number), match in matches.items():
            if match.status == Match.State.DONE:
                results.setdefault(place, {})[number] = result_of(match, low_wins)
        stale: list[tuple[Match, str]] = []
        while True:
            plan = format.plan(order, results, {**terms, "playing": playing(staying)}, out)
            wanted = {(table.key, match.number): match for table in plan.tables() for match in table.matches}
            wrong = [key for key, match in staying.items() if not _is_wanted(match, wanted.get(key))]
            if not wrong:
                return Settled(plan, tuple(stale))
            for place, number in wrong:
                match = staying.pop((place, number))
                stale.append((match, _why_stale(wanted.get((place, number)))))
                results.get(place, {}).pop(number, None)

    def plan(self, stage: Stage) -> Plan:
        """The stage as it stands. Raises FormatError while there are too few entrants."""
        return self.settle(stage, present(stage), self.out_of(stage)).plan

    def preview(
        self,
        stage: Stage,
        replaced: Mapping[int, Match | None] = MappingProxyType({}),
        *,
        restored: Iterable[Match] = (),
        more_out: Set[int] = frozenset(),
        back_in: Set[int] = frozenset(),
    ) -> Settled:
        """Return the plan if these matches (by id) were replaced by others or by none, if void ones were restored, and
        if teams left or returned.

        Changes nothing. `stale` are the further matches that would be void.
        """
        others = {key: replaced.get(match.pk, match) for key, match in present(stage).items()}
        matches = {key: match for key, match in others.items() if match is not None} | in_places(restored)
        out = self.out_of(stage) | dict.fromkeys(more_out, Status.DISQUALIFIED_ORGANISERS)
        return self.settle(stage, matches, {team: status for team, status in out.items() if team not in back_in})

    def restored(self, stage: Stage, match: Match) -> Restored:
        """Return what changes if this void match is restored. Raises Refused if the plan has no place for it."""
        here, out = present(stage), self.out_of(stage)
        fallen = _fallen_with(stage, match)
        back: dict[tuple[TableKey, int], Match] = {}
        coming = in_places([match])
        while True:
            back |= coming
            settled = self.settle(stage, here | back, out)
            wanted = {(table.key, each.number): each for table in settled.plan.tables() for each in table.matches}
            # Of several that fit a place, the first to fall counts: it fell with this match, not with a later one.
            coming = in_places(
                each
                for each in fallen
                if (key := place_of(each)) not in back
                and _is_wanted(each, wanted.get(key))
                and not (key in here and here[key].state == Match.State.DONE)
            )
            if not coming:
                break
        stale = {each.pk: reason for each, reason in settled.stale}
        if match.pk in stale:
            raise Refused(f"{match} has no place in this stage any more. {stale[match.pk]}")
        staying = {key: each for key, each in back.items() if each.pk not in stale}
        return Restored(tuple(staying.values()), tuple(here[key] for key in staying if key in here))

    # For one reader

    def read(self, stage: Stage, sight: Sight, teams: Mapping[TeamId, Team]) -> Reading:
        """The stage as far as the reader knows it. Raises FormatError if there is no plan to show."""
        found, hidden = self._read(stage, sight, self.out_of(stage, teams)), sight.pairings_hidden_from(stage)
        if hidden is None:
            return found
        return replace(found, plan=without_pairings(found.plan, hidden, stage.played_in.is_bracket()))

    def _read(self, stage: Stage, sight: Sight, out: Out) -> Reading:
        if not sight.withholds(stage):
            matches = present(stage)
            return Reading(self.settle(stage, matches, out).plan, matches, out)
        if stage.pk in sight.concealed:
            raise FormatError("Who plays here is not public yet")
        seen = set(sight.matches(stage).values_list("pk", flat=True))
        known = present(stage, sight.known(stage))
        sight.as_known(known.values())
        for match in known.values():
            if match.pk not in seen:  # treat it as in progress, because a round that has begun stays as drawn
                match.seen_at = match.resulted - 1 if match.resulted else match.counts_from or 0
        plan = self.settle(sight.stage(stage.pk), known, out).plan
        shown = {key: match for key, match in known.items() if match.pk in seen}
        return Reading(plan, shown, out, frozenset(place for place, _ in known.keys() - shown.keys()))
