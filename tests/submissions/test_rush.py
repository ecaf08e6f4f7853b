"""The last minutes before a deadline, with a real worker and the real sandbox: 20 teams, three of them hostile."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from contest.models import Team
from submissions import intake, lifecycle
from submissions.intake import Upload
from submissions.models import Submission
from tests.cast import make_contest, make_teams
from tests.sandbox.sandboxes import needs_jail
from tests.submissions import bots
from tests.submissions.conftest import SHORT
from tests.waiting import wait_for

pytestmark = [pytest.mark.long("chaos"), needs_jail, pytest.mark.django_db(transaction=True)]

State = Submission.State
HONEST, UPLOADS = 17, 10
BUILD_SECONDS, CHECK_TURN = 3, 1
TEMPLATES = (
    "template <int N, int M> struct S { static constexpr int v = S<N - 1, M>::v ^ S<N - 1, M + N * 31>::v; };\n"
    "template <int M> struct S<0, M> { static constexpr int v = M; };\n"
    "int main() { return S<40, 1>::v; }\n"
)
INCLUDES = '#include "/dev/urandom"\n#include __FILE__\n#include __FILE__\nint main() { return 0; }\n'
HUGE = "int big[1 << 28] = {1};\nint main() { return big[1]; }\n"
BOMBS = (TEMPLATES, INCLUDES, HUGE)
SLEEPER = bots.python_bot(play="import time; time.sleep(0.4)")  # within the limit of a second, at every decision


def uploaded(team: Team, name: str, source: bytes) -> Submission:
    return intake.receive(team, team.memberships.get(is_captain=True).user, [Upload(name, source)]).submission


def tell_the_workers() -> None:
    """As the tick does with messages that may be lost."""
    lifecycle.requeue_abandoned(timezone.now() + timedelta(minutes=6))


def turns_of(seen: dict[tuple[int, int], Any]) -> list[int]:
    """The teams of all turns so far, in the order in which these began."""
    rows = Submission.objects.filter(turn_at__isnull=False).values_list("pk", "attempt", "team", "turn_at")
    for pk, attempt, team, at in rows:
        seen.setdefault((pk, attempt), (at, team))
    return [team for _, team in sorted(seen.values())]


def test_every_honest_team_is_ready_in_time(celery_worker_process: Callable[..., Any]) -> None:
    contest = make_contest(options=SHORT, preset="open", languages=["cpp", "python"], uploads_per_hour=UPLOADS)
    hostile, honest = (teams := make_teams(contest, HONEST + 3))[:3], teams[3:]
    for team in hostile[:2]:
        for number in range(UPLOADS):
            uploaded(team, "bot.cpp", f"{BOMBS[number % 3]}// {number}\n".encode())
    for number in range(UPLOADS):
        uploaded(hostile[2], "bot.py", SLEEPER + b"# %d\n" % number)
    for team in honest:
        uploaded(team, "bot.py", bots.CRASHES + b"# %d\n" % team.pk)
        uploaded(team, "bot.py", bots.GOOD_PYTHON + b"# %d\n" % team.pk)
    contest.upload_deadline = contest.entry_deadline = timezone.now()
    contest.save(update_fields=["upload_deadline", "entry_deadline"])
    short = {"BUILD_SECONDS": f"{BUILD_SECONDS}", "CHECK_TURN": f"{CHECK_TURN}"}
    celery_worker_process(queues="builds", concurrency=2, **short)
    tell_the_workers()
    seen: dict[tuple[int, int], Any] = {}

    def all_ready() -> bool:
        turns_of(seen)
        return Submission.objects.active().filter(team__in=honest, number=2).count() == HONEST

    wait_for(all_ready, lambda: list(Submission.objects.values_list("team", "number", "state")), 240)
    order = turns_of(seen)
    everybody = {team.pk for team in teams}
    assert set(order[: len(teams)]) == everybody, "in the first round, each team has one turn"
    # On a slow machine, honest checks take more than CHECK_TURN and give way, too. Then there are more rounds.
    rounds = max(order.count(team.pk) for team in honest)
    last = max(at for at, team in enumerate(order) if team in {it.pk for it in honest})
    assert max(order[: last + 1].count(team.pk) for team in hostile) <= rounds, "one turn in each round"
    attempts = Submission.objects.filter(team__in=honest, number=2).values_list("failures", flat=True)
    assert set(attempts) == {0}
    assert set(Submission.objects.filter(team__in=honest, number=1).values_list("state", flat=True)) == {"superseded"}
