"""Notes, following and teams across contests: programs do what people do on pages, with the same rights."""

from __future__ import annotations

import pytest

from contest import followers
from contest.models import Contest
from tests.cast import Cast, make_cast, make_contest, make_team
from tests.programs import patch, post, program
from tests.tournaments import scenes
from tests.tournaments.practice import gym
from tournaments.models import Follow, Match, Note
from tournaments.organising import releases
from tournaments.practice import orders
from tournaments.practice.orders import Wish

pytestmark = pytest.mark.django_db
V1 = "/api/v1"


@pytest.fixture
def cast() -> Cast:
    found = make_cast(options={"target": 5})
    scenes.arm(found.aces, found.clubs)
    return found


@pytest.fixture
def match(cast: Cast) -> Match:
    return scenes.play_match(scenes.stage_of(cast.contest).matches.get())


class TestNotes:
    def test_write_read_and_remove(self, cast: Cast, match: Match) -> None:
        address = f"{V1}/matches/{match.pk}/games/1/notes"
        alice, bob, carl = (program(user, "team") for user in (cast.alice, cast.bob, cast.carl))
        made = post(alice, address, {"text": "Why the queen?", "ply": 7, "audience": "team"})
        assert made.status_code == 201
        note = made.json()
        assert (note["ply"], note["by"], note["audience"]) == (7, "Aces", "team")
        assert note["page"].endswith(f"/m/{match.pk}/1/?ply=7")
        assert [it["id"] for it in bob.get(address).json()] == [note["id"]]
        for other in (carl, program(), program(cast.alice, "bot"), program(cast.olga, "desk")):
            assert other.get(address).json() == []
            assert post(other, f"{V1}/notes/{note['id']}/remove").status_code in (401, 404)
        assert post(bob, f"{V1}/notes/{note['id']}/remove").status_code == 204
        assert not Note.objects.exists()

    def test_the_same_refusals_as_on_the_page(self, cast: Cast, match: Match) -> None:
        address = f"{V1}/matches/{match.pk}/games/1/notes"
        said = {"text": "Look.", "ply": 3, "audience": "public"}
        assert post(program(cast.alice, "team"), address, said).status_code == 409, "teams may not in this contest"
        assert post(program(cast.zoe, "team"), address, said | {"audience": "team"}).status_code == 409
        assert post(program(cast.alice, "bot"), address, said).status_code == 403
        assert post(program(cast.olga, "desk"), address, said | {"text": " "}).status_code == 422
        assert post(program(cast.olga, "desk"), f"{V1}/matches/{match.pk}/games/9/notes", said).status_code == 404

    def test_organisers_pin(self, cast: Cast, match: Match) -> None:
        olga, page = program(cast.olga, "desk"), f"/c/{cast.contest.slug}/"
        said = {"text": "The turning point.", "ply": 9, "audience": "public", "pin": True}
        note = post(olga, f"{V1}/matches/{match.pk}/games/1/notes", said).json()
        assert note["pinned_at"]
        assert "The turning point." in program().get(page).text
        assert post(program(cast.judy, "desk"), f"{V1}/notes/{note['id']}/unpin").status_code == 409
        assert post(olga, f"{V1}/notes/{note['id']}/unpin").json()["pinned_at"] is None
        assert "The turning point." not in program().get(page).text
        assert post(olga, f"{V1}/notes/{note['id']}/pin").json()["pinned_at"]

    def test_a_game_that_is_hidden_has_no_notes(self, cast: Cast) -> None:
        releases.freeze(cast.contest, cast.ada)
        match = scenes.play_match(scenes.stage_of(Contest.objects.get()).matches.get())
        address = f"{V1}/matches/{match.pk}/games/1/notes"
        said = {"text": "Who won?", "ply": 3, "audience": "public"}
        note = post(program(cast.olga, "desk"), address, said).json()
        member = program(cast.alice, "team")
        assert member.get(address).status_code == 404
        assert post(member, address, said).status_code == 404
        assert post(member, f"{V1}/notes/{note['id']}/remove").status_code == 404

    def test_in_practice(self, cast: Cast) -> None:
        order = orders.place(cast.aces, cast.alice, Wish(games=1))
        gym.play_with_house(order)
        address = f"{V1}/contests/{cast.contest.slug}/practice/{order.pk}/games/1/notes"
        said = {"text": "It forgets eights.", "ply": 5, "audience": "team"}
        assert post(program(cast.alice, "bot"), address, said).status_code == 201
        assert len(program(cast.bob, "bot").get(address).json()) == 1
        assert program(cast.carl, "bot").get(address).status_code == 404
        assert post(program(cast.alice, "desk"), address, said).status_code in (403, 404)


