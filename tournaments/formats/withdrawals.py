"""What the computation of a plan begins with where nobody is thrown out by losing, and who sits at a table then."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from typing import Any

from tournaments.formats.plan import Chair, Place, Results, TeamId


class Course:
    """One computation of a plan."""

    def __init__(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Set[TeamId]) -> None:
        self.order = order
        self.results = results
        self.options = options
        self.out = out
        self.seeds = {team: number for number, team in enumerate(order, start=1)}

    def there(self, place: Place, group: Sequence[TeamId]) -> tuple[TeamId, ...]:
        """Who of those drawn for a table plays: once a match of it has begun, those who are in it; else who is not out.

        So what is played or being played stays as it is, and what nobody has begun is not played by who has left.
        """
        played = self.results.get(place, {})
        begun = [played[number].teams for number in sorted(played)]
        begun += [frozenset(self.options.get("playing", {}).get(place, ()))]
        staying = next((teams for teams in begun if teams and teams <= set(group)), set(group) - self.out)
        return tuple(team for team in group if team in staying)

    def chairs_of(self, group: Sequence[TeamId], teams: Collection[TeamId], count: int) -> tuple[Chair, ...]:
        """A chair for each of the group, the house's where it does not play, and so many in all."""
        own = tuple(
            Chair(("seed", self.seeds[team]), team) if team in teams else Chair(("seed", self.seeds[team]), house=True)
            for team in group
        )
        return own + (Chair(("house",), house=True),) * (count - len(own))


class Rounds(Course):
    """One that is drawn round by round: a round that has begun stays as it was drawn."""

    def __init__(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Set[TeamId]) -> None:
        super().__init__(order, results, options, out)
        self.drawn: dict[int, dict[int, tuple[TeamId, ...]]] = {}  # of rounds that have begun, by round and number
        for (round, number), teams in sorted(options.get("drawn", {}).items()):
            self.drawn.setdefault(round, {})[number] = tuple(teams)

    def kept(self, round: int, drawn: Sequence[TeamId], teams: Sequence[TeamId]) -> Sequence[TeamId]:
        """Who has a chair at a table, of those drawn for it and those of them who are `there`.

        Of rounds before the last one that has begun nobody remembers who has left.
        """
        return teams if round < max(self.drawn, default=0) else drawn
