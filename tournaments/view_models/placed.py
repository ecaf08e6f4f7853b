"""What the page of a version says about its place on the ladder of house players. Like the page, it is for the team and
for people with a role."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from django.urls import reverse
from django.utils import timezone

from games import ladder
from games.engine import Game
from games.ladder import Rung
from games.phrases import amount, counted
from submissions.models import Submission
from tournaments.models import Placement, PracticeOrder
from tournaments.models.matches import house_player
from tournaments.practice import placements, rights
from tournaments.practice.placements import Hand

State = PracticeOrder.State

VAGUE = 150.0
"""Half of an interval that says too little to name a place, while more games follow."""


@dataclass(frozen=True, slots=True)
class RungLine:
    """A rung, and what the version reached against it."""

    name: str
    rating: float
    games: int
    won: float | None  # share of the matches, in percent
    is_next: bool  # to where the version stands


@dataclass(frozen=True, slots=True)
class HandLine:
    """A hand that cost the version points."""

    told: str
    href: str


@dataclass(frozen=True, slots=True)
class Placed:
    headline: str  # where it stands; blank: that is not known well enough yet
    now: str  # what happens, or why it ended; blank: it is finished
    rungs: list[RungLine]  # the strongest first
    hands: list[HandLine]
    usual: bool  # the rules are those under which the house was measured


def placed(version: Submission) -> Placed | None:
    """What is known about the place of a version. None: it has none and will have none."""
    contest = version.team.contest
    game = contest.game
    found = Placement.objects.select_related("order").filter(submission=version).first()
    if found is None:
        return (
            Placed("", "It will begin as soon as workers have nothing else to do.", [], [], True)
            if waits(version)
            else None
        )
    found.order.contest = contest
    rungs = ladder.rungs(game)
    options = game.options(preset=contest.preset) if contest.preset == game.preset().name else None
    return Placed(
        headline=_headline(rungs, found) if is_known(found) else "",
        now=_now(found),
        rungs=_rungs(game, rungs, found) if found.duels else [],
        hands=[_hand(game, found, hand) for hand in found.hands],
        usual=options == found.order.options,
    )


def waits(version: Submission) -> bool:
    """Whether a placement of this version is still to begin."""
    contest, now = version.team.contest, timezone.now()
    return (
        version.is_ready
        and contest.places_versions
        and contest.game_slug in placements.laddered()
        and version.finished_at is not None
        and version.finished_at > now - placements.FRESH
        and not rights.why_not(version.team, now)
        and not version.team.submissions.ready().filter(number__gt=version.number).exists()
    )


def is_known(found: Placement) -> bool:
    """Whether to name its place. At the end that is as much as will ever be known."""
    return found.error is not None and (found.error <= VAGUE or found.order.state == State.DONE)


def _headline(rungs: tuple[Rung, ...], found: Placement) -> str:
    assert found.rating is not None
    assert found.error is not None
    below, above = ladder.between(rungs, found.rating)
    here = f"{found.rating:.0f} ± {found.error:.0f}"
    if below is None:
        return f"{here}, below {_named(rungs[0])}"
    if above is None:
        return f"{here}, above the whole ladder: its top is {_named(below)}"
    return f"{here}, between {_named(below)} and {_named(above)}"


def _named(rung: Rung) -> str:
    return f"{rung.name.replace('_', ' ')} ({rung.rating:.0f})"


def _now(found: Placement) -> str:
    order = found.order
    if order.state == State.DONE:
        return ""
    games = Counter(order.games.values_list("state", flat=True))
    done, running = games["done"] + games["failed"], games["running"]
    if order.state != State.OPEN:
        unknown = "" if is_known(found) else f" After {counted(done, 'game')}, its place was not known yet."
        return (order.why or "It was cancelled.") + unknown
    rest = "They wait until a worker has nothing else to do."
    if running:
        rest = f"{counted(running, 'game')} in progress."
    unknown = "" if is_known(found) else f" Its place appears here when it is known to about ± {VAGUE:.0f}."
    return f"{done} of at most {counted(order.wanted, 'practice game')} played. {rest}{unknown}"


def _rungs(game: Game, rungs: tuple[Rung, ...], found: Placement) -> list[RungLine]:
    shares = {name: [won for _, won in rows] for name, rows in groupby(sorted(found.duels), key=lambda row: row[0])}
    near = ladder.between(rungs, found.rating or 0.0) if is_known(found) else ()
    return [
        RungLine(
            house_player(rung.name).removeprefix("House: "),
            rung.rating,
            2 * len(shares.get(rung.name, ())),
            100 * fmean(shares[rung.name]) if rung.name in shares else None,
            rung in near,
        )
        for rung in reversed(rungs)
    ]


def _amount(number: float, game: Game) -> str:
    return amount(int(number), game.counts) if number == int(number) else f"{number:g} {game.counts}"


def _hand(game: Game, found: Placement, hand: Hand) -> HandLine:
    where = [f"{game.hand_word} {hand['hand']}"] if hand["hand"] and game.hand_word else []
    where += [f"game {hand['deal']}"] if game.seats[1] == 1 else [f"as {game.seat_names[hand['seat']]}"]
    rung = hand["rung"].replace("_", " ")
    told = f"{', '.join(where)}: {_amount(hand['mine'], game)}; {rung} had {hand['theirs']:g}"
    args = [found.order.contest.slug, found.order_id, hand["game"]]
    if game.seats[1] == 1:  # a replay of practice shows the first game alone
        return HandLine(told, reverse("practice-record", args=args))
    return HandLine(told, f"{reverse('practice-game', args=args)}?ply={hand['index']}")
