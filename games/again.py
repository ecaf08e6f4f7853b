"""`python3 -m games again`: the deals of a record once more, with other players in its chairs."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from games import get
from games.build import HOUSE, seated
from games.commands import JUDGED, PLAYED, check_writable, read_record, report, standing
from games.deals import openings, packs_before
from games.engine import Game, OptionError
from games.phrases import counted
from games.programs import pinned
from games.record import Record, dumps, games_played, verify
from games.referee import Match, play


def again(arguments: Namespace) -> int:
    """The command: `again RECORD --seat N BOT [BOT …] [--record FILE]`."""
    record = read_record(arguments.old)
    game = get(record["game"])
    if difference := verify(record):
        raise OptionError(f"{arguments.old}: {difference}")
    check_writable(arguments.record)
    bots = chairs(game, record, arguments.seat, arguments.bot)
    match = replayed(record, bots)
    print(f"As it was, {counted(games_played(record), 'game')}:")
    print("\n".join(standing(record)))
    places = (f"{bot} for {seat['name']}" for bot, seat in zip(bots, record["seats"], strict=True))
    print(f"\nThe same deals, {', '.join(places)}:")
    report(game, match, sys.stdout)
    if arguments.record:
        Path(arguments.record).write_text(dumps(match.record) + "\n", encoding="utf-8")
        print(f"record written: {arguments.record}", file=sys.stderr)
    return JUDGED if game.failed(match.record["result"], match.record["events"]) else PLAYED


def chairs(game: Game, record: Record, player: int | None, bots: Sequence[str]) -> list[str]:
    """Who plays in whose place: the first of `bots` for that player (from 1), the others for the others in their order.

    Where no bot is left, a house player of the record plays on, and for a program comes one that fills chairs.
    Raises OptionError.
    """
    players = len(record["seats"])
    if player is None and players > 1:
        raise OptionError(f"say with --seat in whose place the bot plays: 1 to {players}, as the record lists them")
    chair = (player or 1) - 1
    if not 0 <= chair < players:
        raise OptionError(f"this record has the players 1 to {players}, and no {player}")
    if len(bots) > players:
        raise OptionError(f"{counted(len(bots), 'bot')} for {counted(players, 'player')}: that is too many")
    mine, *rest = bots
    fillers = game.fillers or (game.house[0].name,)
    found = []
    for number, seat in enumerate(record["seats"]):
        if number == chair:
            found.append(mine)
        elif rest:
            found.append(rest.pop(0))
        else:
            found.append(seat["bot"] if _is_house(game, seat["bot"]) else HOUSE + fillers[number % len(fillers)])
    return found


def _is_house(game: Game, bot: str) -> bool:
    return bot.startswith(HOUSE) and bot.removeprefix(HOUSE) in {house.name for house in game.house}


def replayed(record: Record, bots: Sequence[str]) -> Match:
    """As many games as the record has, each opened as there and dealt from the same packs; one bot for each player.

    Where the rules say how many games a match has, these players may need more: those open as the game says.
    Raises OptionError, BuildError, MachineryError.
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
