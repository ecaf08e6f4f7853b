"""How strong the house players of a game are: the rungs of its ladder, rated in one scale.

    python -m benchmarks.house [--game SLUG] [--games 400] [--jobs 2] [--minutes 60]

A pair plays every deal (a whole match from one seed) in several seatings. In games of four, two play two; in games of
two, each plays in each seat; in games for one, they play one after the other. The seatings of a deal belong together,
so the 95 % confidence intervals are between deals; ± is the half width.

What was measured is kept in `house/ratings.json` of the game, with a digest of what each player decided in one fixed
game. A player that decides otherwise today is measured again, and so is a pair that has too few matches. The section
of docs/house.md is printed from that file, to be pasted. Exit status 1 when the share that a rung wins against the one
below is clearly outside of 60 to 75 %.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from statistics import fmean, median, stdev
from typing import Any

import games
from games import duels, ladder
from games.build import house_seated
from games.duels import Duel
from games.engine import Game
from games.referee import play
from tournaments.formats.confidence import errors_for

SAMPLES = 300
"""How often the results are drawn anew, within their errors, for the errors of the ratings."""

FAR = 4
"""Pairs that are no neighbours play this part of the matches of neighbours."""

STEP = (0.60, 0.75)
"""The share of matches that a rung should win against the one below."""


def digest(game: Game, name: str) -> str:
    """Return a digest of what a house player decides in one short game, in the last seat, against `random`. It shows
    most changes of a player, but not a slightly different frequency of what it does by chance."""
    options = game.options(game.lengths[-1].options if game.lengths else {})
    others, place = game.seats[1] - 1, game.seats[1] - 1
    seats = [house_seated(game, each) for each in (*[game.house[0].name] * others, name)]
    record = play(game, seats, seed=1998, options=options, preset=game.preset().name, games=1).record
    decided = [
        (event["event"], game.chosen(event))
        for event in record["events"]
        if event["event"] in game.decisions and event["seat"] == place
    ]
    return sha256(json.dumps(decided).encode()).hexdigest()[:16]


def measure(game: Game, wanted: int, jobs: int, seconds: float) -> None:
    """Measure what is missing, and write the ratings. It stops before a pair that would begin after that
    many seconds."""
    names = list(game.ladder)
    old = ladder.measured(game)
    digests = {name: digest(game, name) for name in names}
    same = {name for name in names if old["players"].get(name, {}).get("digest") == digests[name]}
    pairs = {tuple(row["pair"]): row for row in old["pairs"] if set(row["pair"]) <= same}
    times = {name: [old["players"][name]["ms"]] for name in same}
    began = datetime.now(UTC)
    with ProcessPoolExecutor(jobs) as pool:
        for strong, weak, matches in plan(names, wanted):
            if pairs.get((strong, weak), {"matches": 0})["matches"] >= matches:
                continue
            if (datetime.now(UTC) - began).total_seconds() > seconds:
                print(f"out of time before {strong} against {weak}")
                break
            deals = max(2, matches // len(duels.SEATINGS[game.seats[1]]))
            played = list(pool.map(partial(duel, game.slug, (strong, weak)), range(1, deals + 1)))
            row = pairs[strong, weak] = _row(game, strong, weak, played)
            for name, side in ((strong, 0), (weak, 1)):
                times.setdefault(name, []).append(median(ms for each in played for ms in each.ms[side]))
            print(f"{strong:>14} against {weak:<14} {_won(row)} % in {row['matches']} matches", flush=True)
            _write(game, names, digests, pairs, times)
    _write(game, names, digests, pairs, times)
    ladder.rungs.cache_clear()  # the file is newer


def duel(slug: str, pair: tuple[str, str], seed: int) -> Duel:
    """Play a duel in a process of the pool."""
    bots = f"house:{pair[0]}", f"house:{pair[1]}"
    return duels.duel(games.get(slug), bots, seed)


def plan(names: Sequence[str], wanted: int) -> list[tuple[str, str, int]]:
    """Return every pair to be measured with its number of matches: neighbours first, then the others."""
    near = [(strong, weak, wanted) for weak, strong in pairwise(names)]
    known = {pair[:2] for pair in near}
    far = [(strong, weak, wanted // FAR) for weak, strong in combinations(names, 2) if (strong, weak) not in known]
    return near + far


def _row(game: Game, strong: str, weak: str, played: Sequence[Duel]) -> dict[str, Any]:
    won, error = interval([each.won for each in played])
    lead, lead_error = interval([each.lead for each in played])
    return {
        "pair": [strong, weak],
        "matches": len(played) * len(duels.SEATINGS[game.seats[1]]),
        "won": round(won, 4),
        "error": round(error, 4),
        "lead": round(lead, 3),
        "lead_error": round(lead_error, 3),
    }


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean and half width of its 95 % confidence interval."""
    return fmean(values), errors_for(len(values)) * stdev(values) / len(values) ** 0.5


