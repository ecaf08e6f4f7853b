"""Files at rest are private from the first byte; what others could see is told, and what bots could see is refused."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from contest import checks

pytestmark = pytest.mark.promise


@pytest.fixture(autouse=True)
def var(settings, tmp_path):
    tmp_path.chmod(0o700)
    settings.VAR_DIR = settings.BASE_DIR = tmp_path
    return tmp_path


def told(check):
    return [each.msg for each in check()]


def test_what_other_users_can_read_is_told(var):
    assert told(checks.private) == []
    (var / ".env").write_text("SECRET_KEY=x")
    (var / ".env").chmod(0o644)
    var.chmod(0o750)
    assert told(checks.private) == [
        f"{var} is open to other users (mode 0750): chmod go= {var}",
        f"{var / '.env'} is open to other users (mode 0644): chmod o= {var / '.env'}",
    ]
    (var / ".env").chmod(0o640)
    var.chmod(0o700)
    assert told(checks.private) == [], "its group may read it"


@pytest.mark.parametrize(("user", "folder", "refused"), [
    (1000, "/usr/local/kibitz/var", True), (1000, "/usr/../usr/share/kibitz", True), (1000, "/usr", True),
    (1000, "/var/lib/ghc/kibitz", True), (1000, "/srv/kibitz/var", False), (1000, "/usr2/kibitz", False),
    (0, "/usr/local/kibitz/var", False),
])  # fmt: skip
def test_a_place_that_bots_can_read_is_refused(settings, monkeypatch, user, folder, refused):
    """Builds see /usr and run as the worker's user, unless that is root."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    settings.VAR_DIR = Path(folder)
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.postgresql")
    serious = [each for each in checks.private() if each.is_serious()]
    assert bool(serious) is refused
    if refused:
        assert "set VAR_DIR" in serious[0].msg
        for command in ("portal", "worker"):
            with pytest.raises(CommandError, match="below /"):
                call_command(command, skip_checks=False)


def test_a_database_below_usr_is_refused_too(settings, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.sqlite3")
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", "/usr/share/kibitz.sqlite3")
    assert "kibitz.sqlite3 is below /usr" in told(checks.private)[0]


@pytest.mark.parametrize(
    ("url", "https", "words"),
    [
        ("http://cards.example.org", False, ["has no encryption"]),
        ("https://cards.example.org", False, ["HTTPS=1 is not set"]),
        ("https://cards.example.org", True, []),
        ("http://localhost:8000", False, []),
    ],
)
def test_a_public_address_without_encryption_is_told(settings, url, https, words):
    settings.PORTAL_URL, settings.HTTPS = url, https
    settings.DEBUG, settings.ALLOWED_HOSTS = False, ["cards.example.org"]
    found = told(checks.address)
    assert len(found) == len(words)
    assert all(word in each for word, each in zip(words, found, strict=True))


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
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, check=False, cwd=root, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    var = tmp_path / "var"
    found = {str(path.relative_to(var)): stat.S_IMODE(path.lstat().st_mode) for path in (var, *var.rglob("*"))}
    assert {"portal.sqlite3", "secret_key", "mail", "static", "films/ab"} < set(found)
    assert {name: oct(mode) for name, mode in found.items() if mode & 0o077} == {}
