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
