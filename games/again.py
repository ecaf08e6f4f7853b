"""`python3 -m games again`: play the deals of a record once more, with other players in its seats."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

from games import get
from games.build import HOUSE, seated
from games.commands import check_writable, deliver, read_record, report, result_lines
from games.deals import openings, packs_before
from games.engine import Event, Game, OptionError
from games.phrases import counted
from games.programs import pinned
from games.record import Record, games, games_played, verify
from games.referee import Match, play
from games.resume import Forced, Start, follow, start_at


def again(arguments: Namespace) -> int:
    """The command: `again RECORD --seat N BOT [BOT …] [--from GAME:EVENT] [--record FILE]`."""
    record = read_record(arguments.old)
    game = get(record["game"])
    if difference := verify(record):
        raise OptionError(f"{arguments.old}: {difference}")
    check_writable(arguments.record)
    if arguments.position is not None:
        match = _played_on(game, record, arguments)
    else:
        bots = substitutes(game, record, arguments.seat, arguments.bot)
        match = replayed(record, bots)
        if not arguments.json:
            _print_both(game, record, bots, match)
    return deliver(game, match, arguments)


def position(text: str) -> tuple[int, int]:
    """Read `GAME:EVENT`, or an event of the first game. Raises ValueError."""
    game, colon, event = text.rpartition(":")
    return int(game) if colon else 1, int(event)


def _played_on(game: Game, record: Record, arguments: Namespace) -> Match:
    """Play on from a position of the record, and say what the first bot does there. Raises OptionError."""
    number, ply = arguments.position
    start = start_at(record, number, ply)
    place = start.seating[start.turn] if arguments.seat is None else arguments.seat - 1
    bots = substitutes(game, record, place + 1, arguments.bot)
    match, forced = _forced(game, record, start, bots)
    if not arguments.json:
        for player, each in enumerate(forced):
            if each.differs is not None:
                where = "" if player == place else f" ({record['seats'][player]['name']})"
                print(f"Before that, at event {each.differs.place}, {bots[player]}{where} {each.differs.text}.")
        _print_decision(game, "In the record", games(record)[number - 1], ply)
        _print_decision(game, f"With {bots[place]}", match.record["events"], ply)
        report(game, match, bots)
    return match


def _forced(game: Game, record: Record, start: Start, bots: Sequence[str]) -> tuple[Match, list[Forced]]:
    """Play from a position. Programs are asked about the past as well."""
    with pinned():
        seats = [seated(game, bot) for bot in bots]
        forced = [
            Forced(seat.player, past, ask=not bot.startswith(HOUSE))
            for seat, past, bot in zip(seats, start.past, bots, strict=True)
        ]
        match = play(
            game,
            [replace(seat, player=player) for seat, player in zip(seats, forced, strict=True)],
            seed=record["seed"],
            options=game.options(record["options"], record["rules"]),
            preset=record["rules"],
            on_start=follow(forced),
            **start.arguments(),
        )
    return match, forced


def _print_decision(game: Game, title: str, events: Sequence[Event], ply: int) -> None:
    """The decision, or the fault, after a position."""
    view = game.view(None)
    for index, event in enumerate(events):
        if index > ply and (event["event"] in game.decisions or event["event"] == "fault"):
            print(f"{title}: {game.caption(event, view)}")
            return
        view.tell(event)


def _print_both(game: Game, record: Record, bots: Sequence[str], match: Match) -> None:
    print(f"As it was, {counted(games_played(record), 'game')}:")
    print("\n".join(result_lines(record)))
    places = (f"{bot} for {seat['name']}" for bot, seat in zip(bots, record["seats"], strict=True))
    print(f"\nThe same deals, {', '.join(places)}:")
    report(game, match, bots)


def substitutes(game: Game, record: Record, player: int | None, bots: Sequence[str]) -> list[str]:
    """Return who plays in whose place: the first of `bots` for `player` (from 1), the others for the other players in
    order.

    Where no bot is left, a house player of the record plays again, and a filler of the game replaces a program. Raises
    OptionError.
    """
    players = len(record["seats"])
    if player is None and players > 1:
        raise OptionError(f"use --seat to say in whose place the bot plays: 1 to {players}, in the order of the record")
    place = (player or 1) - 1
    if not 0 <= place < players:
        raise OptionError(f"this record has players 1 to {players}, and no player {player}")
    if len(bots) > players:
        raise OptionError(f"{counted(len(bots), 'bot')} for {counted(players, 'player')} is too many")
    mine, *rest = bots
    fillers, house = game.fillers or (game.house[0].name,), {HOUSE + house.name for house in game.house}
    found = []
    for number, seat in enumerate(record["seats"]):
        if number == place:
            found.append(mine)
        elif rest:
            found.append(rest.pop(0))
        else:
            found.append(seat["bot"] if seat["bot"] in house else HOUSE + fillers[number % len(fillers)])
    return found


def replayed(record: Record, bots: Sequence[str]) -> Match:
    """Play as many games as the record has, each with the same opening and the same packs. `bots` names one for each
    player.

    Where the rules decide how many games a match has, these players may need more. Those open as the game says. Raises
    OptionError, BuildError, MachineryError.
    """
    game = get(record["game"])
    seats = [seated(game, bot) for bot in bots]
    several = record["events"][:1] != [] and record["events"][0]["event"] == "game"
    with pinned():
        return play(
            game,
            seats,
            seed=record["seed"],
            options=game.options(record["options"], record["rules"]),
            preset=record["rules"],
            openings=openings(record) if several else None,
            packs=packs_before(game, record),
        )
