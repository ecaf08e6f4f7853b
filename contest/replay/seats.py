"""Who sits where in a game of a record."""

from __future__ import annotations

from contest.replay.parts import ReplaySeat
from games.engine import Game
from games.record import Record, game_seating


def seats_of(game: Game, record: Record, number: int) -> list[ReplaySeat]:
    players = record["seats"]
    names = [game.seat_names[index].capitalize() for index in range(len(players))]
    initials = [name[0] for name in names]
    letters = initials if len(set(initials)) == len(initials) else [str(index) for index in range(len(players))]
    out = set(record["result"]["disqualified"])
    return [
        ReplaySeat(index, names[index], letters[index], it, players[it]["name"], players[it]["bot"], it in out)
        for index, it in enumerate(game_seating(record, number))
    ]
