"""Versions of one's bot: upload, follow the check, activate, withdraw."""

from __future__ import annotations

import hashlib
import sys
import time
import uuid
from pathlib import Path
from textwrap import shorten
from typing import Any

from games import GAMES, local_folders
from games.folders import FolderError
from games.kits import zipped
from games.phrases import amount
from games.portal import store
from games.portal.http import multipart
from games.portal.screen import moment, points
from games.portal.session import Session
from games.portal.trouble import DONE, NO_ANSWER, REJECTED, Trouble
from games.toolchains import RECIPES

LOG_SHOWN = 60
"""Lines of a build log that are printed."""
OF_KITS = {name for game in GAMES.values() for names in game.kit_sources.values() for name in names}
"""Files of which the portal has its own copies."""
LONGEST_VERDICT = 72
"""Characters of a verdict in the list; `kibitz version N` prints all of it."""
STATES = ("queued", "building", "checking")
NOT_BUILT = ("rejected", "superseded", "cancelled")
"""How waiting for a version can end without one that could play."""


def submit(here: Session) -> int:
    """Upload a source, several, a folder or an archive. Exit status with --wait: 0 if the version is ready, 1 if it was
    rejected, or not built because a newer one took its place or an organiser cancelled it."""
    asked = here.arguments
    sent, hashes = _source(asked.source, language=asked.language or "", chosen=asked.entry or "")
    named = (("language", asked.language), ("entry", asked.entry), ("arguments", asked.arguments))
    fields = {name: value for name, value in named if value}
    if asked.no_activate:
        fields["activate"] = "false"
    files = {"source": sent}
    if asked.strategy:
        files["strategy"] = (Path(asked.strategy).name, _read(asked.strategy))
    receipt = _unchanged(here, hashes, asked.entry, asked.arguments or "") if asked.if_changed else None
    said = "is this source already" if receipt else "is uploaded"
    receipt = receipt or _upload(here, fields, files)
    number = receipt["number"]
    if not asked.wait:
        here.screen.value(receipt)
    here.screen.say(f"Version {number} {said}: {receipt['page']}", *receipt["notices"])
    if receipt.get("file_count", 1) > 1:
        language = getattr(RECIPES.get(receipt["language"]), "title", receipt["language"])
        here.screen.say(f"{receipt['file_count']} files in {language}; {receipt['filename']} starts the program.")
    if not asked.wait:
        if receipt["in_progress"]:
            place = f" ({_waiting(receipt)})" if receipt.get("queue") else ""
            how = f"`kibitz version {number} --wait` waits for the result."
            here.screen.say(f"It is built and checked when its turn comes{place}. {how}")
        return DONE
    version = followed(here, number, asked.timeout)
    here.screen.value({**version, "notices": receipt["notices"]})
    return report(here, version)


def _source(paths: list[str], **how: str) -> tuple[tuple[str, bytes], dict[str, str]]:
    """What is sent for these files, a name and the content; and the SHA-256 of each file by its path.

    One file is sent as it is, several as a ZIP. So is a folder, with a trace of what is left out, so that the portal
    says so.
    """
    path = Path(paths[0])
    try:
        if len(paths) > 1:
            folder, name = local_folders.read_all([Path(it) for it in paths], **how), "files"
        elif local_folders.is_folder(path):
            folder, name = local_folders.read(path, **how), path.absolute().name
        else:
            data = _read(paths[0])
            return (path.name, data), {path.name: _hash(data)}
    except OSError as error:
        raise Trouble(f"{error.filename or path} cannot be read: {error.strerror}.", code="no_file") from None
    except FolderError as error:
        raise Trouble(str(error), code="invalid") from None
    hashes = {it: _hash(data) for it, data in folder.files.items()}
    if path.is_file() and len(paths) == 1:  # an archive goes as it is
        return (path.name, _read(paths[0])), hashes
    wrapped = {f"program/{it}": data for it, data in (folder.traces() | folder.files).items()}
    return (f"{name}.zip", zipped(wrapped)), hashes


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _unchanged(here: Session, hashes: dict[str, str], entry: str | None, arguments: str) -> Any:
    """The newest version, if it has these files."""
    for version in here.portal.pieces(here.in_contest("/versions"), 1):
        if len(hashes) == 1 and version["sha256"] not in hashes.values():
            return None
        found = here.portal.get(here.in_contest(f"/versions/{version['number']}"))
        theirs = {it["path"]: it["sha256"] for it in found.get("files", ())}
        ours = {path: it for path, it in hashes.items() if path in theirs or Path(path).name not in OF_KITS}
        same = (len(hashes) == 1 or theirs == ours) and found.get("arguments", "") == arguments
        if same and (not entry or found["filename"].endswith(entry)):
            return {**found, "notices": []}
    return None


