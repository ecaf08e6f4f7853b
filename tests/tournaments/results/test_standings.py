"""Standings of contests and stages, compared with numbers counted from the records."""

import pytest

from tests.tournaments.stagecraft import Hall, play_out
from tournaments.models import Rating, Tally
from tournaments.organising import stages
from tournaments.results import standings
from tournaments.results.visibility import everything

pytestmark = pytest.mark.django_db


class TestContest:
    def test_the_order_goes_by_the_rating_and_the_little_known_come_after_by_their_lower_end(self):
        hall = Hall(teams=5)
        stage = hall.stage(start=False)
        known = zip(hall.teams, (30, 28, 29, 20, 40), (5, 1, 2, 1, 8), (2, 60, 6, 6, 5), strict=True)
        for team, mu, sigma, matches in known:
            Rating.objects.create(contest=hall.contest, team=team, mu=mu, sigma=sigma, matches=matches)
            Tally.objects.create(stage=stage, team=team, matches=matches)
        rows = standings.of_contest(everything(hall.contest))
        assert [hall.teams.index(row.team) for row in rows] == [2, 1, 3, 4, 0]
        assert [row.rank for row in rows] == [1, 2, 3, 4, 5]
        assert [row.is_provisional for row in rows] == [False, False, False, True, True]
        assert rows[0].margin == 4

    def test_equal_ratings_share_a_rank(self):
        hall = Hall(teams=3)
        for team in hall.teams:
            Rating.objects.create(contest=hall.contest, team=team, mu=25, sigma=8, matches=1)
        assert [row.rank for row in standings.of_contest(everything(hall.contest))] == [1, 1, 1]

    def test_who_has_played_and_left_is_still_there_who_never_played_is_not(self):
        hall = Hall(teams=4)
        play_out(hall.stage())
        hall.teams[0].state = "withdrawn"
        hall.teams[0].save()
        late = Hall(teams=1).teams[0]
        late.contest, late.seed, late.state = hall.contest, None, "refused"
        late.save()
        teams = [row.team for row in standings.of_contest(everything(hall.contest))]
        assert hall.teams[0] in teams
        assert late not in teams


def test_who_is_out_takes_no_rank():
    hall = Hall(teams=4)
    play_out(hall.stage())
    first = standings.of_contest(everything(hall.contest))[0].team
    stages.disqualify(first, hall.ada, "It looked at the other cards.")
    rows = standings.of_contest(everything(hall.contest))
    assert [row.rank for row in rows] == [1, 2, 3, None]
    assert rows[-1].team == first
