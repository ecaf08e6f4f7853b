"""`python -m kibitz_rl [GAME…]`: print what observations and actions mean."""

from __future__ import annotations

import sys

from games import get
from kibitz_rl.tables import all_tables, tables

if __name__ == "__main__":
    names = sys.argv[1:]
    print("\n\n".join(tables(get(name)) for name in names) if names else all_tables(), end="\n" if names else "")
