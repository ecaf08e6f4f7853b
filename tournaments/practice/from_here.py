"""“Your bot from here”: what a version of a team would decide at a position of a replay, and the rest of the game.

Everything before the position is given (games.resume). The version is told of it and asked as in a match, with the same
limits, so it is known whether it would have come there, and where it would have decided otherwise first. A program that
remembers its own play is of no use after that, so in a game that is played out a house player takes over from there.

As with “Play these deals again”, a team may do this where everybody may know the deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from contest.models import Team, User
from contest.refusal import Refused
from contest.replay import place_of
from games import referee, resume
from games.engine import Event, Game, OptionError
from games.players import HousePlayer, Seated
from games.record import Record, game_events
from submissions.lease import LeaseLost
from tournaments.models import FromHere, Match, PracticeGame, PracticeOrder
from tournaments.practice import again, orders, queue, rights
from tournaments.practice.queue import GameState, Wanted, WantedGame
from tournaments.seating.draw import limits_of

FORGETFUL = "question"
"""The protocol in which every question tells everything, so a program needs no past of its own."""


@dataclass(frozen=True, slots=True)
class Source:
    """A position of a record that the team may see."""

    record: Record
    game: int
    ply: int
    match: Match | None = None
    practice: PracticeGame | None = None


@transaction.atomic
def place(
    team: Team, by: User | None, source: Source, version: int | None, *, plays_out: bool, now: datetime | None = None
) -> PracticeOrder:
    """Order it. Raises Refused."""
    now = now or timezone.now()
    team = rights.hold(team)
    if why := rights.why_not(team, now):
        raise Refused(why)
    if source.match is not None and not again.is_open(source.match):
        raise Refused("The deals of this match are not public yet.")
    game = team.contest.game
    try:
        start = resume.start_at(source.record, source.game, source.ply)
    except OptionError:
        raise Refused("Nobody decides anything after this position. Go back a little.") from None
    own = start.seating[start.turn]
    others = _others(team, source, own, plays_out)
    players = iter(range(1, len(others) + 1))
    lineup = [0 if index == own else next(players) for index in range(len(others) + 1)]
    rights.check(team, 1, now)
    order = PracticeOrder(
        contest=team.contest,
        team=team,
        kind=PracticeOrder.Kind.FROM_HERE,
        made_by=by,
        made_at=now,
        seat=start.turn,
        seed=source.record["seed"],
        wanted=1,
        options=source.record["options"],
        limits=limits_of(team.contest),
        due_at=now,
    )
    wanted = [Wanted(orders.version_of(team, version)), *others]
    queue.open_order(order, wanted, [WantedGame(lineup, source.record["seed"], start.opening or {}, start.packs)])
    events = game_events(source.record, source.game)
    at = _decision_after(game, events, source.ply)
    assert at is not None  # else nothing could start there
    FromHere.objects.create(
        order=order,
        match=source.match,
        practice=source.practice,
        game=source.game,
        ply=source.ply,
        where=place_of(game, events, at)[:80],
        seat=start.turn,
        plays_out=plays_out,
        past=start.past,
        decided=start.decided,
        decision=_caption(game, events, at),
        chosen=_bare(events[at]),
    )
    queue.wake_on_commit()
    return order


def _others(team: Team, source: Source, own: int, plays_out: bool) -> list[Wanted]:
    """Who sits in the other seats: whoever sat there, as far as the team may practise against them; otherwise, and
    where nobody plays on, a house player."""
    game = team.contest.game
    best = Wanted(house=game.house[-1].name)
    keys = [seat["bot"] for seat in source.record["seats"]]
    if plays_out and source.match is not None:
        keys = again.keys_of(source.match, team)
    elif plays_out and source.practice is not None:
        players = {player.number: player for player in source.practice.order.players.all()}
        keys = [players[number].key for number in source.practice.lineup]
    found = []
    for index, key in enumerate(keys):
        if index != own:
            try:
                found.append(orders.opponent(team, key) if plays_out or key.startswith("house:") else best)
            except Refused:
                found.append(best)
    return found


# Playing --------------------------------------------------------------------------------------------------------------


class _Answered(Exception):
    """The version has decided, and nobody plays on."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it. `match`: the whole game, if it was played out."""

    answer: dict[str, Any]
    match: referee.Match | None


