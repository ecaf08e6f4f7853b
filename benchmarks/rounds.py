"""A Swiss of 1,000 teams: what follows the last result of a round, including everything written for it.

    python -m benchmarks.rounds [--teams 1000] [--rounds 10] [--size 4]

Chance draws the results, which are written in bulk. Measured is `following.reconcile`: from reading the existing
matches to the next round's tables, matches and seats in the database (SQLite, in memory). Target: 2 s for every round
of 1,000 teams. Exit status 1 when it is missed.

Printed beside it is the tick's look at a stage in which nothing is to be done, in the middle of a round and before one.
The portal does that every ten seconds.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from random import Random

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from contest.models import Team  # noqa: E402
from submissions.models import Submission  # noqa: E402
from tests.cast import make_contest  # noqa: E402
from tournaments.kinds import following  # noqa: E402
from tournaments.models import Match, MatchSeat, Stage  # noqa: E402
from tournaments.organising import stages  # noqa: E402
from tournaments.seating import queue  # noqa: E402

TARGET = 2.0


def arrange(count: int, rounds: int, size: int) -> Stage:
    """A stage about to start; everybody has a version that is never played."""
    contest = make_contest(options={"target": 10}, preset="open")
    teams = Team.objects.bulk_create(
        Team(contest=contest, name=f"Team {number:04}", seed=number) for number in range(1, count + 1)
    )
    ready = {"language": "python", "filename": "bot.py", "source": b"", "size": 0, "sha256": "0" * 64}
    Submission.objects.bulk_create(
        Submission(team=team, number=1, state=Submission.State.READY, is_active=True, **ready) for team in teams
    )
    return stages.create(contest, None, stages.Wish("Swiss", "swiss", {"table_size": size, "rounds": rounds}))


def play_round(stage: Stage, chance: Random) -> None:
    """Write random results for all queued matches."""
    seats_of: dict[int, list[MatchSeat]] = {}
    for seat in MatchSeat.objects.filter(match__stage=stage, match__state=Match.State.QUEUED):
        seats_of.setdefault(seat.match_id, []).append(seat)
    for seats in seats_of.values():
        scores = [chance.randrange(100) for _ in seats]
        for seat, score in zip(seats, scores, strict=True):
            seat.score, seat.place = score, 1 + sum(other > score for other in scores)
    MatchSeat.objects.bulk_update([seat for seats in seats_of.values() for seat in seats], ["score", "place"], 500)
    queued = stage.matches.filter(state=Match.State.QUEUED)
    queued.update(state=Match.State.DONE, finished_at=timezone.now(), games=1)


def measured(action: Callable[..., object], *args: object) -> tuple[float, float]:
    """Wall-clock seconds, and processor seconds of this process; they differ on a busy machine."""
    wall, own = time.perf_counter(), time.process_time()
    action(*args)
    return time.perf_counter() - wall, time.process_time() - own


def run(teams: int, rounds: int, size: int) -> int:
    stage = arrange(teams, rounds, size)
    chance = Random(17)
    print(f"{teams} teams at tables of {size}")
    longest = told("start", measured(stages.start, stage, None))
    for number in range(1, rounds + 1):
        play_round(stage, chance)
        stage = Stage.objects.select_related("contest").get(pk=stage.pk)
        longest = max(longest, told(f"after round {number}", measured(following.reconcile, stage)))
        stage.refresh_from_db()
        told("  a look in vain", measured(following.is_in_line, stage))
    print(f"the longest {longest:.2f} s, target {TARGET:g} s")
    return 0 if longest <= TARGET else 1


def told(what: str, took: tuple[float, float]) -> float:
    print(f"{what:18} {took[0]:6.2f} s, of this process {took[1]:6.2f} s")
    return took[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--teams", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--size", type=int, choices=(2, 4), default=4)
    asked = parser.parse_args()
    queue.wake = lambda count: True  # nobody plays
    call_command("migrate", verbosity=0)
    return run(asked.teams, asked.rounds, asked.size)


if __name__ == "__main__":
    sys.exit(main())
