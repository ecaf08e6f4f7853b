"""`./run` as people use it: in a copy of the tree with its own var/, with real processes and real signals.

The copy uses the packages of the environment that runs the tests (KIBITZ_VENV), so nothing is installed here.
"""

import os
import pty
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from contest.server import broker
from tests import ports
from tests.second_user import spoils
from tests.test_run_script import LANGUAGE_PACKAGES, SMALL
from tests.waiting import parent_of, wait_for

pytestmark = pytest.mark.long("machines")

ROOT = Path(__file__).resolve().parent.parent
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "var", "__pycache__", ".*_cache", "*.pyc", ".hypothesis", ".env")
OURS = ("VAR_DIR", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "LOG_LEVEL", "DEBUG", "REDIS_URL", "DATABASE_URL")


def ours_removed():
    """The environment without what the tests set for themselves, with the packages of the one that runs them."""
    return {name: value for name, value in os.environ.items() if name not in OURS} | {"KIBITZ_VENV": sys.prefix}


class Portal:
    """One `./run` in a copy of the tree."""

    def __init__(self, tree, *arguments, terminal=None, **variables):
        self.tree = tree
        self.mark = f"KIBITZ_TEST={tree}"
        self.homes = [tree, *map(Path, [variables["VAR_DIR"]] if "VAR_DIR" in variables else [])]
        self.port = arguments[arguments.index("--port") + 1] if "--port" in arguments else None
        environment = ours_removed() | {"KIBITZ_TEST": str(tree)} | variables
        self.output = Path(tempfile.mkstemp(prefix="output", dir=tree.parent)[1])
        out = terminal if terminal is not None else self.output.open("wb")
        self.process = subprocess.Popen(
            [tree / "run", *arguments], env=environment, stdin=out if terminal else subprocess.DEVNULL, stdout=out,
            stderr=out, start_new_session=True, preexec_fn=take_terminal if terminal else None,
        )  # fmt: skip

    def text(self):
        return self.output.read_text()

    def wait_for(self, words, seconds=300):  # a first start takes 5, 50 on a machine at load 15, and 90 at load 25
        tell = lambda: f"{words!r} did not come:\n{self.text()}\n{self.logs()}"  # noqa: E731
        wait_for(lambda: words in self.text() or self.process.poll() is not None, tell, seconds)
        assert words in self.text(), tell()
        return self.text()

    def up(self):
        self.wait_for("Ctrl-C stops everything.")
        self.port = re.search(r"http://localhost:(\d+)/", self.text())[1]
        return self

    def logs(self):
        return "\n".join(
            f"== {path.name}\n{path.read_text(errors='replace')[-2000:]}" for path in (self.tree / "var/log").glob("*")
        )

    def get(self, path="/healthz"):
        return urllib.request.urlopen(f"http://localhost:{self.port}{path}", timeout=120).read()

    def pids(self, word=""):
        """Our processes with this word in the command line, recognised by their environment or their working folder."""
        found = {}
        for entry in Path("/proc").iterdir():
            try:
                marked = self.mark.encode() in (entry / "environ").read_bytes().split(b"\0")
                # The broker writes its title over its environment.
                at_home = any((entry / "cwd").readlink().is_relative_to(home) for home in self.homes)
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if (marked or at_home) and words and word in words:
                found[int(entry.name)] = words
        return found

    def gone(self):
        wait_for(lambda: not self.pids(), self.pids)

    def stop(self, number=signal.SIGINT):
        """Nothing is left when it has ended."""
        self.process.send_signal(number)
        self.process.wait(timeout=60)
        self.gone()


def take_terminal():
    """In the child: make standard input the controlling terminal, like a shell's window."""
    import fcntl
    import termios

    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # these tests may run under nohup
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """In a place with blanks in its name, too far down for a socket: that one lies elsewhere."""
    folder = tmp_path_factory.mktemp("portal") / ("a long way down " * 6) / "tree"
    shutil.copytree(ROOT, folder, ignore=NOT_COPIED, symlinks=True)
    yield folder
    shutil.rmtree(broker.socket_path(folder / "var").parent, ignore_errors=True)


