"""`python3 -m games compare`: is the new version of a bot better than the old one? (docs/trials.md)"""

from __future__ import annotations

import json
import os
import secrets
import shlex
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

from games import GAMES, get
from games.build import HOUSE, seated
from games.commands import JUDGED, PLAYED, parse_options, positive
from games.engine import Game, MachineryError, OptionError
from games.pairs import (
    Fork,
    Measure,
    amount,
    bounds_of,
    fork,
    games_of,
    openings_of,
    reach_of,
    seats_of,
    seed_of,
    verdict,
    worth,
)
from games.phrases import counted, listed
from games.programs import pinned
from games.record import Record, dumps, faults_by_player
from games.referee import play
from games.trial import CAP, FEWEST, MOST, Decision, Design, Step, Trial, shares

UNDECIDED = 3
STATUS = {
    Decision.BETTER: PLAYED,
    Decision.NOT_BETTER: JUDGED,
    Decision.NO_DIFFERENCE: JUDGED,
    Decision.UNDECIDED: UNDECIDED,
}
"""The exit status by decision. 2: the command could not be carried out; 130: it was interrupted."""

SHOWN = 5  # pairs in each list of the report


@dataclass(frozen=True, slots=True)
class Setup:
    """What every pair of a trial has in common."""

    game: str
    new: str
    old: str
    opponents: tuple[str, ...]
    seed: int
    games: int
    options: dict[str, Any]
    measure: Measure
    folder: str | None = None  # for the records


@dataclass(frozen=True, slots=True)
class Pair:
    """One pair that was played."""

    number: int  # from 1
    seed: int
    new: float  # points or wins per game; higher is better
    old: float
    fork: Fork | None
    faults: tuple[int, int]
    out: tuple[bool, bool]  # disqualified

    @property
    def difference(self) -> float:
        return self.new - self.old


def add_options(parser: ArgumentParser) -> None:
    """Give the parser of the command its arguments."""
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("--game", required=True, metavar="GAME", help=", ".join(GAMES))
    parser.add_argument(
        "--opponents", nargs="+", default=[], metavar="BOT", help="who else plays; a single one takes every other seat"
    )
    parser.add_argument("--measure", choices=list(Measure), default=Measure.POINTS, help="per game; without it, points")
    parser.add_argument(
        "--bounds", nargs=2, type=float, metavar=("LOW", "HIGH"), help="decide whether it is better by LOW or by HIGH"
    )
    parser.add_argument("--cap", type=int, default=CAP, metavar="N", help=f"pairs at most, {FEWEST} to {MOST}: {CAP}")
    parser.add_argument("--games", type=positive, metavar="K", help="games of each version in a pair")
    parser.add_argument("--seed", type=int, metavar="N", help="the seed of all deals; without it, a random one")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="pairs played at the same time")
    parser.add_argument("--records", metavar="FOLDER", help="keep the records of both matches of every pair")
    parser.add_argument("--pair", type=positive, metavar="N", help="play only pair N of the trial with this --seed")
    parser.add_argument("--option", metavar="KEY=VALUE", action="append", default=[], help="change an option")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=compare)


def compare(arguments: Namespace) -> int:
    """The command: `compare NEW OLD --game GAME`."""
    game = get(arguments.game)
    measure = Measure(arguments.measure)
    low, high = arguments.bounds or bounds_of(game, measure)
    design = Design(low, high, arguments.cap, reach_of(game, measure, arguments.games or games_of(game)))
    setup = _setup(arguments, game, measure)
    if arguments.pair:
        return _one_pair(game, setup, arguments.pair)
    trial, step = Trial(design), None
    pairs: list[Pair] = []
    live = sys.stderr.isatty()
    with suppress(KeyboardInterrupt), _Players(setup, arguments.jobs) as played:
        for pair in played:
            pairs.append(pair)
            step = trial.add(pair.difference)
            if live:
                print(f"\r{_progress(game, measure, design, step)}\x1b[K", end="", file=sys.stderr, flush=True)
            if step.decision:
                break
    if live and pairs:
        print(file=sys.stderr)
    if step is None:
        return 130
    result = summary(setup, design, pairs, step)
    print(json.dumps(result, ensure_ascii=False) if arguments.json else "\n".join(told(game, setup, design, result)))
    return STATUS[step.decision] if step.decision else 130


