"""A film that grows: while a game is played it gives *pieces*, each what is new since the one before it.

A piece has what occurred for the first time (words, pairs, shapes, leaves, and the patterns of each part) and, ply by
ply, the number of the pattern of each part with its operands. `Film.append` of static/js/film.js puts it behind what a
browser has. Beside the parts of every film there are two: the scores so far, and the clocks.
"""

from __future__ import annotations

from typing import Any

from contest.replay.changes import Changes, Table
from contest.replay.dom import Element
from contest.replay.film import Track, film_data, hundredths
from contest.replay.growing import LIVE_PARTS, Growing, LiveCamera

TABLES = ("words", "pairs", "shapes", "leaves")


class Reel:
    """The film of a game in progress, from one view."""

    def __init__(self, replay: Growing) -> None:
        self.replay = replay
        self.camera = LiveCamera(replay)
        self.changes = Changes(self.camera.nodes)
        self.tracks = {name: Track() for name in LIVE_PARTS}
        self.drawn = 0  # positions
        self._before = (self.camera.nodes.number(Element("div", (), ())),) * len(LIVE_PARTS)

    def film(self) -> dict[str, Any]:
        """The whole film so far."""
        replay, drawn = self.replay, self.drawn
        stops = {kind: [ply for ply in plies if ply < drawn] for kind, plies in replay.stops.items()}
        decisions = [ply for ply in replay.decisions if ply < drawn]
        found = film_data(self.changes, self.tracks, stops, decisions, replay.events[:drawn])
        return found | {"rounds": [each.first for each in replay.rounds if each.first < drawn]}

    def piece(self, most: int) -> dict[str, Any]:
        """Draw the next positions, at most so many, and return what is new. There must be one."""
        replay, changes, first = self.replay, self.changes, self.drawn
        known = {name: len(self._table(name).found) for name in TABLES}
        patterns = {name: len(track.patterns) for name, track in self.tracks.items()}
        rows: dict[str, list[list[int]]] = {name: [] for name in self.tracks}
        until = min(replay.last + 1, first + most)
        for ply in range(first, until):
            after = self.camera.shoot(ply)
            for (name, track), *pair in zip(self.tracks.items(), self._before, after, strict=True):
                change = changes.between(*pair)
                rows[name].append([track.add(change), *change.operands])
            self._before = after
        self.drawn = until
        replay.forget(until - 1)
        return {
            "from": first,
            **{name: self._table(name).found[known[name] :] for name in TABLES},
            "tracks": {
                name: {"patterns": list(track.patterns)[patterns[name] :], "rows": rows[name]}
                for name, track in self.tracks.items()
            },
            "stops": {
                kind: new
                for kind, plies in replay.stops.items()
                if (new := [ply for ply in plies if first <= ply < until])
            },
            "decisions": [ply for ply in replay.decisions if first <= ply < until],
            "ms": hundredths(replay.events[first:until]),
            "rounds": [each.first for each in replay.rounds if first <= each.first < until],
        }

    def _table(self, name: str) -> Table:
        found: Table = getattr(self.changes, name)
        return found
