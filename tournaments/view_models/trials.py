"""What pages and programs are told of a trial. It is for the team that ordered it, and for people with a role."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q, Sum
from django.http import Http404
from django.urls import reverse

from contest.charts import LineChart
from contest.permissions import Access
from games.engine import Game
from games.pairs import Measure, amount, seats_of, seed_of, verdict
from games.phrases import counted
from games.record import positions
from games.trial import Decision, Step, shares, steps
from tournaments.models import PracticeGame, PracticeOrder, PracticePlayer, Trial, TrialPair
from tournaments.practice import trials
from tournaments.view_models import practice

SHOWN = 5  # pairs in a list
POINTS = 60  # of the chart
BEFORE, AFTER = 3, 12  # moves around the first difference
TONES = {
    Decision.BETTER: "ok",
    Decision.NOT_BETTER: "bad",
    Decision.NO_DIFFERENCE: "muted",
    Decision.UNDECIDED: "warn",
}


def visible_trial(access: Access, pk: int) -> Trial:
    """A trial with its order and players. Raises Http404.

    The order is read first: if the trial ends in between, the page polls once more, and does not stop without an
    answer.
    """
    order = practice.visible_order(access, pk)
    if order.kind != PracticeOrder.Kind.TRIAL:
        raise Http404("no such trial")
    trial = Trial.objects.get(pk=pk)
    trial.order = order
    return trial


@dataclass(frozen=True, slots=True)
class PairLine:
    """A pair in a list."""

    pair: TrialPair
    difference: str
    share: float  # of the log-likelihood ratio
    seat: str  # of the version
    href: str
    seed: int

    @property
    def number(self) -> int:
        return self.pair.number

    @property
    def share_told(self) -> str:
        return two_decimals(self.share)


@dataclass(frozen=True, slots=True)
class TrialSeen:
    trial: Trial
    order: PracticeOrder
    players: list[PracticePlayer]
    step: Step | None  # what is known so far
    ratios: list[float]  # after each pair that counts
    moved: list[PairLine]  # those that moved the ratio most
    forked: list[PairLine]  # the first in which the two differ
    better: int
    worse: int
    equal: int
    identical: int  # pairs in which both made the same decisions
    faults: tuple[int, int]
    running: int
    revision: str

    @property
    def game(self) -> Game:
        return self.order.contest.game

    @property
    def measure(self) -> Measure:
        return Measure(self.trial.measure)

    @property
    def new(self) -> PracticePlayer:
        return self.players[0]

    @property
    def old(self) -> PracticePlayer:
        return self.players[1]

    @property
    def opponents(self) -> list[str]:
        return list(dict.fromkeys(player.name for player in self.players[2:]))

    @property
    def tone(self) -> str:
        return tone_of(self.trial)

    @property
    def state(self) -> str:
        return state_of(self.trial)

    @property
    def answer(self) -> str:
        """The answer in a sentence."""
        trial = self.trial
        if trial.decision:
            names = name_of(self.new), name_of(self.old).lower()
            decision = Decision(trial.decision)
            return minus(verdict(self.game, self.measure, trial.design, decision, trial.counted, *names))
        ended = f"It ended undecided, after {counted(trial.counted, 'pair')}."
        return "Not decided yet." if self.order.is_open else ended

    @property
    def estimate(self) -> str:
        return self.amount(self.trial.difference)

    @property
    def interval(self) -> str:
        """Both ends; blank while there are too few pairs."""
        lower, upper = self.trial.lower, self.trial.upper
        if lower is None or upper is None:
            return ""
        return f"{self.amount(lower, unit=False)} to {self.amount(upper)}"

    @property
    def bounds(self) -> str:
        return f"{self.amount(self.trial.low, unit=False)} or {self.amount(self.trial.high)}"

    def amount(self, value: float, unit: bool = True) -> str:
        return minus(amount(self.game, self.measure, value, unit))

    @property
    def ratio(self) -> str:
        return two_decimals(self.trial.ratio)

    @property
    def limit(self) -> float:
        return self.trial.design.limit

    @property
    def is_held(self) -> bool:
        """Whether it goes on although the ratio is beyond its limit."""
        return self.order.is_open and self.step is not None and self.step.is_held

    @property
    def chart(self) -> LineChart | None:
        """The running ratio between its limits; None while there is nothing to draw."""
        count = len(self.ratios)
        if count < 2:
            return None
        every = max(1, -(-count // POINTS))
        shown = sorted({*range(every - 1, count, every), count - 1})
        limit = [round(self.limit, 2)] * len(shown)
        return LineChart(
            title="Log-likelihood ratio by pair",
            description="At the upper limit the new version is better, at the lower one it is not.",
            lines=(
                ("Ratio", [self.ratios[index] for index in shown]),
                ("Not better", [-each for each in limit]),
                ("Better", limit),
            ),
            ticks=[str(index + 1) for index in shown],
            links=[pair_address(self.order, index + 1) for index in shown],
            keys=shown,
            unit="pair",
        )


def two_decimals(value: float) -> str:
    """`+0.71`, `−3.36`: a log-likelihood ratio."""
    return minus(f"{value:+.2f}")


def minus(text: str) -> str:
    """With the minus sign that pages show."""
    return text.replace("-", "−")


def name_of(player: PracticePlayer) -> str:
    """`Version 7`."""
    return f"Version {player.submission.number}" if player.submission else player.name


def tone_of(trial: Trial) -> str:
    if trial.decision:
        return TONES[Decision(trial.decision)]
    return practice.TONES[PracticeOrder.State(trial.order.state)]


def state_of(trial: Trial) -> str:
    """The answer or the state in a word or two."""
    return trial.get_decision_display() if trial.decision else trial.order.get_state_display()


def pair_address(order: PracticeOrder, number: int) -> str:
    return reverse("trial-pair", args=[order.contest.slug, order.pk, number])


def trial_seen(trial: Trial) -> TrialSeen:
    """Everything about a trial, in a constant number of queries. `trial`: from `visible_trial`."""
    order = trial.order
    players = list(order.players.all())
    counting = trials.counting(trial, trial.pairs.all())
    differences = [difference for _, difference in counting]
    known = list(steps(trial.design, differences))
    lines = _lines(trial, counting, len(players) - 1)
    games = order.games.aggregate(
        new=Sum("faults", filter=Q(own=0), default=0),
        old=Sum("faults", filter=Q(own=1), default=0),
        running=Sum("attempt", filter=Q(state=PracticeGame.State.RUNNING), default=0),
    )
    shown = (order.state, order.why, trial.counted, trial.decision, games["running"] > 0)
    return TrialSeen(
        trial=trial,
        order=order,
        players=players,
        step=known[-1] if known else None,
        ratios=[step.ratio for step in known],
        moved=[it for it in sorted(lines, key=lambda it: -abs(it.share)) if it.share][:SHOWN],
        forked=[it for it in lines if it.pair.fork][:SHOWN],
        better=sum(each > 0 for each in differences),
        worse=sum(each < 0 for each in differences),
        equal=sum(each == 0 for each in differences),
        identical=sum(pair.fork is None for pair, _ in counting),
        faults=(games["new"], games["old"]),
        running=games["running"],
        revision=f"{zlib.crc32(repr(shown).encode()):08x}",
    )


def _lines(trial: Trial, counting: Sequence[tuple[TrialPair, float]], players: int) -> list[PairLine]:
    game, measure = trial.order.contest.game, Measure(trial.measure)
    parts = shares(trial.design, [difference for _, difference in counting])
    return [
        PairLine(
            pair=pair,
            difference=minus(amount(game, measure, difference)),
            share=part,
            seat=game.seat_names[seats_of(pair.number, players).index(0)].capitalize(),
            href=pair_address(trial.order, pair.number),
            seed=seed_of(trial.order.seed or 0, pair.number),
        )
        for (pair, difference), part in zip(counting, parts, strict=True)
    ]


def lines(found: Iterable[PracticeOrder]) -> list[tuple[Trial, str, str, str, str]]:
    """Trials for a list: with the tone and the words of their state, the estimate and the interval."""
    rows = []
    for order in found:
        trial = order.trial
        trial.order = order
        game, measure = order.contest.game, Measure(trial.measure)
        ends = [trial.lower, trial.upper]
        interval = " to ".join(amount(game, measure, it, unit=False) for it in ends if it is not None)
        estimate = amount(game, measure, trial.difference) if trial.counted else ""
        rows.append((trial, tone_of(trial), state_of(trial), minus(estimate), minus(interval)))
    return rows


# A pair ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two games of a pair."""

    player: PracticePlayer  # the version
    game: PracticeGame
    seat: str
    href: str  # the replay at the first difference; blank if its record was deleted
    moves: list[tuple[int, str]]  # number and sentence of the events around the first difference
    results: list[tuple[str, float, int]]  # name, points and place of everybody, in the order of the record

    @property
    def name(self) -> str:
        return name_of(self.player)


