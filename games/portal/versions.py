"""Versions of one's bot: upload, follow the check, activate, withdraw."""

from __future__ import annotations

import hashlib
import sys
import time
import uuid
from pathlib import Path
from typing import Any

from games.phrases import amount
from games.portal import store
from games.portal.http import multipart
from games.portal.screen import moment, points
from games.portal.session import Session
from games.portal.trouble import DONE, NO_ANSWER, REJECTED, Trouble

LOG_SHOWN = 60
"""Lines of a build log that are printed."""
STATES = ("queued", "building", "checking")


def submit(here: Session) -> int:
    """Upload a source. Exit status with --wait: 0 if the version is ready, 1 if it was rejected."""
    asked = here.arguments
    source = _read(asked.source)
    fields = {name: value for name, value in (("language", asked.language),) if value}
    if asked.no_activate:
        fields["activate"] = "false"
    files = {"source": (Path(asked.source).name, source)}
    if asked.strategy:
        files["strategy"] = (Path(asked.strategy).name, _read(asked.strategy))
    receipt = _unchanged(here, source) if asked.if_changed else None
    said = "is this source already" if receipt else "is uploaded"
    receipt = receipt or _upload(here, fields, files)
    number = receipt["number"]
    if not asked.wait:
        here.screen.value(receipt)
    here.screen.say(f"Version {number} {said}: {receipt['page']}", *receipt["notices"])
    if not asked.wait:
        if receipt["in_progress"]:
            here.screen.say(f"It is built and checked now. `kibitz version {number} --wait` waits for the result.")
        return DONE
    version = followed(here, number, asked.timeout)
    here.screen.value({**version, "notices": receipt["notices"]})
    return report(here, version)


def _unchanged(here: Session, source: bytes) -> Any:
    """The newest version, if it has this source."""
    for version in here.portal.pieces(here.in_contest("/versions"), 1):
        if version["sha256"] == hashlib.sha256(source).hexdigest():
            found = here.portal.get(here.in_contest(f"/versions/{version['number']}"))
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
        if trouble.status != NO_ANSWER:  # refused, so nothing of it is left on the portal
            store.keep(pending, None)
        raise
    finally:
        bar.clear()
    store.keep(pending, None)
    return answer.json()


def followed(here: Session, number: int, timeout: float | None = None) -> Any:
    """Wait until a version is ready or rejected, and return it. Raises Trouble after so many seconds."""
    bar, began, last = here.screen.bar, time.monotonic(), ""
    for version in here.portal.changes(here.in_contest(f"/versions/{number}")):
        if not version["in_progress"]:
            bar.clear()
            return version
        state = version["state"]
        played, planned = version["games_played"], version["games_planned"]
        if bar.works:
            done = STATES.index(state) if state in STATES else 0
            text = f"{state}: {played} of {amount(planned, 'games')}" if state == "checking" else state
            bar.show(done + (played / planned if planned else 0), len(STATES), text)
        elif state != last and not here.screen.as_json:
            here.screen.note(f"version {number} is {state}")
        last = state
        if timeout and time.monotonic() - began > timeout:
            hint = f"`kibitz version {number} --wait` goes on waiting."
            raise Trouble(f"Version {number} is still {state}.", hint, status=NO_ANSWER, code="timeout")
    raise AssertionError("changes are endless")


def report(here: Session, version: Any) -> int:
    """Print how a version stands. Returns the exit status."""
    say = here.screen.say
    number, state = version["number"], version["state"]
    active = ", active" if version["is_active"] else ""
    say(f"Version {number} is {state}{active}. {version['verdict']}".rstrip())
    if version["advice"]["title"]:
        say(version["advice"]["title"], *([version["advice"]["text"]] if version["advice"]["text"] else []))
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
    return REJECTED if state == "rejected" else DONE


def versions(here: Session) -> int:
    found = list(here.portal.pieces(here.in_contest("/versions"), here.arguments.limit or 20))
    here.screen.value(found)
    rows = [
        (
            it["number"],
            it["state"] + (", active" if it["is_active"] else ""),
            it["filename"],
            it["language"],
            moment(it["uploaded_at"]),
            it["verdict"] or it["warnings"],
        )
        for it in found
    ]
    columns = [">VERSION", "STATE", "FILE", "LANGUAGE", "UPLOADED", "VERDICT"]
    here.screen.table(columns, rows, "You have uploaded nothing yet: kibitz submit FILE")
    return DONE


def version(here: Session) -> int:
    asked = here.arguments
    number = asked.number or _newest(here)
    if asked.source:
        here.screen.text(here.portal.ask("GET", here.in_contest(f"/versions/{number}/source")).text)
        return DONE
    if asked.wait:
        found = followed(here, number, asked.timeout)
    else:
        found = here.portal.get(here.in_contest(f"/versions/{number}"))
    here.screen.value(found)
    if asked.build_log:
        here.screen.say(f"$ {found['build_command']}", *found["build_log"].splitlines())
        return REJECTED if found["state"] == "rejected" else DONE
    return report(here, found)


def _newest(here: Session) -> int:
    newest = here.portal.get(here.in_contest("/bot"))["newest"]
    if newest is None:
        raise Trouble("Your team has uploaded nothing yet.", "Upload a source: kibitz submit FILE", code="not_found")
    return int(newest)


def activate(here: Session) -> int:
    number = here.arguments.number
    found = here.portal.post(here.in_contest(f"/versions/{number}/activate"), key=str(uuid.uuid4()))
    here.screen.value(found)
    here.screen.say(f"Version {number} is active.")
    return DONE


def withdraw(here: Session) -> int:
    here.portal.post(here.in_contest("/versions/withdraw"), key=str(uuid.uuid4()))
    here.screen.value({"active": None})
    here.screen.say("No version is active now. `kibitz activate N` makes one active again.")
    return DONE
