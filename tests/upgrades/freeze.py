"""Freeze a database of the present release for test_releases.py: `python -m tests.upgrades.freeze`, once a release.

It holds the demo's contests, some of them finished, and what every page of them answered. Commit both files.
"""

from __future__ import annotations

import json
import lzma
import os
import sqlite3
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent / "releases"


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from contest import organiser
    from contest.models import Contest, User
    from contest.version import RELEASE
    from tests.upgrades.crawling import crawl

    call_command("migrate", verbosity=0)
    organiser.ensure(settings.VAR_DIR / "organiser.txt")
    call_command("demo", verbosity=0)
    User.objects.update(password="!")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "frozen.sqlite3"
        with sqlite3.connect(settings.VAR_DIR / "portal.sqlite3") as database:
            database.execute("VACUUM INTO ?", [str(copy)])
        (FOLDER / f"{RELEASE}.sqlite3.xz").write_bytes(lzma.compress(copy.read_bytes(), preset=9))
    told = {contest.slug: crawl(contest) for contest in Contest.objects.order_by("pk")}
    (FOLDER / f"{RELEASE}.json.xz").write_bytes(lzma.compress(json.dumps(told).encode(), preset=9))


if __name__ == "__main__":
    main()
