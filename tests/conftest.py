"""Shared fixtures: the real broker, real workers, a real browser. All of it is gone when the run ends."""

import gc
import os
import secrets
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import hypothesis
import pytest
import redis
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.plugin import blocking_manager_key
from redis.backoff import NoBackoff
from redis.retry import Retry

from contest.broadcast import publish
from contest.server import broker as broker_module
from tests import database
from tests.cast import Cast, make_cast
from tests.parts import DEFAULT, PARTS, chosen, may_hold
from tests.waiting import wait_for

ROOT = Path(__file__).resolve().parent.parent
# Playwright keeps an event loop in this thread, so Django would reject the ORM calls of all that follows.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)


# Parts of the long run ------------------------------------------------------------------------------------------------


STARTS_PROCESSES = {"portal", "celery_worker_process", "portal_env", "live_server"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", choices=[DEFAULT, *PARTS], help="only the tests of this part (tests/parts.py)")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    part = config.getoption("part")
    if part is None or collection_path.is_dir() or may_hold(collection_path, part):
        return None
    return True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part = config.getoption("part")
    if part is not None:
        mine = chosen(items, part)
        config.hook.pytest_deselected(items=[item for item in items if item not in mine])
        items[:] = [item for item in items if item in mine]
    # What starts processes takes longest: a worker that got it last would keep everybody waiting.
    items.sort(key=lambda item: STARTS_PROCESSES.isdisjoint(getattr(item, "fixturenames", ())))


# The same tests every time --------------------------------------------------------------------------------------------

# A shell makes its background jobs ignore these signals, and all their children too. Tests send them to children.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)

# A failing run must fail again. `--hypothesis-profile=default` looks for new cases.
health = hypothesis.HealthCheck
# Slow machines are no fault, and test_many_examples.py calls tests of classes, which keep nothing, again.
hypothesis.settings.register_profile(
    "same", derandomize=True, deadline=None, suppress_health_check=[health.too_slow, health.differing_executors]
)
hypothesis.settings.load_profile("same")


def pytest_collection_finish() -> None:
    """Exclude everything loaded so far from garbage collection, and collect less often: this took a fifth of the time
    of tests that use the database."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 100)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Count rows from 1 again, so that everything drawn from their numbers, such as the deals of a team's check games,
    is the same whichever tests ran before."""
    yield
    mark = item.get_closest_marker("django_db")
    committed = {"transactional_db", "live_server"}.intersection(getattr(item, "fixturenames", ()))
    if not committed and not (mark and mark.kwargs.get("transaction")):
        return
    if nextitem is not None and connection.vendor == "sqlite":  # after the last one there is no database
        with item.config.stash[blocking_manager_key].unblock(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM sqlite_sequence")


@pytest.fixture(autouse=True)
def same_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the portal's random numbers for stages and their hidden games, in the tests' own process."""
    random = Random(17)
    monkeypatch.setattr(secrets, "randbits", random.getrandbits)
    monkeypatch.setattr(secrets, "randbelow", random.randrange)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request: pytest.FixtureRequest) -> None:
    if connection.vendor == "postgresql":
        database.empty_by_rows()
    cache = getattr(request.config, "cache", None)  # .pytest_cache, unless that is switched off or cannot be written
    if connection.vendor == "sqlite" and cache is not None:
        with suppress(OSError):
            database.keep_in(cache.mkdir("database"))


@pytest.fixture
def cast(db: None) -> Cast:
    """A contest and its people, unless the module makes others."""
    return make_cast()


# The broker -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session", autouse=True)
def broker() -> Iterator[Path]:
    """The private Redis-protocol server of this run, as the portal starts it. Yields its socket."""
    socket_file = Path(settings.BROKER_SOCKET)
    broker_module.private_folder(socket_file.parent)
    command = broker_module.find().command(socket_file, socket_file.parent)
    log = (settings.VAR_DIR / "broker.log").open("wb")
    server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        assert broker_module.wait_until(socket_file, up=True, seconds=60), "the private broker does not answer"
        yield socket_file
    finally:
        # Find out who serves there now: a test may have restarted it.
        with suppress(redis.RedisError):
            redis.Redis(unix_socket_path=str(socket_file), retry=Retry(NoBackoff(), 0)).shutdown(nosave=True)
        server.kill()
        server.wait()


@pytest.fixture(autouse=True)
def empty_broker(broker: Path) -> Iterator[None]:
    """No test sees tasks, cached pages, log-in limits or games in progress of another."""
    yield
    publish.fall_silent()
    try:
        redis.Redis(unix_socket_path=str(broker)).flushall()
    except redis.RedisError:
        # A test stopped the broker on purpose and did not restart it: nothing to empty, but report it loudly.
        pytest.fail("the broker was left stopped by this test")


# Workers --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def portal_env(transactional_db: None) -> dict[str, str]:
    """The environment in which a process of the portal uses this test's database, broker and files."""
    return environment_of_the_portal()


def environment_of_the_portal() -> dict[str, str]:
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings", "PYTHONPATH": str(ROOT)}
    database = connection.settings_dict
    if connection.vendor == "postgresql":
        host = quote(database["HOST"] or "localhost", safe="")  # or the folder of a socket
        place = f"{host}:{database['PORT'] or 5432}/{database['NAME']}"
        environment["DATABASE_URL"] = f"postgres://{database['USER']}:{database['PASSWORD']}@{place}"
    return environment


class WorkerProcess:
    """A real `celery worker` with its pool, in its own session."""

    def __init__(self, command: list[str], environment: dict[str, str], log: Path) -> None:
        self.log = log
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                command, env=environment, cwd=ROOT, stdout=file, stderr=file, start_new_session=True
            )

    @property
    def pid(self) -> int:
        return self.process.pid

    def wait_ready(self, seconds: float = 60) -> None:
        wait_for(lambda: " ready." in self.output() or self.process.poll() is not None, self.output, seconds)
        assert self.process.poll() is None, self.output()

    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def kill(self) -> None:
        """SIGKILL to the worker and its pool at once, as if the machine were lost."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


@pytest.fixture
def celery_worker_process(portal_env: dict[str, str], broker: Path) -> Iterator[Callable[..., WorkerProcess]]:
    """Call it to start a worker: `celery_worker_process(queues="portal,builds,matches", concurrency=1, **env)`.

    Keyword arguments in capitals become environment variables. It returns when the worker takes tasks. Every worker is
    killed with its pool when the test ends.
    """
    started: list[WorkerProcess] = []

    def start(queues: str = "portal,builds,matches", concurrency: int = 1, **variables: str) -> WorkerProcess:
        number = len(started) + 1
        command = [sys.executable, "-m", "celery", "-A", "contest", "worker", "-l", "INFO", "-Q", queues]
        command += ["-c", str(concurrency), "-n", f"test{number}@%h", "--without-mingle", "--without-gossip"]
        log = settings.VAR_DIR / f"worker{number}.log"
        worker = WorkerProcess(command, portal_env | {"LOG_LEVEL": "INFO"} | variables, log)
        started.append(worker)
        worker.wait_ready()
        return worker

    yield start
    for worker in started:
        worker.kill()


# The browser ----------------------------------------------------------------------------------------------------------

QUIET = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000  # milliseconds, as wait_for has: pages look for news every few seconds, and the machine may be busy


@pytest.fixture(scope="session")
def base_url() -> None:
    """Tests know the whole address of a page. (Playwright's own fixture of this name is a method, which pytest will
    forbid.)"""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium instead of one that Playwright would download."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    expect.set_options(timeout=PATIENCE)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": [*QUIET, *sandbox]}


@pytest.fixture(scope="session")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    """What all tests share, with a page that keeps its process alive: a new one costs as much as loading ten pages."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    context.new_page()
    yield context
    context.close()


@pytest.fixture
def context(profile: BrowserContext) -> Iterator[BrowserContext]:
    """Empty: no test finds cookies, storage, permissions or pages of another."""
    yield profile
    first, *others = profile.pages
    for page in others:
        page.close()
    profile.clear_cookies()
    profile.clear_permissions()
    devtools = profile.new_cdp_session(first)
    devtools.send("Network.clearBrowserCache")
    devtools.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    devtools.detach()


@pytest.fixture
def log_in(live_server: Any) -> Callable[[Page, Any], None]:
    """`log_in(page, user)`: the browser is that user from the next page on."""

    def log_in(page: Page, user: Any) -> None:
        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME]
        page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])

    return log_in