def _read(path: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror}.", code="no_file") from None


def _upload(here: Session, fields: dict[str, str], files: dict[str, tuple[str, bytes]]) -> Any:
    portal, path = here.portal, here.in_contest("/versions")
    content = repr((portal.address, path, sorted(fields.items()), sorted(files.items())))
    digest = hashlib.sha256(content.encode()).hexdigest()
    pending = f"upload-{digest[:32]}"
    # The key of the same upload, if its answer was lost when this command ran last time.
    key = here.arguments.key or store.remembered(pending, store.KEPT_KEY) or str(uuid.uuid4())
    store.keep(pending, key)
    body, kind = multipart(fields, files, uuid.uuid4().hex)
    bar = here.screen.bar
    try:
        answer = portal.ask(
            "POST",
            path,
            None,
            body,
            {"Content-Type": kind, "Idempotency-Key": key},
            lambda sent, size: bar.show(sent, size, f"sending {size / 1024:.0f} KB"),
        )
    except Trouble as trouble:
        wrong = [it.get("field") for it in trouble.as_value().get("errors", [])]
        if wrong == ["strategy"] and "strategy" not in files:
            trouble.hint = "Send a text file with it: --strategy FILE"
        if trouble.status != NO_ANSWER:  # refused, so nothing of it is left on the portal
            store.keep(pending, None)
        raise
    finally:
        bar.clear()
    store.keep(pending, None)
    return answer.json()


def followed(here: Session, number: int, timeout: float | None = None) -> Any:
    """Wait until a version is ready, rejected, superseded or cancelled, and return it. Raises Trouble after so many
    seconds."""
    bar, began, last = here.screen.bar, time.monotonic(), ""
    for version in here.portal.changes(here.in_contest(f"/versions/{number}")):
        if not version["in_progress"]:
            bar.clear()
            return version
        state = version["state"]
        played, planned = version["games_played"], version["games_planned"]
        if bar.works:
            done = STATES.index(state) if state in STATES else 0
            text = f"{state}: {played} of {amount(planned, 'games')}" if state == "checking" else _waiting(version)
            bar.show(done + (played / planned if planned else 0), len(STATES), text)
        elif state != last and not here.screen.as_json:
            here.screen.note(f"version {number} is {_waiting(version)}")
        last = state
        if timeout and time.monotonic() - began > timeout:
            hint = f"`kibitz version {number} --wait` goes on waiting."
            raise Trouble(f"Version {number} is still {state}.", hint, status=NO_ANSWER, code="timeout")
    raise AssertionError("changes are endless")


def _waiting(version: Any) -> str:
    """Its state, with its place in the queue and how long that usually takes."""
    place = version.get("queue")  # None from portals without turns
    if not place:
        return str(version["state"])
    low, high = (max(1, round(place[name] / 60)) for name in ("soonest", "latest"))
    when = f"about {low} min" if low == high else f"{low} to {high} min"
    return f"queued: number {place['position']} of {place['waiting']}, {when}"


