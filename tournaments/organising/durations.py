"""How long a match and a whole stage may take, and take as a rule: organisers see it before they start."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from random import Random

from django.db.models import Avg
from django.db.models.functions import Length

import games
from contest.models import Contest
from games import referee
from games.engine import Action, Event, Game, Options, Seat, Setting
from games.format import thinking_times
from games.players import Decision, HousePlayer, Seated
from games.record import dumps, games_played
from submissions.models import CheckGame, Submission, pack
from tournaments import kinds
from tournaments.kinds.expected import Times
from tournaments.models import Match, Record, Stage
from tournaments.organising import admission, workload

QUICK = 0.01  # seconds for a decision of a bot that does not think long
START = 0.1  # seconds for its start
SAMPLE = 50  # matches that tell how long one takes as a rule
CHECKS = 6  # check games that tell it before: their records are read


@dataclass(frozen=True, slots=True)
class Budget:
    """Of one match. `most`: every bot uses all the time that the rules allow it. `measured`: `usual` was seen here;
    `checked`: no match was played yet, but the check games of versions were, and tell how long their bots think."""

    games: int
    decisions: int  # in a game, about
    most: timedelta
    usual: timedelta
    measured: bool
    checked: bool = False


@dataclass(frozen=True, slots=True)
class Pace:
    """Of a ladder: its matches at most, when all teams are there. `in_all`: until its end; None where none is set.

    `record`: bytes of one. `measured`: they were seen in this contest.
    """

    an_hour: int
    in_all: int | None
    record: int
    measured: bool

    @property
    def bytes_a_day(self) -> int:
        return 24 * self.an_hour * self.record

    @property
    def bytes_in_all(self) -> int | None:
        return None if self.in_all is None else self.in_all * self.record


@dataclass(frozen=True, slots=True)
class StageBudget:
    """Of a whole stage with so many teams. Play-offs are not foreseen; in a series there may be `most_matches`.

    `usual`, `most`: for all matches, so many `at_once`, a round after the other.
    """

    one: Budget
    teams: int
    rounds: int
    matches: int
    most_matches: int
    at_once: int
    usual: timedelta
    most: timedelta
    pace: Pace | None = None  # of a stage that goes on and on

    @property
    def games(self) -> int:
        return self.matches * self.one.games


class _Clocked(HousePlayer):
    """A house player that adds up the time that a bot in its chair would be allowed."""

    allowed = 0.0
    decisions = 0

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        super().begin(game, seat, options, random, setting)
        self._game, self._options, self._wire = game, options, game.wire(seat, options, setting)

    def tell(self, event: Event) -> None:
        super().tell(event)
        self._wire.tell(event)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        _, lines = self._wire.question()
        self.allowed += self._game.seconds(self._options, lines)
        self.decisions += 1
        return super().decide(legal, place)


def budget(contest: Contest, games_: int | None) -> Budget:
    """What a match of so many games takes in this contest as its rules are now. None: as many as the rules say."""
    if games_ is None:
        games_ = typical_games(contest)
    seats = contest.game.seats[1]
    decisions, allowed = _one_game(contest.game_slug, _options_of(contest))
    most = games_ * (allowed + seats * contest.startup_seconds)
    seen = workload.lately(contest).a_game
    thought = _thought_per_game(contest) if seen is None else None
    guess = QUICK * decisions if thought is None else thought * seats
    usual = games_ * (timedelta(seconds=START * seats + guess) if seen is None else seen)
    return Budget(games_, decisions, timedelta(seconds=most), usual, seen is not None, thought is not None)


def match_budget(stage: Stage) -> Budget:
    """Of one of its matches."""
    openings = stage.played_in.openings(stage.options, stage.contest.game)
    return budget(stage.contest, len(openings) or stage.options.get("games"))


def stage_budget(stage: Stage) -> StageBudget | None:
    """Of a stage that has not started, also of one that is not saved, with everybody who is expected.

    A stage that goes on and on has no matches to count. None: every version is a match, or there are too few teams.
    """
    one, at_once = match_budget(stage), max(1, workload.processes())
    teams = expected(stage)
    found = kinds.of(stage).expected(stage, teams, Times(one.usual, one.most, at_once))
    if found is None:
        return None
    pace = None if found.an_hour is None else _pace(stage, one, found.an_hour, found.in_all)
    return StageBudget(
        one, teams, found.rounds, found.matches, found.most_matches, at_once, found.usual, found.most, pace
    )


def _pace(stage: Stage, one: Budget, an_hour: int, in_all: int | None) -> Pace:
    seen = _bytes_of_a_record(stage.contest)
    guess = one.games * _bytes_of_a_game(stage.contest.game_slug, _options_of(stage.contest))
    return Pace(an_hour, in_all, guess if seen is None else seen, seen is not None)


def expected(stage: Stage) -> int:
    """How many teams play, as far as one can tell now."""
    if stage.awaits_source:
        return len(admission.candidates(stage)[: stage.best])
    return len(admission.current_order(stage))


@lru_cache(maxsize=64)
def _one_game(slug: str, options: str) -> tuple[int, float]:
    """Decisions, and the seconds allowed to all bots together, in a game of the house's first player."""
    game = games.get(slug)
    players = [_Clocked(game.house[0]) for _ in range(game.seats[1])]
    seats = [Seated(f"Player {number}", "house", player) for number, player in enumerate(players, start=1)]
    parsed = json.loads(options)
    referee.play(game, seats, seed=1, options=parsed, preset=game.presets[0].name, games=1)
    return sum(player.decisions for player in players), sum(game.seconds_in_all(parsed, it.allowed) for it in players)