def _write(
    game: Game,
    names: Sequence[str],
    digests: dict[str, str],
    pairs: dict[tuple[str, ...], dict[str, Any]],
    times: dict[str, list[float]],
) -> None:
    rated = rate(names, list(pairs.values()))
    players = {
        name: {
            "rating": round(rated[name][0]),
            "error": round(rated[name][1]),
            "ms": round(min(times[name]), 3),  # other work on the machine only adds
            "digest": digests[name],
        }
        for name in names
        if name in times
    }
    order = {name: place for place, name in enumerate(names)}
    rows = sorted(pairs.values(), key=lambda row: [order[name] for name in row["pair"]])
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    shown = ",\n".join(f'  "{name}": {json.dumps(each)}' for name, each in players.items())
    text = f'{{\n "players": {{\n{shown}\n }},\n "pairs": [\n{lines}\n ]\n}}\n'
    Path(str(game.folder / "house" / "ratings.json")).write_text(text, encoding="utf-8")


def rate(names: Sequence[str], rows: Sequence[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """Return each player's rating and half of its 95 % confidence interval: the results are drawn anew within their
    errors, again and again. Players without a result have none that means anything."""
    chance = Random(1998)

    def fitted(draw: Callable[[dict[str, Any]], float]) -> dict[str, float]:
        pairs = [(*row["pair"], row["matches"], min(1.0, max(0.0, draw(row)))) for row in rows]
        return ladder.fit(names, pairs)

    found = fitted(lambda row: row["won"])
    samples = [fitted(lambda row: chance.gauss(row["won"], row["error"] / 1.96)) for _ in range(SAMPLES)]
    return {name: (found[name], 1.96 * stdev(each[name] for each in samples)) for name in names}


def section(game: Game) -> str:
    """Return what docs/house.md says about a game."""
    found = ladder.measured(game)
    rows = {tuple(row["pair"]): row for row in found["pairs"]}
    names = [rung.name for rung in ladder.rungs(game)]
    lines = [
        f"## {game.title}",
        "",
        "| Player | Rating | Won against the one before, % | Matches | Median decision, ms |",
        "|---|---:|---:|---:|---:|",
    ]
    for place, rung in enumerate(ladder.rungs(game)):
        row = rows.get((rung.name, names[place - 1])) if place else None
        won, matches = (_won(row), str(row["matches"])) if row else ("", "")
        ms = found["players"][rung.name]["ms"]
        rating = f"{rung.rating:.0f} ± {rung.error:.0f}" if place else f"{rung.rating:.0f}"
        lines.append(f"| `{rung.name}` | {rating} | {won} | {matches} | {ms:.2f} |")
    others = [row for pair, row in rows.items() if names.index(pair[0]) - names.index(pair[1]) > 1]
    if others:
        lines += ["", "| Pair | Matches | Won, % | Better, points per hand |", "|---|---:|---:|---:|"]
        for row in others:
            strong, weak = row["pair"]
            better = f"{row['lead']:+.2f} ± {row['lead_error']:.2f}"
            lines.append(f"| `{strong}` against `{weak}` | {row['matches']} | {_won(row)} | {better} |")
    return "\n".join(lines)


def _won(row: dict[str, Any]) -> str:
    return f"{100 * row['won']:.1f} ± {100 * row['error']:.1f}"


def judge(game: Game) -> list[str]:
    """Say what is wrong with a ladder: steps that are clearly too small or too large, and pairs without a result."""
    found = {tuple(row["pair"]): row for row in ladder.measured(game)["pairs"]}
    wrong = []
    for weak, strong in pairwise(game.ladder):
        row = found.get((strong, weak))
        if row is None:
            wrong.append(f"{strong} against {weak}: not measured")
        elif not STEP[0] <= row["won"] + row["error"] or not row["won"] - row["error"] <= STEP[1]:
            wrong.append(f"{strong} against {weak}: {_won(row)} % is not between 60 and 75 %")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="tricky_eights", choices=list(games.GAMES), metavar="SLUG")
    parser.add_argument("--games", type=int, default=400, help="matches for each pair of neighbours")
    parser.add_argument("--minutes", type=float, default=60, help="begin no pair after that time")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    game = games.get(options.game)
    measure(game, options.games, options.jobs, 60 * options.minutes)
    print(section(game))
    wrong = judge(game)
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
