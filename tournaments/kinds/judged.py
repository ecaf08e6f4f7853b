"""The ranking of a judged problem, as in ACM contests: solved first, then penalty time, then the earlier accepted run.

The penalty of a team that has solved the problem is the time in minutes from the contest's opening to its first right
run, plus a number of minutes (twenty by default) for each wrong run before it. Later runs do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from contest.ledger import Held
from contest.models import Phase, Team
from games import referee
from games.engine import Game
from submissions.models import LONG_OF_SUBMISSION, Submission
from tournaments.formats.judged_set import WRONG_MINUTES, wrong_minutes
from tournaments.formats.plan import TeamId, WantedMatch
from tournaments.kinds import exported, schedule
from tournaments.kinds.consequences import OUT, Imagined, Shift, StageImpact, shifts_of
from tournaments.kinds.expected import Times
from tournaments.kinds.plans import ByPlan
from tournaments.kinds.present import in_places, present
from tournaments.kinds.schedule import Changes
from tournaments.models import Match, MatchSeat, Stage, Table
from tournaments.results.visibility import Sight, everything
from tournaments.seating import draw

CORRECT = "correct"


@dataclass(frozen=True, slots=True)
class Run:
    """One version of a team with its verdict, blank while it is not judged."""

    number: int  # of the version
    minutes: int  # from the contest's opening to the upload
    verdict: str
    match: Match

    @property
    def is_right(self) -> bool:
        return self.verdict == CORRECT

    @property
    def is_judged(self) -> bool:
        return bool(self.verdict)


@dataclass(slots=True)
class JudgedTeam:
    """A team, with its `runs` in order. Level teams share the `rank`; a team that has left has none."""

    team: Team
    runs: list[Run] = field(default_factory=list)
    rank: int | None = None
    is_out: bool = False
    wrong_minutes: int = WRONG_MINUTES

    @property
    def solved(self) -> Run | None:
        return next((run for run in self.runs if run.is_right), None)

    @property
    def wrong(self) -> int:
        """The number of wrong runs before the first right one."""
        counted = self.runs[: self.runs.index(self.solved)] if self.solved else self.runs
        return sum(run.is_judged and not run.is_right for run in counted)

    @property
    def tries(self) -> int:
        return self.wrong + (self.solved is not None)

    @property
    def penalty(self) -> int | None:
        """In minutes; None while the problem is not solved."""
        return None if self.solved is None else self.solved.minutes + self.wrong_minutes * self.wrong

    @property
    def level(self) -> tuple[int, int, int]:
        """The sort key, smallest first. All teams that have not solved the problem are level."""
        if self.is_out:
            return (2, 0, 0)
        return (0, self.penalty or 0, self.solved.minutes) if self.solved else (1, 0, 0)


def ranking(stage: Stage, sight: Sight) -> list[JudgedTeam]:
    """Every team that has entered a version or still may, in a constant number of queries.

    `stage` is one of the reader's stages.
    """
    order = JUDGED.entrants(stage)
    teams = Team.objects.in_bulk(order)
    cost = wrong_minutes(stage.options)
    known = (teams[team] for team in order if team in teams)
    rows = {team.pk: JudgedTeam(team, [], None, not team.is_competing, cost) for team in known}
    runs = sight.valid(stage)
    seats = MatchSeat.objects.filter(match__in=runs, team__in=rows)
    seats = seats.select_related("match", "submission").defer("match__openings", *LONG_OF_SUBMISSION)
    for seat in seats.order_by("submission__number"):
        if seat.submission is not None and seat.team_id is not None:
            minutes = max(0, (seat.submission.uploaded_at - stage.contest.opens_at) // timedelta(minutes=1))
            rows[seat.team_id].runs.append(Run(seat.submission.number, minutes, seat.verdict, seat.match))
    return ranked(list(rows.values()))


def ranked(rows: Sequence[JudgedTeam]) -> list[JudgedTeam]:
    """The rows in order, with ranks. Level teams keep the order of entry."""
    found = sorted(rows, key=lambda row: row.level)
    levels = [row.level for row in found]
    for row in found:
        row.rank = None if row.is_out else levels.index(row.level) + 1
    return found


@dataclass(frozen=True, slots=True)
class Sum:
    """A team's total over several judged problems. As in ACM contests, more problems solved is better, then a smaller
    total penalty for those, then an earlier last accepted run."""

    team: Team
    rows: tuple[JudgedTeam, ...]  # one for each problem it has entered or may enter
    rank: int | None = None

    @property
    def is_out(self) -> bool:
        return not self.team.is_competing

    @property
    def solved(self) -> int:
        return sum(row.solved is not None for row in self.rows)

    @property
    def penalty(self) -> int:
        """In minutes, for the problems solved."""
        return sum(row.penalty or 0 for row in self.rows)

    @property
    def wrong(self) -> int:
        return sum(row.wrong for row in self.rows)

    @property
    def level(self) -> tuple[bool, int, int, int]:
        """The sort key, smallest first."""
        if self.is_out:
            return (True, 0, 0, 0)
        last = max((row.solved.minutes for row in self.rows if row.solved), default=0)
        return (False, -self.solved, self.penalty, last)


def sums(rankings: Iterable[Sequence[JudgedTeam]]) -> list[Sum]:
    """The ranking over several problems, from the ranking of each."""
    by_team: dict[Team, list[JudgedTeam]] = {}
    for row in (row for ranking in rankings for row in ranking):
        by_team.setdefault(row.team, []).append(row)
    found = sorted((Sum(team, tuple(rows)) for team, rows in by_team.items()), key=lambda it: it.level)
    levels = [it.level for it in found]
    return [it if it.is_out else replace(it, rank=levels.index(it.level) + 1) for it in found]


class Judged(ByPlan):
    name = "judged"
    plays_again = True
    has_plan = True
    expects_bots = False
    idles = True
    why_no_rehearsal = "A judged problem cannot be rehearsed: each version is judged on its own."

    # Beginning

    def why_not_shorter(self, stage: Stage) -> str:
        return "A judged problem has no rounds: it ends when you end the contest. You can only abandon it."

    def shorten(self, stage: Stage) -> None:
        raise NotImplementedError(self.why_not_shorter(stage))

    def versions_now(self, teams: Collection[TeamId]) -> dict[TeamId, int]:
        """None: a run always uses its own version."""
        return {}

    # Following results

    def entrants(self, stage: Stage) -> list[int]:
        """Includes teams that have come since the start, at the end."""
        order = super().entrants(stage)
        if not stage.has_started:
            return order
        entered = Submission.objects.ready().filter(team__in=Team.objects.competing().filter(contest=stage.contest_id))
        coming = entered.order_by("team").values_list("team", flat=True).distinct()
        there = set(order)
        return [*order, *(team for team in coming if team not in there)]

    def terms(self, stage: Stage) -> dict[str, Any]:
        """Adds the runs: every ready version is one."""
        entries: dict[int, list[int]] = {}
        teams = Team.objects.filter(contest=stage.contest_id)
        ready = Submission.objects.ready().filter(team__in=teams).order_by("number")
        for team, number in ready.values_list("team", "number") if stage.has_started else ():
            entries.setdefault(team, []).append(number)
        coming = Submission.objects.in_progress().filter(team__in=teams).exists()
        return {**super().terms(stage), "entries": entries, "open": coming or stage.contest.any_uploads_open()}

    def entrant_count(self, stage: Stage) -> int:
        """0: teams may come at any time."""
        return 0

    def moves_on(self, stage: Stage) -> bool:
        return True

    def follow(self, stage: Stage, contest: Held, ahead: object) -> Changes:
        return schedule.follow_plan(self, stage, contest)

    def in_line(self, stage: Stage) -> bool:
        return schedule.is_in_line(self, stage)

    def make(self, held: Held, stage: Stage, wanted: Sequence[tuple[Table, WantedMatch]]) -> list[Match]:
        """Runs have the numbers of their versions."""
        if not wanted:
            return []
        found = Submission.objects.filter(team__in={team for _, match in wanted for team in match.teams})
        entries = {(team, number): pk for team, number, pk in found.values_list("team", "number", "pk")}

        def versions(match: WantedMatch) -> dict[int, int]:
            return {team: entries[team, match.number] for team in match.teams}

        return draw.matches(held, stage, wanted, versions, draw.void_matches(stage))

    # Results

    def games_told(self, game: Game, played: int) -> int:
        """The number of hidden games, and how far a run came, are secret."""
        return min(played, len(game.sample))

    def fill_result(self, game: Game, seats: list[MatchSeat], played: referee.Match) -> None:
        """Set the verdict, and nothing that could reveal the hidden games: no times, faults or counts."""
        said = game.judgement(played.record["result"], played.record["events"])
        right = not game.failed(played.record["result"], played.record["events"])
        for seat in seats:
            seat.verdict, seat.score, seat.place = said, float(right), 1

    def hides_games(self, match: Match) -> bool:
        """Rows hold only the verdict, so lists and tables may show them. Everything else that a page may open, the
        record and the bot's log, must be cut (secrecy.py)."""
        return match.contest.phase(timezone.now()) != Phase.ENDED

    # What if

    def in_place_of_void(self, stage: Stage) -> str:
        return "The same games are judged again."

    def consequences(self, stage: Stage, imagined: Imagined) -> StageImpact | None:
        """The runs of a team that leaves or returns stay as they are."""
        if imagined.out or imagined.back:
            return None
        here = present(stage) if imagined.restored else {}
        back = {here[key].pk: run for key, run in in_places(imagined.restored).items() if key in here}
        runs = {**imagined.replaced, **back}
        said = {old: new.seats.all()[0].verdict for old, new in runs.items() if new is not None}
        return StageImpact(stage, shifts=_shifts(stage, said) if said else [])

    def expected(self, stage: Stage, teams: int, times: Times) -> None:
        """None: nobody knows how many versions will come."""

    # Rankings

    def ranking(self, stage: Stage) -> list[TeamId]:
        """Best first, without teams that are out."""
        return [row.team.pk for row in ranking(stage, everything(stage.contest)) if not row.is_out]

    def export(self, stage: Stage, sight: Sight) -> Iterator[dict[str, Any]]:
        return _problem(ranking(stage, sight))

    def export_all(self, stages: Sequence[Stage], sight: Sight) -> Iterator[dict[str, Any]]:
        """The combined ranking of several problems."""
        rankings = [ranking(stage, sight) for stage in stages]
        return _problem(rankings[0]) if len(rankings) == 1 else _problems(sums(rankings))

    def champion(self, stage: Stage, sight: Sight) -> Team | None:
        """Nobody: each problem is ranked on its own."""
        return None