@pytest.fixture
def axe() -> Callable[[Page], None]:
    """`axe(page)` fails with the rules that the page breaks and where."""
    source = Axe().axe_script

    def check(page: Page) -> None:
        if not page.evaluate("'axe' in window"):  # half a megabyte, once for each page however often it is looked at
            page.evaluate(source)
        found = AxeResults(page.evaluate("axe.run({resultTypes: ['violations']})"))
        assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"

    return check


# Cleanliness and honesty ----------------------------------------------------------------------------------------------


def processes_of(var: Path) -> list[str]:
    """The processes whose environment names this var/, except ourselves, as `pid command line`."""
    mark = f"VAR_DIR={var}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                if words:
                    found.append(f"{entry.name} {words}")
        except OSError:
            continue  # gone meanwhile, or not ours to read
    return found


@pytest.fixture(scope="session", autouse=True)
def nothing_left_running() -> Iterator[None]:
    """Everything that a test started is gone when the run ends."""
    yield

    def left() -> list[str]:
        return [line for line in processes_of(settings.VAR_DIR) if not expected(line)]

    wait_for(lambda: not left(), lambda: "left running by the tests:\n" + "\n".join(left()), pause=0.1)


def expected(line: str) -> bool:
    """Playwright's own driver and browser and the session's broker end after this check, with their own fixtures."""
    return any(word in line for word in ("playwright", "chrom", str(settings.BROKER_SOCKET)))


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["VAR_DIR"], ignore_errors=True)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Name what this machine could not run, so that a green run hides nothing."""
    skipped = terminalreporter.stats.get("skipped", [])
    if not skipped:
        terminalreporter.write_line("Not run on this machine: nothing." if "passed" in terminalreporter.stats else "")
        return
    reasons = Counter[str]()
    unproven: dict[str, list[str]] = {}
    for report in skipped:
        reason = str(report.longrepr[2]).removeprefix("Skipped: ")
        cell, found, why = reason.removeprefix("not proven: ").partition(" | ")
        if found:  # tests/cells
            unproven.setdefault(why, []).append(cell)
        else:
            reasons[reason] += 1
    terminalreporter.section("not run on this machine")
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count} × {reason}")
    for why, names in unproven.items():
        terminalreporter.write_line(f"{len(names)} × not proven: {why}: {'; '.join(names)}")
