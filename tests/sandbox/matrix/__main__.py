"""The command of the matrix; see the package."""

from __future__ import annotations

import argparse
import sys
from fnmatch import fnmatch
from pathlib import Path

from tests.sandbox.matrix.attacks import load
from tests.sandbox.matrix.cell import BREACHED, UNEXPECTED
from tests.sandbox.matrix.places import PLACES
from tests.sandbox.matrix.run import Matrix, sample
from tests.sandbox.matrix.table import summary


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sandbox.matrix", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--all", action="store_true", help="every attack; half an hour with all languages")
    what.add_argument("--sample", action="store_true", help="the cells that ./run test tries")
    what.add_argument("--attack", metavar="PATTERN", help="attacks with such a name, such as 'kill*'")
    what.add_argument(
        "--honest", type=int, metavar="RUNS", help="honest programs instead, so many runs of each language"
    )
    parser.add_argument("--language", action="append", metavar="NAME", help="only these languages")
    parser.add_argument("--place", default="*", metavar="LEVEL/USER/GROUPS", help="only these places; * is allowed")
    parser.add_argument("--state", type=Path, help="keep results in this file, and go on from it")
    parser.add_argument("--at-once", type=int, default=2, metavar="N", help="places at the same time (2)")
    parser.add_argument("--details", action="store_true", help="a line for each cell that did not hold")
    options = parser.parse_args()
    places = [place for place in PLACES if fnmatch(str(place), options.place)]
    if options.honest:
        from tests.sandbox.matrix.honest import accuse  # needs more than the matrix

        return accuse(places, options.honest, options.language, options.at_once)
    attacks = load()
    matrix = Matrix(places, options.language, state=options.state)
    if options.sample:
        cells = sample(matrix.places, matrix.languages, attacks)
    else:
        chosen = [name for name in attacks if options.all or fnmatch(name, options.attack)]
        cells = {place: [(name, slug) for slug in matrix.languages for name in chosen] for place in matrix.places}
    results = matrix.run(cells, options.at_once)
    print(summary(matrix, results, details=options.details))
    return 1 if any(cell.result in (BREACHED, UNEXPECTED) for cell in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
