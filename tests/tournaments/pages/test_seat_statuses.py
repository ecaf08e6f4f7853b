"""The status of a seat is the same on every page and in every download, for every reader who may see it."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from games.engine import Fault, FaultKind
from tests.tournaments import scenes
from tests.tournaments.pages.test_pages import text_of
from tests.tournaments.records import Scripted
from tournaments.exports import export
from tournaments.kinds.planned import PLANNED
from tournaments.models import Match, Stage
from tournaments.organising import stages
from tournaments.playing import play
from tournaments.results.visibility import everything

pytestmark = pytest.mark.django_db


LATE = Fault(FaultKind.TIMEOUT, "it said nothing")


@pytest.fixture
def cup() -> Stage:
    """Four teams at tables of two: a team faults in the first match, then the winner of the other one is
    disqualified."""
    contest = scenes.small_contest(game="tricky_eights")
    teams = scenes.enter(contest, 4)
    stage = scenes.stage_of(contest, table_size=2)
    first, second = stage.matches.order_by("pk")
    scenes.play_match(first, lambda seat: Scripted(LATE, at=3) if seat.team_id == teams[3].pk else Scripted())
    scenes.play_match(second)
    leaver = next(iter(stage.tables.get(number=2, round=1).places))
    stages.disqualify(contest.teams.get(pk=leaver), contest.roles.get().user, "it was copied")
    stage.refresh_from_db()
    return stage


def rows(client: Client, stage: Stage, name: str) -> list[dict[str, str]]:
    query = {"stage": stage.pk} if name == "standings-csv" else {}
    answer = client.get(reverse(name, args=[stage.contest.slug]), query)
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_every_page_and_download_says_the_same(cup: Stage, client: Client) -> None:
    told = {
        (seat["team_id"], table["name"]): (seat["status"], seat["status_sentence"])
        for stage in export.stages(everything(cup.contest))
        for table in stage["tables"]
        for seat in table["seats"]
        if seat["team_id"]
    }
    statuses = {status for status, _ in told.values()}
    assert {"disqualified_referee", "disqualified_organisers", "promoted", "due"} <= statuses
    bracket = text_of(client.get(cup.get_absolute_url()).text)
    for (team, table), (status, sentence) in told.items():
        if status not in ("due", "advanced", "eliminated", "placed"):
            assert sentence in bracket, (team, table)
    for line in rows(client, cup, "matches-csv"):
        if line["team_id"] and line["state"] != "void":
            assert (line["status"], line["status_sentence"]) == told[int(line["team_id"]), line["table"]]
    last = {team: said for (team, _), said in told.items()}
    for line in rows(client, cup, "standings-csv"):
        assert (line["status"], line["status_sentence"]) == last[int(line["team_id"])]
    for match in Match.objects.done():
        pages = [client.get(match.get_absolute_url()).text, client.get(reverse("replay", args=[match.pk, 1])).text]
        for seat in match.seats.filter(team__isnull=False):
            status, sentence = told[seat.team_id, match.table.name]
            assert sentence in text_of(pages[0])
            if status.startswith("disqualified"):
                assert sentence in text_of(pages[1])


def test_the_referee_s_status_leads_to_the_position(cup: Stage, client: Client) -> None:
    seat = next(seat for match in Match.objects.done() for seat in match.seats.all() if seat.disqualified)
    address = reverse("fault", args=[seat.match_id, seat.index])
    assert address in client.get(cup.get_absolute_url()).text
    assert address in client.get(seat.match.get_absolute_url()).text
    answer = client.get(address, follow=True)
    assert answer.status_code == 200
    assert answer.context["step"].event["event"] == "fault"
    fine = next(each for each in seat.match.seats.all() if not each.faults)
    assert client.get(reverse("fault", args=[seat.match_id, fine.index])).status_code == 404


def test_who_has_left_a_match_in_progress_is_told_on_its_page(client: Client) -> None:
    contest = scenes.small_contest()
    team, *_ = scenes.enter(contest, 4)
    match = scenes.stage_of(contest, format="round_robin").matches.filter(seats__team=team)[0]
    assert play.claim(match.pk, "tester")
    stages.withdraw(team, None, "ill")
    told = [each.sentence for seat, each in PLANNED.seats_told(match, everything(contest)) if seat.team_id == team.pk]
    assert told[0] in text_of(client.get(match.get_absolute_url()).text)
