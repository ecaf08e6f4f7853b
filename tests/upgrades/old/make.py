"""Makes `played.sqlite3.xz` and `played.json.xz`: a database played by the code of commit 1f12f86, the last one that
kept results without a ledger, and what that code said about it.

It never has to run again: the two files are the evidence that upgrades are tested against (test_upgrade.py). To see how
they came about, or to add a story, run it with the old code:

    git worktree add ../old 1f12f86
    git -C ../old checkout main -- tests/upgrades
    cd ../old && python -m tests.upgrades.old.make

Clock and chance are fixed, so the same stories give the same rows and the same numbers.
"""

from __future__ import annotations

import json
import lzma
import os
import shutil
from datetime import timedelta
from pathlib import Path

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
os.environ.pop("DATABASE_URL", None)
os.environ["LOG_LEVEL"] = "CRITICAL"

from tests.upgrades.old import acting, hidden, presets_played, results  # isort: skip

from django.core.management import call_command
from django.db import connection

from contest.models import Contest
from tests.upgrades.crawling import crawl
from tests.upgrades.old import past
from tests.upgrades.reading import read

HERE = Path(__file__).parent.parent


def main() -> None:
    call_command("migrate", verbosity=0)
    for story in (*presets_played.STORIES, *results.STORIES, *hidden.STORIES):
        print(story.__name__, flush=True)
        story()
    acting.CLOCK.go_on(timedelta(days=100))
    pack(HERE / "played.sqlite3.xz", dumped())
    contests = list(Contest.objects.order_by("pk"))
    told = {contest.slug: {**read(contest, past), "pages": crawl(contest)} for contest in contests}
    pack(HERE / "played.json.xz", json.dumps(told, indent=1, sort_keys=True).encode())
    shutil.rmtree(os.environ["VAR_DIR"])


def dumped() -> bytes:
    """The database in one file without anything left over from its making."""
    file = Path(os.environ["VAR_DIR"]) / "packed.sqlite3"
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_session")
        cursor.execute("UPDATE django_migrations SET applied = '2024-03-01'")
        cursor.execute("VACUUM INTO %s", [str(file)])
    return file.read_bytes()


def pack(path: Path, content: bytes) -> None:
    path.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    print(f"{path.name}: {len(content):,} bytes, {path.stat().st_size:,} packed", flush=True)


if __name__ == "__main__":
    main()