JUDGED = Judged()


def _shifts(stage: Stage, said: Mapping[int, str]) -> list[Shift]:
    """The teams whose rank would change with these verdicts, given by match."""
    rows = ranking(stage, everything(stage.contest))
    before = {row.team.pk: OUT if row.is_out else row.rank for row in rows}
    others = [
        replace(row, runs=[replace(run, verdict=said.get(run.match.pk, run.verdict)) for run in row.runs])
        for row in rows
    ]
    return shifts_of(before, {row.team.pk: OUT if row.is_out else row.rank for row in ranked(others)})


def _problem(found: Iterable[JudgedTeam]) -> Iterator[dict[str, Any]]:
    for line in found:
        yield {
            **exported.place(line.rank, line.team, line.is_out),
            "solved_with": line.solved.number if line.solved else None,
            "solved_after_minutes": line.solved.minutes if line.solved else None,
            "wrong": line.wrong,
            "penalty_minutes": line.penalty,
            **exported.left(line.team, {}),
        }


def _problems(found: Iterable[Sum]) -> Iterator[dict[str, Any]]:
    for line in found:
        yield {
            **exported.place(line.rank, line.team, line.is_out),
            "solved": line.solved,
            "wrong": line.wrong,
            "penalty_minutes": line.penalty,
            **exported.left(line.team, {}),
        }
