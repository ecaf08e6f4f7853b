"""`kibitz ladder`: where does a bot stand among the house players, and which hands cost it most? (docs/kibitz.md)

It plays duels (games.duels) with the rungs of the game's ladder: each deal twice, the bot and the rung having changed
seats. Which rung it meets next follows from what is known so far, batch by batch, so several processes find the same.
"""

from __future__ import annotations

import json
import re
import secrets
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean
from time import monotonic
from typing import Any

from games import GAMES, duels, get, ladder
from games.build import HOUSE, seated
from games.calling import end_when_interrupted, program
from games.commands import PLAYED, positive
from games.costly import Costly, costliest
from games.engine import Game, OptionError
from games.ladder import Estimate, Rung
from games.pairs import seed_of
from games.phrases import counted, listed
from games.record import Record, dumps, faults_by_player

MATCHES = 200
SHOWN = 5  # hands in the report


@dataclass(frozen=True, slots=True)
class Setup:
    """What all duels have in common."""

    game: str
    bot: str
    seed: int


@dataclass(frozen=True, slots=True)
class Met:
    """A duel that was played."""

    number: int  # from 1
    rung: str
    won: float  # share of its matches
    faults: int
    out: int  # matches in which the bot was disqualified
    hand: tuple[int, Costly] | None  # the costliest, after the index of the match in which we held it
    records: tuple[str, ...]  # of its matches


@dataclass
class Climb:
    """What is known so far."""

    rungs: Sequence[Rung]
    met: list[Met] = field(default_factory=list)

    @property
    def duels(self) -> list[tuple[str, float]]:
        return [(each.rung, each.won) for each in self.met]

    @property
    def estimate(self) -> Estimate:
        return ladder.estimate(self.rungs, self.duels)


def add_options(parser: ArgumentParser) -> None:
    """Give the parser of the command its arguments."""
    parser.add_argument("bot", metavar="BOT")
    parser.add_argument("--game", metavar="GAME", help=f"{', '.join(GAMES)}; a source that names its kit needs none")
    parser.add_argument("--matches", type=positive, default=MATCHES, metavar="N", help=f"at most; usually {MATCHES}")
    parser.add_argument("--minutes", type=float, metavar="M", help="begin nothing after that time")
    parser.add_argument("--seed", type=int, metavar="N", help="the seed of all deals; without it, a random one")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="duels played at the same time")
    parser.add_argument("--records", default="ladder", metavar="FOLDER", help="for the records of the costliest hands")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=climb)


def climb(arguments: Namespace) -> int:
    """The command: `ladder BOT [--game GAME]`."""
    game = get(arguments.game or game_of(arguments.bot))
    rungs = ladder.rungs(game)
    if len(rungs) < 2:
        raise OptionError(f"{game.title} has no ladder")
    seated(game, arguments.bot)  # it is built before the first duel, and an error is told once
    seed = secrets.randbelow(2**31) if arguments.seed is None else arguments.seed
    setup, known = Setup(game.slug, arguments.bot, seed), Climb(rungs)
    interrupted = True
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(arguments.jobs, initializer=end_when_interrupted))
        _climb(game, setup, known, pool if arguments.jobs > 1 else None, arguments)
        interrupted = False
    if not known.met:
        return 130
    hands = worst(known)
    files = [_keep(arguments.records, place, each) for place, each in enumerate(hands, 1)]
    result = summary(setup, known, hands, files)
    print(json.dumps(result, ensure_ascii=False) if arguments.json else "\n".join(told(game, known, result)))
    return 130 if interrupted else PLAYED


def game_of(bot: str) -> str:
    """Return the game whose kit a source file names. Raises OptionError."""
    path = Path(bot)
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    words = set(re.findall(r"\w+", text))
    kits = {
        game.slug: {Path(name).stem for files in game.kit_sources.values() for name in files} for game in GAMES.values()
    }
    found = [slug for slug, names in kits.items() if names & words]
    if len(found) != 1:
        raise OptionError(f"say which game {bot} plays, with --game: {listed(list(GAMES), 'or')}")
    return found[0]


