"""The bracket as a pure function: its shape for 2 … 200 entrants, ties, disqualifications, the final ranking."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.formats.playing import gone
from tournaments import formats
from tournaments.formats import FormatError, bracket_shape
from tournaments.formats.plan import NOBODY, Result, Status, TablePlan

FORMAT = formats.get("single_elimination")
TWOS = {"table_size": 2, "advance": 1, "playoff_all": False}
FOURS = {"table_size": 4, "advance": 1, "playoff_all": False}
FOURS_TWO_ADVANCE = {"table_size": 4, "advance": 2, "playoff_all": False}

kinds = st.sampled_from([TWOS, FOURS, FOURS_TWO_ADVANCE])
entrants = st.integers(2, 200)
some = settings(max_examples=8, deadline=None)  # test_many_examples.py has more


def ids(count):
    """Team ids that are neither sorted nor dense, so that no code can mistake an id for a seed number."""
    return [1000 + 7 * ((number * 37) % 211) for number in range(count)]


def result(teams, seats, places, scores=None, disqualified=()):
    """A match between these teams and the house, with the given places for the teams; the house is last."""
    players = [*teams, *([None] * (seats - len(teams)))]
    places = [*places, *([seats] * (seats - len(teams)))]
    scores = [*(scores or [10 * (5 - place) for place in places])]
    scores += [0] * (seats - len(scores))
    return Result(tuple(players), tuple(places), tuple(scores), frozenset(disqualified))


def wanted(plan):
    """The last match of every table that is waiting for one."""
    return [(table, table.matches[-1]) for table in plan.tables() if table.matches and not table.decided]


def play(order, options, judge, out=NOBODY, results=None, rounds=10_000):
    """Play everything that is wanted, round by round. `judge(match)` gives the result."""
    results = {} if results is None else results
    for _ in range(rounds):
        plan = FORMAT.plan(order, results, options, out)
        if plan.done:
            break
        due = wanted(plan)
        assert due, "nothing is done and nothing is wanted: somebody would have to help"
        for table, match in due:
            results.setdefault(table.key, {})[match.number] = judge(match)
    return FORMAT.plan(order, results, options, out), results


def by_seed(order):
    """The stronger seed always wins."""

    def judge(match):
        teams = sorted(match.teams, key=order.index)
        return result(teams, match.seats, range(1, len(teams) + 1))

    return judge


def by_chance(random, ties=True, faults=True):
    """Random places with many ties, occasional disqualifications, and house players anywhere."""

    def judge(match):
        players = [*match.teams, *([None] * (match.seats - len(match.teams)))]
        scores = [random.randint(0, 3 if ties else 10**9) for _ in players]
        disqualified = {team for team in match.teams if faults and random.random() < 0.1}
        fit = sorted((s for s, p in zip(scores, players, strict=True) if p not in disqualified), reverse=True)
        places = [
            len(players) if player in disqualified else fit.index(score) + 1
            for score, player in zip(scores, players, strict=True)
        ]
        return Result(tuple(players), tuple(places), tuple(scores), frozenset(disqualified))

    return judge


def teams_by_table(plan, round):
    return [list(table.teams) for table in plan.rounds[round - 1]]


class TestShape:
    @given(entrants, kinds)
    @some
    def test_everybody_sits_once_in_round_one_at_no_more_tables_than_are_needed(self, count, options):
        order = ids(count)
        plan = FORMAT.plan(order, {}, options)
        size = options["table_size"]
        seated = [team for teams in teams_by_table(plan, 1) for team in teams]
        assert sorted(seated) == sorted(order)
        power = 2 ** (count - 1).bit_length()  # at tables of two: byes up to the next power of two
        assert len(plan.rounds[0]) == (power // 2 if size == 2 else -(-count // size))
        assert all(len(table.seats) == size for table in plan.tables())

    @given(entrants, kinds)
    @some
    def test_house_players_are_spread_evenly_and_the_highest_seeds_meet_them_first(self, count, options):
        order = ids(count)
        for shape in bracket_shape.shape(count, options["table_size"], options["advance"]):
            sizes = [len(table) for table in shape.tables]
            assert max(sizes) - min(sizes) <= 1
            assert sizes == sorted(sizes), "the tables with fewer real teams are those of the highest seeds"
        first = FORMAT.plan(order, {}, options).rounds[0]
        assert [table.teams[0] for table in first] == order[: len(first)], "table n is headed by seed n"

    @given(entrants, kinds)
    @some
    def test_every_round_is_smaller_and_the_last_is_one_table(self, count, options):
        rounds = bracket_shape.shape(count, options["table_size"], options["advance"])
        slots = [sum(map(len, shape.tables)) for shape in rounds]
        assert slots == sorted(slots, reverse=True)
        assert len(set(slots)) == len(slots)
        assert [len(shape.tables) == 1 for shape in rounds] == [False] * (len(rounds) - 1) + [True]

    def test_the_two_of_one_table_do_not_meet_again_before_the_final(self):
        for count in range(2, 201):
            for shape in bracket_shape.shape(count, 4, 2)[1:]:
                if len(shape.tables) == 1:
                    continue
                for slots in shape.tables:
                    feeders = [shape.sources[slot].table for slot in slots]
                    assert len(set(feeders)) == len(feeders), count

    @pytest.mark.parametrize("power", [2, 4, 8, 16, 32, 64])
    def test_with_twos_it_is_the_standard_bracket(self, power):
        """In round one the seeds add up to n + 1; by rank they also do in every later round."""
        order = list(range(1, power + 1))
        plan, _ = play(order, TWOS, by_seed(order))
        for number, tables in enumerate(plan.rounds):
            left = power >> number
            assert all(sum(table.teams) == left + 1 for table in tables)

    def test_two_teams_at_a_table_of_four_play_at_once_with_two_of_the_house(self):
        plan = FORMAT.plan([5, 6], {}, FOURS)
        (table,) = plan.tables()
        assert table.name == "Final"
        assert table.teams == (5, 6)
        assert [seat.house for seat in table.seats] == [False, False, True, True]
        assert table.matches[0].teams == (5, 6)
        assert table.matches[0].seats == 4

    @pytest.mark.parametrize("order", [[], [1]])
    def test_fewer_than_two_teams_are_refused(self, order):
        with pytest.raises(FormatError, match="at least two teams"):
            FORMAT.plan(order, {}, FOURS)


class TestPlaying:
    @given(entrants, kinds, st.integers(0, 2**32))
    @some
    def test_any_results_lead_to_a_champion_without_help(self, count, options, seed):
        order = ids(count)
        plan, _ = play(order, options, by_chance(Random(seed)))
        assert plan.done
        assert sorted(ranked.team for ranked in plan.ranking) == sorted(order)
        for number, _tables in enumerate(plan.rounds, start=1):
            seated = [team for teams in teams_by_table(plan, number) for team in teams]
            assert len(set(seated)) == len(seated), "nobody sits at two tables of a round"
        ranks = [ranked.rank for ranked in plan.ranking]
        assert ranks == sorted(ranks)
        (final,) = plan.rounds[-1]
        champion = any(seat.status != Status.DISQUALIFIED_REFEREE for seat in final.seats if seat.team is not None)
        assert (ranks[0] == 1) == champion, "only the referee can leave a bracket without a champion"

    @given(entrants, kinds, st.integers(0, 2**32))
    @some
    def test_seeds_one_and_two_meet_only_in_the_final(self, count, options, seed):
        order = ids(count)
        plan, _ = play(order, options, by_chance(Random(seed), faults=False))
        for tables in plan.rounds[:-1]:
            assert not any({order[0], order[1]} <= set(table.teams) for table in tables)

    @given(st.integers(5, 200), st.integers(0, 2**32))
    @some
    def test_who_met_meets_again_only_in_the_final_or_after_a_round_apart(self, count, seed):
        order = ids(count)
        plan, _ = play(order, FOURS_TWO_ADVANCE, by_chance(Random(seed), faults=False))
        for earlier, later in zip(plan.rounds[:-2], plan.rounds[1:-1], strict=True):
            for table in later:
                assert all(len(set(table.teams) & set(before.teams)) <= 1 for before in earlier)

    @given(entrants, kinds, st.integers(0, 2**32))
    @some
    def test_as_many_advance_as_said_when_nobody_is_disqualified(self, count, options, seed):
        plan, _ = play(ids(count), options, by_chance(Random(seed), faults=False))
        for tables in plan.rounds[:-1]:
            assert all(len(table.advancing) == options["advance"] for table in tables)

    def test_a_house_player_never_advances(self):
        order = [1, 2, 3, 4, 5]

        def judge(match):  # the house wins everything
            players = (*match.teams, *([None] * (match.seats - len(match.teams))))
            scores = tuple(0 if player else 9 for player in players)
            places = tuple(
                1 if player is None else players.count(None) + match.teams.index(player) + 1 for player in players
            )
            return Result(players, places, scores)

        plan, _ = play(order, FOURS, judge)
        assert plan.rounds[0][0].advancing == (1,)
        assert plan.rounds[1][0].places == (1, 2)

    def test_ranking_by_round_then_place_then_points(self):
        order = list(range(1, 9))

        def judge(match):
            teams = sorted(match.teams)
            return result(
                teams, 4, range(1, len(teams) + 1), scores=[100 - 10 * at + at * min(teams) for at in range(4)]
            )

        plan, _ = play(order, FOURS, judge)
        # Tables 1, 4, 5, 8 and 2, 3, 6, 7: at equal places table 2 has more points.
        assert [ranked.team for ranked in plan.ranking] == [1, 2, 3, 4, 6, 5, 7, 8]
        assert [ranked.rank for ranked in plan.ranking] == [1, 2, 3, 4, 5, 6, 7, 8]

    def test_equal_round_place_and_points_share_a_rank(self):
        order = list(range(1, 9))
        plan, _ = play(order, TWOS, by_seed(order))
        assert [ranked.rank for ranked in plan.ranking] == [1, 2, 3, 3, 5, 5, 5, 5]

    def test_while_it_is_played_those_still_in_stand_first_without_a_rank(self):
        order = list(range(1, 9))
        plan, _ = play(order, TWOS, by_seed(order), rounds=1)
        assert [(r.team, r.rank) for r in plan.ranking][:5] == [(1, None), (2, None), (3, None), (4, None), (5, 5)]


class TestTies:
    def tie(self, places, advance, scores=None, order=(1, 2, 3, 4, 5, 6, 7, 8)):
        options = {**FOURS, "advance": advance}
        first = FORMAT.plan(order, {}, options).rounds[0][0]
        results = {(1, 1): {1: result(first.teams, 4, places, scores)}}
        return order, options, results, first.teams

    def table(self, order, options, results) -> TablePlan:
        return FORMAT.plan(order, results, options).rounds[0][0]

    def test_a_tie_for_the_advancing_place_is_played_off_by_the_tied_alone(self):
        order, options, results, teams = self.tie([1, 1, 3, 4], 1)
        table = self.table(order, options, results)
        assert not table.decided
        playoff = table.matches[-1]
        assert (playoff.number, playoff.teams, playoff.playoff, playoff.seats) == (2, teams[:2], True, 4)
        assert "Play-off 1" in playoff.why
        assert "seeds 1 and 4" in playoff.why

    def test_it_goes_on_until_it_is_decided(self):
        order, options, results, teams = self.tie([1, 1, 1, 4], 1)
        results[1, 1][2] = result(teams[:3], 4, [1, 3, 1])
        assert self.table(order, options, results).matches[-1].teams == (teams[0], teams[2])
        results[1, 1][3] = result((teams[0], teams[2]), 4, [1, 1])
        assert self.table(order, options, results).matches[-1].number == 4
        results[1, 1][4] = result((teams[0], teams[2]), 4, [2, 1])
        table = self.table(order, options, results)
        assert table.decided
        assert table.advancing == (teams[2],)
        assert table.places == (teams[2], teams[0], teams[1], teams[3])

    def test_two_places_for_three_who_tie(self):
        order, options, results, teams = self.tie([1, 1, 1, 4], 2)
        results[1, 1][2] = result(teams[:3], 4, [2, 3, 1])
        table = self.table(order, options, results)
        assert table.advancing == (teams[2], teams[0])

    def test_a_tie_between_a_team_and_the_house_needs_no_play_off(self):
        order = [1, 2, 3, 4, 5]
        played = Result((1, 4, None, None), (1, 3, 1, 4), (9, 5, 9, 1))
        table = FORMAT.plan(order, {(1, 1): {1: played}}, FOURS).rounds[0][0]
        assert table.decided
        assert table.advancing == (1,)

    def test_a_play_off_that_was_played_by_others_does_not_count(self):
        order, options, results, teams = self.tie([1, 1, 3, 4], 1)
        results[1, 1][2] = result(teams[1:3], 4, [1, 2])
        assert not self.table(order, options, results).decided

    @pytest.mark.parametrize("everything", [False, True])
    def test_ties_in_the_final(self, everything):
        options = {**FOURS, "playoff_all": everything}
        results = {(1, 1): {1: result([1, 2, 3, 4], 4, [1, 2, 2, 4])}}
        (table,) = FORMAT.plan([1, 2, 3, 4], results, options).tables()
        assert table.decided is not everything
        if everything:
            assert table.matches[-1].teams == (2, 3)
            results[1, 1][2] = result([2, 3], 4, [2, 1])
            plan = FORMAT.plan([1, 2, 3, 4], results, options)
            assert [ranked.team for ranked in plan.ranking] == [1, 3, 2, 4]

    def test_the_title_is_played_off(self):
        results = {(1, 1): {1: result([1, 2], 2, [1, 1])}}
        (table,) = FORMAT.plan([1, 2], results, TWOS).tables()
        assert not table.decided
        assert table.matches[-1].playoff

    def test_two_who_both_fault_in_their_play_off_are_both_passed_over(self):
        order, options, results, teams = self.tie([1, 1, 3, 4], 1)
        results[1, 1][2] = result(teams[:2], 4, [4, 4], disqualified=teams[:2])
        table = self.table(order, options, results)
        assert table.decided
        assert table.advancing == (teams[2],)
        assert table.places == (teams[2], teams[3], teams[0], teams[1])


class TestDisqualified:
    def test_the_referee_s_disqualified_are_last_and_the_next_in_line_advances(self):
        teams = (1, 4, 5, 8)
        results = {(1, 1): {1: result(teams, 4, [4, 1, 2, 3], disqualified=[1])}}
        table = FORMAT.plan(list(range(1, 9)), results, FOURS).rounds[0][0]
        assert table.advancing == (4,)
        assert table.places == (4, 5, 8, 1)

    def test_where_everybody_faults_the_house_takes_the_seat(self):
        order = list(range(1, 9))
        results = {
            (1, 1): {1: result((1, 4, 5, 8), 4, [4, 4, 4, 4], disqualified=[1, 4, 5, 8])},
            (1, 2): {1: result((2, 3, 6, 7), 4, [1, 2, 3, 4])},
        }
        plan = FORMAT.plan(order, results, FOURS)
        (final,) = plan.rounds[1]
        assert final.teams == (2,)
        assert [seat.house for seat in final.seats] == [True, False, True, True]
        assert final.matches[0].teams == (2,)

    def test_a_table_whose_teams_are_all_out_is_decided_without_a_match(self):
        order = list(range(1, 9))
        plan = FORMAT.plan(order, {}, TWOS, out=gone(1, 8))
        assert plan.rounds[0][0].decided
        assert plan.rounds[0][0].matches == ()
        assert plan.rounds[1][0].seats[0].house
        done, _ = play(order, TWOS, by_seed(order), out=gone(1, 8))
        assert done.done
        assert done.ranking[0].team == 2

    def test_everybody_out_is_done(self):
        plan = FORMAT.plan([1, 2, 3], {}, FOURS, out=gone(1, 2, 3))
        assert plan.done
        assert {ranked.rank for ranked in plan.ranking} == {None}

    def test_what_it_has_played_stands(self):
        """Seed 1 is disqualified after its second round: nothing is played again, it only loses its seat in the
        final."""
        order = list(range(1, 33))
        plan, results = play(order, FOURS, by_seed(order), rounds=2)
        assert len(plan.rounds) == 3
        after = FORMAT.plan(order, results, FOURS, out=gone(1))
        assert teams_by_table(after, 2) == teams_by_table(plan, 2)
        assert all(table.decided for table in after.rounds[1])
        assert teams_by_table(plan, 3) == [[1, 2]]
        (final,) = after.rounds[2]
        assert final.teams == (4, 2)


@pytest.mark.parametrize(
    ("tables", "size", "rounds"),
    [
        ([1], 4, ["Final"]),
        ([2, 1], 4, ["Semi-finals", "Final"]),
        ([4, 2, 1], 4, ["Round 1", "Semi-finals", "Final"]),
        ([4, 2, 1], 2, ["Quarter-finals", "Semi-finals", "Final"]),
        ([3, 1], 4, ["Round 1", "Final"]),
    ],
)
def test_rounds_are_called_as_their_tables_are(tables, size, rounds):
    assert [bracket_shape.round_name(number, tables, size) for number in range(1, len(tables) + 1)] == rounds
    for number, name in enumerate(rounds, 1):
        assert bracket_shape.table_name(number, 1, tables, size).startswith(name.removesuffix("s"))