@lru_cache(maxsize=64)
def _bytes_of_a_game(slug: str, options: str) -> int:
    """In the record, as it is kept."""
    return len(pack(dumps(_house_match(slug, options, 1).record)))


def _bytes_of_a_record(contest: Contest) -> int | None:
    """Of the latest matches, on average."""
    latest = Match.objects.done().filter(contest=contest).order_by("-resulted").values_list("pk", flat=True)[:SAMPLE]
    size = Record.objects.filter(match__in=list(latest)).aggregate(size=Avg(Length("data")))["size"]
    return None if size is None else round(size)


def typical_games(contest: Contest) -> int:
    """How many games a match has whose rules decide that: as seen here, or of two players who are equals."""
    latest = Match.objects.done().filter(contest=contest, games__gt=0).order_by("-resulted")
    seen = list(latest.values_list("games", flat=True)[:SAMPLE])
    if seen:
        return round(sum(seen) / len(seen))
    return _games_of_equals(contest.game_slug, _options_of(contest))


@lru_cache(maxsize=64)
def _games_of_equals(slug: str, options: str) -> int:
    return games_played(_house_match(slug, options, None).record)


def _house_match(slug: str, options: str, games_: int | None) -> referee.Match:
    """Of the house's first player against itself."""
    game = games.get(slug)
    seats = [Seated(f"Player {number}", "house", HousePlayer(game.house[0])) for number in range(game.seats[1])]
    return referee.play(game, seats, seed=1, options=json.loads(options), preset=game.presets[0].name, games=games_)


def _options_of(contest: Contest) -> str:
    return json.dumps(contest.full_options(), sort_keys=True)


def _thought_per_game(contest: Contest) -> float | None:
    """Seconds that the bots checked last thought in a game; None where none has passed its check."""
    passed = CheckGame.objects.filter(submission__team__contest=contest, submission__state=Submission.State.READY)
    found = [(checked.record_data(), checked.seat) for checked in passed.exclude(record=b"").order_by("-pk")[:CHECKS]]
    played = sum(games_played(record) for record, _ in found)
    return sum(sum(thinking_times(record)[seat]) for record, seat in found) / 1000 / played if played else None
