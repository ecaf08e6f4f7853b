"""Contests, matches and standings in the terminal: as text, as JSON, and as they happen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from contest import contests, questions
from games.portal.contests import SETTLED
from games.portal.watch import Follower
from games.record import loads, verify
from tests.kibitz.conftest import Kibitz, beside, token
from tests.tournaments.stagecraft import Hall, finish, play_out
from tournaments.formats import rating_systems
from tournaments.models import Match, Stage

TWOS = {"table_size": 2, "games": 1}


@pytest.fixture
def hall(transactional_db: None, live_server: Any, kibitz: Kibitz) -> Hall:
    """A bracket of four, played, and its champion has logged in."""
    hall = Hall(4)
    stage = hall.stage(**TWOS)
    play_out(stage)
    captain = hall.teams[0].memberships.get().user
    assert kibitz("login", live_server.url, "--token", token(captain, "bot", "team")).status == 0
    return hall


def next_match(stage: Stage) -> Match:
    found = Match.objects.claimable(timezone.now()).filter(stage=stage).first()
    assert found
    return found


def played_by_the_rules(hall: Hall) -> Match:
    return finish(next_match(hall.stage(**TWOS)))


def told(kibitz: Kibitz, *words: object) -> tuple[str, Any]:
    """A command as text and as JSON."""
    text, value = kibitz(*words), kibitz(*words, "--json")
    assert (text.status, text.err, value.status, value.err) == (0, "", 0, "")
    return text.out, value.json


def test_every_list_as_text_and_as_json(hall: Hall, kibitz: Kibitz) -> None:
    champion, slug = hall.teams[0].name, hall.contest.slug
    final = Match.objects.latest("pk")
    text, value = told(kibitz, "contests")
    assert (slug in text, [it["slug"] for it in value]) == (True, [slug])
    assert told(kibitz, "contests", "--mine", "--phase", "open")[1] == value
    text, value = told(kibitz, "standings", "--stage", "Cup")
    assert value["champion"]["team"] == champion
    assert f"Winner: {champion}" in text, "of the stage"
    assert SETTLED == rating_systems.SETTLED
    text = told(kibitz, "standings")[0]
    assert (champion in text, "? provisional" in text) == (True, True), "it has played two matches"
    text, value = told(kibitz, "stages")
    assert ("Cup" in text, value[0]["is_over"]) == (True, True)
    text, value = told(kibitz, "matches", "--mine", "--state", "done")
    assert {it["match"] for it in value} >= {final.pk}
    assert champion in text
    assert len(told(kibitz, "matches", "-n", 1)[1]) == 1
    assert told(kibitz, "matches", "--team", champion, "--stage", "Cup")[1] == value
    text, value = told(kibitz, "match", final.pk)
    assert (champion in text, value["match"]) == (True, final.pk)
    text, value = told(kibitz, "team")
    assert (champion in text, value["code"]) == (True, hall.teams[0].code)
    text, value = told(kibitz, "stderr", final.pk)
    assert value == {"match": final.pk, "players": []}
    assert kibitz("match", 99999).status == 2
    assert kibitz("standings", "--stage", "Final").status == 2


def test_questions_and_news(hall: Hall, kibitz: Kibitz) -> None:
    assert told(kibitz, "questions")[1] == told(kibitz, "news")[1] == []
    asked = kibitz("ask", "Jokers", "Are there any?", "--json").json
    row = hall.contest.questions.get(pk=asked["id"])
    questions.answer(row, hall.ada, "None at all.", to_all=True, seen=None)
    contests.announce(hall.contest, hall.ada, "Lunch", "At noon.")
    text, value = told(kibitz, "questions")
    assert ("None at all." in text, value[0]["answer"]) == (True, "None at all.")
    text, value = told(kibitz, "news")
    assert ("At noon." in text, value[0]["title"]) == (True, "Lunch")


def test_a_record_is_downloaded_as_it_is_stored(hall: Hall, kibitz: Kibitz, home: Path) -> None:
    final = played_by_the_rules(hall).pk
    assert kibitz("record", final, "-o", "final.json").status == 0
    text = (home / "final.json").read_bytes()
    assert verify(loads(text)) is None
    assert kibitz("record", final).out == text.decode()
    log = kibitz("log", final).out
    assert log
    assert kibitz("log", final, "--json").json["log"] == log
    assert kibitz("log", final, "--game", 9).status == 2
    assert kibitz("record", final, "-o", "nowhere/final.json").status == 2
    assert kibitz("show", "final.json").status == 0


def test_a_match_is_told_trick_by_trick(hall: Hall, kibitz: Kibitz) -> None:
    final = played_by_the_rules(hall).pk
    ran = kibitz("watch", final)
    assert (ran.status, ran.err) == (0, "")
    assert "Hand 1" in ran.out
    assert "points: " in ran.out
    events = [json.loads(line) for line in kibitz("watch", final, "--json").out.splitlines()]
    assert events[-1]["event"] == "result"


def test_a_contest_is_watched_until_its_champion_is_known(
    transactional_db: None, live_server: Any, kibitz: Kibitz
) -> None:
    hall = Hall(4)
    stage = hall.stage(**TWOS)
    finish(next_match(stage))
    words = ("watch", "-c", hall.contest.slug, "--portal", live_server.url)
    with beside(*words, "--json", "--from-start") as program, beside(*words) as person:
        assert program.stdout is not None
        assert person.stdout is not None
        first = json.loads(program.stdout.readline())
        assert first["id"]
        while " (match " not in (line := person.stdout.readline()):
            assert line, "it has ended"
        play_out(stage)
        # Read from the streams themselves: `communicate` loses what came together with an earlier line.
        entries = [first, *map(json.loads, program.stdout)]
        text = person.stdout.read()
        _, err = program.communicate()
        person.communicate()
    assert (program.returncode, err, person.returncode) == (0, "", 0)
    champion = hall.teams[0].name
    assert entries[-1]["kind"] == "over"
    assert entries[-1]["champion"]["team"] == champion
    kinds = [entry["kind"] for entry in entries]
    assert (kinds.count("match_result"), kinds.count("stage_finished")) == (3, 1)
    assert len({entry["id"] for entry in entries[:-1]}) == len(entries) - 1
    assert f"Champion: {champion}" in text


@pytest.mark.long("more")
def test_what_happens_while_the_end_is_noticed_is_told_too(
    transactional_db: None, live_server: Any, kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(4)
    stage = hall.stage(**TWOS)
    waited, read, reading = Follower._next, Follower._read_stages, []

    def waits(follower: Follower, after: str) -> str:
        finish(next_match(stage))
        return waited(follower, after)

    def reads(follower: Follower) -> None:
        """The other matches end between the entries and the stages."""
        reading.append(follower)
        if len(reading) == 2:
            play_out(stage)
        read(follower)

    monkeypatch.setattr(Follower, "_next", waits)
    monkeypatch.setattr(Follower, "_read_stages", reads)
    out = kibitz("watch", "-c", hall.contest.slug, "--portal", live_server.url, "--json").out
    kinds = [json.loads(line)["kind"] for line in out.splitlines()]
    assert (kinds.count("match_result"), kinds[-2:]) == (3, ["stage_finished", "over"])


def test_names_from_others_do_not_move_the_cursor(hall: Hall, kibitz: Kibitz) -> None:
    hall.contest.teams.filter(pk=hall.teams[1].pk).update(name="\x1b[2J\x07Bell")
    out = kibitz("standings", "--stage", "Cup").out
    assert "\x1b" not in out
    assert "Bell" in out