def _climb(game: Game, setup: Setup, known: Climb, pool: Executor | None, arguments: Namespace) -> None:
    """Play batches of duels until the place is known, or the budget is spent."""
    end = None if arguments.minutes is None else monotonic() + 60 * arguments.minutes
    deals = max(1, arguments.matches // len(duels.mirrored(game, 1)))
    run: Callable[..., Iterator[Met]] = map if pool is None else pool.map
    live = sys.stderr.isatty()
    while len(known.met) < deals:
        done = len(known.met)
        wanted = ladder.batch(known.rungs, known.duels)[: deals - done]
        for met in run(partial(meet, setup), range(done + 1, done + len(wanted) + 1), wanted):
            known.met.append(met)
            if live:
                print(f"\r{_progress(known, deals)}\x1b[K", end="", file=sys.stderr, flush=True)
        if ladder.is_decided(known.estimate, len(known.met)) or (end is not None and monotonic() > end):
            break
    if live:
        print(file=sys.stderr)


def play_duel(game: Game, setup: Setup, number: int, rung: str) -> list[Record]:
    """Play the matches of a duel. Raises OptionError, BuildError, MachineryError."""
    seed = seed_of(setup.seed, number)
    return duels.matches(game, (setup.bot, HOUSE + rung), seed, duels.mirrored(game, number))


def meet(setup: Setup, number: int, rung: str) -> Met:
    """Play a duel, and keep what is needed of it."""
    game = get(setup.game)
    lineups = duels.mirrored(game, number)
    records = play_duel(game, setup, number, rung)
    ours = [[who == 0 for who in lineup] for lineup in lineups]
    faults = out = 0
    for record, mine in zip(records, ours, strict=True):
        faults += sum(len(each) for each, is_mine in zip(faults_by_player(record), mine, strict=True) if is_mine)
        out += any(mine[player] for player in record["result"]["disqualified"])
    won, hand = duels.won(game, lineups, records), costliest(game, records, ours)
    return Met(number, rung, won, faults, out, hand, tuple(map(dumps, records)))


def worst(known: Climb) -> list[tuple[Met, int, Costly]]:
    """Return the hands that cost most, at most one of each duel."""
    found = [(met, *met.hand) for met in known.met if met.hand]
    return sorted(found, key=lambda each: -each[2].loss)[:SHOWN]


def _keep(folder: str, place: int, each: tuple[Met, int, Costly]) -> list[str]:
    """Write both matches of a costly hand: ours first, then that of the rung with the same cards."""
    met, here, _ = each
    Path(folder).mkdir(parents=True, exist_ok=True)
    found = []
    for name, text in (("mine", met.records[here]), (met.rung, met.records[1 - here])):
        path = Path(folder) / f"{place}-{name}.json"
        path.write_text(text + "\n", encoding="utf-8")
        found.append(str(path))
    return found


# What is told


def summary(
    setup: Setup, known: Climb, hands: Sequence[tuple[Met, int, Costly]], files: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """Return everything that is told, JSON-ready."""
    found = known.estimate
    below, above = ladder.between(known.rungs, found.rating)
    game = get(setup.game)
    each_has = len(duels.mirrored(game, 1))
    met = {rung.name: [each for each in known.met if each.rung == rung.name] for rung in known.rungs}
    return {
        "game": setup.game,
        "bot": setup.bot,
        "seed": setup.seed,
        "rating": round(found.rating),
        "error": round(found.error),
        "decided": ladder.is_decided(found, len(known.met)),
        "above": below and below.name,
        "below": above and above.name,
        "matches": each_has * len(known.met),
        "faults": sum(each.faults for each in known.met),
        "disqualified": sum(each.out for each in known.met),
        "rungs": [
            {
                "name": rung.name,
                "rating": rung.rating,
                "matches": each_has * len(met[rung.name]),
                "won": fmean(each.won for each in met[rung.name]) if met[rung.name] else None,
            }
            for rung in known.rungs
        ],
        "hands": [
            {
                "against": duel.rung,
                "game": hand.game,
                "hand": hand.hand,
                "event": hand.index,
                "seat": game.seat_names[hand.seat],
                "mine": hand.mine,
                "theirs": hand.theirs,
                "loss": hand.loss,
                "records": list(written),
            }
            for (duel, _, hand), written in zip(hands, files, strict=True)
        ],
    }


def told(game: Game, known: Climb, result: dict[str, Any]) -> Iterator[str]:
    """Yield the report, line by line."""
    yield f"{game.title}, {result['bot']}, {result['matches']} matches, seed {result['seed']}"
    yield ladder.place(known.rungs, known.estimate)
    if not result["decided"]:
        yield "More matches would say it more precisely."
    if result["faults"]:
        out = f", and was disqualified in {result['disqualified']} matches" if result["disqualified"] else ""
        yield f"Your bot made {counted(result['faults'], 'fault')}{out}."
    yield ""
    for rung in reversed(result["rungs"]):
        won = f"you won {100 * rung['won']:3.0f} % of {rung['matches']}" if rung["matches"] else ""
        here = "  <" if rung["name"] in (result["above"], result["below"]) else ""
        yield f"  {rung['rating']:5.0f}  {rung['name']:16} {won}{here}".rstrip()
    if result["hands"]:
        yield ""
        yield "These hands cost you most, compared with what the other took with the same cards:"
        yield from (line for hand in result["hands"] for line in _told_hand(game, hand))


def _told_hand(game: Game, hand: dict[str, Any]) -> Iterator[str]:
    yield f"  {_where(game, hand)}: {game.counts}: you {hand['mine']:g}, {hand['against']} {hand['theirs']:g}"
    which = f" --game {hand['game']}" if hand["game"] > 1 else ""
    which += f" --hand {hand['hand']}" if hand["hand"] and game.hand_word else ""
    for path in hand["records"]:
        yield f"    {program()} show {shlex.quote(path)}{which}"


def _where(game: Game, hand: dict[str, Any]) -> str:
    found = [f"game {hand['game']}"] if hand["game"] > 1 or not (hand["hand"] or game.seats[1] > 1) else []
    found += [f"{game.hand_word} {hand['hand']}"] if hand["hand"] and game.hand_word else []
    found += [f"as {hand['seat']}"] if game.seats[1] > 1 else []
    return ", ".join(found)


def _progress(known: Climb, deals: int) -> str:
    found = known.estimate
    return f"deal {len(known.met)} of {deals} at most   {found.rating:.0f} ± {found.error:.0f}"
