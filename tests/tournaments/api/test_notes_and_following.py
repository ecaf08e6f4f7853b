"""Notes and following: programs do what people do on pages, with the same rights."""

from __future__ import annotations

import pytest

from contest import followers
from contest.models import Contest
from tests.cast import Cast, make_cast
from tests.programs import patch, post, program
from tests.tournaments import scenes
from tournaments.models import Follow, Match, Note
from tournaments.organising import releases

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
                      {"kind": "contest", "id": 99999}):  # fmt: skip
            assert post(zoe, f"{V1}/following", wrong).status_code == 404
        assert post(zoe, f"{V1}/following", {"kind": "planet", "id": 1}).status_code == 422
        assert not Follow.objects.exists()
