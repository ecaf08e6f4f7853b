"""Wanted minus present, in the database: what reconcile creates, leaves alone and voids."""

import pytest
from django.db import IntegrityError, transaction

from contest.models import Act
from submissions.models import Submission
from tests.tournaments.stagecraft import Hall, arranged, by_strength, finish, give_bot, play_out
from tournaments.kinds import following
from tournaments.kinds.planned import PLANNED
from tournaments.models import Match, Stage
from tournaments.organising import stages
from tournaments.playing import play

pytestmark = pytest.mark.django_db
MORE = pytest.mark.long("more")


def line_up(match):
    return {seat.team_id for seat in match.seats.all()} - {None}


def valid(stage):
    return list(stage.matches.valid().order_by("table__round", "table__number", "number"))


class TestCreating:
    def test_a_started_stage_has_tables_for_all_rounds_and_matches_for_the_first(self):
        hall = Hall(teams=14)
        stage = hall.stage()
        assert [(table.round, table.number, table.name) for table in stage.tables.all()] == [
            (1, 1, "Round 1, table 1"),
            (1, 2, "Round 1, table 2"),
            (1, 3, "Round 1, table 3"),
            (1, 4, "Round 1, table 4"),
            (2, 1, "Final"),
        ]
        assert [len(line_up(match)) for match in valid(stage)] == [3, 3, 4, 4]
        assert all(match.seats.count() == 4 for match in valid(stage))
        assert {match.state for match in valid(stage)} == {"queued"}

    def test_a_match_pins_versions_options_and_a_seed_of_its_own(self):
        hall = Hall(teams=8)
        stage = hall.stage(games=3)
        first, second = valid(stage)
        assert first.options == hall.contest.full_options()
        assert first.seed != second.seed
        assert 0 < first.seed < 2**31
        for seat in first.seats.all():
            assert seat.submission == seat.team.submissions.active().get()

    def test_seats_are_drawn_from_the_match_s_seed(self):
        hall = Hall(teams=64)
        stage = hall.stage()
        strongest = [min(match.seats.all(), key=lambda seat: seat.team.seed).index for match in valid(stage)]
        assert len(set(strongest)) > 1, "the strongest of a table does not always sit in the first seat"

    def test_empty_seats_take_the_chosen_house_players_in_turn(self):
        hall = Hall(teams=2)
        stage = hall.stage(house=["memoryless", "random"])
        (match,) = valid(stage)
        assert sorted(seat.house for seat in match.seats.all() if seat.house) == ["memoryless", "random"]
        assert stage.tables.get().players[2:] == ["house:memoryless", "house:random"]


@pytest.mark.promise
class TestIdempotence:
    def test_the_second_time_there_is_nothing_to_do(self):
        stage = Hall().stage()
        before = list(stage.matches.values())
        revision = type(stage.contest).objects.get(pk=stage.contest_id).revision
        assert not following.reconcile(stage)
        assert list(stage.matches.values()) == before
        assert type(stage.contest).objects.get(pk=stage.contest_id).revision == revision

    def test_the_database_refuses_a_second_match_at_the_same_table(self):
        stage = Hall().stage()
        match = stage.matches.valid().defer(None)[0]
        match.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            match.save(force_insert=True)


class TestPlaying:
    def test_a_tie_is_played_off_on_further_deals(self):
        hall = Hall(teams=8)
        stage = hall.stage()
        first = valid(stage)[0]
        teams = sorted(line_up(first))
        finish(first, {teams[0]: 1, teams[1]: 1, teams[2]: 3, teams[3]: 4})
        playoff = stage.matches.get(kind=Match.Kind.PLAYOFF)
        assert (playoff.number, line_up(playoff), playoff.seats.count()) == (2, set(teams[:2]), 4)
        assert playoff.seed != first.seed
        assert playoff.priority < first.priority, "everybody waits for it"
        assert not first.table.decided
        finish(playoff, {teams[0]: 2, teams[1]: 1})
        first.table.refresh_from_db()
        assert first.table.decided
        assert first.table.places[:2] == [teams[1], teams[0]]


