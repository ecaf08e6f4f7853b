"""Elo with a deviation and OpenSkill as pure functions: worked examples and general properties."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from tournaments.formats.rating_systems import ELO, OPENSKILL, SETTLED, SUREST, Skill, rating_order, system
from tournaments.results.standings import ranks

RATINGS = st.builds(Skill, st.floats(500, 2500), st.floats(SUREST, 350))


class TestElo:
    def test_two_beginners(self):
        """By hand: g = 0.669, E = 1/2, d² = 1 / (q²·g²/4) = 519.4², so 350 becomes 290.2 and the winner 1662.2."""
        winner, loser = ELO.rate([ELO.start, ELO.start], [1, 2])
        assert winner == pytest.approx((1662.21, 290.23), abs=0.01)
        assert loser == pytest.approx((1337.79, 290.23), abs=0.01)

    def test_the_first_game_of_glickman_s_example(self):
        """1500 ± 200 beats 1400 ± 30: g = 0.9955, E = 0.6395, and so 1500 + 63.4 ± 175.2."""
        mine, _ = ELO.rate([Skill(1500, 200), Skill(1400, 30)], [1, 2])
        assert mine == pytest.approx((1563.4, 175.2), abs=0.05)

    @given(RATINGS, RATINGS)
    @settings(max_examples=10, deadline=None)
    def test_what_always_holds(self, one, other):
        won, lost = ELO.rate([one, other], [1, 2])
        tied, _ = ELO.rate([one, other], [1, 1])
        assert won.mu > one.mu > ELO.rate([one, other], [2, 1])[0].mu
        assert won.mu > tied.mu
        assert lost.mu < other.mu
        assert all(SUREST <= after.sigma <= max(before.sigma, SUREST) for before, after in ((one, won), (other, lost)))
        assert ELO.rate([other, one], [2, 1]) == [lost, won], "who sits where makes no difference"


class TestOpenSkill:
    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_ratings_follow_the_places_however_they_are_shared(self, seats):
        """The same match once to ten times, so also before and after ratings settle: better places stand higher, equal
        places level."""
        for numbers in product(range(seats), repeat=seats):
            places = [1 + sum(other < number for other in numbers) for number in numbers]
            skills = [OPENSKILL.start] * seats
            for matches in range(1, 11):
                skills = OPENSKILL.rate(skills, places)
                standing = ranks({team: (skill, matches) for team, skill in enumerate(skills)})
                assert [standing[team] for team in range(seats)] == places

    def test_as_openskill_6_2_computes_it(self):
        skills = [Skill(31.0, 2.5), Skill(25.0, 25 / 3), Skill(-3.5, 4.0), Skill(40.0, 0.7)]
        assert OPENSKILL.rate(skills, [2, 1, 2, 4]) == [
            (30.99257799576017, 2.485337737303018),
            (35.17657685051195, 7.3333045619617385),
            (-0.33114461002585305, 3.9907768621100854),
            (39.829394306098166, 0.704851057130773),
        ]


@pytest.mark.parametrize("rated", [ELO, OPENSKILL], ids=lambda it: it.title)
class TestAnotherVersion:
    def test_it_keeps_the_rating_and_is_less_sure_of_it(self, rated):
        known = Skill(rated.start.mu * 1.1, rated.start.sigma / 6)
        widened = rated.widened(known)
        assert widened.mu == known.mu
        assert known.sigma < widened.sigma < rated.start.sigma / 2

    def test_again_and_again_it_stays_bounded(self, rated):
        skill = Skill(rated.start.mu, rated.start.sigma / 8)
        for _ in range(20):
            skill = rated.widened(skill)
        assert skill.sigma == rated.start.sigma / 2
        assert rated.widened(rated.start) == rated.start


@pytest.mark.parametrize("rated", [ELO, OPENSKILL], ids=lambda it: it.title)
class TestOrder:
    def test_one_lucky_match_does_not_lead_the_table(self, rated):
        lucky, _ = rated.rate([rated.start, rated.start], [1, 2])
        steady = Skill(rated.start.mu, rated.start.sigma / 5)
        assert lucky.mu > steady.mu
        assert rating_order(steady, SETTLED) > rating_order(lucky, 1)

    def test_who_wins_all_the_time_leads_it_however_unsure_that_remains(self, rated):
        best = other = rated.start
        for _ in range(SETTLED):
            best, other = rated.rate([best, other], [1, 2])
        assert rating_order(best, SETTLED) > rating_order(Skill(rated.start.mu, rated.start.sigma / 5), SETTLED)


def test_games_of_two_have_elo():
    assert system(games.get("barracuda")) is ELO
    assert system(games.get("hearts")) is OPENSKILL
