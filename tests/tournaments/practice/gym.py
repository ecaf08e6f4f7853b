"""A contest whose teams practise. Bots are real, and play in the sandbox; programs are built beforehand."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from contest.models import Contest, Team
from games.players import HousePlayer, Seated
from submissions.build import artifact_of
from submissions.models import Submission
from tests.cast import make_contest, make_team
from tests.tournaments.stagecraft import give_bot
from tournaments.models import PracticeGame, PracticeOrder
from tournaments.practice import orders, play, queue
from tournaments.practice.orders import Wish

SHORT = {"target": 10}


def armed(contest: Contest, *names: str, source: bytes | None = None) -> list[Team]:
    """Teams of these names, each with the kit's random player as its version 1."""
    teams = [make_team(contest, name=name) for name in names]
    for team in teams:
        with_version(team, source=source)
    return teams


def with_version(team: Team, number: int = 1, *, source: bytes | None = None, active: bool = True) -> Submission:
    game = team.contest.game
    source = source or (game.folder / "kit" / "random_player.py").read_bytes()
    version = give_bot(team, number=number, source=source, active=active)
    artifact_of(Submission.objects.select_related("team__contest").get(pk=version.pk))
    return version


def gym(*names: str, source: bytes | None = None, **fields: Any) -> tuple[Contest, list[Team]]:
    """A contest with short games, and its teams, all with the same program."""
    fields = {"preset": "open", "options": SHORT, **fields}
    contest = make_contest(**fields)
    return contest, armed(contest, *(names or ("Aces", "Clubs")), source=source)


def order(team: Team, **wish: Any) -> PracticeOrder:
    return orders.place(team, team.people()[0].user, Wish(**wish))


def fresh(order: PracticeOrder) -> PracticeOrder:
    return PracticeOrder.objects.select_related("contest", "team__contest").get(pk=order.pk)


def play_all(most: int = 500) -> int:
    """Play until nothing is due. Returns how many games were played."""
    played = 0
    while play.play_next() is play.Turn.PLAYED:
        played += 1
        assert played < most
    return played


def play_with_house(order: PracticeOrder, most: int = 500) -> None:
    """Play it out, or that many games of it, with house players in the seats of all versions, without the sandbox."""
    now = timezone.now()
    order = PracticeOrder.objects.select_related("contest", "team__contest").get(pk=order.pk)
    while most and (game := queue.claim(order, "tester", now)) is not None:
        most -= 1
        rules = order.contest.game
        seats = [
            Seated(player.name, f"house:{rules.house[0].name}", HousePlayer(rules.house[0]))
            for player in play.lineup_of(game)
        ]
        play.finish(game, play.prepared(game, seats)())


def claimed() -> PracticeGame:
    found = play.claim_next("tester", timezone.now())
    assert found is not None
    return found