@pytest.fixture
def portal(tree):
    """Call it to start `./run` with these arguments. Everything it started is killed at the end."""
    started = []

    def start(*arguments, **options):
        started.append(Portal(tree, *arguments, **options))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()
        for pid in each.pids():
            with suppress(ProcessLookupError):  # already gone
                os.kill(pid, signal.SIGKILL)


def free_port():
    return str(ports.free_port())


@contextmanager
def taken(port):
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            other.bind(("127.0.0.1", port))
            other.listen()
        except OSError:
            pass  # somebody else has it, which is fine
        yield


def contents(tree):
    """Every row of every table with people's work: neither who holds a duty at the moment, nor what a portal that runs
    for half a minute, as on a busy machine, finds to be alarming."""
    with closing(sqlite3.connect(tree / "var/portal.sqlite3")) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        ours = [table for table in tables if table.startswith(("contest_", "submissions_", "tournaments_", "django_m"))]
        for theirs in ("tournaments_duty", "contest_alarm"):
            ours.remove(theirs)
        assert "contest_user" in ours
        return {table: database.execute(f"SELECT * FROM {table}").fetchall() for table in ours}


def test_the_first_start_tells_everything_and_ctrl_c_leaves_nothing(portal, tree):
    port = free_port()
    run = portal("--no-demo", "--port", port, "--workers", "1")
    text = run.wait_for("Ctrl-C stops everything.")
    assert f"http://localhost:{port}/" in text
    assert run.up().get() == b"ok\n"
    assert b"Kibitz" in run.get("/")
    ready_again(run)

    password = re.search(r"organiser +password: (\S+)", text)[1]
    kept = tree / "var/organiser.txt"
    assert password in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == stat.S_IMODE((tree / "var/secret_key").stat().st_mode) == 0o600
    assert contents(tree)["contest_contest"] == []
    assert broker.socket_path(tree / "var").stat().st_mode & 0o077 == 0

    run.stop()
    assert run.process.returncode == 0
    assert "Traceback" not in run.text()


def test_the_second_start_installs_nothing_and_changes_nothing(portal, tree):
    before = contents(tree)
    secrets = [(tree / "var" / name).read_text() for name in ("organiser.txt", "secret_key")]
    run = portal("--no-demo", "--port", free_port(), "--workers", "1").up()
    assert "Installing" not in run.text()
    assert "organiser.txt" in run.text()
    assert secrets[0].split()[-1] not in run.text(), "the password is shown once"
    run.stop(signal.SIGTERM)
    assert contents(tree) == before
    assert [(tree / "var" / name).read_text() for name in ("organiser.txt", "secret_key")] == secrets


def kill_and_wait(run, name, word):
    before, said = set(run.pids()), len(run.text())
    alike = run.pids(word)
    # The one that started the others. It need not have the least number: those begin again after 32768.
    (first,) = (pid for pid in alike if parent_of(pid) not in alike)
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: f"exited: {name} (terminated by SIGKILL; not expected)" in run.text()[said:], run.text)
    wait_for(lambda: set(run.pids(word)) - before, run.text)
    ready_again(run)


def ready_again(run):
    states = []

    def ready():
        try:
            return run.get("/readyz")
        except urllib.error.HTTPError as error:
            states.append(error.read())
        except OSError as error:  # the web server starts
            states.append(error)

    wait_for(ready, lambda: states[-1], pause=0.2)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become a second user")
def test_a_second_user_of_the_machine_reads_nothing(portal):
    """In folders that everybody can enter: while it starts, builds and plays, after a backup and a crash."""
    with tempfile.TemporaryDirectory(prefix="kibitz-second-user-", ignore_cleanup_errors=True) as name:
        place = Path(name)
        place.chmod(0o755)
        var, state, backup = place / "var", place / "jails", place / "backup"
        (place / "control").write_text("everybody may read this")
        (place / "control").chmod(0o644)
        assert f"read {place}/control" in spoils([place]), "the second user does try"
        places = [var, state, backup, *Path("/tmp").glob(f"kibitz-{os.getuid()}-*")]
        run = portal("--port", free_port(), "--workers", "1", VAR_DIR=str(var), KIBITZ_SANDBOX_DIR=str(state))
        wait_for(var.exists, run.text)
        assert spoils(places) == [], "before anything is ready"
        run.up()
        database = var / "portal.sqlite3"
        during = []

        def played():
            during.extend(spoils(places))
            with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=60)) as opened:
                built = opened.execute("SELECT count(*) FROM submissions_artifact").fetchone()
                begun = "SELECT count(*) FROM tournaments_match WHERE state IN ('running', 'done')"
                return built[0] and opened.execute(begun).fetchone()[0]

        wait_for(played, run.text, 300, pause=0.5)
        during += spoils(places)
        run.get("/")
        assert sorted(set(during)) == [], "while it builds and plays"
        backup.mkdir(mode=0o700)
        command = ["bash", "-euc", f"umask 022; ./run backup {backup}/now.backup"]
        subprocess.run(command, check=True, cwd=ROOT, env=ours_removed() | {"VAR_DIR": str(var)})
        assert {path.name for path in backup.iterdir()} == {"now.backup"}
        for pid in run.pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        run.process.wait()
        run.gone()
        assert spoils(places) == []
        files = [
            path.lstat() for folder in (var, backup) for path in (folder, *folder.rglob("*")) if not path.is_symlink()
        ]
        assert not any(stat.S_IMODE(each.st_mode) & 0o077 for each in files)