def prepared(claimed: PracticeGame, seats: Sequence[Seated]) -> Callable[..., Played]:
    """The game with these players, to be called with `on_progress`."""
    return partial(_play, claimed, claimed.order.from_here, seats)


def _play(claimed: PracticeGame, here: FromHere, seats: Sequence[Seated], on_progress: Callable[[int], None]) -> Played:
    order, game = claimed.order, claimed.order.contest.game
    forced = [
        _forced(game, seat, past, here, is_own=index == claimed.index)
        for index, (seat, past) in enumerate(zip(seats, here.past, strict=True))
    ]
    events: list[Event] = []

    def progress(decisions: int) -> None:
        on_progress(decisions)
        if not here.plays_out and _decision_after(game, events, here.ply) is not None:
            raise _Answered

    match = None
    try:
        match = referee.play(
            game,
            [replace(seat, player=player) for seat, player in zip(seats, forced, strict=True)],
            seed=claimed.seed,
            options=order.options,
            preset=order.contest.preset,
            games=1,
            openings=[claimed.opening] if claimed.opening else None,
            packs=[claimed.packs or 0],
            decided=here.decided,
            on_start=resume.follow(forced),
            on_progress=progress,
            on_event=events.append,
        )
    except _Answered:
        pass
    return Played(_answer(game, events, here, claimed, list(zip(seats, forced, strict=True))), match)


def _forced(game: Game, seat: Seated, past: Sequence[Event], here: FromHere, *, is_own: bool) -> resume.Forced:
    is_program = not seat.bot.startswith("house:")
    instead = None
    if is_program and here.plays_out and game.protocol != FORGETFUL:
        instead = HousePlayer(game.house[-1])
    return resume.Forced(seat.player, past, ask=is_program and (is_own or here.plays_out), instead=instead)


def _answer(
    game: Game,
    events: Sequence[Event],
    here: FromHere,
    claimed: PracticeGame,
    players: Sequence[tuple[Seated, resume.Forced]],
) -> dict[str, Any]:
    at = _decision_after(game, events, here.ply)
    assert at is not None  # the referee asks whoever is in turn at the position
    return {
        "text": _caption(game, events, at),
        "ms": events[at].get("ms"),
        "fault": events[at].get("kind", ""),
        "same": _bare(events[at]) == here.chosen,
        "differs": [
            {
                "name": seat.name,
                "own": index == claimed.index,
                "ply": forced.differs.place,
                "where": place_of(game, events, forced.differs.place),
                "text": _otherwise(game, events, forced.differs),
                "instead": _caption(game, events, forced.differs.place),
            }
            for index, (seat, forced) in enumerate(players)
            if forced.differs is not None
        ],
    }


def _otherwise(game: Game, events: Sequence[Event], differs: resume.Differs) -> str:
    """What it would have done, in a sentence."""
    if differs.answer is None:
        return f"It {differs.text}."
    return _caption(game, [*events[: differs.place], differs.answer], differs.place)


def _decision_after(game: Game, events: Sequence[Event], ply: int) -> int | None:
    """The index of the decision, or of the fault, after a position."""
    kinds = game.decisions | {"fault"}
    return next((index for index in range(ply + 1, len(events)) if events[index]["event"] in kinds), None)


def _caption(game: Game, events: Sequence[Event], at: int) -> str:
    """An event in a sentence."""
    view = game.view(None)
    for event in events[:at]:
        view.tell(event)
    return game.caption(events[at], view)


def _bare(event: Event) -> Event:
    return {key: value for key, value in event.items() if key not in ("ms", "cpu_ms", "by", "detail", "answer")}


@transaction.atomic
def finish(claimed: PracticeGame, answer: dict[str, Any], now: datetime | None = None) -> None:
    """Write the answer of a game that is not played out, once. Raises LeaseLost without writing anything."""
    order = queue.hold(claimed.order_id)
    values = {"state": GameState.DONE, "finished_at": now or timezone.now(), "lease_until": None, "last_error": ""}
    if not PracticeGame.objects.held_by(claimed).update(**values):
        raise LeaseLost
    keep(order, answer)
    queue.settle(order)


def keep(order: PracticeOrder, answer: dict[str, Any]) -> None:
    FromHere.objects.filter(order=order).update(answer=answer)
