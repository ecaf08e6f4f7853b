"""The pages of practice: ordering, following, replaying; who may see them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from contest import contests, teams
from contest.models import Contest, Role, Team
from contest.server.web.waiting import AGAIN, HEADER
from games.record import games
from tests.cast import make_user
from tests.programs import browser
from tests.tournaments.practice.gym import fresh, gym, order, play_all, with_version
from tests.tournaments.stagecraft import Hall
from tournaments.models import Match, PracticeGame, PracticeOrder, PracticeRecord
from tournaments.organising import releases, stages
from tournaments.playing import play
from tournaments.practice import play as practising

pytestmark = pytest.mark.django_db


def member(team: Team) -> Client:
    return browser(team.people()[0].user)


def page(contest: Contest, *more: object) -> str:
    names = ("practice", "practice-order", "practice-game")
    return reverse(names[len(more)], args=[contest.slug, *more])


class TestOrdering:
    def test_an_order_from_the_page(self) -> None:
        contest, (team, other) = gym()
        with_version(team, 2, active=False)
        client = member(team)
        shown = client.get(page(contest))
        for text in ("Newest ready version (2)", "House: random", "Clubs", "400 of 400"):
            assert text in shown.text
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

    @pytest.mark.parametrize(
        ("sent", "words"),
        [
            ({"version": "9"}, "no version 9"),
            ({"version": "x"}, "A version is a number"),
            ({"opponents": ["house:nobody"]}, "There is no house player"),
            ({"opponents": ["team:999999"]}, "cannot practise against that team"),
            ({"opponents": ["rubbish"]}, "is not an opponent"),
            ({"opponents": ["house:random"] * 4}, "room for 3 opponents"),
            ({"games": "0"}, "greater than or equal to 1"),
            ({"games": "201"}, "less than or equal to 200"),
            ({"seat": "4"}, "A seat is a number"),
            ({"seed": "0"}, "greater than or equal to 1"),
            ({"again": "999999"}, "You cannot play the deals of this match again"),
            ({"again": "x"}, "Enter a whole number"),
        ],
    )
    def test_what_is_wrong_is_said(self, sent: dict[str, object], words: str) -> None:
        contest, (team, _) = gym()
        answer = member(team).post(page(contest), {"version": "newest", "games": "2", **sent})
        assert answer.status_code == 422
        assert words in answer.text
        assert not PracticeOrder.objects.exists()

    @pytest.mark.long("more")
    def test_limits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        contest, (team, other) = gym()
        client = member(team)

        def ask(games: int) -> str:
            answer = client.post(page(contest), {"version": "newest", "games": games})
            return "" if answer.status_code == 302 else answer.text

        assert [ask(1) for _ in range(3)] == ["", "", ""]
        assert "already has 3 orders in progress" in ask(1)
        play_all()
        Contest.objects.update(practice_per_hour=10)
        assert "at most 7 games now" in ask(8)
        assert ask(7) == ""
        placed = PracticeOrder.objects.latest("pk")
        client.post(reverse("practice-cancel", args=[contest.slug, placed.pk]))
        assert ask(6) == "", "what was cancelled before it began costs nothing"
        monkeypatch.setattr("tournaments.practice.quotas.MOST_WAITING", 8)
        refused = member(other).post(page(contest), {"version": "newest", "games": 3})
        assert "8 is the limit" in refused.text

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"practice": "closed"}, "have closed practice"),
            ({"ended": True}, "has ended"),
            ({"state": "withdrawn"}, "not taking part"),
            ({"state": "disqualified"}, "not taking part"),
        ],
    )
    def test_closed(self, change: dict[str, object], words: str) -> None:
        contest, (team, _) = gym()
        if "practice" in change:
            Contest.objects.update(practice=change["practice"])
        elif "ended" in change:
            Contest.objects.update(ended_at=contest.opens_at)
        else:
            Team.objects.filter(pk=team.pk).update(state=change["state"])
        client = member(team)
        assert words in client.get(page(contest)).text
        answer = client.post(page(contest), {"version": "newest", "games": 1})
        assert answer.status_code == 422
        assert words in answer.text

    def test_only_teams_that_accept_it_where_organisers_allow_it(self) -> None:
        contest, (team, other) = gym()
        client, key = member(team), f"team:{other.pk}"
        team_page = reverse("team", args=[contest.slug, other.pk])

        def offered() -> tuple[bool, bool, int]:
            sent = {"version": "newest", "games": 1, "opponents": [key]}
            return (
                key in client.get(page(contest)).text,
                "Practise" in client.get(team_page).text,
                client.post(page(contest), sent).status_code,
            )

        assert offered() == (True, True, 302)
        member(other).post(reverse("practice-acceptance", args=[contest.slug]))
        assert offered() == (False, False, 422)
        member(other).post(reverse("practice-acceptance", args=[contest.slug]), {"accepts": "1"})
        assert offered() == (True, True, 302)
        Contest.objects.update(practice="own")
        assert offered() == (False, False, 422)
        Contest.objects.update(practice="open")
        other.submissions.update(is_active=False)
        assert offered() == (False, False, 422)

    def test_before_a_version_is_ready_the_page_says_what_to_do(self) -> None:
        contest, (team, _) = gym()
        team.submissions.all().delete()
        shown = member(team).get(page(contest))
        assert "Upload a bot" in shown.text
        assert "no version that is ready" in member(team).post(page(contest), {"games": 1}).text

    @pytest.mark.long("more")
    def test_the_opponents_team_sees_how_often(self) -> None:
        contest, (team, other) = gym()
        order(team, opponents=(f"team:{other.pk}",), games=2)
        play_all()
        assert "played 2 practice games against yours" in member(other).get(page(contest)).text


class TestFollowing:
    def test_from_waiting_to_the_figures(self) -> None:
        contest, (team, other) = gym()
        placed = order(team, opponents=(f"team:{other.pk}", "house:random"), games=5)
        client, here = member(team), page(contest, placed.pk)
        first = client.get(here)
        assert "0 of 5 games played" in first.text
        assert "hx-get" in first.text
        rev = first.context["seen"].revision
        assert client.get(here, {"rev": rev}).status_code == 204
        play_all()
        live = client.get(here, {"rev": rev})
        assert "<html" not in live.text
        assert "hx-get" not in live.text, "nothing more will change"
        assert live.text.count(">Replay<span") == 5
        for text in ("Finished", "Against Clubs", "Against House: random", "All games", "As North"):
            assert text in live.text, text
        listed = client.get(page(contest)).text
        assert "5 of 5" in listed

    def test_a_replay_with_the_own_output_alone(self) -> None:
        contest, (team, other) = gym()
        loud = b"import sys\nprint('my notes', file=sys.stderr, flush=True)\n"
        source = (contest.game.folder / "kit" / "random_player.py").read_bytes()
        version = with_version(other, 2, source=loud + source)
        placed = [order(other, games=2), order(team, opponents=(f"team:{other.pk}",), games=1)]
        play_all()
        assert version.is_active
        pieces = placed[0].games.get(number=1).record.pieces()[0]
        mine = member(other).get(page(contest, placed[0].pk, 1), {"ply": pieces[0][0]})
        assert mine.status_code == 200
        assert "my notes" in mine.text
        assert 'rel="next"' in mine.text
        theirs = member(team).get(page(contest, placed[1].pk, 1))
        assert theirs.status_code == 200
        for view in ("table", "hidden", "0", "3"):
            for ply in (0, 5, 9999):
                told = member(team).get(page(contest, placed[1].pk, 1), {"view": view, "ply": ply})
                assert told.status_code == 200
                assert "my notes" not in told.text
        fragment = member(team).get(theirs.context["replay"].base_url, {"debug": "1"})
        assert fragment.headers["Cache-Control"] == "private, no-cache"
        log = reverse("practice-log", args=[contest.slug, placed[1].pk, 1, contest.game.log_name])
        assert member(team).get(log).text.strip()
        record = member(team).get(reverse("practice-record", args=[contest.slug, placed[1].pk, 1]))
        assert record.json()["seats"][0]["name"] == "Aces, version 1"
        assert b"my notes" not in record.content

    @pytest.mark.long("more")
    def test_when_its_record_is_deleted_the_figures_stay(self) -> None:
        contest, (team, _) = gym()
        placed = order(team, games=1)
        play_all()
        PracticeRecord.objects.all().delete()
        shown = member(team).get(page(contest, placed.pk))
        assert "deleted" in shown.text
        assert member(team).get(page(contest, placed.pk, 1)).status_code == 404

    def test_cancelling_keeps_what_was_played(self) -> None:
        contest, (team, _) = gym()
        placed = order(team, games=5)
        practising.play_next()
        member(team).post(reverse("practice-cancel", args=[contest.slug, placed.pk]))
        states = list(placed.games.values_list("state", flat=True))
        assert states == ["done", *["cancelled"] * 4]
        assert play_all() == 0
        shown = member(team).get(page(contest, placed.pk)).text
        assert "Cancelled" in shown
        assert "Order the same again" in shown

    @pytest.mark.long("more")
    def test_the_same_again(self) -> None:
        contest, (team, other) = gym()
        placed = order(team, version=1, opponents=(f"team:{other.pk}", "house:random"), games=2, seat=1, seed=5)
        play_all()
        client = member(team)
        query = client.get(page(contest, placed.pk)).context["same"]
        form = client.get(f"{page(contest)}?{query}").context["form"]
        rows = [chosen for _, chosen in form.rows()]
        sent = {name: form[name].value() for name in ("version", "seat", "games", "seed")} | {"opponents": rows}
        client.post(page(contest), sent)
        copy = PracticeOrder.objects.latest("pk")
        assert [it.lineup for it in copy.games.all()] == [it.lineup for it in placed.games.all()]
        assert [it.key for it in copy.players.all()] == [it.key for it in placed.players.all()]
        assert copy.seed == 5

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
        assert "Version 2 is ready" in placed.why
        successor = fresh(placed.replaced_by)
        assert successor.players.get(number=0).submission.number == 2
        assert [it.seed for it in successor.games.all()] == [40, 41, 42]
        assert successor.state == "done"
        assert fresh(fixed).state == "done"
        assert "See the new" in member(team).get(page(contest, placed.pk)).text


class TestAgain:
    def played(self, hall: Hall, **options: object) -> Match:
        stage = hall.stage(games=2, **options)
        while play.play_next():
            pass
        stage.refresh_from_db()
        return stage.matches.filter(state="done").first()

    @pytest.mark.long("more")
    def test_the_deals_of_a_match_with_another_version(self) -> None:
        hall = Hall(4, source=(Hall(1).contest.game.folder / "kit" / "random_player.py").read_bytes())
        match = self.played(hall)
        team = match.seats.exclude(team=None).first().team
        team.contest = hall.contest
        with_version(team, 2)
        client = member(team)
        shown = client.get(match.get_absolute_url()).text
        assert "Play these deals" in shown
        form = client.get(f"{page(hall.contest)}?again={match.pk}").context["form"]
        opponents = [chosen for _, chosen in form.rows()]
        others = match.seats.exclude(team=team).order_by("index")
        assert [label for label, _ in form.rows()] == [f"In place of {seat.name}" for seat in others]
        assert opponents == [f"team:{seat.team_id}" if seat.team_id else f"house:{seat.house}" for seat in others]
        client.post(page(hall.contest), {"again": match.pk, "version": "2", "opponents": opponents})
        placed = PracticeOrder.objects.get()
        assert placed.wanted == 2
        assert play_all() == 2
        then = [next(event for event in each if event["event"] == "hand") for each in games(match.record.loaded())]
        seat = match.seats.get(team=team).index
        for number, game in enumerate(placed.games.all()):
            record = game.record.loaded()
            hands = [event for event in record["events"] if event["event"] == "hand"]
            assert hands[0]["hands"] == then[number]["hands"]
            assert game.index == seat
            assert record["seats"][seat]["name"].endswith("version 2")

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
                assert browser(who).get(address).status_code == status, (address, who)
        desk = reverse("desk-practice", args=[contest.slug])
        assert "Aces" in browser(judge).get(desk).text
        assert browser(team.people()[0].user).get(desk).status_code == 403

    def test_who_may_cancel(self) -> None:
        contest, (team, other) = gym()
        owner = contest.roles.get().user
        judge = make_user()
        contests.give_role(contest, owner, judge, Role.Kind.JUDGE)
        for who, cancels in ((other.people()[0].user, False), (judge, False), (owner, True)):
            placed = order(team, games=1)
            browser(who).post(reverse("practice-cancel", args=[contest.slug, placed.pk]))
            assert (fresh(placed).state == "cancelled") is cancels
            placed.delete()
        assert contest.acts.filter(verb="cancel practice").count() == 1

    @pytest.mark.long("more")
    def test_a_page_has_few_queries_however_many_games(self, django_assert_max_num_queries: object) -> None:
        contest, (team, _) = gym()
        placed = order(team, games=200)
        PracticeGame.objects.update(state="done", place=1, won=1.0, points=3.0, results=_results())
        client = member(team)
        with django_assert_max_num_queries(16):  # type: ignore[operator]
            assert client.get(page(contest, placed.pk)).status_code == 200


def _results() -> list[dict[str, object]]:
    one = {"score": 1.0, "penalty": 0.0, "place": 1, "faults": 0, "fault_detail": ""}
    return [one, {**one, "place": 2}, {**one, "place": 3}, {**one, "place": 4}]


@pytest.mark.long("more")
class TestWaiting:
    """Pages name what they wait for, with its state, when they have nothing new (contest/waiting.py)."""

    def waits(self, client: Client, url: str, rev: str) -> str:
        answer = client.get(url, {"rev": rev}, **{AGAIN: "first"})
        assert answer.status_code == 204
        return answer[HEADER.decode()]

    def test_the_list_of_orders_waits_for_news_of_any_order_of_the_team(self) -> None:
        contest, (team, _) = gym()
        client, here = member(team), page(contest)
        assert "data-live" not in client.get(here).text, "nothing is open"
        placed = order(team, games=2)
        shown = client.get(here)
        assert 'data-live="waits"' in shown.text
        waits = self.waits(client, here, shown.context["rev"])
        assert waits.startswith(f"practice%3A{team.pk}=")
        play_all()
        news = client.get(here, {"rev": shown.context["rev"]})
        assert (news.status_code, "2 of 2" in news.text, "<html" in news.text) == (200, True, False)
        assert "data-live" not in news.text, "nothing is left to wait for"
        assert fresh(placed).state == "done"

    def test_my_bot_and_a_version_wait(self) -> None:
        contest, (team, _) = gym()
        version = team.submissions.get()
        team.submissions.update(state="checking")
        client = member(team)
        for name, args, subject in (
            ("my-team", [contest.slug], f"bot%3A{team.pk}="),
            ("version", [contest.slug, version.number], f"version%3A{version.pk}="),
        ):
            here = reverse(name, args=args)
            shown = client.get(here)
            assert 'data-live="waits"' in shown.text
            assert self.waits(client, here, shown.context["rev"]).startswith(subject)
        team.submissions.update(state="ready")
        assert client.get(here, {"rev": shown.context["rev"]}, **{AGAIN: "again"}).status_code == 200
