"""A team with two versions whose programs are never started: house players stand in, so trials are quick."""

from __future__ import annotations

from random import Random
from typing import Any

from django.utils import timezone

from contest.models import Contest, Team
from games.players import HousePlayer, Seated
from games.referee import Match as Played
from submissions.lease import LeaseLost
from tests.cast import make_contest
from tests.tournaments.practice.gym import armed, fresh
from tests.tournaments.stagecraft import give_bot
from tournaments.models import PracticeGame, Trial
from tournaments.practice import play, trials
from tournaments.practice.trials import Question

STRONG, WEAK = "card_counter", "random"


def laboratory(*, game: str = "intensity", **fields: Any) -> tuple[Contest, Team]:
    """A contest with a team that has two versions. Their programs are never started: house players stand in."""
    contest = make_contest(game=game, preset="open", **fields)
    (team,) = armed(contest, "Aces")
    give_bot(team, number=2, source=b"# another one\n")
    for version in team.submissions.all():
        version.artifact = team.submissions.get(number=1).artifact
        version.save()
    return contest, team


def asked(team: Team, **question: Any) -> Trial:
    question = {"new": 2, "old": 1, "low": 0.0, "high": 4.0, "opponents": ("house:avoider",), **question}
    return trials.place(team, team.people()[0].user, Question(**question))


def refereed(game: PracticeGame, new: str = STRONG, old: str = WEAK) -> Played:
    """The game with house players in the places of the versions."""
    rules = game.order.contest.game
    names = {0: new, 1: old}
    return play.prepared(
        game,
        [
            Seated(it.name, "bot.py", HousePlayer(rules.house_player(names.get(it.number) or it.house)))
            for it in play.lineup_of(game)
        ],
    )()


def played_out(trial: Trial, random: Random | None = None, **versions: str) -> int:
    """Play a trial to its end, four games at a time, which are finished in any order. Returns how many."""
    random, count, open_games = random or Random(1), 0, []
    while True:
        while len(open_games) < 4 and (found := play.claim_next("tester", timezone.now())) is not None:
            open_games.append(found)
        if not open_games:
            return count
        game = open_games.pop(random.randrange(len(open_games)))
        try:
            play.finish(game, refereed(game, **versions))
            count += 1
        except LeaseLost:  # the trial has ended meanwhile
            assert not fresh(trial.order).is_open


def known(trial: Trial) -> Trial:
    return Trial.objects.select_related("order__contest").get(pk=trial.pk)