def test_ctrl_c_during_the_set_up_stops_it_too(portal):
    run = portal("--no-demo", "--port", free_port(), "--workers", "1")
    wait_for(lambda: run.pids("-server "), run.text)
    run.stop()
    assert "Traceback" not in run.text()


def test_a_taken_port_that_was_asked_for_is_refused(portal):
    port = free_port()
    with taken(int(port)):
        run = portal("--no-demo", "--port", port)
        assert run.process.wait(timeout=120) != 0
    assert f"cannot listen on 127.0.0.1 port {port}" in run.text()
    assert "Traceback" not in run.text()


def test_killed_processes_come_back_and_the_next_start_ends_what_a_killed_supervisor_left(portal):
    """Programs find the contest server though a port is taken, and the next start finds another port for the pages."""
    port, test_port = free_port(), free_port()
    with taken(int(port)):
        run = portal("--no-demo", "--port", free_port(), "--workers", "2", BOT_PORT=port, BOT_TEST_PORT=test_port).up()
        said = rf"Port {port} is taken; teams' own programs connect to (\d+) \(BOT_PORT"
        other = re.search(said, run.text())[1]
        assert int(other) > int(port)
        knock(other)
        kill_and_wait(run, "bots", "manage.py botserver")
        knock(test_port)
        kill_and_wait(run, "web", "gunicorn")
        kill_and_wait(run, "matches", "matches@")
        kill_and_wait(run, "broker", "-server ")
    assert len(run.pids()) >= 8
    run.process.kill()
    run.process.wait()
    assert len(left := run.pids()) >= 8
    with taken(8000):
        again = portal("--no-demo", "--workers", "1").up()
        assert "Port 8000 is taken; using" in again.text()
        assert not left.keys() & run.pids().keys()
        second = portal("--no-demo", "--port", free_port())
        assert second.process.wait(timeout=120) != 0, "one portal to a var/"
        assert f"is already running (process {again.process.pid})" in second.text()
        assert "Traceback" not in second.text()
        assert again.get() == b"ok\n"
        again.stop()  # and asserts that nothing of any of them is left: they share the mark


def knock(port):
    """The contest server answers there, at the latest after its restart."""

    def said():
        with suppress(OSError), socket.create_connection(("127.0.0.1", int(port)), timeout=120) as stranger:
            return stranger.recv(4096)

    wait_for(lambda: b"I don't know which team" in (said() or b""), pause=0.2)


def test_redis_url_replaces_the_private_server_and_a_terminal_that_hangs_up_stops_it_all(portal, tmp_path):
    port = free_port()
    command = broker.find().command(tmp_path / "redis.sock", tmp_path)
    command[command.index("--port") + 1] = port
    ours, theirs = pty.openpty()
    with subprocess.Popen([*command, "--bind", "127.0.0.1"], stdout=subprocess.DEVNULL) as server:
        try:
            url = f"redis://127.0.0.1:{port}/0"
            run = portal("--no-demo", "--port", free_port(), "--workers", "1", terminal=theirs, REDIS_URL=url)
            os.close(theirs)
            seen = b""
            while b"Ctrl-C stops everything." not in seen:
                seen += os.read(ours, 4096)
            assert run.pids("valkey-server") == run.pids("redis-server") == {}
            ready_again(run)
            os.close(ours)
            run.process.wait(timeout=60)
            assert run.process.returncode == 0
            run.gone()
        finally:
            server.kill()


