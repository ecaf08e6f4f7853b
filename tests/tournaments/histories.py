"""Random contests, played by the real actions with random results.

A `History` is drawn by hypothesis: a way to play and a list of events. A `World` goes through it; actions that are
refused are skipped.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from django.utils import timezone
from hypothesis import strategies as st

import games
from contest.models import Team
from contest.refusal import Refused
from games import referee
from games.format import outcome
from games.players import HousePlayer, Seated
from tests.cast import make_contest, make_team, make_user
from tests.tournaments import scenes
from tests.tournaments.stagecraft import give_bot
from tournaments.kinds import following
from tournaments.models import Match, Review, Stage
from tournaments.organising import releases, restoring, reviews, stages, substitutes
from tournaments.playing import play

LEVELS = 3  # few different scores, so that ties are frequent


@dataclass(frozen=True)
class Way:
    """A way to play: the game, the format with its options, and the range of the number of teams."""

    game: str
    format: str
    options: Mapping[str, Any]
    most: int
    least: int = 2


TWOS = {"table_size": 2, "games": 1}
FOURS = {"table_size": 4, "games": 1}

ELIMINATIONS = (
    Way("tricky_eights", "single_elimination", TWOS, 8),
    Way("tricky_eights", "single_elimination", {**TWOS, "third_place": True}, 8, 4),
    Way("tricky_eights", "single_elimination", FOURS, 16),
    Way("tricky_eights", "single_elimination", {**FOURS, "advance": 2}, 16),
)
OTHERS = (
    Way("barracuda", "single_elimination", {**TWOS, "best_of": 3}, 5),
    Way("barracuda", "swiss", {**TWOS, "rounds": 3}, 8),
    Way("intensity", "swiss", {**FOURS, "rounds": 2}, 9),
    Way("intensity", "swiss", {**FOURS, "rounds": 1, "duplicate": True}, 6),
    Way("barracuda", "round_robin", {"games": 1}, 5),
    Way("barracuda", "combinations", {"games": 1}, 4),
    Way("hearts", "combinations", {"budget": 72}, 6, 5),
    Way("barracuda", "ladder", {"table_size": 2, "games": 1, "pause": 0}, 6),
)

RESULTS = ("play", "play", "play", "void", "hold", "restore", "review", "upload")
"""Events that concern only results."""
EVERYTHING = (*RESULTS, "leave", "return", "replace", "release", "take back", "freeze", "lift")


@dataclass(frozen=True)
class History:
    way: Way
    teams: int
    release: str
    seed: int
    events: tuple[tuple[str, int], ...]


@st.composite
def histories(
    draw: st.DrawFn, ways: Sequence[Way], actions: Sequence[str] = EVERYTHING, *, most: int = 10, rounds: bool = True
) -> History:
    """`rounds`: some are released round by round."""
    way = draw(st.sampled_from(ways))
    by_rounds = rounds and way.format != "ladder" and draw(st.booleans())
    events = st.tuples(st.sampled_from(actions), st.integers(0, 9))
    return History(
        way,
        draw(st.integers(way.least, way.most)),
        Stage.Release.ROUNDS if by_rounds else Stage.Release.LIVE,
        draw(st.integers(0, 1000)),
        tuple(draw(st.lists(events, min_size=2, max_size=most))),
    )


class World:
    """A contest that goes through a history."""

    def __init__(self, history: History) -> None:
        self.random = Random(history.seed)
        self.ladder = history.way.format == "ladder"
        two = games.get(history.way.game).seats[1] == 2
        self.ada = make_user()
        options = {} if history.way.game == "intensity" else {"target": 1}
        self.contest = make_contest(self.ada, game=history.way.game, preset="open", options=options)
        self.teams = scenes.enter(self.contest, history.teams)
        wish = stages.Wish("Stage", history.way.format, history.way.options, release=history.release)
        self.stage = stages.create(self.contest, self.ada, wish)
        Stage.objects.filter(pk=self.stage.pk).update(seed=history.seed + 1)
        stages.start(self.stage, self.ada)
        self.stage.refresh_from_db()
        self.faults = not two  # the referee of this game disqualifies
        self.when_frozen: Callable[[], None] = lambda: None

    @property
    def stages(self) -> list[Stage]:
        return list(self.contest.stages.order_by("pk"))

    def happen(self, events: Sequence[tuple[str, int]]) -> None:
        for name, number in events:
            try:
                self.act(name, number)
            except Refused:
                continue
        self.contest.refresh_from_db()
        self.stage.refresh_from_db()

    def act(self, name: str, number: int) -> None:
        ACTIONS[name](self, number)

    # Events -----------------------------------------------------------------------------------------------------------

    def play(self, number: int) -> None:
        self.go_on()
        for _ in range(number + 1):
            if self.ladder:
                following.reconcile(self.stage)
            match = Match.objects.claimable(timezone.now()).filter(stage=self.stage, pending=False).first()
            if match is None:
                return
            self.finish(match)

    def go_on(self) -> None:
        self.stage.refresh_from_db()
        if self.stage.state == Stage.State.PAUSED:
            stages.resume(self.stage, self.ada)

    def finish(self, match: Match) -> None:
        claimed = play.claim(match.pk, "tester")
        assert claimed is not None
        play.finish(claimed, self.played(claimed))
        if not claimed.pending:
            following.follow_ledger(claimed.contest_id)

    def played(self, claimed: Match) -> referee.Match:
        """Random scores, with an occasional disqualification."""
        seats, game = play.seats_of(claimed), claimed.contest.game
        played = copy.deepcopy(some_match(game.slug, claimed.contest.preset, len(seats)))
        for seat, told in zip(seats, played.record["seats"], strict=True):
            told["name"] = seat.name
        out = [seat.index for seat in seats if self.faults and seat.team_id and self.random.random() < 0.2]
        scores = [float(self.random.randrange(LEVELS)) for _ in seats]
        played.record["result"] = outcome(game, scores, out)
        return played

    def valid(self) -> list[Match]:
        return list(self.stage.matches.done().order_by("pk"))

    def void(self, number: int) -> None:
        if matches := self.valid():
            stages.void(matches[number % len(matches)], self.ada, "Why not?")

    def hold(self, number: int) -> None:
        """Void a match and pause, until something is played."""
        if matches := self.valid():
            stages.void(matches[number % len(matches)], self.ada, "Why not?", hold=True)

    def restore(self, number: int) -> None:
        void = list(self.stage.matches.filter(state=Match.State.VOID, resulted__isnull=False).order_by("-pk"))
        if void:
            restoring.restore(void[number % len(void)], self.ada, "Why not?")

    def review(self, number: int) -> None:
        """A review that is played, then applied, dropped, or left open. An open one is decided first."""
        undecided = self.stage.reviews.filter(state=Review.State.OPEN).first()
        if undecided is None and (matches := self.valid()):
            chosen = [match.pk for match in matches[number % len(matches) :][:3]]
            undecided = reviews.start(self.stage, self.ada, "Why not?", chosen, other_deals=number % 2 == 0)
            for match in undecided.matches.order_by("pk"):
                self.finish(match)
        if undecided is not None and number % 3:
            (reviews.apply if number % 3 == 1 else reviews.drop)(undecided, self.ada)

    def upload(self, number: int) -> None:
        team = self.teams[number % len(self.teams)]
        give_bot(team, number=team.submissions.count() + 1)

    def leave(self, number: int) -> None:
        team = self.teams[number % len(self.teams)]
        (stages.disqualify if number % 2 else stages.withdraw)(team, self.ada, "Why not?")

    def come_back(self, number: int) -> None:
        gone = [team for team in self.contest.teams.order_by("pk") if not team.is_competing]
        if gone:
            stages.reinstate(gone[number % len(gone)], self.ada, "Why not?")

    def replace(self, number: int) -> None:
        """By a team that comes late; or it takes a bye."""
        self.stage.refresh_from_db()
        new = make_team(self.contest, name=f"Late {self.contest.teams.count()}")
        give_bot(new)
        seated = [team for team in self.stage.order if team in {each.pk for each in self.teams}]
        gone = Team.objects.get(pk=seated[number % len(seated)]) if number and seated else None
        substitutes.substitute(self.stage, self.ada, new, "Why not?", instead_of=gone)

    def release(self, number: int) -> None:
        self.stage.refresh_from_db()
        releases.release(self.stage, self.ada, self.stage.released + 1)

    def take_back(self, number: int) -> None:
        self.stage.refresh_from_db()
        if self.stage.released:
            releases.take_back(self.stage, self.ada, self.stage.released)

    def freeze(self, number: int = 0) -> None:
        self.go_on()
        releases.freeze(self.contest, self.ada)
        self.contest.refresh_from_db()
        self.when_frozen()

    def lift(self, number: int) -> None:
        releases.lift(self.contest, self.ada)


class LedWorld(World):
    """The stage is played out, the best four of it go on to a bracket, and then things happen in both."""

    def __init__(self, history: History) -> None:
        super().__init__(history)
        for _ in range(20):  # series and play-offs go on after the last match of a round
            self.play(9)
        self.source = self.stage
        wish = stages.Wish(
            "Finals", options=TWOS if self.contest.game.seats[1] > 1 else {}, entry=Stage.Entry.BEST,
            source=self.source, best=4,
        )  # fmt: skip
        self.finals = stages.create(self.contest, self.ada, wish)
        Stage.objects.filter(pk=self.finals.pk).update(seed=history.seed + 2)
        stages.start(self.finals, self.ada)

    def act(self, name: str, number: int) -> None:
        self.stage = self.source if name in ("release", "take back") or number % 3 == 0 else self.finals
        try:
            super().act(name, number)
        finally:
            self.stage = self.source


ACTIONS: dict[str, Callable[[World, int], None]] = {
    "play": World.play,
    "void": World.void,
    "hold": World.hold,
    "restore": World.restore,
    "review": World.review,
    "upload": World.upload,
    "leave": World.leave,
    "return": World.come_back,
    "replace": World.replace,
    "release": World.release,
    "take back": World.take_back,
    "freeze": World.freeze,
    "lift": World.lift,
}


@cache
def some_match(game: str, preset: str, seats: int) -> referee.Match:
    """A short match that was really played, as a template for those with random results."""
    found = games.get(game)
    target = {} if game == "intensity" else {"target": 1}
    players = [Seated(f"Player {seat}", "bot.py", HousePlayer(found.house[0])) for seat in range(seats)]
    return referee.play(found, players, seed=1, options=found.options(target, preset), preset=preset, games=1)