class TestVersions:
    def play_first_round_then_upload(self, **options):
        hall = Hall(teams=8)
        stage = hall.stage(**options)
        for match in valid(stage):
            finish(match, by_strength(match))
            newer = give_bot(hall.teams[0], number=2) if match == valid(stage)[0] else None
            del newer
        final = stage.matches.get(table__name="Final")
        return hall, final.seats.get(team=hall.teams[0]).submission.number

    def test_frozen_versions_play_to_the_end(self):
        assert self.play_first_round_then_upload()[1] == 1

    def test_otherwise_later_matches_use_the_newer_version(self):
        assert self.play_first_round_then_upload(freeze_versions=False)[1] == 2

    @pytest.mark.long("more")
    def test_a_version_taken_back_later_is_replaced_by_the_one_at_the_start(self):
        hall = Hall(teams=8)
        stage = hall.stage(freeze_versions=False)
        Submission.objects.filter(team=hall.teams[0]).update(is_active=False)
        for match in valid(stage):
            finish(match, by_strength(match))
        final = stage.matches.get(table__name="Final")
        assert final.seats.get(team=hall.teams[0]).submission.number == 1


@pytest.mark.promise
class TestVoiding:
    def test_a_void_match_is_played_again_on_other_deals(self):
        hall = Hall(teams=8)
        stage = hall.stage()
        match = finish(valid(stage)[0])
        stages.void(match, hall.ada, "the wrong rules")
        match.refresh_from_db()
        assert (match.state, match.void_reason) == ("void", "the wrong rules")
        again = stage.matches.valid().get(table=match.table, number=1)
        assert again.replay_of == match
        assert again.seed != match.seed
        assert line_up(again) == line_up(match)

    def test_what_followed_from_it_is_void_too_and_follows_again(self):
        hall = Hall(teams=8)
        stage = hall.stage()
        play_out(stage)
        stage.refresh_from_db()
        assert stage.state == "done"
        first = valid(stage)[0]
        assert [match.table.name for match, _ in PLANNED.preview(stage, {first.pk: None}).stale] == ["Final"]
        stages.void(first, hall.ada, "a broken pack")
        stage.refresh_from_db()
        assert stage.state == "running"
        assert stage.matches.filter(state="void").count() == 2
        assert not stage.matches.valid().filter(table__name="Final").exists()
        play_out(stage)
        stage.refresh_from_db()
        assert stage.state == "done"
        assert Act.objects.filter(contest=hall.contest, verb="void match").count() == 2