@dataclass(frozen=True, slots=True)
class PairSeen:
    number: int
    pair: TrialPair
    seed: int
    difference: str
    sides: list[Side]
    previous: int | None
    following: int | None

    @property
    def fork_at(self) -> int:
        """The number of the event with which the two part; 0 if they never do."""
        return self.pair.fork["index"] + 1 if self.pair.fork else 0

    @property
    def rows(self) -> list[tuple[int, str, str]]:
        """Both lists of moves beside each other: number, new, old."""
        new, old = (dict(side.moves) for side in self.sides)
        return [(index, new.get(index, ""), old.get(index, "")) for index in sorted({*new, *old})]

    @property
    def results(self) -> list[tuple[str, list[tuple[str, float, int]]]]:
        """For each seat who sat there, and points and place in the game of each version."""
        by_side = [side.results for side in self.sides]
        return [
            (
                "Your version" if self.sides[0].game.index == seat else both[0][0],
                [(side.name, points, place) for side, (_, points, place) in zip(self.sides, both, strict=True)],
            )
            for seat, both in enumerate(zip(*by_side, strict=True))
        ]


def pair_seen(trial: Trial, number: int) -> PairSeen:
    """A pair with both of its games. Raises Http404 if it does not count, or not yet."""
    pair = trial.pairs.filter(number=number, new__isnull=False).first()
    if pair is None or pair.difference is None:
        raise Http404("no such pair")
    players = {player.number: player for player in trial.order.players.all()}
    games = trial.order.games.filter(number__in=(2 * number - 1, 2 * number)).with_record()
    numbers = trial.pairs.exclude(new=None)
    measure = Measure(trial.measure)
    return PairSeen(
        number,
        pair,
        seed_of(trial.order.seed or 0, number),
        minus(amount(trial.order.contest.game, measure, pair.difference)),
        [_side(trial, pair, players, game) for game in games],
        previous=numbers.filter(number__lt=number).order_by("-number").values_list("number", flat=True).first(),
        following=numbers.filter(number__gt=number).values_list("number", flat=True).first(),
    )


def _side(trial: Trial, pair: TrialPair, players: dict[int, PracticePlayer], game: PracticeGame) -> Side:
    order, kept = trial.order, getattr(game, "has_record", False)
    index = pair.fork["index"] if pair.fork else 0
    href = reverse("practice-game", args=[order.contest.slug, order.pk, game.number]) if kept else ""
    moves = []
    if kept and pair.fork:
        plies = range(max(0, index - BEFORE), index + AFTER)
        moves = [(it.index + 1, it.caption) for it in positions(game.record.loaded(), 1, "table", plies=plies)]
    return Side(
        player=players[game.own],
        game=game,
        seat=game.seat_name(order.contest.game),
        href=f"{href}?ply={index}&view=table" if href and pair.fork else href,
        moves=moves,
        results=[
            (players[who].name, result["score"] + result["penalty"], result["place"])
            for who, result in zip(game.lineup, game.results, strict=True)
        ],
    )
