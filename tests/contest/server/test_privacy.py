"""Files at rest, with real files: private from the first byte; what an earlier version left open is closed."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from contest.server import exposure, privacy

pytestmark = pytest.mark.promise

OPEN = {"portal.sqlite3": 0o644, "secret_key": 0o600, "log/web.log": 0o644, "static/site.css": 0o644}


def modes(folder):
    return {str(path.relative_to(folder)): stat.S_IMODE(about.st_mode) for path, about in privacy.everything(folder)}


@pytest.fixture
def var(tmp_path):
    """A var/ as earlier versions made it, in a folder that everybody can enter."""
    folder = tmp_path / "var"
    for name, mode in OPEN.items():
        file = folder / name
        file.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        file.parent.chmod(0o755)
        file.write_text("x")
        file.chmod(mode)
    return folder


@pytest.fixture
def reachable(monkeypatch):
    """Temporary folders of tests are private, those of servers are not."""
    monkeypatch.setattr(privacy, "is_reachable", lambda path: True)


def test_what_was_open_is_closed_and_told_once(var, reachable):
    (var / "elsewhere").symlink_to(var.parent)
    before = stat.S_IMODE(var.parent.stat().st_mode)
    warning = privacy.close(var).warning(var)
    assert (
        "the database (sessions, password hashes, sources, seeds of future deals), logs. It is closed now." in warning
    )
    assert f"delete {var / 'secret_key'}" in warning
    assert "the secret key" not in warning, "it was private"
    assert not [mode for mode in modes(var).values() if mode & privacy.OTHERS]
    assert stat.S_IMODE(var.parent.stat().st_mode) == before, "links are not followed"
    assert warning in (var / privacy.NOTE).read_text()
    assert privacy.close(var).warning(var) == ""
    assert privacy.faults(var) == []


def test_a_file_that_is_deleted_meanwhile_stops_no_start(var, monkeypatch):
    def deleted_meanwhile(folder):
        for path, about in everything(folder):
            if path.name == "web.log":
                path.unlink()
            yield path, about

    everything = privacy.everything
    monkeypatch.setattr(privacy, "everything", deleted_meanwhile)
    assert var / "static" / "site.css" in privacy.close(var).paths, "what comes after it is closed, too"
    assert not (var / "log" / "web.log").exists()


def test_without_a_way_in_nothing_was_read_and_nothing_is_told(var):
    var.parent.chmod(0o700)
    closed = privacy.close(var)
    assert closed.paths
    assert closed.warning(var) == ""
    assert not (var / privacy.NOTE).exists()


def test_a_folder_is_reachable_if_all_above_it_can_be_entered(tmp_path):
    assert privacy.is_reachable(Path("/usr/bin"))
    tmp_path.chmod(0o700)
    assert not privacy.is_reachable(tmp_path)


def test_doctor_names_open_files_and_strange_owners(var, settings, reachable):
    settings.VAR_DIR = settings.BASE_DIR = var
    finding = exposure.files()
    assert not finding.ok
    assert f"{var} is open to others (mode 0755)" in finding.detail
    assert "and 3 more" in finding.detail
    privacy.close(var)
    assert exposure.files().doubtful, "the note reminds of what was open"
    (var / privacy.NOTE).unlink()
    assert exposure.files() == exposure.Finding("private", True, f"nobody else can read {var}")
    if os.geteuid() == 0:
        os.chown(var / "secret_key", 12345, 0)
        assert f"{var / 'secret_key'} belongs to user 12345, not to 0" in exposure.files().detail


@pytest.mark.parametrize(("mode", "fault"), [(0o644, True), (0o640, False), (0o600, False)])
def test_doctor_looks_at_dotenv(tmp_path, settings, mode, fault):
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir(mode=0o700)
    settings.BASE_DIR = tmp_path
    (tmp_path / ".env").write_text("SECRET_KEY=x")
    (tmp_path / ".env").chmod(mode)
    assert ("chmod o= " in exposure.files().detail) == fault
    assert ("It is closed now" in privacy.close_secret(tmp_path / ".env")) == fault
    assert privacy.open_secret(tmp_path / ".env") == ""


@pytest.mark.parametrize(
    ("host", "https", "debug", "words"),
    [
        ("127.0.0.1", False, True, ""),
        ("::1", False, False, ""),
        ("0.0.0.0", False, False, "without HTTPS"),
        ("::", False, False, "without HTTPS"),
        ("0.0.0.0", True, False, "go past the proxy"),
        ("192.168.1.5", False, True, "DEBUG shows settings"),
    ],
)
def test_an_address_that_strangers_reach_is_told(settings, tmp_path, host, https, debug, words):
    settings.HTTPS, settings.DEBUG, settings.VAR_DIR, settings.PORTAL_URL = https, debug, tmp_path, ""
    told = exposure.unprotected(host)
    assert words in told
    assert bool(told) == bool(words)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "address").write_text(f"{host}\n")
    assert exposure.address().doubtful == bool(words)


@pytest.mark.parametrize(
    ("url", "https", "words"),
    [
        ("http://cards.example.org", False, "has no encryption"),
        ("https://cards.example.org", False, "HTTPS=1 is not set"),
        ("https://cards.example.org", True, ""),
        ("http://localhost:8000", False, ""),
    ],
)
def test_a_public_address_without_encryption_is_told(settings, tmp_path, url, https, words):
    settings.PORTAL_URL, settings.HTTPS, settings.VAR_DIR = url, https, tmp_path
    assert words in exposure.address().detail
    assert exposure.address().doubtful == bool(words)


def test_switches_and_keys_are_told(settings, tmp_path):
    settings.DEBUG, settings.ALLOWED_HOSTS, settings.VAR_DIR = True, ["*"], tmp_path
    assert "DEBUG is on" in exposure.switches().detail
    assert "ALLOWED_HOSTS has *" in exposure.switches().detail
    settings.DEBUG, settings.ALLOWED_HOSTS = False, ["cards.example.org"]
    assert not exposure.switches().doubtful
    assert exposure.key().detail == "SECRET_KEY is set"
    (tmp_path / "secret_key").write_text("x")
    assert not exposure.key().doubtful
    os.utime(tmp_path / "secret_key", (0, 0))
    assert "years old" in exposure.key().detail


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("redis://10.0.0.5:6379/0", "Redis at 10.0.0.5 has no password"),
        ("redis://:redis@10.0.0.5:6379/0", "a weak password"),
        ("redis://:rtPq5-long-and-random@10.0.0.5:6379/0", ""),
        ("unix:///nonexistent/redis.sock?db=1", ""),
    ],
)
def test_servers_that_others_can_use_are_told(settings, url, words):
    settings.REDIS_URL = settings.CACHE_URL = url
    found = [finding.detail for finding in exposure.services() if finding.part == "broker"]
    assert bool(found) == bool(words)
    assert not found or words in found[0]


@pytest.mark.parametrize(
    ("host", "password", "words"),
    [("db", "kibitz", "a weak password"), ("db", "", "no password"), ("/run/postgresql", "", ""), ("db", "7Yc-x0", "")],
)
def test_a_weak_password_of_the_database_is_told(host, password, words):
    engine = "django.db.backends.postgresql"
    told = exposure.open_database({"ENGINE": engine, "HOST": host, "USER": "kibitz", "PASSWORD": password})
    assert words in told
    assert bool(told) == bool(words)
    assert exposure.open_database({"ENGINE": "django.db.backends.sqlite3", "HOST": host}) == ""


def test_whatever_the_mask_was_a_process_of_the_portal_writes_private_files(tmp_path):
    """A command run by hand, from a shell that would let everybody read everything."""
    code = """
import os; os.umask(0)
import django; django.setup()
from django.conf import settings
from django.core.management import call_command
from django.core.files.storage import storages
call_command("migrate", "contenttypes", verbosity=0)
from django.core.mail import send_mail
send_mail("Subject", "text", None, ["somebody@example.org"])
call_command("collectstatic", verbosity=0, interactive=False)
os.makedirs(settings.VAR_DIR / "films" / "ab")
"""
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment |= {"VAR_DIR": str(tmp_path / "var"), "DJANGO_SETTINGS_MODULE": "contest.settings"}
    environment |= {"DEBUG": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    root = Path(__file__).resolve().parents[3]
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, check=False, cwd=root, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found = modes(tmp_path / "var")
    assert {"portal.sqlite3", "secret_key", "mail", "static", "films/ab"} < set(found)
    assert {name: oct(mode) for name, mode in found.items() if mode & privacy.OTHERS} == {}
