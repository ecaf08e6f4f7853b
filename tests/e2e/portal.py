"""The whole portal as `./run` starts it, with its own var/, and people who use it over HTTP as browsers do."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote_plus, urlencode
from zipfile import ZipFile

from playwright.sync_api import APIRequest, APIRequestContext, APIResponse

from games.record import verify
from tests.markup import Form, forms
from tests.ports import free_port
from tests.waiting import descendants, state_of, wait_for
from tournaments.models import Stage

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = ("VAR_DIR", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "LOG_LEVEL", "DEBUG", "REDIS_URL", "DATABASE_URL")
PASSWORD = "three small green apples"
PATIENCE = 600.0  # seconds, for what comes at last on the busiest machine: the start of the portal, builds, matches
LOOK = 0.5  # seconds between two checks


class Portal:
    """Web server, two workers, beat, contest server and broker, supervised."""

    def __init__(self, folder: Path) -> None:
        self.web, self.bots, self.test_bots = (free_port() for _ in range(3))
        self.url = f"http://localhost:{self.web}"
        environment = {name: value for name, value in os.environ.items() if name not in OURS}
        environment |= {
            "VAR_DIR": str(folder),
            "BOT_PORT": str(self.bots),
            "BOT_TEST_PORT": str(self.test_bots),
        }
        self.folder = folder
        self.output = folder / "output"
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "portal", "--no-demo", "--workers", "2", "--port", str(self.web)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self.output.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.log_folder = folder / "log"

    def up(self) -> Portal:
        ended = lambda: self.process.poll() is not None  # noqa: E731
        wait_for(lambda: "Ctrl-C stops everything." in self.said() or ended(), self.said, PATIENCE, pause=LOOK)
        assert self.process.poll() is None, self.said()
        return self

    def said(self) -> str:
        return self.output.read_text(errors="replace")

    @property
    def password(self) -> str:
        """The password of the first organiser."""
        found = re.search(r"organiser\s+password: (\S+)", self.said())
        assert found, self.said()
        return found[1]

    def children(self, word: str) -> list[int]:
        """Its processes with this word in their command line."""
        found = []
        for pid in descendants(self.process.pid):
            try:
                words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if word in words:
                found.append(pid)
        return found

    def stop(self) -> None:
        """Ask it to end. Everything that it has started ends with it."""
        started = descendants(self.process.pid)
        assert started
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=PATIENCE) == 0, self.said()
        wait_for(lambda: not [pid for pid in started if state_of(pid) != "Z"], self.said)


def eventually(true: Callable[[], Any], tell: Callable[[], object] = str, seconds: float = PATIENCE) -> Any:
    """The result of `true` as soon as it is true. Each check is a request to the portal, so checks are rare."""
    return wait_for(true, tell, seconds, pause=LOOK)


class Person:
    """A person with their own browser."""

    def __init__(self, request: APIRequest, portal: Portal, name: str) -> None:
        self.name = name
        self.portal = portal
        self.browser: APIRequestContext = request.new_context(base_url=portal.url, timeout=1000 * PATIENCE)

    def get(self, path: str) -> str:
        """Retries are for a connection that the server closed while nobody used it, which a browser does too."""
        answer = self.browser.get(path, max_retries=2)
        assert answer.ok, f"{self.name}: {path}: {answer.status}"
        return answer.text()

    def json(self, path: str) -> Any:
        return json.loads(self.get(path))

    def form(self, path: str, has: str) -> Form:
        """The form on a page with this field, or with this action."""
        page = self.get(path)
        for form in forms(page):
            if has in form.names or form.action.endswith(has):
                form.action = form.action or path
                return form
        raise AssertionError(f"{self.name}: no form with {has!r} at {path}")

    def send(self, path: str, has: str, file: tuple[str, str, bytes] | None = None, **changes: Any) -> APIResponse:
        """Fill in the form and send it. `file`: the field, the file's name and its content. Fails if it is refused."""
        form = self.form(path, has)
        values = form.filled(changes)
        url = form.action if form.action.startswith("/") else path
        headers = {"Referer": f"{self.portal.url}{path}"}
        if file is not None:
            field, name, content = file
            parts: dict[str, Any] = {key: value[-1] for key, value in values.items() if value}
            parts[field] = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
            answer = self.browser.post(url, multipart=parts, headers=headers, max_retries=2)
        else:
            body = "&".join(_quoted(key, one) for key, several in values.items() for one in several)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            answer = self.browser.post(url, data=body, headers=headers, max_retries=2)
        assert answer.ok, f"{self.name}: {url}: {answer.status}: {_errors(answer.text())}"
        return answer

    # People's actions -------------------------------------------------------------------------------------------------

    def sign_up(self) -> None:
        self.send(
            "/accounts/signup/",
            "password1",
            username=self.name,
            email=f"{self.name}@school.example",
            password1=PASSWORD,
            password2=PASSWORD,
        )

    def log_in(self, password: str) -> None:
        self.send("/accounts/login/", "password", login=self.name, password=password)

    def enter(self, slug: str, team: str) -> None:
        self.send(f"/c/{slug}/enter/", "school", name=team)

    def upload(self, slug: str, name: str, source: bytes) -> None:
        page = f"/c/{slug}/my/"
        form = self.form(page, "source")
        text = {"strategy_text": "Any card that is legal."} if "strategy_text" in form.names else {}
        self.send(page, "source", file=("source", name, source), **text)

    def make_contest(self, preset: str, name: str, **changes: Any) -> str:
        """A contest from a preset, with some changes. Returns its slug."""
        answer = self.send(f"/c/new/?preset={preset}", "opens_at", name=name, **changes)
        found = re.search(r"/c/([\w-]+)/desk/", answer.url)
        assert found, answer.url
        return found[1]

    def has_bot(self, slug: str) -> bool:
        """Whether the uploaded version is ready. Fails if it was rejected."""
        page = self.get(f"/c/{slug}/my/")
        assert "Rejected" not in page, self.get(f"/c/{slug}/my/1/")
        return "Ready" in page

    # Organisers' actions ----------------------------------------------------------------------------------------------

    def everything(self, slug: str) -> Everything:
        """The ZIP of everything in a contest."""
        answer = self.browser.get(f"/c/{slug}/desk/data/everything.zip")
        assert answer.ok, answer.status
        return Everything(ZipFile(BytesIO(answer.body())))

    def stage(self, slug: str, name: str) -> dict[str, Any]:
        return next(stage for stage in self.everything(slug).json("stages") if stage["name"] == name)

    def line_of(self, slug: str, name: str) -> Line:
        """A stage according to the list of stages, which costs the portal much less than the ZIP."""
        page = self.get(f"/c/{slug}/desk/stages/")
        found = re.search(rf'/desk/stages/(\d+)/">{re.escape(name)}</a></th>(.*?)</tr>', page, re.S)
        assert found, f"no stage {name!r}"
        words = [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in re.findall(r"<td.*?</td>", found[2], re.S)]
        played = re.match(r"\d+", words[-1])
        return Line(int(found[1]), words[0], int(played[0]) if played else 0)

    def count_matches(self, slug: str, **wanted: object) -> int:
        """The number of matches found by their page."""
        found = re.search(r"([\d,]+) match", self.get(f"/c/{slug}/matches/?{urlencode(wanted)}"))
        return int(found[1].replace(",", "")) if found else 0

    def act(self, slug: str, name: str, act: str, **changes: Any) -> None:
        """Press a button on the page of a stage: publish, start, pause …"""
        page = f"/c/{slug}/desk/stages/{self.line_of(slug, name).id}/"
        self.send(page, f"/{act}/", **changes)

    def set_up(self, slug: str, name: str, **changes: Any) -> None:
        """Edit a stage."""
        self.send(f"/c/{slug}/desk/stages/{self.line_of(slug, name).id}/edit/", "name", **changes)

    def finished(self, slug: str, name: str, seconds: float = PATIENCE) -> Everything:
        """The ZIP of a contest, as soon as the stage is over."""
        over = Stage.State.DONE.label
        eventually(lambda: self.line_of(slug, name).state == over, lambda: self.stage(slug, name), seconds)
        return self.everything(slug)


