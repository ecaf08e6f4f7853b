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
from games.phrases import counted
from submissions.models import Submission
from tournaments.models import Placement, PracticeOrder
from tournaments.models.matches import house_player
from tournaments.practice import placements, rights
from tournaments.practice.placements import Hand

State = PracticeOrder.State


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
    headline: str  # where it stands; blank: nothing is known yet
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
        headline=_headline(rungs, found),
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


def _headline(rungs: tuple[Rung, ...], found: Placement) -> str:
    if found.rating is None or found.error is None:
        return ""
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
    if order.state != State.OPEN:
        return order.why or "It was cancelled."
    games = Counter(order.games.values_list("state", flat=True))
    done, running = games["done"] + games["failed"], games["running"]
    rest = "They wait until a worker has nothing else to do."
    if running:
        rest = f"{counted(running, 'game')} in progress."
    return f"{done} of at most {counted(order.wanted, 'practice game')} played. {rest}"


def _rungs(game: Game, rungs: tuple[Rung, ...], found: Placement) -> list[RungLine]:
    shares = {name: [won for _, won in rows] for name, rows in groupby(sorted(found.duels), key=lambda row: row[0])}
    near = ladder.between(rungs, found.rating or 0.0)
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


def _hand(game: Game, found: Placement, hand: Hand) -> HandLine:
    where = [f"{game.hand_word} {hand['hand']}"] if hand["hand"] and game.hand_word else []
    where += [f"game {hand['deal']}"] if game.seats[1] == 1 else [f"as {game.seat_names[hand['seat']]}"]
    rung = hand["rung"].replace("_", " ")
    told = f"{', '.join(where)}: {hand['mine']:g} {game.counts}; {rung} had {hand['theirs']:g}"
    args = [found.order.contest.slug, found.order_id, hand["game"]]
    if game.seats[1] == 1:  # a replay of practice shows the first game alone
        return HandLine(told, reverse("practice-record", args=args))
    return HandLine(told, f"{reverse('practice-game', args=args)}?ply={hand['index']}")
