"""Runs cells at one place: started by __main__.py as the place's user, with its environment. Reads what to do from
standard input, and writes a line for every cell."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from submissions.sandbox import probe
from tests.sandbox.matrix.attacks import Attack, load
from tests.sandbox.matrix.cell import Cells
from tests.sandbox.matrix.witness import Witness


def main() -> None:
    job = json.load(sys.stdin)
    level = probe()
    print(json.dumps({"level": level.name, "about": str(level)}), flush=True)
    if level.name != job["level"]:
        return
    attacks = load() | {entry["name"]: Attack(**entry) for entry in job["more"]}
    artifacts = {slug: Path(path).read_bytes() for slug, path in job["artifacts"].items()}
    with Witness() as witness:
        cells = Cells(artifacts, witness)
        try:
            for name, slug in job["cells"]:
                cell = cells.run(attacks[name], slug)
                print(json.dumps({"attack": name, "language": slug, **_words(cell)}), flush=True)
        finally:
            cells.close()


def _words(cell: object) -> dict[str, str]:
    return {"result": cell.result, "detail": cell.detail}  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