class Line(NamedTuple):
    """A stage in the organisers' list."""

    id: int
    state: str
    played: int  # matches


class Everything:
    """The contents of a contest's ZIP."""

    def __init__(self, archive: ZipFile) -> None:
        self.archive = archive
        self.folder = archive.namelist()[0].partition("/")[0]

    def text(self, name: str) -> str:
        return self.archive.read(f"{self.folder}/{name}").decode("utf-8-sig")

    def json(self, name: str) -> Any:
        return json.loads(self.text(f"{name}.json"))

    def standings(self, stage: str) -> list[dict[str, Any]]:
        """The lines of a stage's final table, from the portal."""
        return next(each["teams"] for each in self.json("standings")["stages"] if each["name"] == stage)

    def record(self, match: int) -> dict[str, Any]:
        found: dict[str, Any] = self.json(f"records/{match}")
        assert verify(found) is None
        return found

    def records(self) -> list[dict[str, Any]]:
        """The records of all matches, in the order of their numbers; each is checked against the rules."""
        pattern = re.compile(rf"{re.escape(self.folder)}/records/(\d+)\.json")
        numbers = [int(matched[1]) for name in self.archive.namelist() if (matched := pattern.fullmatch(name))]
        return [self.record(number) for number in sorted(numbers)]


def teams_of(record: dict[str, Any]) -> list[str]:
    """The names of the players that are teams."""
    return [seat["name"] for seat in record["seats"] if not seat["bot"].startswith("house:")]


def _quoted(key: str, value: str) -> str:
    return f"{quote_plus(key)}={quote_plus(value)}"


def _errors(page: str) -> str:
    found = re.findall(r'<(?:ul|p|div|small|span)[^>]*class="[^"]*error[^"]*"[^>]*>(.*?)</', page, re.S)
    return " | ".join(" ".join(re.sub(r"<[^>]+>", " ", each).split()) for each in found) or page[:2000]
