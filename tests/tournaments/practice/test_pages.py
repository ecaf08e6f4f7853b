"""The pages of practice: ordering, following, replaying; who may see them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from contest import contests, teams
from contest.models import Contest, Role, Team
from tests.cast import make_user
from tests.tournaments.practice.gym import fresh, gym, order, play_all, with_version
from tests.tournaments.stagecraft import Hall
from tests.tournaments.visitors import visitor
from tournaments.models import Match, PracticeOrder, Rating
from tournaments.organising import releases, stages
from tournaments.playing import play
from tournaments.practice import play as practising

pytestmark = pytest.mark.django_db


def member(team: Team) -> Client:
    return visitor(team.people()[0].user)


def page(contest: Contest, *more: object) -> str:
    names = ("practice", "practice-order", "practice-game")
    return reverse(names[len(more)], args=[contest.slug, *more])


class TestOrdering:
    def test_an_order_from_the_page(self) -> None:
        contest, (team, other) = gym()
        with_version(team, 2, active=False)
        client = member(team)
        assert client.get(page(contest)).status_code == 200
        sent = {
            "version": "1",
            "opponents": [f"team:{other.pk}", "version:2", "house:random"],
            "seat": "2",
            "games": "3",
            "seed": "17",
        }
        answer = client.post(page(contest), sent)
        placed = PracticeOrder.objects.get()
        assert answer.url == page(contest, placed.pk)
        assert (placed.newest, placed.seat, placed.seed, placed.wanted) == (False, 2, 17, 3)
        assert [it.key for it in placed.players.all()] == [
            "version:1",
            f"team:{other.pk}",
            "version:2",
            "house:random",
        ]
        assert [it.seat for it in placed.games.all()] == [2, 2, 2]
        assert [it.lineup for it in placed.games.all()] == [[2, 3, 0, 1]] * 3

    def test_the_usual_opponents_are_near_the_teams_level(self) -> None:
        contest, (team, other) = gym()

        def chosen() -> set[str]:
            form = member(team).get(page(contest)).context["form"]
            return {key for _, key in form.rows()}

        house = contest.game.house
        assert chosen() == {f"house:{house[len(house) // 2].name}"}
        Rating.objects.create(contest=contest, team=team, mu=20.0, sigma=5.0)
        assert chosen() == {f"house:{house[len(house) // 2].name}"}, "nobody else is rated"
        Rating.objects.create(contest=contest, team=other, mu=35.0, sigma=5.0)
        assert chosen() == {f"team:{other.pk}"}

    @pytest.mark.parametrize(
        ("sent", "field"),
        [
            ({"version": "9"}, "version"),
            ({"opponents": ["house:nobody"]}, "opponents"),
            ({"opponents": ["team:999999"]}, "opponents"),
            ({"opponents": ["house:random"] * 4}, "opponents"),
            ({"games": "201"}, "games"),
            ({"seat": "4"}, "seat"),
            ({"again": "999999"}, "again"),
        ],
    )
    def test_what_is_wrong_is_refused(self, sent: dict[str, object], field: str) -> None:
        contest, (team, _) = gym()
        answer = member(team).post(page(contest), {"version": "newest", "games": "2", **sent})
        assert answer.status_code == 422
        assert field in answer.context["form"].errors
        assert not PracticeOrder.objects.exists()

    @pytest.mark.long("more")
    def test_limits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        contest, (team, other) = gym()
        client = member(team)

        def ask(games: int, who: Client = client) -> int:
            return who.post(page(contest), {"version": "newest", "games": games}).status_code

        assert [ask(1) for _ in range(4)] == [302, 302, 302, 422], "three orders at once"
        play_all()
        Contest.objects.update(practice_per_hour=10)
        assert [ask(8), ask(7)] == [422, 302]
        placed = PracticeOrder.objects.latest("pk")
        client.post(reverse("practice-cancel", args=[contest.slug, placed.pk]))
        assert ask(6) == 302, "what was cancelled before it began costs nothing"
        monkeypatch.setattr("tournaments.practice.rights.MOST_WAITING", 8)
        assert ask(3, member(other)) == 422

    def test_only_teams_that_accept_it_where_organisers_allow_it(self) -> None:
        contest, (team, other) = gym()
        client, key = member(team), f"team:{other.pk}"

        def offered() -> tuple[bool, int]:
            sent = {"version": "newest", "games": 1, "opponents": [key]}
            return (
                key in client.get(page(contest)).text,
                client.post(page(contest), sent).status_code,
            )

        assert offered() == (True, 302)
        member(other).post(reverse("practice-acceptance", args=[contest.slug]))
        assert offered() == (False, 422)
        member(other).post(reverse("practice-acceptance", args=[contest.slug]), {"accepts": "1"})
        assert offered() == (True, 302)
        Contest.objects.update(practice="own")
        assert offered() == (False, 422)
        Contest.objects.update(practice="open")
        other.submissions.update(is_active=False)
        assert offered() == (False, 422)


class TestFollowing:
    def test_from_waiting_to_the_figures_and_the_replay_with_the_own_output_alone(self) -> None:
        contest, (team, other) = gym()
        loud = b"import sys\nprint('my notes', file=sys.stderr, flush=True)\n"
        source = (contest.game.folder / "kit" / "random_player.py").read_bytes()
        with_version(other, 2, source=loud + source)
        own, against = order(other, games=1), order(team, opponents=(f"team:{other.pk}",), games=1)
        client, here = member(team), page(contest, against.pk)
        first = client.get(here)
        rev = first.context["seen"].revision
        assert client.get(here, {"rev": rev}).status_code == 204
        play_all()
        assert page(contest, against.pk, 1) in client.get(here, {"rev": rev}).text
        ply = own.games.get().record.pieces()[0][0][0]
        assert "my notes" in member(other).get(page(contest, own.pk, 1), {"ply": ply}).text
        log = reverse("practice-log", args=[contest.slug, against.pk, 1, contest.game.log_name])
        record = reverse("practice-record", args=[contest.slug, against.pk, 1])
        replay = page(contest, against.pk, 1)
        for told in (replay, f"{replay}?view=3", f"{replay}?debug=1", log, record):
            answer = client.get(told)
            assert answer.status_code == 200
            assert "my notes" not in answer.text

    @pytest.mark.long("more")
    def test_a_newer_version_takes_over(self) -> None:
        contest, (team, _) = gym()
        placed = order(team, games=3, seed=40)
        fixed = order(team, version=1, games=1)
        practising.play_next()
        with_version(team, 2)
        assert play_all() == 3 + 1
        placed = fresh(placed)
        assert placed.state == "cancelled"
        successor = fresh(placed.replaced_by)
        assert successor.players.get(number=0).submission.number == 2
        assert [it.seed for it in successor.games.all()] == [40, 41, 42]
        assert successor.state == "done"
        assert fresh(fixed).state == "done"
        assert page(contest, successor.pk) in member(team).get(page(contest, placed.pk)).text


class TestAgain:
    def played(self, hall: Hall, **options: object) -> Match:
        stage = hall.stage(games=2, **options)
        while play.play_next():
            pass
        stage.refresh_from_db()
        return stage.matches.filter(state="done").first()

    def test_only_own_matches_whose_seed_is_public(self) -> None:
        hall = Hall(4, source=(Hall(1).contest.game.folder / "kit" / "random_player.py").read_bytes())
        match = self.played(hall)
        stranger = make_user()
        outside = teams.create(hall.contest, stranger, "Outside")
        outside.contest = hall.contest
        with_version(outside)
        own = match.seats.exclude(team=None).first().team
        own.contest = hall.contest

        def refused(team: Team) -> bool:
            answer = member(team).post(page(hall.contest), {"again": match.pk, "version": "newest"})
            return answer.status_code == 422

        assert refused(outside)
        assert not refused(own)
        releases.freeze(hall.contest, hall.ada)
        assert not refused(own), "it was known before"
        stages.void(match, hall.ada, "A power cut.")
        PracticeOrder.objects.all().delete()
        assert not refused(own)


class TestReaders:
    def test_the_team_and_the_organisers_alone(self) -> None:
        contest, (team, other) = gym()
        owner = contest.roles.get().user
        judge = make_user()
        contests.give_role(contest, owner, judge, Role.Kind.JUDGE)
        placed = order(team, opponents=(f"team:{other.pk}",), games=1)
        play_all()
        record = reverse("practice-record", args=[contest.slug, placed.pk, 1])
        log = reverse("practice-log", args=[contest.slug, placed.pk, 1, contest.game.log_name])
        for address in (page(contest, placed.pk), page(contest, placed.pk, 1), record, log):
            for who, status in (
                (team.people()[0].user, 200),
                (owner, 200),
                (judge, 200),
                (other.people()[0].user, 404),
                (make_user(), 404),
                (None, 302),
            ):
                assert visitor(who).get(address).status_code == status, (address, who)
        desk = reverse("desk-practice", args=[contest.slug])
        assert "Aces" in visitor(judge).get(desk).text
        assert visitor(team.people()[0].user).get(desk).status_code == 403
