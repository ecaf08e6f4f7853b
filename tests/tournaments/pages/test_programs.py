"""Teams' own programs: tokens, addresses, what people see of them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client as Browser
from django.urls import reverse
from django.utils import timezone

from contest import contests
from contest import teams as team_actions
from contest.models import Act, Contest, Team
from contest.refusal import Refused
from tests.cast import Cast, make_cast, make_contest, make_team
from tests.tournaments.playing.live.arena import refereed_live
from tournaments.clock import periodic
from tournaments.models import Client, Duty, Match, Stage
from tournaments.organising import stages
from tournaments.playing import play
from tournaments.seating import programs, queue
from tournaments.seating.player_numbers import team_numbers

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(game="barracuda", preset="open", live=True, options={"games_to_win": 1, "target": 3})


def connect(team: Team, address: str = "10.2.88.12") -> None:
    client, now = programs.of(team), timezone.now()
    client.connected_since, client.connected_from = now - timedelta(minutes=3), address
    client.seen_at = now + timedelta(hours=1)  # however slow this machine is, it is not silent in the middle of a test
    client.save()


def page_of(browser: Browser, team: Team, **query: object) -> str:
    answer = browser.get(team.get_absolute_url(), query)
    assert answer.status_code == 200
    return answer.text


class TestDeeds:
    def test_everybody_who_takes_part_gets_a_token_of_his_own(self, cast: Cast) -> None:
        programs.enter(cast.contest)
        programs.enter(cast.contest)
        tokens = Client.objects.values_list("token", flat=True)
        assert len(tokens) == len(set(tokens)) == 2
        assert all(len(token) >= 20 for token in tokens)

    def test_an_address_is_kept_in_its_own_form(self, cast: Cast) -> None:
        for typed, kept in (
            (" 10.2.88.12 ", "10.2.88.12"),
            ("::FFFF:10.2.88.12", "10.2.88.12"),
            ("2001:DB8:0::17", "2001:db8::17"),
        ):
            programs.set_address(cast.aces, cast.alice, typed)
            assert Client.objects.get(team=cast.aces).address == kept
        act = Act.objects.filter(verb="set address of program").first()
        assert act is not None
        assert (act.user, act.data) == (cast.alice, {"before": "10.2.88.12", "after": "2001:db8::17"})
        programs.set_address(cast.aces, cast.alice, " ")
        assert Client.objects.get(team=cast.aces).address is None

    @pytest.mark.parametrize("typed", ["10.2.88", "localhost", "10.2.88.12:9999", "<script>"])
    def test_what_is_no_address_is_refused_in_words(self, cast: Cast, typed: str) -> None:
        with pytest.raises(Refused, match="is not an address such as"):
            programs.set_address(cast.aces, cast.alice, typed)

    def test_an_address_of_two_teams_is_nobodys(self, cast: Cast) -> None:
        for team in (cast.aces, cast.clubs):
            programs.set_address(team, cast.ada, "10.0.0.1")
        assert programs.neighbours(programs.of(cast.aces)) == 1
        team_actions.disqualify(cast.clubs, cast.ada, "It cheats.")
        assert programs.neighbours(programs.of(cast.aces)) == 0

    @pytest.mark.parametrize("state", ["approved", "pending", "withdrawn", "refused", "disqualified"])
    def test_nobody_takes_anothers_address_away(self, cast: Cast, state: str) -> None:
        """It would identify neither, and a program that cannot send a token would be disconnected in the middle of a
        match. A team that waits or has left may come back without anybody checking addresses."""
        rival = make_team(make_contest(game="barracuda", preset="open", live=True))
        captain = rival.people().get().user
        programs.set_address(cast.aces, cast.alice, "10.0.0.1")
        Team.objects.filter(pk=cast.aces.pk).update(state=state)
        if state in ("refused", "disqualified"):
            programs.set_address(rival, captain, "10.0.0.1")
            return
        for team, by in ((rival, captain), (cast.clubs, cast.carl)):
            with pytest.raises(Refused) as refused:
                programs.set_address(team, by, "::ffff:10.0.0.1")
            assert "Another team has registered 10.0.0.1" in str(refused.value)
            assert programs.of(team).address is None
        programs.set_address(cast.clubs, cast.ada, "10.0.0.1")
        assert programs.of(cast.clubs).address == "10.0.0.1"
        contests.end(cast.contest, cast.ada, "Everything is played.")
        programs.set_address(rival, captain, "10.0.0.1")

    def test_the_audit_log_mentions_a_new_token_without_showing_it(self, cast: Cast) -> None:
        before = programs.of(cast.aces).token
        programs.renew_token(cast.aces, cast.alice)
        after = programs.of(cast.aces).token
        assert after != before
        act = Act.objects.get(verb="renew token of program")
        assert after not in str(act.data) + act.reason + act.target

    def test_nothing_is_changed_after_the_end(self, cast: Cast) -> None:
        programs.set_address(cast.aces, cast.alice, "10.2.88.12")
        before = programs.of(cast.aces).token
        contests.end(cast.contest, cast.ada, "Everything is played.")
        acts = Act.objects.count()
        for action in (programs.renew_token, lambda team, by: programs.set_address(team, by, "10.2.88.13")):
            for by in (cast.alice, cast.ada):
                with pytest.raises(Refused, match="has ended"):
                    action(cast.aces, by)
        assert (programs.of(cast.aces).token, programs.of(cast.aces).address) == (before, "10.2.88.12")
        assert Act.objects.count() == acts
        contests.reopen(cast.contest, cast.ada, "One more match.")
        programs.renew_token(cast.aces, cast.alice)
        assert programs.of(cast.aces).token != before

    def test_the_overview_tells_who_is_there(self, cast: Cast, django_assert_num_queries) -> None:
        never = make_team(cast.contest)
        connect(cast.aces)
        connect(cast.clubs)
        Client.objects.filter(team=cast.clubs).update(seen_at=timezone.now() - timedelta(minutes=1))
        with django_assert_num_queries(1):
            found = programs.overview(cast.contest)
        assert found is not None
        shown = [[client.team for client in group] for group in (found.connected, found.gone, found.never)]
        assert shown == [[cast.aces], [cast.clubs], [never]]
        assert found.teams == 3
        assert programs.overview(make_contest()) is None


class TestThePage:
    def test_a_member_reads_everything(self, cast: Cast, client: Browser) -> None:
        connect(cast.aces)
        Client.objects.filter(team=cast.aces).update(error="sent something that is not JSON", error_at=timezone.now())
        client.force_login(cast.bob)
        text = page_of(client, cast.aces)
        assert programs.of(cast.aces).token in text
        mine = client.get(reverse("my-team", args=[cast.contest.slug])).text
        assert f'href="{cast.aces.get_absolute_url()}#program"' in mine
        for words in (
            "Your program",
            "Connected</span> since",
            "10.2.88.12",
            "it sent something that is not JSON",
            "port 19999",
        ):
            assert words in text

    @pytest.mark.parametrize("who", ["", "carl", "zoe"])
    def test_others_read_only_that_it_is_there(self, cast: Cast, client: Browser, who: str) -> None:
        connect(cast.aces)
        Client.objects.filter(team=cast.aces).update(error="sent something that is not JSON", address="10.9.9.9")
        if who:
            client.force_login(getattr(cast, who))
        text = page_of(client, cast.aces)
        assert "Connected</span> since" in text
        for words in (programs.of(cast.aces).token, "10.2.88.12", "10.9.9.9", "not JSON", "TOKEN"):
            assert words not in text

    def test_a_judge_sees_what_went_wrong_and_is_given_no_token_to_play_with(self, cast: Cast, client: Browser) -> None:
        connect(cast.aces)
        Client.objects.filter(team=cast.aces).update(error="sent something that is not JSON", address="10.9.9.9")
        client.force_login(cast.judy)
        text = page_of(client, cast.aces)
        for words in ("10.2.88.12", "10.9.9.9", "not JSON"):
            assert words in text
        assert programs.of(cast.aces).token not in text
        assert "Save the address" not in text
        answer = client.post(reverse("program-token", args=[cast.contest.slug, cast.aces.pk]))
        assert answer.status_code == 403

    def test_an_organiser_has_the_token_until_he_looks_as_the_public(self, cast: Cast, client: Browser) -> None:
        connect(cast.aces)
        client.force_login(cast.olga)
        assert programs.of(cast.aces).token in page_of(client, cast.aces)
        text = page_of(client, cast.aces, **{"as": "public"})
        for words in (programs.of(cast.aces).token, "10.2.88.12", "Save the address"):
            assert words not in text

    def test_the_page_of_the_contest_leads_to_it(self, cast: Cast, client: Browser) -> None:
        address = reverse("contest", args=[cast.contest.slug])
        assert "Or connect your own program" in client.get(address).text
        client.force_login(cast.alice)
        link = f'href="{cast.aces.get_absolute_url()}#program">connect your own program</a>'
        assert link in client.get(address).text
        assert "Connect your program</a>" in page_of(client, cast.aces)
        connect(cast.aces)
        assert "It is connected." in client.get(address).text
        Contest.objects.update(live=False)
        assert "connect your own program" not in client.get(address).text

    def test_everybody_can_read_whose_number_is_whose(self, cast: Cast, client: Browser) -> None:
        numbers = team_numbers(cast.contest)
        teams = client.get(reverse("teams", args=[cast.contest.slug])).text
        for team in (cast.aces, cast.clubs):
            assert f'<b>{numbers[team.pk]}</b> <a href="{team.get_absolute_url()}">' in teams
            assert f"Number in the protocol: <b>{numbers[team.pk]}</b>" in page_of(client, team)
        Contest.objects.update(live=False)
        assert "in the protocol" not in client.get(reverse("teams", args=[cast.contest.slug])).text

    def test_no_block_where_teams_do_not_connect(self, cast: Cast, client: Browser) -> None:
        Contest.objects.update(live=False)
        assert "program-title" not in page_of(client, cast.aces)
        assert client.get(reverse("program", args=[cast.contest.slug, cast.aces.pk])).status_code == 404
        client.force_login(cast.alice)
        assert client.post(reverse("program-token", args=[cast.contest.slug, cast.aces.pk])).status_code == 404

    def test_a_member_sets_the_address_and_renews_the_token(self, cast: Cast, client: Browser) -> None:
        client.force_login(cast.alice)
        before = programs.of(cast.aces).token
        address = reverse("program-address", args=[cast.contest.slug, cast.aces.pk])
        assert (
            "Programs from 10.1.1.1 now play for your team"
            in client.post(address, {"address": "10.1.1.1"}, follow=True).text
        )
        assert "is not an address such as" in client.post(address, {"address": "here"}, follow=True).text
        text = client.post(reverse("program-token", args=[cast.contest.slug, cast.aces.pk]), follow=True).text
        assert before not in text
        assert programs.of(cast.aces).token in text

    def test_a_form_from_before_the_end_is_refused_in_words(self, cast: Cast, client: Browser) -> None:
        client.force_login(cast.bob)
        before = programs.of(cast.aces).token
        contests.end(cast.contest, cast.ada, "Everything is played.")
        for name, typed in (("program-address", {"address": "10.0.0.7"}), ("program-token", {})):
            answer = client.post(reverse(name, args=[cast.contest.slug, cast.aces.pk]), typed, follow=True)
            assert "The contest has ended" in answer.text
            assert reverse(name, args=[cast.contest.slug, cast.aces.pk]) not in answer.text, "the form is away"
        assert (programs.of(cast.aces).token, programs.of(cast.aces).address) == (before, None)

    def test_a_member_of_another_team_changes_nothing(self, cast: Cast, client: Browser) -> None:
        client.force_login(cast.carl)
        for act in ("address", "token"):
            assert client.post(reverse(f"program-{act}", args=[cast.contest.slug, cast.aces.pk])).status_code == 403

    def test_it_says_when_two_teams_have_one_address(self, cast: Cast, client: Browser) -> None:
        for team in (cast.aces, cast.clubs):
            programs.set_address(team, cast.ada, "10.0.0.1")
        client.force_login(cast.alice)
        assert re.search(r"1 other team registered\s+<span[^>]*>10\.0\.0\.1<", page_of(client, cast.aces))

    def test_it_says_that_another_team_has_the_address(self, cast: Cast, client: Browser) -> None:
        programs.set_address(cast.aces, cast.alice, "10.0.0.1")
        for user, words in (
            (cast.carl, "Another team has registered"),
            (cast.ada, "registered 10.0.0.1 too"),
        ):
            client.force_login(user)
            address = reverse("program-address", args=[cast.contest.slug, cast.clubs.pk])
            assert words in client.post(address, {"address": "10.0.0.1"}, follow=True).text
        assert programs.neighbours(programs.of(cast.aces)) == 1

    def test_the_live_part_answers_204_while_nothing_changed(self, cast: Cast, client: Browser) -> None:
        Duty.objects.create(name=programs.DUTY, worker="x", until=timezone.now() + timedelta(minutes=9))
        url = reverse("program", args=[cast.contest.slug, cast.aces.pk])
        text = client.get(url).text
        assert "It has never connected." in text
        (query,) = {part for part in text.split('"') if part.startswith(url)}
        assert client.get(query).status_code == 204
        connect(cast.aces)
        cast.contest.touch()
        assert "Connected" in client.get(query).text

    def test_it_says_that_the_server_does_not_run(self, cast: Cast, client: Browser) -> None:
        assert "contest server is down" in page_of(client, cast.aces)

    def test_the_last_ten_matches(self, cast: Cast, client: Browser) -> None:
        connect(cast.aces)
        connect(cast.clubs)
        stage = stages.create(cast.contest, None, stages.Wish("Ladder", "ladder"))
        stages.start(stage, None)
        for _ in range(12):
            refereed_live(Match.objects.claimable(timezone.now()).get(stage=Stage.objects.get()))
        text = page_of(client, cast.aces)
        block = text[text.index('id="program-now"') : re.search(r"<h2>(Latest m|M)atches", text).start()]
        assert block.count("<tr>") == 11
        assert block.count(">won<") + block.count(">lost<") == 10
        assert len(re.findall(r">(?:won|lost)</span>\s*<b>[\d.]+</b>\s*: [\d.]+\s*</td>", block)) == 10, "its own first"
        assert cast.clubs.get_absolute_url() in block


def test_workers_are_not_woken_for_matches_of_the_contest_server(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    connect(cast.aces)
    connect(cast.clubs)
    stages.start(stages.create(cast.contest, None, stages.Wish("Ladder", "ladder")), None)
    assert Match.objects.get().live
    woken: list[int] = []
    monkeypatch.setattr(queue, "wake", woken.append)
    periodic.wake_workers(timezone.now())
    assert woken == []
    assert play.play_next() is None, "a worker does not take it either"