class TestRounds:
    """In formats by rounds, results are followed when the round is over, and the tick does not look earlier."""

    def swiss(self, teams=8, **options):
        hall = Hall(teams=teams)
        wish = stages.Wish("Swiss", "swiss", {"rounds": 3, "games": 1, **options})
        stage = stages.create(hall.contest, hall.ada, wish)
        Stage.objects.filter(pk=stage.pk).update(seed=17)
        stages.start(stage, hall.ada)
        return hall, Stage.objects.get(pk=stage.pk)

    def played(self, match):
        claimed = play.claim(match.pk, "tester")
        play.finish(claimed, arranged(claimed, by_strength(match)))
        return claimed

    def test_only_the_last_result_of_a_round_costs_a_plan(self, monkeypatch):
        _, stage = self.swiss(teams=12)
        planned = []
        monkeypatch.setattr(following, "reconcile", planned.append)
        for match in stage.matches.order_by("pk"):
            following.follow_ledger(self.played(match).contest_id)
        assert planned == [stage]

    def test_the_tick_looks_again_when_a_process_was_lost_after_the_last_result(self):
        _, stage = self.swiss()
        for match in stage.matches.all():
            self.played(match)
        assert not following.is_in_line(stage)
        assert following.reconcile(stage).created == 2
        assert stage.matches.filter(table__round=2, state="queued").count() == 2

    def test_a_round_that_has_begun_stays_with_its_byes(self):
        """An odd number at tables of two: the bye is drawn with the round, and stays when a match becomes void."""
        hall, stage = self.swiss(teams=5, table_size=2)
        for match in stage.matches.all():
            finish(match, by_strength(match))
        second = stage.matches.filter(table__round=2)
        before = list(stage.tables.filter(round=2).order_by("number").values_list("players", flat=True))
        finish(second.first(), by_strength(second.first()))
        stages.void(stage.matches.valid().filter(table__round=1).first(), hall.ada, "wet cards")
        after = list(stage.tables.filter(round=2).order_by("number").values_list("players", flat=True))
        assert after == before
        assert any(len([player for player in players if isinstance(player, int)]) == 1 for players in before)
        play_out(stage)
        stage.refresh_from_db()
        assert stage.state == "done"
        assert following.is_in_line(stage)

    @pytest.mark.long("more")
    def test_a_table_that_is_drawn_no_more_keeps_the_records_of_what_was_played_there(self):
        hall, stage = self.swiss(teams=6, table_size=2)
        for match in stage.matches.all():
            finish(match, by_strength(match))
        played = finish(stage.matches.filter(table__round=2).last())
        stages.void(played, hall.ada, "wet cards")
        stages.void(stage.matches.valid().filter(table__round=1).first(), hall.ada, "wet cards")
        assert stage.matches.filter(pk=played.pk, record__isnull=False).exists()
        assert {match.table.round for match in stage.matches.valid().open()} == {1}
        assert following.is_in_line(stage)
        play_out(stage)
        stage.refresh_from_db()
        assert stage.state == "done"
        assert following.is_in_line(stage)
        assert stage.matches.filter(pk=played.pk, record__isnull=False).exists()

    @pytest.mark.long("more")
    def test_a_match_is_called_the_same_when_its_table_becomes_a_bye(self):
        """Behind a freeze, another name would tell that it is void."""
        hall = Hall(teams=4, game="barracuda", target=1)
        stage = stages.create(hall.contest, hall.ada, stages.Wish("Swiss", "swiss", {"rounds": 3, "games": 1}))
        stages.start(stage, hall.ada)
        match = stage.matches.order_by("pk").first()
        for _ in range(3):  # the second round has begun
            waiting = stage.matches.filter(state="queued").order_by("pk").first()
            finish(waiting, by_strength(waiting))
        title = match.title
        stages.withdraw(match.seats.first().team, hall.ada, "ill")
        stages.void(Match.objects.get(pk=match.pk), hall.ada, "wet cards")
        stage, match = Stage.objects.get(pk=stage.pk), Match.objects.get(pk=match.pk)
        (table, _) = PLANNED.plan(stage).rounds[0]
        assert (table.number, table.name) == (match.table.number, "Round 1, bye")
        assert match.title == title
        assert following.is_in_line(stage)


class TestLeavingInTheMidstOfARound:
    """A match in progress and a queued one: a team of each leaves."""

    @pytest.mark.parametrize(
        ("format", "options"),
        [
            ("swiss", {"table_size": 2}),
            pytest.param("round_robin", {}, marks=MORE),
            pytest.param("swiss", {}, marks=MORE),
            ("combinations", {}),
        ],
    )
    def test_the_queued_match_is_void_and_says_why(self, format, options):
        fours = "table_size" not in options and format != "round_robin"
        hall = Hall(teams=8 if format == "swiss" and fours else 5 if fours else 4)
        games = {} if format == "combinations" else {"games": 1}
        stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", format, {**games, **options}))
        stages.start(stage, hall.ada)
        stage.refresh_from_db()
        running, queued, *_ = stage.matches.filter(table__round=1).order_by("table__number")
        claimed = play.claim(running.pk, "tester")
        busy, gone = (match.seats.filter(team__isnull=False).first().team for match in (running, queued))
        for team in {busy, gone}:  # in combinations they may be the same
            stages.disqualify(team, hall.ada, "two entries")
        running.refresh_from_db()
        queued.refresh_from_db()
        assert running.state == "running"
        assert queued.state == "void"
        assert queued.void_reason == f"{gone} is out (disqualified: two entries)."
        again = stage.matches.valid().filter(table=queued.table)
        assert [gone.pk in set(match.seats.values_list("team", flat=True)) for match in again] == [False] * fours
        left = sum(isinstance(player, int) for player in stage.tables.get(pk=queued.table_id).players)
        assert left == queued.seats.filter(team__isnull=False).exclude(team__in={busy, gone}).count()
        assert following.is_in_line(stage)
        assert not following.reconcile(stage), "nothing to do the second time"
        play.finish(claimed, arranged(claimed, by_strength(claimed)))
        following.follow_ledger(claimed.contest_id)
        play_out(stage, most=200)
        stage.refresh_from_db()
        assert stage.state == "done"
        assert running.pk in stage.matches.done().values_list("pk", flat=True), "what was being played stands"
