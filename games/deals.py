"""Check whether the cards of a record come from its seed, and find the pack with which each game began."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import chain

from games.engine import Game, Opening, OptionError
from games.record import Record, games
from games.referee import DEAL
from games.verify import Deal, Difference, verify

REACH = 1000
"""A match may begin with a later pack of its seed, where its deals are those of a game of another match. So many packs
are tried."""


def openings(record: Record) -> list[Opening]:
    """Return how each game opened, by its `game` event. The record of a single game may have none."""
    found: list[Opening] = []
    for events in games(record):
        opening = {key: value for key, value in events[0].items() if key not in ("event", "number")}
        found.append(opening if events[0]["event"] == "game" else {})
    return found


def packs_before(game: Game, record: Record) -> list[int]:
    """Return how many packs the match had used before each game. Raises OptionError when the first hand of a game is
    not from its seed.

    How many packs a game needs depends on its players, so the number is the one whose pack gives the first hand.
    """
    found: list[int] = []
    fewest = most = 0
    options = game.options(record["options"], record["rules"])
    for number, (opening, events) in enumerate(zip(openings(record), games(record), strict=True), 1):
        hands = [event for event in events if event["event"] == "hand"]
        packs = next(_possible(opening, range(fewest, most + 1)))
        if hands:
            state = game.start(options, number=number, opening=opening)
            deal = Deal(0, hands[0], state, number, opening)
            fits = _pack_of(game, record, deal, _possible(opening, range(fewest, most + 1)))
            if fits is None:
                raise OptionError(f"the cards of game {number} are not those of the record's seed")
            packs = fits
        found.append(packs)
        fewest, most = packs + 1, packs + len(hands)
    return found


@dataclass(frozen=True, slots=True)
class Stranger:
    """The first hand that the seed does not deal. `index` of its event in the record. `late`: the hands before it are
    from the seed, so it was not another seed that dealt them."""

    index: int
    late: bool
    text: str


def check(record: Record, game: Game) -> Difference | Stranger | None:
    """Return where a record differs from the rules, or otherwise the first hand that is not dealt by its seed.

    Every hand is checked: the first of each game may come from any pack of the seed, because how many packs were used
    before is not recorded, and each one after it must come from the next cards.
    """
    dealer = _Dealer(game, record)
    return verify(record, dealer.see) or dealer.stranger


class _Dealer:
    """Deals every hand of a record again from its seed."""

    def __init__(self, game: Game, record: Record) -> None:
        self.game = game
        self.record = record
        self.stranger: Stranger | None = None
        self.number = self.hand = 0  # of the game in the match, and of the hand in the game
        self.packs = 0  # used up, with the one in use

    def see(self, deal: Deal) -> None:
        if self.stranger:
            return
        is_first = deal.number != self.number
        self.number, self.hand = deal.number, 1 if is_first else self.hand + 1
        if is_first:
            packs = _pack_of(self.game, self.record, deal, _possible(deal.opening, [self.packs]))
            fits = packs is not None
            self.packs = self.packs + 1 if packs is None else packs + 1
        else:
            self.packs += not self.game.dealt(deal.state)
            fits = _deals(self.game, self.record, deal, self.packs)
        if not fits:
            where = f"game {self.number}" if is_first else f"hand {self.hand} of game {self.number}"
            late = not is_first or self.number > 1
            self.stranger = Stranger(deal.index, late, f"the cards of {where} are not those of the record's seed")


def _possible(opening: Opening, likely: Iterable[int]) -> Iterator[int]:
    """Yield how many packs may have been used before a game."""
    return iter([DEAL * opening["deal"]]) if "deal" in opening else chain(likely, range(REACH))


def _pack_of(game: Game, record: Record, deal: Deal, possible: Iterable[int]) -> int | None:
    """Return how many packs were used up before the hand with which a game begins."""
    tried: dict[int, bool] = {}
    for packs in possible:
        if packs not in tried:
            tried[packs] = _deals(game, record, deal, packs + 1)
        if tried[packs]:
            return packs
    return None


def _deals(game: Game, record: Record, deal: Deal, number: int) -> bool:
    """Whether the rules deal this hand from pack `number` (from 1) of the record's seed."""
    pack: Sequence[int] = game.shuffle(record["seed"], number, deal.opening)[game.dealt(deal.state) :]
    return deepcopy(deal.state).deal(pack)[0] == deal.event