def report(here: Session, version: Any) -> int:
    """Print how a version stands. Returns the exit status."""
    say = here.screen.say
    number, state = version["number"], version["state"]
    advice = version["advice"]
    active = " and active" if version["is_active"] else ""
    verdict = "" if version["verdict"] in advice["text"] else version["verdict"]
    say(f"Version {number} is {state}{active}. {verdict}".rstrip())
    if not advice["title"].lower().startswith(state):  # that was said
        say(advice["title"])
    if advice["text"]:
        say(advice["text"])
    for name in ("check_warning", "check_note"):
        if version[name]:
            say(version[name])
    if state == "rejected" and not version["games"] and version["build_log"]:
        lines = version["build_log"].rstrip().splitlines()
        say("", f"$ {version['build_command']}", *lines[:LOG_SHOWN])
        if len(lines) > LOG_SHOWN:
            say(f"… {len(lines) - LOG_SHOWN} more lines: kibitz version {number} --build-log")
    if version["games"]:
        say("")
        columns = [">GAME", "SEAT", "RESULT", ">POINTS", ">PLACE", "FINDING"]
        rows = [
            (it["number"], it["seat_name"], it["verdict"], points(it["score"]), it["place"], it["text"])
            for it in version["games"]
        ]
        here.screen.table(columns, rows)
    for finding in version["findings"]:
        say("", f"{'Problem' if finding['bad'] else 'Test'}: {finding['title']}", *finding["text"].splitlines())
    failed = next((it for it in version["games"] if not it["passed"]), None)
    say("", f"Page: {failed['page'] if failed else version['page']}")
    return REJECTED if state in NOT_BUILT else DONE


def versions(here: Session) -> None:
    found = list(here.portal.pieces(here.in_contest("/versions"), here.arguments.limit or 20))
    here.screen.value(found)
    rows = [
        (
            it["number"],
            it["state"] + (", active" if it["is_active"] else ""),
            it["filename"],
            it["language"],
            moment(it["uploaded_at"]),
            shorten(it["verdict"] or it["warnings"], LONGEST_VERDICT, placeholder=" …"),
        )
        for it in found
    ]
    columns = [">VERSION", "STATE", "FILE", "LANGUAGE", "UPLOADED", "VERDICT"]
    here.screen.table(columns, rows, "You have not uploaded a version yet: kibitz submit FILE")


def version(here: Session) -> int:
    asked = here.arguments
    number = asked.number or _newest(here)
    if asked.source:
        return _give_source(here, number)
    if asked.wait:
        found = followed(here, number, asked.timeout)
    else:
        found = here.portal.get(here.in_contest(f"/versions/{number}"))
    here.screen.value(found)
    if asked.build_log:
        here.screen.say(f"$ {found['build_command']}", *found["build_log"].splitlines())
        return REJECTED if found["state"] in NOT_BUILT else DONE
    return report(here, found)


def _give_source(here: Session, number: int) -> int:
    """Print the source, or write it to a file. Of several files, print one, list them, or write a ZIP of them."""
    asked = here.arguments
    where = here.in_contest(f"/versions/{number}/source")
    answer = here.portal.ask("GET", where, {"path": asked.file} if asked.file else None)
    if asked.output:
        try:
            Path(asked.output).write_bytes(answer.body)
        except OSError as error:
            raise Trouble(f"{asked.output} cannot be written: {error.strerror}.", code="no_file") from None
        here.screen.note(f"written: {asked.output}")
    elif "zip" in answer.headers.get("Content-Type", ""):
        files = here.portal.get(here.in_contest(f"/versions/{number}"))["files"]
        here.screen.value(files)
        here.screen.table(["FILE", ">BYTES"], [(it["path"], it["size"]) for it in files])
        here.screen.say(f"Print one: kibitz version {number} --source --file PATH. Download all: --source -o bot.zip")
    else:
        here.screen.text(answer.text)
    return DONE


def _newest(here: Session) -> int:
    newest = here.portal.get(here.in_contest("/bot"))["newest"]
    if newest is None:
        raise Trouble(
            "Your team has not uploaded a version yet.", "Upload a source: kibitz submit FILE", code="not_found"
        )
    return int(newest)


def activate(here: Session) -> None:
    number = here.arguments.number
    found = here.portal.post(here.in_contest(f"/versions/{number}/activate"))
    here.screen.value(found)
    here.screen.say(f"Version {number} is active.")


def withdraw(here: Session) -> None:
    here.portal.post(here.in_contest("/versions/withdraw"))
    here.screen.value({"active": None})
    here.screen.say("No version is active now. `kibitz activate N` makes one active again.")
