"""Freeze a database of the present release for test_releases.py: `python -m tests.upgrades.freeze`, once a release.

It holds contests in which a little of everything has happened, and what every page of them answered. Commit both files.
Release 1.0.0 was frozen at commit 6030adb2, with rows in tables that have left since, such as clubs and placements.
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

    from contest.models import Contest, User
    from contest.version import RELEASE
    from tests.upgrades.crawling import crawl

    call_command("migrate", verbosity=0)
    play()
    User.objects.update(password="!")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "frozen.sqlite3"
        with sqlite3.connect(settings.VAR_DIR / "portal.sqlite3") as database:
            database.execute("VACUUM INTO ?", [str(copy)])
        (FOLDER / f"{RELEASE}.sqlite3.xz").write_bytes(lzma.compress(copy.read_bytes(), preset=9))
    told = {contest.slug: crawl(contest) for contest in Contest.objects.order_by("pk")}
    (FOLDER / f"{RELEASE}.json.xz").write_bytes(lzma.compress(json.dumps(told).encode(), preset=9))


def play() -> None:
    """Let a little of everything happen."""
    from django.utils import timezone

    from contest import followers
    from contest.models import ApiToken, Letter, Proof, Scope
    from tests.pages.whole_portal import World
    from tests.tournaments.practice import laboratory
    from tests.tournaments.test_notes import write
    from tournaments.clock import periodic
    from tournaments.feeds import changes as feeds
    from tournaments.organising import rehearsals
    from tournaments.webhooks import changes as webhooks

    world = World()
    webhooks.create(world.contest, None, world.ada, "https://example.org/desk", [])
    webhooks.create_for(world.alice, "https://example.org/alice", [])
    feeds.follow(world.alice, "contest", world.contest.pk)
    feeds.set_digest(world.alice, "daily")
    write(world.ada, world.cup.matches.done().first(), audience="desk")
    ApiToken.issue(world.alice, "editor", Scope.values, None)
    rehearsals.ask(world.draft, world.ada)
    _, team = laboratory.laboratory()
    laboratory.played_out(laboratory.asked(team, cap=20))
    Letter.objects.create(sender="portal@example.org", recipient="alice@example.org", subject="Lunch", body="At noon.")
    Proof.objects.create(game_slug="hearts", language="c", host="one", digest="0" * 64, level="full", seconds=60)
    for contest in (world.contest, team.contest):
        followers.follow_all(contest.pk)
    periodic.tell_followers(timezone.now())


if __name__ == "__main__":
    main()
