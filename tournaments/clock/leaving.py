"""A machine leaves: what its workers still held returns to the queues, at once and without a failure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from submissions import lifecycle
from submissions.models import Submission
from tournaments.models import Match, PracticeGame
from tournaments.playing import play
from tournaments.practice import queue as practice_queue
from tournaments.seating import queue


@dataclass(frozen=True, slots=True)
class Returned:
    """How much of what was returned."""

    matches: int = 0
    versions: int = 0
    practice: int = 0

    def __str__(self) -> str:
        counted = ((self.matches, "match"), (self.versions, "build"), (self.practice, "practice game"))
        plural = {"match": "matches"}
        said = [f"{count} {word if count == 1 else plural.get(word, f'{word}s')}" for count, word in counted if count]
        return ", ".join(said) or "nothing"


def give_back_all(machine: str) -> Returned:
    """Return everything that workers of this machine hold. Call it when they have ended."""
    mine = {"worker__startswith": f"{machine}:"}
    held: dict[str, list[int]] = defaultdict(list)
    for pk, worker in Match.objects.filter(state=Match.State.RUNNING, **mine).values_list("pk", "worker"):
        held[worker].append(pk)
    matches = sum(play.give_back(worker, numbers) for worker, numbers in held.items())
    versions = 0
    for version in Submission.objects.filter(state__in=Submission.WORKING, **mine).select_related("team"):
        versions += lifecycle.give_back(version)
    games = PracticeGame.objects.running().filter(**mine)
    practice = sum(practice_queue.give_back(game) for game in games)
    queue.wake(matches)
    lifecycle.wake()
    return Returned(matches, versions, practice)
