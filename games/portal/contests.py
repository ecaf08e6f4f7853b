"""Contests: find one, enter it, and read what is said and how teams stand."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from games.portal.screen import local_time, moment, number, points
from games.portal.session import Session
from games.portal.trouble import Trouble

LARGEST_KIT = 50 << 20
SHOWN = 20
"""Rows of a list unless more are asked for."""
FEWEST = 4
"""Matches from which intervals are printed."""
SETTLED = 6
"""Matches from which a rating is no longer provisional."""


def contests(here: Session) -> None:
    asked = here.arguments
    found = list(here.portal.pieces("/contests", asked.limit, phase=asked.phase, game=asked.game, mine=asked.mine))
    here.screen.value(found)
    rows = []
    for it in found:
        end, state = it.get("your_uploads_until") or it["upload_deadline"], it["phase"]
        if state in ("open", "closed"):  # for everybody and for entries; here, for uploads of the own team
            state = "open" if local_time(end) > datetime.now(UTC) else "closed"
        until = "always" if end > "2100" else moment(end)  # after 2100 if it never closes
        rows.append((it["slug"], it["name"], it["preset"], state, until))
    here.screen.table(["CONTEST", "NAME", "GAME", "UPLOADS", "UNTIL"], rows, "There is no such contest.")


def enter(here: Session) -> None:
    data = {"name": here.arguments.name, "school": here.arguments.school or ""}
    contest = here.find_contest()
    team = here.portal.post(here.in_contest("/teams"), data)
    here.screen.value(team)
    waits = " The organisers approve teams first." if team["state"] == "pending" else ""
    here.screen.say(f"{team['name']} has entered {contest['name']}.{waits}", f"Its page: {team['page']}")
    here.screen.say("Others join with the code that `kibitz team` shows.")


def join(here: Session) -> None:
    team = here.portal.post(here.in_contest("/teams/join"), {"code": here.arguments.code})
    here.screen.value(team)
    here.screen.say(f"You are in {team['name']}.")


def team(here: Session) -> None:
    found = here.portal.get(here.in_contest("/team"))
    here.screen.value(found)
    here.screen.say(f"{found['name']} ({found['state']})", f"Page: {found['page']}")
    here.screen.say(f"Code: {found['code']}" + (" (the team is full)" if found["is_full"] else ""))
    if until := found.get("uploads_until"):
        here.screen.say(f"Uploads until: {moment(until)}, later than others. {found['uploads_until_reason']}")
    rows = [(it["username"], it["name"], "captain" if it["is_captain"] else "") for it in found["members"]]
    here.screen.table(["MEMBER", "NAME", ""], rows)


def kit(here: Session) -> None:
    """Download a starter kit and unpack it."""
    name = here.arguments.language
    try:
        answer = here.portal.ask("GET", here.in_contest(f"/kits/{name}"))
    except Trouble as trouble:
        if trouble.code != "not_found":
            raise
        there = [it["name"] for it in here.portal.get(here.in_contest("/rules"))["kits"]]
        raise Trouble(f"There is no kit for “{name}”.", f"There are {', '.join(there)}.", code="not_found") from None
    target = Path(here.arguments.output or ".")
    try:
        opened = zipfile.ZipFile(io.BytesIO(answer.body))
    except zipfile.BadZipFile:
        raise Trouble("This is no starter kit.", "Check the portal's address.", code="no_portal") from None
    with opened as archive:
        names = _names_in(archive)
        there = [each for each in names if (target / each).exists()]
        if there:
            raise Trouble(f"{target / there[0]} is there already.", "Choose another folder with --output.")
        archive.extractall(target)
    folder = target / names[0].partition("/")[0]
    here.screen.value({"folder": str(folder), "files": [str(target / each) for each in names]})
    here.screen.say(f"The kit is in {folder}. Read its README.md first.")


def _names_in(archive: zipfile.ZipFile) -> list[str]:
    """The files of a kit: all in one folder, which is none of the hidden ones that programs read their settings from.
    Raises Trouble."""
    names = archive.namelist()
    folders = {name.partition("/")[0] for name in names}
    odd = [name for name in names if "/" not in name or ".." in name.split("/") or "\\" in name]
    if odd or len(folders) != 1 or next(iter(folders)).startswith(("/", ".")) or "" in folders:
        raise Trouble("This is no starter kit: it would write outside of its own folder.", code="no_portal")
    if sum(each.file_size for each in archive.infolist()) > LARGEST_KIT:
        raise Trouble(f"This is no starter kit: it has more than {LARGEST_KIT >> 20} MB.", code="no_portal")
    return names


# Standings ------------------------------------------------------------------------------------------------------------


def find_stage(here: Session, named: str) -> Any:
    """The stage of this id or name. Raises Trouble."""
    stages = here.portal.get(here.in_contest("/stages"))
    for stage in stages:
        if named == str(stage["id"]) or named.lower() == stage["name"].lower():
            return stage
    there = ", ".join(f"“{stage['name']}” ({stage['id']})" for stage in stages)
    hint = f"There are: {there}." if there else "It has no stages yet."
    raise Trouble(f"The contest has no stage “{named}”.", hint, code="not_found")


def standings(here: Session) -> None:
    asked = here.arguments
    stage = find_stage(here, asked.stage) if asked.stage else None
    path = here.in_contest(f"/stages/{stage['id']}/standings" if stage else "/standings")
    found = here.portal.get(path, limit=asked.limit or 500)
    here.screen.value(found)
    columns, rows = standings_table(found["results"])
    here.screen.table(columns, rows, "There are no results yet.")
    if any("?" in row for row in rows):
        here.screen.say(f"? provisional: fewer than {SETTLED} matches. These rank after the others.")
    if champion := found["champion"]:
        here.screen.say("", f"{'Winner' if stage else 'Champion'}: {champion['team']}")


def few(line: Mapping[str, Any]) -> bool:
    """Whether there are too few matches to tell an interval, as on the pages."""
    return (line.get("matches") or 0) < FEWEST


def standings_table(lines: list[dict[str, Any]]) -> tuple[list[str], list[list[object]]]:
    """Columns and rows. Columns without a value anywhere are left out when they are printed."""
    columns = [
        ">RANK",
        "TEAM",
        ">RATING",
        ">±",
        "",
        ">POINTS",
        ">AVERAGE",
        ">± ",
        ">SOLVED",
        ">MATCHES",
        ">FAULTS",
        "STATUS",
    ]
    rows: list[list[object]] = [
        [
            line["rank"],
            line["team"],
            number(line.get("rating"), 0),
            "" if few(line) else number(line.get("rating_margin"), 0),
            "?" if line.get("rating") is not None and (line.get("matches") or 0) < SETTLED else "",
            points(line.get("points")),
            number(line.get("average"), 2),
            "" if few(line) else number(line.get("margin"), 2),
            line.get("solved"),
            line.get("matches"),
            line.get("faults"),
            line["status_sentence"],
        ]
        for line in lines
    ]
    return columns, rows


def stages(here: Session) -> None:
    found = here.portal.get(here.in_contest("/stages"))
    here.screen.value(found)
    rows = [(it["id"], it["name"], it["format"], it["state_name"], moment(it["starts_at"])) for it in found]
    here.screen.table([">STAGE", "NAME", "FORMAT", "STATE", "STARTS"], rows, "There are no stages yet.")


# Questions ------------------------------------------------------------------------------------------------------------


def questions(here: Session) -> None:
    found = list(here.portal.pieces(here.in_contest("/questions"), here.arguments.limit or SHOWN))
    here.screen.value(found)
    if not found:
        here.screen.say("There are no questions yet. Ask one: kibitz ask SUBJECT TEXT")
    for it in found:
        own = " (yours)" if it["is_yours"] else ""
        here.screen.say(f"{it['id']}. {it['subject']}{own}", *_indented(it["text"]))
        here.screen.say(*(_indented(it["answer"], "  > ") or ["  > no answer yet"]), "")


def ask(here: Session) -> None:
    data = {"subject": here.arguments.subject, "text": here.arguments.text or ""}
    found = here.portal.post(here.in_contest("/questions"), data)
    here.screen.value(found)
    here.screen.say(f"Your question {found['id']} was sent. `kibitz questions` shows the answer.")


def news(here: Session) -> None:
    found = list(here.portal.pieces(here.in_contest("/announcements"), here.arguments.limit or SHOWN))
    here.screen.value(found)
    if not found:
        here.screen.say("There are no announcements yet.")
    for it in found:
        here.screen.say(f"{moment(it['posted_at'])}  {it['title']}", *_indented(it["text"]), "")


def _indented(text: str, by: str = "  ") -> list[str]:
    return [by + line for line in text.splitlines()]