class TestFollowing:
    def test_follow_and_stop(self, cast: Cast) -> None:
        zoe = program(cast.zoe, "team")
        for kind, pk in (("contest", cast.contest.pk), ("team", cast.aces.pk)):
            assert post(zoe, f"{V1}/following", {"kind": kind, "id": pk}).status_code == 200
        told = zoe.get(f"{V1}/following").json()
        assert {(it["kind"], it["id"]) for it in told["follows"]} == {
            ("contest", cast.contest.pk),
            ("team", cast.aces.pk),
        }
        assert program().get(told["feed"]).status_code == 200
        again = post(zoe, f"{V1}/following/feed").json()["feed"]
        assert program().get(told["feed"]).status_code == 404
        assert program().get(again).status_code == 200
        assert patch(zoe, f"{V1}/following", {"digest": "weekly"}).json()["digest"] == "weekly"
        left = post(zoe, f"{V1}/following/stop", {"kind": "team", "id": cast.aces.pk}).json()
        assert [it["kind"] for it in left["follows"]] == ["contest"]

    def test_news(self, cast: Cast, match: Match) -> None:
        zoe = program(cast.zoe, "team")
        post(zoe, f"{V1}/following", {"kind": "contest", "id": cast.contest.pk})
        followers.catch_up()
        found = zoe.get(f"{V1}/following/news", {"limit": 1}).json()
        assert found["results"][0]["contest"] == cast.contest.slug
        assert found["next"]
        assert len(zoe.get(f"{V1}/following/news").json()["results"]) > 1
        assert program(cast.carl, "team").get(f"{V1}/following/news").json()["results"] == []

    def test_nobody_follows_what_they_may_not_see(self, cast: Cast) -> None:
        Contest.objects.update(visibility="private")
        zoe = program(cast.zoe, "team")
        for wrong in ({"kind": "contest", "id": cast.contest.pk}, {"kind": "team", "id": cast.aces.pk},
                      {"kind": "club", "id": 1}, {"kind": "contest", "id": 99999}):  # fmt: skip
            assert post(zoe, f"{V1}/following", wrong).status_code == 404
        assert post(zoe, f"{V1}/following", {"kind": "planet", "id": 1}).status_code == 422
        assert not Follow.objects.exists()


class TestClubs:
    def test_a_captain_links_shows_and_unlinks(self, cast: Cast) -> None:
        other = make_team(make_contest(cast.ada, "Autumn Cup"), cast.alice, "Old Aces")
        here = f"{V1}/contests/{cast.contest.slug}/team/club"
        alice = program(cast.alice, "team")
        told = alice.get(here).json()
        assert told["club"] is None
        assert [it["team_id"] for it in told["linkable"]] == [other.pk]
        linked = post(alice, f"{here}/link", {"team": other.pk}).json()
        assert [it["name"] for it in linked["teams"]] == ["Old Aces"]
        page = f"{V1}/clubs/{linked['club']}"
        assert {it["team_id"] for it in program().get(page).json()["teams"]} == {cast.aces.pk, other.pk}
        assert post(alice, f"{here}/show", {"is_public": False}).json()["is_public"] is False
        assert program().get(page).status_code == 404
        assert post(alice, f"{here}/unlink").json()["club"] is None
        assert post(alice, f"{here}/unlink").status_code == 409

    def test_for_the_captain_only_and_for_their_own_teams(self, cast: Cast) -> None:
        other = make_team(make_contest(cast.ada, "Autumn Cup"), cast.carl, "Old Clubs")
        here = f"{V1}/contests/{cast.contest.slug}/team/club"
        assert program(cast.bob, "team").get(here).json()["linkable"] == []
        assert post(program(cast.bob, "team"), f"{here}/link", {"team": other.pk}).status_code == 403
        assert post(program(cast.alice, "team"), f"{here}/link", {"team": other.pk}).status_code == 409
        assert program(cast.zoe, "team").get(here).status_code == 403
