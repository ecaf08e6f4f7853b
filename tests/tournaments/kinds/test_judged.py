"""Judged problems: who is judged when, the ranking, and that the hidden games stay secret."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest, Role, Team, User
from tests.cast import make_contest, make_team, make_user
from tests.film_reader import film_addresses
from tests.tournaments.courtroom import HIDDEN, SECRETS, Courtroom
from tournaments.kinds import following, judged
from tournaments.kinds.judged import JudgedTeam, Run
from tournaments.models import Match, Stage
from tournaments.organising import stages

pytestmark = pytest.mark.django_db


class TestRuns:
    def test_it_starts_without_any_bot(self) -> None:
        hall = Courtroom().start()
        assert hall.stage.state == Stage.State.RUNNING
        assert not hall.stage.matches.exists()

    def test_every_ready_version_is_a_run_also_of_teams_that_come_later(self) -> None:
        hall = Courtroom(2)
        early = hall.send(hall.teams[0])
        hall.start()
        assert [match.seats.get().submission for match in hall.stage.matches.all()] == [early]
        late = hall.send(make_team(hall.contest, name="Late"))
        again = hall.send(hall.teams[0])
        runs = [match.seats.get().submission for match in hall.stage.matches.order_by("pk")]
        assert runs == [early, late, again]
        assert not following.reconcile(hall.stage)
        assert following.is_in_line(Stage.objects.get(pk=hall.stage.pk))

    def test_a_run_plays_the_published_and_the_hidden_games(self) -> None:
        hall = Courtroom(1).start()
        hall.send(hall.teams[0])
        match = hall.judge()
        opened = [event for event in match.record.loaded()["events"] if event["event"] == "game"]
        assert len(opened) == len(hall.contest.game.sample) + 3 + 2
        assert [str(event["seed"]) for event in opened][2:5] == list(SECRETS)
        seat = match.seats.get()
        assert (seat.verdict, seat.score, seat.place) == ("correct", 1, 1)

    def test_it_is_finished_when_uploads_are_closed_and_goes_on_when_they_are_not(self) -> None:
        hall = Courtroom(1).start()
        hall.send(hall.teams[0])
        hall.judge()
        hall.stage.refresh_from_db()
        assert hall.stage.state == Stage.State.RUNNING
        past = timezone.now() - timedelta(minutes=1)
        Contest.objects.filter(pk=hall.contest.pk).update(upload_deadline=past, entry_deadline=past)
        following.reconcile(Stage.objects.select_related("contest").get(pk=hall.stage.pk))
        hall.stage.refresh_from_db()
        assert hall.stage.state == Stage.State.DONE

    def test_a_void_run_is_judged_again(self) -> None:
        hall = Courtroom(1).start()
        hall.send(hall.teams[0])
        first = hall.judge("wrong")
        stages.void(first, hall.ada, "the judge was asleep")
        second = hall.judge()
        assert second.replay_of == first
        assert [run.verdict for run in hall.rows()["Team 0"].runs] == ["correct"]


def run(minutes: int, verdict: str) -> Run:
    return Run(1, minutes, verdict, Match())


WRONG, RIGHT, CRASHED = "incorrect output", "correct", "program crashed"


class TestRanking:
    @pytest.mark.parametrize(
        ("runs", "solved", "penalty", "tries"),
        [
            ([], False, None, 0),
            ([(5, RIGHT)], True, 5, 1),
            ([(5, WRONG), (9, CRASHED), (30, RIGHT)], True, 70, 3),
            ([(5, WRONG), (9, WRONG)], False, None, 2),
            ([(5, RIGHT), (9, WRONG), (11, RIGHT)], True, 5, 1),  # later runs count for nothing
            ([(5, ""), (9, RIGHT)], True, 9, 1),  # not judged yet, so not wrong
            ([(5, "")], False, None, 0),
        ],
    )
    def test_as_in_acm_contests(
        self, runs: list[tuple[int, str]], solved: bool, penalty: int | None, tries: int
    ) -> None:
        row = JudgedTeam(Team(name="A"), [run(*each) for each in runs])
        assert (row.solved is not None, row.penalty, row.tries) == (solved, penalty, tries)

    def test_solved_first_then_penalty_then_the_earlier_right_run_and_who_is_out_last(self) -> None:
        rows = [
            JudgedTeam(Team(name="out"), [run(1, RIGHT)], is_out=True),
            JudgedTeam(Team(name="nothing")),
            JudgedTeam(Team(name="slow"), [run(90, RIGHT)]),
            JudgedTeam(Team(name="wrong"), [run(2, WRONG)]),
            JudgedTeam(Team(name="careful"), [run(25, RIGHT)]),
            JudgedTeam(Team(name="hasty"), [run(4, WRONG), run(5, RIGHT)]),
            JudgedTeam(Team(name="twin"), [run(25, RIGHT)]),
        ]
        order = judged.ranked(rows)
        assert [(row.team.name, row.rank) for row in order] == [
            ("hasty", 1), ("careful", 2), ("twin", 2), ("slow", 4), ("nothing", 5), ("wrong", 5), ("out", None),
        ]  # fmt: skip

    def test_the_minutes_are_those_since_the_contest_opened(self) -> None:
        hall = Courtroom(2).start()
        hall.send(hall.teams[0], minutes=12)
        hall.judge("wrong")
        hall.send(hall.teams[0], minutes=40)
        hall.judge()
        hall.send(hall.teams[1], minutes=59)
        hall.judge()
        rows = hall.rows()
        assert [(row.rank, row.penalty, row.tries) for row in rows.values()] == [(1, 59, 1), (2, 60, 2)]
        assert list(rows) == ["Team 1", "Team 0"]

    @pytest.mark.long("more")
    @pytest.mark.parametrize(("options", "penalty"), [({"wrong_minutes": 5}, 45), ({"wrong_minutes": 0}, 40), ({}, 60)])
    def test_what_a_wrong_run_costs_is_an_option_and_twenty_where_a_stage_does_not_say(
        self, options: dict[str, int], penalty: int, client: Client
    ) -> None:
        hall = Courtroom(1).start()
        kept = {name: value for name, value in hall.stage.options.items() if name != "wrong_minutes"}
        type(hall.stage).objects.filter(pk=hall.stage.pk).update(options=kept | options)
        hall.stage.refresh_from_db()
        hall.send(hall.teams[0], minutes=12)
        hall.judge("wrong")
        hall.send(hall.teams[0], minutes=40)
        hall.judge()
        assert hall.rows()["Team 0"].penalty == penalty
        words = client.get(hall.stage.get_absolute_url()).text
        assert f"{options.get('wrong_minutes', 20)} for each wrong run before it" in words


@pytest.fixture
def judged_run() -> tuple[Courtroom, Match]:
    hall = Courtroom(2).start()
    hall.send(hall.teams[0], minutes=12)
    return hall, hall.judge("wrong")


def member(hall: Courtroom) -> User:
    return hall.teams[0].people()[0].user


def end(hall: Courtroom) -> None:
    Contest.objects.filter(pk=hall.contest.pk).update(ended_at=timezone.now() - timedelta(seconds=1))


def pages(hall: Courtroom, match: Match) -> list[str]:
    slug = hall.contest.slug
    return [
        *(match.get_absolute_url(), hall.stage.get_absolute_url(), reverse("contest", args=[slug])),
        *(reverse(name, args=[slug]) for name in ("matches", "standings", "teams", "rules")),
        *(reverse("replay", args=[match.pk, game]) for game in (1, 2)),
        *(reverse("game-log", args=[match.pk, game, "evensteven.log"]) for game in (1, 2)),
        reverse("team", args=[slug, hall.teams[0].pk]),
    ]


@pytest.mark.promise
class TestSecrets:
    @pytest.mark.parametrize("who", ["member", "other", pytest.param("stranger", marks=pytest.mark.long("more"))])
    def test_nothing_of_the_hidden_games_is_on_any_page(
        self, client: Client, judged_run: tuple[Courtroom, Match], who: str
    ) -> None:
        hall, match = judged_run
        if who != "stranger":
            client.force_login(member(hall) if who == "member" else hall.teams[1].people()[0].user)
        cards = [
            card
            for event in match.record.loaded()["events"]
            if event["event"] == "game" and event["number"] > 2
            for card in [str(event["seed"])]
        ]
        assert len(cards) >= 3
        films = [
            address
            for game in (1, 2)
            for part in ("film", "asked")
            for address in film_addresses(client.get(reverse("replay", args=[match.pk, game])).text, part).values()
        ]
        for address in [*pages(hall, match), *films]:
            answer = client.get(address, follow=True)
            assert answer.status_code == 200, address
            for secret in (*SECRETS, *cards, str(match.seed)):
                assert not re.search(rf"\b{secret}\b", answer.text), (address, secret)

    @pytest.mark.parametrize("who", ["stranger", "member"])
    def test_neither_its_record_nor_its_games_nor_what_it_wrote_then(
        self, client: Client, judged_run: tuple[Courtroom, Match], who: str
    ) -> None:
        hall, match = judged_run
        if who == "member":
            client.force_login(member(hall))
        assert client.get(reverse("record", args=[match.pk])).status_code == 404
        for game in (3, 4, 7):
            assert client.get(reverse("replay", args=[match.pk, game])).status_code == 404
            assert client.get(reverse("game-log", args=[match.pk, game, "evensteven.log"])).status_code == 404
        last = client.get(reverse("replay", args=[match.pk, 2])).context["replay"]
        said = [text for pieces in last.stderr.values() for _, text in pieces]
        shown = sum(event["event"] == "play" for event in last.record["events"])
        assert len(said) == (shown if who == "member" else 0)
        assert last.record["result"]["scores"] == [0]

    def test_neither_how_many_there_are_nor_how_long_it_took(
        self, client: Client, judged_run: tuple[Courtroom, Match]
    ) -> None:
        hall, match = judged_run
        assert match.games == len(hall.contest.game.sample)
        seat = match.seats.get()
        assert (seat.total_ms, seat.slowest_ms, seat.faults, seat.fault_detail) == (None, None, 0, "")
        html = client.get(match.get_absolute_url()).text
        assert "incorrect output" in html
        assert "Thinking time" not in html
        assert "Started" not in html
        assert "7 games" not in html
        rows = client.get(reverse("matches", args=[hall.contest.slug])).text
        assert "incorrect output" in rows
        assert 'class="moment"' not in rows, "when it was finished tells how long it took"

    def test_those_with_a_role_see_all_of_it(self, client: Client, judged_run: tuple[Courtroom, Match]) -> None:
        hall, match = judged_run
        judge = make_user("judy")
        Role.objects.create(contest=hall.contest, user=judge, role=Role.Kind.JUDGE)
        client.force_login(judge)
        assert client.get(reverse("record", args=[match.pk])).text == match.record.text()
        assert client.get(reverse("replay", args=[match.pk, 3])).status_code == 200
        desk = client.get(reverse("desk-stage", args=[hall.contest.slug, hall.stage.pk])).text
        assert all(secret in desk for secret in SECRETS)

    def test_everybody_sees_all_of_it_when_the_contest_has_ended(
        self, client: Client, judged_run: tuple[Courtroom, Match]
    ) -> None:
        hall, match = judged_run
        end(hall)
        assert client.get(reverse("record", args=[match.pk])).text == match.record.text()
        page = client.get(match.get_absolute_url())
        assert len(page.context["games"]) == 7
        assert page.context["failed"] in range(1, 8)
        assert client.get(page.context["first_failure"]).status_code == 200


class TestDesk:
    def typed(self, **changes: object) -> dict[str, object]:
        games = {"hidden": HIDDEN, "draw": 0, "draw_seed": 5}
        return {"name": "Problem A", "starts_at": "", **games, "wrong_minutes": 20, **changes}

    def test_an_organiser_makes_one_with_a_seed_that_nobody_rounds(self, client: Client) -> None:
        ada = make_user()
        contest = make_contest(ada, game="even_steven", preset="open")
        client.force_login(ada)
        address = reverse("desk-stage-new", args=[contest.slug])
        page = client.get(address)
        seed = page.context["form"].initial["draw_seed"]
        assert 2**62 <= seed < 2**63
        assert f'type="text" name="draw_seed" value="{seed}"' in page.text, "a field for numbers would round it"
        answer = client.post(address, self.typed(draw=3, draw_seed=str(seed)), follow=True)
        stage = Stage.objects.get()
        assert stage.options == {"hidden": HIDDEN.strip(), "draw": 3, "draw_seed": seed, "wrong_minutes": 20}
        assert all(f"<li>{line}</li>" in answer.text for line in HIDDEN.split("\n")[:-1])
        told = client.get(reverse("api-stage", args=[contest.slug, stage.pk])).json()
        assert told["options"]["draw_seed"] == str(seed)
