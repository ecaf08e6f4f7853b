"""Ratings: one chain per contest, the same numbers however they are computed."""

from random import Random

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.stagecraft import Hall, by_strength, finish, play_out
from tournaments import ratings, stages, tallies
from tournaments.models import Match, MatchSeat, Rating
from tournaments.skill import OPENSKILL, Skill

LINKS = ("match", "index", *ratings.LINK)
START = OPENSKILL.start


def chain(contest):
    """Every link and every end, to the last bit."""
    seats = MatchSeat.objects.filter(match__contest=contest).order_by("match", "index")
    ends = Rating.objects.filter(contest=contest).order_by("team")
    return list(seats.values_list(*LINKS)), list(ends.values_list("team", "mu", "sigma", "matches", "submission"))


class TestOneMatch:
    def test_the_better_place_gains(self):
        first, second, third, fourth = OPENSKILL.rate([START] * 4, [1, 2, 3, 4])
        assert first.mu > second.mu > third.mu > fourth.mu
        assert all(skill.sigma < START.sigma for skill in (first, second, third, fourth))

    def test_equal_places_of_equals_change_nothing_but_the_uncertainty(self):
        after = OPENSKILL.rate([START] * 4, [1, 1, 1, 1])
        assert len({round(skill.mu, 9) for skill in after}) == 1

    def test_an_upset_moves_more(self):
        strong, weak = Skill(35, 2), Skill(15, 2)
        _, expected = OPENSKILL.rate([strong, weak], [1, 2])
        _, upset = OPENSKILL.rate([strong, weak], [2, 1])
        assert upset.mu - weak.mu > weak.mu - expected.mu > 0

    @given(
        st.lists(st.tuples(st.floats(5, 45), st.floats(0.5, 9), st.integers(1, 4)), min_size=2, max_size=4),
    )
    @settings(max_examples=50, deadline=None)
    def test_it_is_a_function(self, players):
        skills = [Skill(mu, sigma) for mu, sigma, _ in players]
        places = [place for *_, place in players]
        assert OPENSKILL.rate(skills, places) == OPENSKILL.rate(list(skills), list(places))


@pytest.mark.django_db
class TestChain:
    def test_each_match_starts_where_the_one_before_ended(self):
        hall = Hall(teams=8)
        play_out(hall.stage())
        seats = MatchSeat.objects.filter(team=hall.teams[0]).order_by("match__finished_at")
        first, second = seats
        assert (first.mu_before, first.sigma_before) == START
        assert (second.mu_before, second.sigma_before) == (first.mu_after, first.sigma_after)
        rating = Rating.objects.get(team=hall.teams[0])
        assert (rating.mu, rating.sigma, rating.matches) == (second.mu_after, second.sigma_after, 2)

    def test_house_players_are_not_rated(self):
        hall = Hall(teams=2)
        play_out(hall.stage())
        assert MatchSeat.objects.filter(team=None).exclude(mu_after=None).count() == 0
        assert Rating.objects.count() == 2

    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_rerate_gives_exactly_the_same_numbers(self, seed, capsys):
        hall = Hall(teams=11)
        play_out(hall.stage(advance=2), Random(seed))
        before = chain(hall.contest)
        call_command("rerate", hall.contest.slug)
        assert chain(hall.contest) == before
        assert "0 matches changed" in capsys.readouterr().out

    def test_rerate_mends_what_was_damaged(self, capsys):
        hall = Hall(teams=8)
        play_out(hall.stage())
        before = chain(hall.contest)
        Rating.objects.update(mu=99)
        MatchSeat.objects.filter(match=Match.objects.order_by("finished_at").first()).update(mu_after=1)
        call_command("rerate")
        assert chain(hall.contest) == before
        assert "1 match changed" in capsys.readouterr().out

    def test_rerate_knows_its_contests(self):
        from django.core.management import CommandError

        with pytest.raises(CommandError, match="no contest nowhere"):
            call_command("rerate", "nowhere")

    @pytest.mark.parametrize("which", [0, 1, 2, 4])
    def test_voiding_gives_what_playing_without_it_would_have_given(self, which):
        """Five first-round matches; the voided one is held, and the others' chain is as if it had never been."""
        hall = Hall(teams=20)
        stage = hall.stage()
        matches = list(stage.matches.all())
        for match in matches:
            finish(match, by_strength(match))
        stages.void(matches[which], hall.ada, "never mind", hold=True)
        known: dict[int, Skill] = {}
        for number, match in enumerate(matches):
            seats = {seat.team_id: seat for seat in match.seats.all()}
            if number == which:
                assert all(seat.mu_after is None for seat in seats.values())
                continue
            before = [known.get(team, START) for team in seats]
            after = OPENSKILL.rate(before, [seat.place for seat in seats.values()])
            known.update(zip(seats, after, strict=True))
        assert {rating.team_id: Skill(rating.mu, rating.sigma) for rating in Rating.objects.all()} == known
        before_all = chain(hall.contest)
        assert tallies.count_all(hall.contest) == 0
        assert chain(hall.contest) == before_all

    def test_a_team_whose_only_match_is_void_is_unrated_again(self):
        hall = Hall(teams=2)
        stage = hall.stage()
        match = finish(stage.matches.get(), dict(zip(hall.ids, (1, 2), strict=True)))
        assert Rating.objects.count() == 2
        stages.void(match, hall.ada, "never mind", hold=True)
        assert Rating.objects.count() == 0

    def test_contests_do_not_mix(self):
        one, other = Hall(teams=4), Hall(teams=4)
        play_out(one.stage())
        before = chain(one.contest)
        play_out(other.stage())
        match = Match.objects.done().get(contest=other.contest)
        stages.void(match, other.ada, "never mind")
        assert chain(one.contest) == before
