"""The ranking of a stage, and the results of all pairs of teams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse

from contest.models import Team
from tournaments.formats.plan import Ranked, TablePlan, TeamId
from tournaments.kinds import planned
from tournaments.kinds.stage_views import StageView
from tournaments.kinds.statuses import Told
from tournaments.models import Match
from tournaments.organising.timetable import name_of
from tournaments.results.standings import Totals

CROSS = 32  # the most teams in a cross table that people can read
MET = 0.3  # the share of all pairs that must meet for a cross table to be worth showing


@dataclass(frozen=True, slots=True)
class Line:
    """A team in the ranking. `rise`: places gained since the round before (negative: lost); None if there was none.
    `reached`: the last round it reached. `there`: its `record`, if that is of a final that is ranked by itself.
    `place_of`: what its place in a bracket (`ranked.place`) is a place of, unless that is clear."""

    team: Team
    ranked: Ranked
    record: Totals
    rise: int | None = None
    reached: str = ""
    there: Totals | None = None
    place_of: str = ""
    told: Told | None = None  # the status of its last seat
    cells: tuple[str, ...] = ()  # the values of the format's columns, each column with as many decimals as it needs

    @property
    def moved(self) -> int:
        """How many places it moved, up or down."""
        return abs(self.rise or 0)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking after this many whole rounds. `rounds` is None if every result counts at once."""

    lines: list[Line]
    columns: tuple[str, ...]
    rounds: int | None
    played: bool  # whether any match has been played
    by_reach: bool  # show how far teams came rather than their totals
    is_bracket: bool = False
    under_way: str = ""  # a round with results that count when it is over

    @property
    def final_name(self) -> str:
        """The last round, if its results alone decide the order of the teams that reached it."""
        return self.lines[0].reached if self.lines and self.lines[0].there else ""


def ranking_of(view: StageView) -> Ranking:
    """Rank a stage. With rounds, only whole rounds count: otherwise teams that have already played would be ahead."""
    stage = view.stage
    columns = tuple(stage.played_in.columns(stage.options))
    now = planned.ranking_now(view)
    before = planned.ranking_after(view, now.rounds - 1) if now.rounds and now.rounds > 1 else ()
    was = {each.team: each.rank for each in before}
    names = [name_of(stage, number, view.plan) for number in range(1, len(view.plan.rounds) + 1)]
    digits = [digits_of(each.values[at] for each in now.ranked) for at in range(len(columns))]
    has_final = stage.played_in.ranks_by_round() and len(names) > 1

    def line(each: Ranked) -> Line:
        record, earlier = now.records.get(each.team, Totals()), was.get(each.team)
        return Line(
            view.teams[each.team],
            each,
            record,
            earlier - each.rank if earlier and each.rank else None,
            names[each.round - 1] if 0 < each.round <= len(names) else "",
            record if has_final and each.round == len(names) else None,
            _place_of(view.statuses.last.get(each.team), each, len(names)),
            view.statuses.of_ranked(each),
            tuple(f"{value:.{count}f}" for value, count in zip(each.values, digits, strict=True)),
        )

    lines = [line(each) for each in now.ranked if each.team in view.teams]
    by_reach = not columns and len(names) > 1
    return Ranking(lines, columns, now.rounds, bool(now.records), by_reach, view.is_bracket, _under_way(view, names))


def _place_of(table: TablePlan | None, ranked: Ranked, rounds: int) -> str:
    """The match for third place decides about places of the stage; it comes after the round that its teams reached."""
    if table is None or ranked.round == rounds:
        return ""
    return "in the stage" if table.round > ranked.round else "at the table"


def _under_way(view: StageView, names: Sequence[str]) -> str:
    """The name of a round with results that do not count yet, since others are missing."""
    if not view.draws_by_rounds or view.complete == len(names):
        return ""
    results = (match for table in view.plan.rounds[view.complete] for match in view.at(table.key))
    return names[view.complete] if any(match.status == Match.State.DONE for match in results) else ""


def digits_of(values: Iterable[float]) -> int:
    """How many decimals a column needs, at most two."""
    known = list(values)
    return next((count for count in (0, 1) if all(round(value, count) == round(value, 6) for value in known)), 2)


# The cross table ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CrossCell:
    """Two teams against each other, from the view of the first. `tone`: won, lost, tied, or open."""

    other: Team
    tables: list[TablePlan]
    matches: list[Match]
    score: str  # "21:15"; empty before anything is played
    points: float | None  # tournament points
    tone: str
    url: str = ""  # the match, or the page about both teams if they met more than once

    @property
    def outcome(self) -> str:
        """The result in words."""
        if not self.score:
            return "to come"
        return self.score if self.tone == "open" else f"{self.tone}, {self.score}"


@dataclass(frozen=True, slots=True)
class CrossRow:
    team: Team
    rank: int | None
    cells: list[CrossCell | None]  # parallel to the rows


def cross_of(view: StageView, lines: Sequence[Line]) -> list[CrossRow]:
    """The cross table in the order of the ranking. Empty if it would be unreadable or nearly empty."""
    count = len(lines)
    tables = view.plan.tables()
    if not 2 < count <= CROSS or any(len(table.teams) > 2 for table in tables):
        return []
    met: dict[tuple[TeamId, TeamId], list[TablePlan]] = {}
    for table in tables:
        if len(table.teams) == 2:
            one, other = table.teams
            met.setdefault((one, other), []).append(table)
            met.setdefault((other, one), []).append(table)
    if len(met) < MET * count * (count - 1):
        return []
    return [
        CrossRow(
            line.team,
            line.ranked.rank,
            [
                _cell(view, line.team, other.team, met[line.team.pk, other.team.pk])
                if (line.team.pk, other.team.pk) in met
                else None
                for other in lines
            ],
        )
        for line in lines
    ]


def _cell(view: StageView, team: Team, other: Team, tables: list[TablePlan]) -> CrossCell:
    matches = [match for table in tables for match in view.at(table.key)]
    played = [match for match in matches if match.status == Match.State.DONE]
    seats = [seat for match in played for seat in match.seats.all()]
    mine = [seat.counted for seat in seats if seat.team_id == team.pk]
    theirs = [seat.counted for seat in seats if seat.team_id == other.pk]
    points = [_points(table, team.pk) for table in tables]
    known = [each for each in points if each is not None]
    url = _address(view, team, other, matches)
    if not mine:
        return CrossCell(other, tables, matches, "", sum(known) if known else None, "open", url)
    ahead = sum(mine) - sum(theirs)
    if view.stage.contest.game.low_wins:
        ahead = -ahead
    tone = "won" if ahead > 0 else "lost" if ahead < 0 else "tied"
    if not all(table.decided for table in tables):
        tone = "open"
    score = f"{sum(mine):,.12g}:{sum(theirs):,.12g}"
    return CrossCell(other, tables, matches, score, sum(known) if known else None, tone, url)


def _address(view: StageView, team: Team, other: Team, matches: Sequence[Match]) -> str:
    if len(matches) == 1:
        return matches[0].get_absolute_url()
    pair = reverse("pair", args=[view.stage.contest.slug, team.pk, other.pk])
    return f"{pair}?stage={view.stage.pk}" if matches else ""


def _points(table: TablePlan, team: TeamId) -> float | None:
    return table.points[table.places.index(team)] if table.decided and table.points and team in table.places else None