# The script before Python: what it does on machines where something is missing ---------------------------------------


BASICS = ("bash", "dirname", "cat", "sed", "sha256sum", "basename", "rm", "grep", "env", "touch", "chmod", "ln", "echo")


PACKAGES = f"bubblewrap musl-tools {LANGUAGE_PACKAGES}"
LACKING = """
case "$*" in
  "-m games.installed {small}") [ -e {0}/bwrap ] || echo {packages} ;;
  *) exec {python} "$@" ;;
esac
"""
"""A machine that has Python and nothing else, until the sandbox is installed."""


@pytest.fixture
def bare(tmp_path):
    """A PATH of a machine with Python and nothing else; the tests define `id` and `apt-get`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in BASICS:
        (folder / name).symlink_to(shutil.which(name))
    words = {"small": " ".join(SMALL), "packages": LANGUAGE_PACKAGES, "python": sys.executable}
    play(folder, "python3", LACKING.format(folder, **words))
    return folder


def play(folder, name, body):
    (folder / name).write_text(f"#!/bin/bash\n{body}\n")
    (folder / name).chmod(0o755)


def run_script(tree, path, *arguments, **variables):
    certificates = {
        "SSL_CERT_FILE": str(tree / "run"),
        "SSL_CERT_DIR": "/nonexistent",
    }  # any file: only its size counts
    environment = {"PATH": str(path), "HOME": "/nonexistent", "KIBITZ_VENV": sys.prefix, **certificates} | variables
    return subprocess.run(
        [path / "bash", tree / "run", *arguments], check=False, env=environment, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=60,
    )  # fmt: skip


INSTALL = "for c in bwrap musl-gcc; do echo >{0}/$c; chmod 755 {0}/$c; done"


def test_without_root_the_exact_line_is_printed_and_nothing_is_done(tree, bare):
    play(bare, "id", "echo 1000")
    play(bare, "apt-get", "echo must not run; exit 9")
    result = run_script(tree, bare, "--no-demo")
    assert result.returncode == 1
    assert f"    apt-get update && apt-get install -y --no-install-recommends {PACKAGES}\n" in result.stderr
    assert "must not run" not in result.stdout + result.stderr


def test_root_installs_what_is_missing(tree, bare, tmp_path):
    asked = tmp_path / "asked"
    play(bare, "id", "echo 0")
    play(bare, "apt-get", f'echo "$@" >>{asked}\n{INSTALL.format(bare)}')
    result = run_script(tree, bare, "manage", "version")
    assert result.returncode == 0, result.stderr
    assert asked.read_text().splitlines() == ["update -qq", f"install -y --no-install-recommends {PACKAGES} -qq"]
    assert result.stdout.startswith("Kibitz  ")


def test_an_installation_that_failed_is_not_glossed_over(tree, bare):
    play(bare, "id", "echo 0")
    play(bare, "apt-get", "exit 0")
    result = run_script(tree, bare, "--no-demo")
    assert result.returncode == 1
    assert f"Still missing after apt-get: {PACKAGES}" in result.stderr


# Languages


def test_one_command_installs_all_languages_with_their_libraries(tree, bare, tmp_path):
    """An option that does not exist installs nothing."""
    (bare / "python3").unlink()
    play(bare, "python3", 'case "$*" in *--names*) echo c tcl ;; *-m*) echo "$@" >>' + f"{tmp_path}/asked ;; esac")
    play(bare, "apt-get", "echo must not run; exit 9")
    result = run_script(tree, bare, "languages", "--install")
    assert (result.returncode, result.stderr) == (0, "Installed already: c tcl\n")
    assert (tmp_path / "asked").read_text() == "-m games.installed --libraries c tcl\n"
    result = run_script(tree, bare, "languages", "--prov")
    assert (result.returncode, result.stderr) == (1, "There is no option --prov: ./run --help\n")


def test_run_test_hands_its_arguments_to_pytest(tree):
    environment = ours_removed()
    command = [tree / "run", "test", "tests/test_layers.py", "-q", "-k", "no_signals"]
    result = subprocess.run(command, check=False, env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "1 passed" in result.stdout
