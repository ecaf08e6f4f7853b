"""Stages, matches, teams and reviews on the desk for programs: previews, refusals, and what they read."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from contest import contests
from contest.models import Act, Contest, LedgerEntry, Role
from tests.cast import make_user
from tests.programs import patch, post, program
from tests.tournaments.api.contract import everything, told
from tests.tournaments.api.test_results import queries_of
from tests.tournaments.desks import Desk
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import staged
from tests.tournaments.visitors import visitor
from tests.tournaments.worlds import play_on
from tournaments.models import Match, Stage
from tournaments.organising import rehearsals, reviews
from tournaments.results import standings
from tournaments.results.visibility import everything as all_of_it

pytestmark = pytest.mark.django_db

TWOS = {"table_size": 2, "games": 1}
WHY = {"reason": "The clock was wrong."}


@pytest.fixture
def ada(hall: Hall) -> Client:
    return program(hall.ada, "desk")


@pytest.fixture
def judge(hall: Hall) -> Client:
    judy = make_user()
    contests.give_role(hall.contest, hall.ada, judy, Role.Kind.JUDGE)
    return program(judy, "desk")


def desk(hall: Hall, rest: str) -> str:
    return f"/api/v1/contests/{hall.contest.slug}/desk/{rest}"


def written() -> tuple[int, int]:
    return Act.objects.count(), LedgerEntry.objects.count()


def ranks(hall: Hall) -> dict[int, int | None]:
    rows = standings.of_contest(all_of_it(Contest.objects.get(pk=hall.contest.pk)))
    return {row.team.pk: row.rank if row.team.is_competing else None for row in rows}


def counting() -> set[int]:
    return set(Match.objects.valid().values_list("pk", flat=True))


class TestPreviews:
    """What a dry run says comes true, and a dry run changes nothing."""

    def both(self, client: Client, address: str, sent: Any, hall: Hall) -> tuple[dict[str, Any], dict[str, Any]]:
        """The answers of a dry run and of the action. The standings must move as foreseen."""
        before, known, counted = written(), ranks(hall), counting()
        seen = post(client, f"{address}?dry_run=true")
        assert seen.status_code == 200, seen.content
        assert seen.json()["dry_run"] is True
        assert (written(), counting()) == (before, counted)
        done = post(client, address, sent)
        assert done.status_code == 200, done.content
        assert done.json()["dry_run"] is False
        preview = seen.json()
        impact = preview["impact"] if "impact" in preview else preview["preview"]["impact"]
        after = ranks(hall)
        moved = {team for team in {*known, *after} if known.get(team) != after.get(team)}
        assert {it["team_id"] for it in impact["standings"]} == moved
        for it in impact["standings"]:
            assert (it["rank"], it["rank_after"]) == (known.get(it["team_id"]), after.get(it["team_id"]))
        return preview, done.json()

    def test_void_and_restore(self, hall: Hall, ada: Client) -> None:
        cup = staged(hall, options=TWOS)
        play_on(cup)
        first = cup.matches.order_by("pk").first()
        assert first is not None
        counted = counting()
        seen, done = self.both(ada, desk(hall, f"matches/{first.pk}/void"), {**WHY, "hold": True}, hall)
        (stage,) = seen["impact"]["stages"]
        assert {it["match"] for it in stage["voided"]} == counted - counting() - {first.pk}
        assert (seen["match"]["state"], done["match"]["state"]) == ("done", "void")
        assert done["match"]["void_reason"] == WHY["reason"]
        assert told(ada, desk(hall, f"stages/{cup.pk}"))["state"] == "paused"
        seen, done = self.both(ada, desk(hall, f"matches/{first.pk}/restore"), WHY, hall)
        assert (seen["match"]["state"], done["match"]["state"]) == ("void", "done")
        assert counting() == counted

    @pytest.mark.parametrize(("act", "state"), [("reset", "published"), ("shorten", "done"), ("abandon", "abandoned")])
    def test_endings(self, hall: Hall, ada: Client, act: str, state: str) -> None:
        swiss = staged(hall, "swiss", options={**TWOS, "rounds": 3})
        play_on(swiss, most=2)
        counted, address = counting(), desk(hall, f"stages/{swiss.pk}/{act}")
        seen, done = self.both(ada, address, {**WHY, "resets": 0}, hall)
        preview = seen["preview"]
        assert preview["played"] + preview["unplayed"] == len(counted - counting())
        assert (seen["stage"]["state"], done["stage"]["state"]) == ("running", state)
        assert done["preview"] is None
        refused = post(ada, f"{address}?dry_run=true")
        assert refused.status_code == 409
        assert refused.json()["detail"] in Desk(hall, visitor(hall.ada)).get(f"desk-stage-{act}", swiss.pk)

    def test_a_review(self, hall: Hall, ada: Client) -> None:
        cup = staged(hall, options=TWOS)
        play_on(cup)
        made = post(ada, desk(hall, f"stages/{cup.pk}/reviews"), {**WHY, "all": True, "round": 1})
        assert (made.status_code, made.json()["planned"]) == (201, 2)
        address = made["Location"]
        early = post(ada, f"{address}/apply?dry_run=true")
        assert early.json()["detail"] == post(ada, f"{address}/apply").json()["detail"]
        for match in Match.objects.filter(pending=True):
            play_on(cup, of=match, weak=True)
        assert told(ada, address)["is_ready"] is True
        pairs = everything(ada, f"{address}/matches")
        assert [it["is_changed"] for it in pairs] == [True, True]
        counted = counting()
        seen, done = self.both(ada, f"{address}/apply", {}, hall)
        assert seen["impact"] != done["impact"] is None
        (stage,) = seen["impact"]["stages"]
        assert {it["match"] for it in stage["voided"]} == counted - counting() - {it["match"] for it in pairs}
        assert done["review"]["state"] == "applied"
        assert post(ada, f"{address}/drop").status_code == 409
        (line,) = everything(ada, desk(hall, f"stages/{cup.pk}/reviews"))
        assert line["state"] == "applied"

    def test_a_start_says_who_would_be_left_out(self, hall: Hall, ada: Client) -> None:
        hall.teams[3].submissions.update(is_active=False)
        cup = staged(hall, options=TWOS, start=False)
        for act in ("publish", "start"):
            before = written()
            seen = post(ada, desk(hall, f"stages/{cup.pk}/{act}?dry_run=true")).json()
            assert seen["draw"]["absent"] == [hall.teams[3].pk] == [it["team_id"] for it in seen["stage"]["absent"]]
            assert written() == before
            drawn = {seat["team_id"] for table in seen["draw"]["rounds"][0]["tables"] for seat in table["seats"]}
            assert drawn - {None} <= set(hall.ids)
            done = post(ada, desk(hall, f"stages/{cup.pk}/{act}")).json()
        assert [it["team_id"] for it in done["stage"]["left_out"]] == [hall.teams[3].pk]
        for address in (f"stages/{cup.pk}/start", f"stages/{cup.pk}/publish"):
            refused = post(ada, desk(hall, f"{address}?dry_run=true"))
            assert (refused.status_code, refused.json()) == (409, post(ada, desk(hall, address)).json())


class TestStages:
    def test_what_is_left_out_is_as_in_a_new_form(self, hall: Hall, ada: Client) -> None:
        tried = post(ada, desk(hall, "stages?dry_run=true"), {"format": "swiss", "table_size": 2, "rounds": 3})
        assert (tried.status_code, tried.json()["budget"]["matches"]) == (200, 6)
        assert not Stage.objects.exists()
        made = post(ada, desk(hall, "stages"), {"format": "swiss", "table_size": 2, "rounds": 3})
        assert made.status_code == 201, made.content
        stage = told(ada, made["Location"])
        assert (stage["name"], stage["state"], stage["options"]["rounds"]) == ("Swiss", "draft", 3)
        assert told(Client(), f"/api/v1/contests/{hall.contest.slug}/stages") == []

    def test_only_what_was_sent_changes_and_null_empties(self, hall: Hall, ada: Client) -> None:
        sent = {"format": "swiss", "rounds": 3, "starts_at": "2099-01-01T12:00:00Z"}
        address = post(ada, desk(hall, "stages"), sent)["Location"]
        first = told(ada, address)
        edited = patch(ada, address, {"name": "League"}).json()["stage"]
        assert {it for it in first if first[it] != edited[it]} == {"name"}
        assert edited["starts_at"] == "2099-01-01T12:00:00Z"
        tried = patch(ada, f"{address}?dry_run=true", {"rounds": 2}).json()
        assert (tried["stage"]["options"]["rounds"], tried["budget"]["rounds"]) == (3, 2)
        emptied = patch(ada, address, {"starts_at": None, "rounds": None}).json()["stage"]
        assert (emptied["starts_at"], emptied["options"]["rounds"]) == (None, None)

    def test_a_deletion_has_no_dry_run(self, hall: Hall, ada: Client, judge: Client) -> None:
        draft = staged(hall, options=TWOS, start=False)
        address = desk(hall, f"stages/{draft.pk}?dry_run=true")
        assert (ada.delete(address).status_code, judge.delete(address).status_code) == (422, 403)
        assert Stage.objects.filter(pk=draft.pk).exists()

    def test_the_order_by_hand_the_invited_and_the_source(self, hall: Hall, ada: Client) -> None:
        backwards = hall.ids[::-1]
        sent = {"format": "single_elimination", "order": backwards, "entry": "invited", "invited": hall.ids[:3]}
        address = post(ada, desk(hall, "stages"), sent)["Location"]
        published = post(ada, f"{address}/publish").json()["stage"]
        assert [it["team_id"] for it in published["entrants"]] == [it for it in backwards if it in hall.ids[:3]]
        assert published["invited"] == hall.ids[:3]
        final = {"format": "single_elimination", "entry": "best", "source": published["id"], "best": 2}
        made = told(ada, post(ada, desk(hall, "stages"), final)["Location"])
        assert (made["source"], made["best"], made["awaits_source"]) == (published["id"], 2, True)
        for wrong in ({"order": [1, 1]}, {"order": ["x"]}, {"format": "knock-out"}, {"source": 10**9, "entry": "best"}):
            refused = post(ada, desk(hall, "stages"), {"format": "swiss", **wrong})
            assert (refused.status_code, refused.json()["code"]) == (422, "invalid"), wrong

    def test_a_stage_of_another_contest_is_not_here(self, hall: Hall, ada: Client) -> None:
        other = Hall(2)
        cup = staged(other, options=TWOS)
        match = cup.matches.get()
        for rest in (f"stages/{cup.pk}", f"stages/{cup.pk}/rehearsal", f"stages/{cup.pk}/reviews"):
            assert ada.get(desk(hall, rest)).status_code == 404
        for rest in (f"stages/{cup.pk}/reset", f"matches/{match.pk}/void", f"teams/{other.ids[0]}/disqualify"):
            seen = {"resets": 0} if rest.endswith("reset") else {}
            assert post(ada, desk(hall, rest), WHY | seen).status_code == 404

    def test_a_rehearsal(self, hall: Hall, ada: Client) -> None:
        cup = staged(hall, options=TWOS, start=False)
        address = desk(hall, f"stages/{cup.pk}/rehearsal")
        assert ada.get(address).status_code == 404
        assert post(ada, address).status_code == 202
        assert post(ada, address).status_code == 409
        rehearsals.play_next()
        seen = told(ada, address)
        assert (seen["state"], seen["played"], seen["ranking"][0]["rank"]) == ("done", 3, 1)
        assert told(ada, desk(hall, f"stages/{cup.pk}"))["rehearsal"] == "done"
        assert ada.delete(address).status_code == 204
        assert ada.get(address).status_code == 404


class TestReading:
    def test_what_needs_attention_as_the_page_shows_it(self, hall: Hall, ada: Client) -> None:
        staged(hall, options=TWOS)
        seen = told(ada, desk(hall, "attention"))
        page = Desk(hall, visitor(hall.ada)).get("desk")
        assert seen["waiting"] == 2
        assert seen["concerns"]
        assert all(it["text"][:30] in page for it in seen["concerns"])
        queue = told(ada, desk(hall, "queue?limit=1"))
        assert (queue["waiting"], len(queue["next"]), len(queue["next"][0]["players"])) == (2, 1, 4)
        assert told(ada, desk(hall, "workers"))["workers"] == []

    def test_as_many_queries_for_many_as_for_few(self) -> None:
        counts = []
        for teams in (4, 8):
            hall = Hall(teams)
            cup = staged(hall, options=TWOS)
            play_on(cup, most=2)
            reviews.start(cup, hall.ada, "Again.", cup.matches.done().values_list("pk", flat=True))
            client = program(hall.ada, "desk")
            places = ("attention", "queue", "visibility", f"stages/{cup.pk}", f"stages/{cup.pk}/reviews", "data")
            counts.append([queries_of(client, desk(hall, it)) for it in places])
        assert counts[0] == counts[1]
        assert max(counts[0]) < 60