def _setup(arguments: Namespace, game: Game, measure: Measure) -> Setup:
    """Check everything before the first pair, and build the programs. Raises OptionError."""
    others = game.seats[0] - 1
    if len(arguments.opponents) not in ({0, 1, others} if others else {0}):
        raise OptionError(f"{game.title} needs {counted(others, 'opponent')}: name all, or one for all")
    default = [HOUSE + name for name in game.fillers] or [HOUSE + game.house[len(game.house) // 2].name]
    opponents = tuple(islice(cycle(arguments.opponents or default), others))
    for bot in dict.fromkeys((arguments.new, arguments.old, *opponents)):
        seated(game, bot)
    if arguments.records:
        Path(arguments.records).mkdir(parents=True, exist_ok=True)
    return Setup(
        game.slug,
        arguments.new,
        arguments.old,
        opponents,
        secrets.randbelow(2**31) if arguments.seed is None else arguments.seed,
        arguments.games or games_of(game),
        game.options(parse_options(arguments.option)),
        measure,
        arguments.records,
    )


def play_pair(setup: Setup, number: int) -> Pair:
    """Play both matches of a pair. Raises OptionError, BuildError, MachineryError."""
    game = get(setup.game)
    seats = seats_of(number, len(setup.opponents) + 1)
    player = seats.index(0)
    records = [_match(game, setup, version, seats, number) for version in (setup.new, setup.old)]
    if setup.folder:
        for record, side in zip(records, ("new", "old"), strict=True):
            path = Path(setup.folder) / f"{number:04}-{side}.json"
            path.write_text(dumps(record) + "\n", encoding="utf-8")
    new, old = (worth(game, record, player, setup.measure, setup.games) for record in records)
    faults = [len(faults_by_player(record)[player]) for record in records]
    out = [player in record["result"]["disqualified"] for record in records]
    where = fork(game, *records)
    return Pair(number, seed_of(setup.seed, number), new, old, where, (faults[0], faults[1]), (out[0], out[1]))


def _match(game: Game, setup: Setup, version: str, seats: Sequence[int], number: int) -> Record:
    bots = (version, *setup.opponents)
    with pinned():
        return play(
            game,
            [seated(game, bots[each]) for each in seats],
            seed=seed_of(setup.seed, number),
            options=setup.options,
            preset=game.preset().name,
            games=setup.games,
            openings=openings_of(setup.games),
        ).record


class _Players:
    """The pairs of a trial, played in this process or in several, and always given in their order: which pair is
    finished first may depend on who wins it."""

    def __init__(self, setup: Setup, jobs: int) -> None:
        self._setup = setup
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Iterator[Pair]:
        if self._jobs == 1:
            return (play_pair(self._setup, number) for number in count(1))
        quietly = (signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends a worker without a trace
        self._pool = ProcessPoolExecutor(self._jobs, initializer=signal.signal, initargs=quietly)
        return self._in_order(self._pool)

    def _in_order(self, pool: ProcessPoolExecutor) -> Iterator[Pair]:
        numbers = count(1)
        waiting: list[Future[Pair]] = []
        while True:
            while len(waiting) < 2 * self._jobs:
                waiting.append(pool.submit(play_pair, self._setup, next(numbers)))
            try:
                yield waiting.pop(0).result()
            except BrokenProcessPool:
                raise MachineryError("a process that played pairs has ended") from None

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


def _one_pair(game: Game, setup: Setup, number: int) -> int:
    pair = play_pair(setup, number)
    seats = seats_of(number, len(setup.opponents) + 1)
    players = ", ".join((f"{setup.new} or {setup.old}", *setup.opponents)[each] for each in seats)
    print(f"pair {number}, seed {pair.seed}: {players}")
    print(f"{setup.new}: {_worth(game, setup.measure, pair.new)}, {setup.old}: {_worth(game, setup.measure, pair.old)}")
    print(_difference(setup, pair.fork))
    if setup.folder:
        print(f"records written: {', '.join(_records(setup.folder, number))}", file=sys.stderr)
    return PLAYED


# What is told


def summary(setup: Setup, design: Design, pairs: Sequence[Pair], step: Step) -> dict[str, Any]:
    """Return everything that is told about a trial, JSON-ready."""
    parts = shares(design, [pair.difference for pair in pairs])
    moved = sorted(zip(pairs, parts, strict=True), key=lambda each: abs(each[1]), reverse=True)
    forked = [pair for pair in pairs if pair.fork]
    return {
        "game": setup.game,
        "new": setup.new,
        "old": setup.old,
        "opponents": list(setup.opponents),
        "seed": setup.seed,
        "games": setup.games,
        "options": setup.options,
        "measure": setup.measure,
        "bounds": [design.low, design.high],
        "cap": design.cap,
        "decision": step.decision,
        "pairs": step.pairs,
        "better": sum(pair.difference > 0 for pair in pairs),
        "worse": sum(pair.difference < 0 for pair in pairs),
        "equal": sum(pair.difference == 0 for pair in pairs),
        "identical": len(pairs) - len(forked),
        "difference": step.mean,
        "lower": step.lower,
        "upper": step.upper,
        "log_likelihood_ratio": step.ratio,
        "limit": design.limit,
        "faults": {"new": sum(pair.faults[0] for pair in pairs), "old": sum(pair.faults[1] for pair in pairs)},
        "disqualified": {"new": sum(pair.out[0] for pair in pairs), "old": sum(pair.out[1] for pair in pairs)},
        "decided_by": [_row(pair) | {"share": share} for pair, share in moved[:SHOWN] if share],
        "first_differences": [
            _row(pair) | {"game": where.game, "event": where.index, "new": where.new, "old": where.old}
            for pair, where in ((pair, pair.fork) for pair in forked[:SHOWN])
            if where
        ],
    }


def _row(pair: Pair) -> dict[str, Any]:
    return {"pair": pair.number, "seed": pair.seed, "difference": pair.difference}


def told(game: Game, setup: Setup, design: Design, result: dict[str, Any]) -> Iterator[str]:
    """Yield the report, line by line."""
    measure = setup.measure
    against = f" against {listed(list(dict.fromkeys(setup.opponents)))}" if setup.opponents else ""
    yield f"{game.title}, {setup.new} and {setup.old} on the same deals{against}, seed {setup.seed}"
    yield _verdict(game, setup, design, result)
    if result["lower"] is None:
        yield f"Estimate: {amount(game, measure, result['difference'])}. There are too few pairs for an interval."
    else:
        ends = " to ".join(amount(game, measure, result[end], unit=False) for end in ("lower", "upper"))
        yield (
            f"Estimate: {amount(game, measure, result['difference'])} ({ends}; each end holds with 95 % confidence, "
            "whenever the trial stops)."
        )
    if game.low_wins and measure is Measure.POINTS:
        yield f"A positive difference means fewer {game.counts}."
    yield f"Pairs: {result['better']} better, {result['worse']} worse, {result['equal']} equal."
    for side, version in (("new", setup.new), ("old", setup.old)):
        if result["faults"][side]:
            out = result["disqualified"][side]
            yield f"{version} made {counted(result['faults'][side], 'fault')}; disqualified in {counted(out, 'pair')}."
    if result["decided_by"]:
        yield "\nThe pairs that changed it most (share of the log-likelihood ratio):"
        for row in result["decided_by"]:
            yield f"  pair {row['pair']:>4}  {row['share']:+6.2f}  {amount(game, measure, row['difference'])}"
    if result["first_differences"]:
        yield "\nWhere the two first differ:"
        for row in result["first_differences"]:
            yield f"  pair {row['pair']:>4}, game {row['game']}: {setup.new}: {row['new']} {setup.old}: {row['old']}"
        yield f"\nTo look at one: {_look(setup, result['first_differences'][0]['pair'])}"


def _verdict(game: Game, setup: Setup, design: Design, result: dict[str, Any]) -> str:
    decision, ratio = result["decision"], result["log_likelihood_ratio"]
    if decision:
        said = verdict(game, setup.measure, design, decision, result["pairs"], setup.new, setup.old)
    else:
        said = f"Interrupted after {counted(result['pairs'], 'pair')}, undecided so far."
    if decision == Decision.NO_DIFFERENCE:
        return said
    return f"{said} The log-likelihood ratio is {ratio:+.2f}, and its limits are ±{design.limit:.2f}."


def _look(setup: Setup, number: int) -> str:
    if setup.folder:
        return f"{program()} show {_records(setup.folder, number)[0]}"
    usual = get(setup.game).options()
    changed = [f"{name}={json.dumps(value)}" for name, value in setup.options.items() if usual.get(name) != value]
    words = ["compare", setup.new, setup.old, "--game", setup.game, "--games", str(setup.games)]
    words += ["--opponents", *setup.opponents] if setup.opponents else []
    words += [word for option in changed for word in ("--option", option)]
    words += ["--measure", setup.measure, "--seed", str(setup.seed), "--pair", str(number), "--records", "FOLDER"]
    return f"{program()} {shlex.join(words)}"


def _records(folder: str, number: int) -> list[str]:
    return [str(Path(folder) / f"{number:04}-{side}.json") for side in ("new", "old")]


def _difference(setup: Setup, where: Fork | None) -> str:
    if where is None:
        return "Both versions made the same decisions."
    return f"They first differ in game {where.game}: {setup.new}: {where.new} {setup.old}: {where.old}"


def _progress(game: Game, measure: Measure, design: Design, step: Step) -> str:
    ends = "" if step.lower is None else f" ({step.lower:+.3g} to {step.upper:+.3g})"
    ratio = f"{step.ratio:+.2f} of ±{design.limit:.2f}{', held' if step.is_held else ''}"
    return f"pair {step.pairs} of {design.cap} at most   {ratio}   {amount(game, measure, step.mean)}{ends}"


def _worth(game: Game, measure: Measure, value: float) -> str:
    if measure is Measure.WINS or game.counts_games:
        return f"won {100 * value:.1f} %"
    return f"{-value if game.low_wins else value:.2f} {game.counts} a game"


def program() -> str:
    """How the command line was called: as a zip application, as the installed command, or as a module."""
    name = os.path.basename(sys.argv[0])
    if name.endswith(".pyz"):
        return f"python3 {sys.argv[0]}"
    return "kibitz" if name == "kibitz" else "python3 -m games"
