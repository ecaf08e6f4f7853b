"""Ratings: one chain per contest, the same numbers however they are computed."""

from random import Random

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.chronicle import Chronicle
from tests.tournaments.stagecraft import Hall, play_out
from tournaments.clock import periodic
from tournaments.models import Arrears, MatchSeat, Rating
from tournaments.results import ratings, tallies

LINKS = ("match", "index", *ratings.LINK)


def chain(contest):
    """Every link and every end, to the last bit."""
    seats = MatchSeat.objects.filter(match__contest=contest).order_by("match", "index")
    ends = Rating.objects.filter(contest=contest).order_by("team")
    return list(seats.values_list(*LINKS)), list(ends.values_list("team", "mu", "sigma", "matches", "submission"))


@pytest.mark.promise
@pytest.mark.django_db
class TestChain:
    @pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long("more")) for seed in (2, 3))])
    def test_rerate_gives_exactly_the_same_numbers(self, seed, capsys):
        hall = Hall(teams=11)
        play_out(hall.stage(advance=2), Random(seed))
        before = chain(hall.contest)
        call_command("rerate", hall.contest.slug)
        assert chain(hall.contest) == before
        assert "0 matches changed" in capsys.readouterr().out


@pytest.fixture
def small_steps(monkeypatch):
    """Chains count as long with three results at once, read two by two."""
    monkeypatch.setattr(ratings, "STEP", 3)
    monkeypatch.setattr(ratings, "PAGE", 2)
    monkeypatch.setattr(ratings, "RECENT", 3)


def catch_up(contest):
    while ratings.catch_up(contest.pk) is not None:
        pass


TEAMS = 5
PLAY = st.tuples(st.just("play"), st.permutations(range(TEAMS)), st.sampled_from([(1, 2), (2, 1), (1, 1)]))
TABLE = st.tuples(
    st.just("table"), st.permutations([*range(TEAMS), None]), st.permutations([1, 2, 3, 4]), st.booleans()
)
VOID = st.tuples(st.just("void"), st.lists(st.integers(0, 99), min_size=1, max_size=3))
OTHER = st.one_of(st.tuples(st.just("update"), st.integers(0, TEAMS - 1)), st.just(("tick",)))


def follow(chronicle, actions):
    """Do the steps, then catch up, as the tick would."""
    for action, *told in actions:
        if action == "play":
            chronicle.play(told[0][:2], told[1])
        elif action == "table":
            tied = [min(place, 2) for place in told[1]] if told[2] else told[1]
            chronicle.play(told[0][:4], tied)
        elif action == "void" and chronicle.entries:
            chronicle.void(*{number % len(chronicle.entries) for number in told[0]})
        elif action == "update":
            chronicle.update(told[0])
        elif action == "tick":
            ratings.catch_up(chronicle.contest.pk)
    catch_up(chronicle.contest)


@pytest.mark.promise
@pytest.mark.django_db
class TestWhateverHappens:
    """Ratings and sums follow from the remaining results, to the last bit: after results, new versions and voidings in
    any order, even while a long chain is still being recalculated."""

    @given(st.lists(st.one_of(PLAY, PLAY, PLAY, VOID, OTHER), max_size=22))
    @settings(max_examples=5, deadline=None)
    def test_with_elo(self, actions):
        chronicle = Chronicle(TEAMS)
        follow(chronicle, actions)
        assert chronicle.written() == chronicle.expected()
        assert chronicle.tallied() == {
            team: pytest.approx(sums) for team, sums in chronicle.sums().items()
        }  # fmt: skip

    @pytest.mark.long("more")
    @given(st.lists(st.one_of(TABLE, TABLE, TABLE, VOID, OTHER), max_size=14))
    @settings(max_examples=12, deadline=None)
    def test_with_openskill_and_house_players(self, actions):
        chronicle = Chronicle(TEAMS, "tricky_eights")
        follow(chronicle, actions)
        assert chronicle.written() == chronicle.expected()
        before = chronicle.written(), chronicle.tallied()
        assert tallies.count_all(chronicle.contest) == 0
        assert (chronicle.written(), chronicle.tallied()) == before

    @pytest.fixture(autouse=True)
    def steps(self, small_steps):
        pass

    @pytest.mark.parametrize(
        "when", [2, *(pytest.param(when, marks=pytest.mark.long("more")) for when in (0, 1, 3, 4, 5))]
    )
    def test_a_second_change_while_the_first_is_on_its_way(self, when):
        """A result becomes void; after these steps a later one does, then an earlier one, and new ones arrive."""
        chronicle = Chronicle(TEAMS)
        random = Random(when)
        for _ in range(20):
            chronicle.play(random.sample(range(TEAMS), 2), random.choice([(1, 2), (2, 1)]))
        chronicle.void(3)
        for _ in range(when):
            ratings.catch_up(chronicle.contest.pk)
        chronicle.void(13)
        chronicle.play((0, 1), (2, 1))
        chronicle.void(1)
        catch_up(chronicle.contest)
        assert chronicle.written() == chronicle.expected()

    def test_as_of_an_earlier_moment(self):
        chronicle = Chronicle(TEAMS)
        for number in range(12):
            chronicle.play((number % TEAMS, (number + 1 + number // TEAMS) % TEAMS), (1, 2))
        late = chronicle.entries[7:]
        seen = ratings.skills_at(chronicle.contest, late[0].match.resulted)
        chronicle.entries = chronicle.entries[:7]
        assert seen == {team: end[:2] for team, end in chronicle.expected()[1].items()}
        assert ratings.skills_at(chronicle.contest, chronicle.entries[0].match.resulted) == {}

    def test_a_preview_is_what_then_comes(self, monkeypatch):
        chronicle = Chronicle(TEAMS)
        for number in range(8):
            chronicle.play((number % TEAMS, (number + 2) % TEAMS), (1, 2))
        match = chronicle.entries[2].match
        assert ratings.imagined(chronicle.contest, [match], []) is None, "it would take longer than a step"
        monkeypatch.setattr(ratings, "STEP", 100)
        foreseen = ratings.imagined(chronicle.contest, [match], [])
        chronicle.void(2)
        assert foreseen == {team: end[:2] for team, end in chronicle.written()[1].items()}


@pytest.mark.django_db
def test_the_tick_catches_up(small_steps):
    chronicle = Chronicle(TEAMS)
    for number in range(10):
        chronicle.play((number % TEAMS, (number + 1) % TEAMS), (1, 2))
    chronicle.void(0)
    assert chronicle.written() != chronicle.expected()
    periodic.tick()
    assert chronicle.written() == chronicle.expected()
    assert not Arrears.objects.exists()


@pytest.mark.django_db
def test_a_new_version_keeps_the_rating_and_widens_its_uncertainty():
    chronicle = Chronicle(2)
    for number in range(12):
        chronicle.play((0, 1), (1, 2) if number % 2 else (2, 1))
    team = chronicle.teams[0]
    before = Rating.objects.get(team=team)
    chronicle.update(0)
    seat = chronicle.play((0, 1), (1, 2)).seats.get(team=team)
    assert seat.mu_before == before.mu
    assert seat.sigma_before > before.sigma
    other = chronicle.play((0, 1), (1, 2)).seats.get(team=team)
    assert other.sigma_before == seat.sigma_after, "only the first match with it"
