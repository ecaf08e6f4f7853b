"""Matches: the list, one of them, its record and what was written in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from games.portal.contests import find_stage
from games.portal.screen import moment, points
from games.portal.session import Session
from games.portal.trouble import Trouble


def find_team(here: Session, named: str) -> int:
    """The id of a team that is named by it, by its name or a part of that. Raises Trouble."""
    if named.isdigit():
        return int(named)
    found = list(here.portal.pieces(here.in_contest("/teams"), 50, q=named))
    exact = [team for team in found if team["name"].lower() == named.lower()]
    found = exact or found
    if len(found) == 1:
        return int(found[0]["id"])
    if not found:
        raise Trouble(f"The contest has no team “{named}”.", code="not_found")
    some = ", ".join(team["name"] for team in found[:5])
    raise Trouble(f"“{named}” may be {some}.", "Write the whole name, or the number.", code="ambiguous")


def matches(here: Session) -> None:
    asked = here.arguments
    team = here.team() if asked.mine else find_team(here, asked.team) if asked.team else None
    stage = find_stage(here, asked.stage)["id"] if asked.stage else None
    query = {"team": team, "stage": stage, "round": asked.round, "state": asked.state, "since": asked.since}
    found = list(here.portal.pieces(here.in_contest("/matches"), asked.limit or 20, faults=asked.faults, **query))
    here.screen.value(found)
    rows = [
        (it["match"], it["stage_name"], it["table"], it["state"], moment(it["finished_at"]), players(it))
        for it in found
    ]
    columns = [">MATCH", "STAGE", "TABLE", "STATE", "FINISHED", "PLAYERS"]
    here.screen.table(columns, rows, "There are no such matches.")


def players(match: Any) -> str:
    """The players of a match, the best first, with their points."""
    ranked = sorted(match["players"], key=lambda it: (it.get("place") or 99, it["seat"]))
    return ", ".join(f"{it['player']} {points(it.get('points'))}".rstrip() for it in ranked)


def match(here: Session) -> None:
    found = here.portal.get(f"/matches/{here.arguments.match}")
    here.screen.value(found)
    show_match(here, found)


def show_match(here: Session, found: Any) -> None:
    say = here.screen.say
    state = "its result is not public yet" if found["withheld"] else found["state"]
    say(f"{found['title']}: {found['stage_name']}, {found['table']} ({state})")
    if found.get("void_reason"):
        say(f"Void: {found['void_reason']}")
    ranked = sorted(found["players"], key=lambda it: (it.get("place") or 99, it["seat"]))
    rows = [
        (
            it.get("place"),
            it["player"],
            it.get("version") or it.get("house"),
            points(it.get("points")),
            it.get("faults") or "",
            it.get("status_sentence"),
        )
        for it in ranked
    ]
    here.screen.table([">PLACE", "PLAYER", ">VERSION", ">POINTS", ">FAULTS", "STATUS"], rows)
    for fault in found.get("fault_list", []):
        who = found["players"][fault["seat"]]["player"]
        say(f"Fault of {who}, game {fault['game']}, {fault['where']}: {fault['title']} {fault['detail']}".rstrip())
    say(f"Page: {found['page']}")


def record(here: Session) -> None:
    answer = here.portal.ask("GET", f"/matches/{here.arguments.match}/record")
    write(here, answer.text)


def log(here: Session) -> None:
    """The game's own log of one game."""
    answer = here.portal.ask("GET", f"/matches/{here.arguments.match}/games/{here.arguments.game}/log")
    if here.screen.as_json:
        here.screen.value({"match": here.arguments.match, "game": here.arguments.game, "log": answer.text})
    else:
        write(here, answer.text)


def write(here: Session, text: str) -> None:
    target = getattr(here.arguments, "output", None)
    if not target:
        here.screen.text(text)
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Trouble(f"{target} cannot be written: {error.strerror}.", code="no_file") from None
    here.screen.note(f"written: {target}")


def stderr(here: Session) -> None:
    """What one's own bots wrote to standard error in a match."""
    found = here.portal.get(f"/matches/{here.arguments.match}/stderr")
    here.screen.value(found)
    if not found["players"]:
        here.screen.say("Your bots wrote nothing in this match, or it is not one of yours.")
    for player in found["players"]:
        here.screen.say(f"Player {player['seat'] + 1}:")
        for piece in player["pieces"]:
            here.screen.say(f"  event {piece['event']}: {piece['text'].rstrip()}")
        if player.get("crash"):  # older portals do not explain
            here.screen.say(f"  It {player['crash']}.", *([f"  {player['advice']}"] if player["advice"] else []))
