"""The settings in fresh processes: they work with nothing set, use the environment, and refuse nonsense."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
KEEP = ("PATH", "HOME", "LANG")


def run(tmp_path, code, **variables):
    environment = {name: os.environ[name] for name in KEEP if name in os.environ}
    environment |= {"VAR_DIR": str(tmp_path / "var"), "DJANGO_SETTINGS_MODULE": "contest.settings"} | variables
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)


def settings(tmp_path, *names, **variables):
    code = "import json; from contest import settings as s\n"
    code += f"print(json.dumps([getattr(s, name) for name in {names!r}], default=str))"
    result = run(tmp_path, code, **variables)
    assert result.returncode == 0, result.stderr
    values = json.loads(result.stdout)
    return values[0] if len(names) == 1 else values


def check(tmp_path, **variables):
    return run(tmp_path, "import manage; from django.core.management import execute_from_command_line as run;"
               "run(['manage.py', 'check', '--deploy', '--fail-level', 'WARNING'])", **variables)  # fmt: skip


def test_nothing_has_to_be_set(tmp_path):
    debug, key, database = settings(tmp_path, "DEBUG", "SECRET_KEY", "DATABASES")
    assert debug is False
    assert len(key) >= 50
    assert database["default"]["NAME"] == str(tmp_path / "var" / "portal.sqlite3")


def test_the_secret_key_is_made_once_and_only_we_can_read_it(tmp_path):
    first = settings(tmp_path, "SECRET_KEY")
    assert settings(tmp_path, "SECRET_KEY") == first
    assert stat.S_IMODE((tmp_path / "var" / "secret_key").stat().st_mode) == 0o600
    assert settings(tmp_path / "other", "SECRET_KEY") != first


def test_two_portals_on_a_host_have_cookies_of_their_own(tmp_path):
    names = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "MESSAGES_COOKIE_NAME")
    one, other = (settings(tmp_path, *names, SECRET_KEY=key) for key in ("one", "another"))
    assert not {*one} & {*other}
    assert settings(tmp_path, *names, SECRET_KEY="one") == one, "a restart logs nobody out"


@pytest.mark.long("more")
def test_a_secret_may_stand_in_a_file(tmp_path):
    (tmp_path / "key").write_text("from a file\n")
    assert settings(tmp_path, "SECRET_KEY", SECRET_KEY_FILE=str(tmp_path / "key")) == "from a file"
    (tmp_path / "url").write_text("postgres://cards:p%40ss@db:5432/kibitz\n")
    database = settings(tmp_path, "DATABASES", DATABASE_URL_FILE=str(tmp_path / "url"))["default"]
    assert (database["ENGINE"], database["PASSWORD"], database["HOST"]) == (
        "django.db.backends.postgresql", "p@ss", "db",
    )  # fmt: skip
    assert "transaction_mode" not in database.get("OPTIONS", {})
    for port in ("", ":5433"):
        url = f"postgres://kibitz@%2Frun%2FPostgreSQL{port}/cards"
        socket = settings(tmp_path, "DATABASES", DATABASE_URL=url)["default"]
        assert (socket["HOST"], socket["PORT"], socket["NAME"]) == ("/run/PostgreSQL", port and 5433, "cards")


@pytest.mark.long("more")
def test_a_match_may_take_as_long_as_the_rules_allow(tmp_path):
    """Four slow bots may take twelve hours for ten games. A time limit would make the match start over forever."""
    code = (
        "from celery import current_app as app; app.loader.import_default_modules(); print(__import__('json').dumps("
        "{it: [app.tasks[it].soft_time_limit, app.tasks[it].time_limit] for it in app.tasks if 'tasks.' in it}"
        " | {'default': [app.conf.task_soft_time_limit, app.conf.task_time_limit]}))"
    )
    done = run(tmp_path, f"import django; django.setup(); {code}", DJANGO_SETTINGS_MODULE="contest.settings")
    limits = json.loads(done.stdout.splitlines()[-1])
    assert limits["tournaments.tasks.play"] == limits["default"] == [None, None]


def test_the_public_address_is_allowed_and_trusted(tmp_path):
    hosts, origins = settings(
        tmp_path, "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", PORTAL_URL="https://cards.example.org:8443/"
    )
    assert "cards.example.org" in hosts
    assert "localhost" in hosts
    assert origins == ["https://cards.example.org:8443"]
    assert "*" not in hosts


@pytest.mark.long("more")
def test_allowed_hosts_are_taken_as_given_but_the_machine_may_always_ask_itself(tmp_path):
    assert settings(tmp_path, "ALLOWED_HOSTS", ALLOWED_HOSTS="a.example, b.example") == [
        "a.example", "b.example", "localhost", "127.0.0.1", "[::1]",
    ]  # fmt: skip


@pytest.mark.long("more")
def test_mail_goes_to_files_until_a_server_is_named(tmp_path):
    names = ("EMAIL_BACKEND", "ACCOUNT_EMAIL_VERIFICATION", "CELERY_BEAT_SCHEDULE")
    backend, verification, schedule = settings(tmp_path, *names)
    assert backend.endswith("filebased.EmailBackend")
    assert "mail" not in schedule, "nobody is asked to send what nobody would get"
    assert verification == "none"


@pytest.mark.long("more")
def test_a_mail_server_is_one_address(tmp_path):
    found = settings(
        tmp_path, "EMAIL_BACKEND", "EMAIL_HOST", "EMAIL_PORT", "EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD",
        "EMAIL_USE_TLS", "ACCOUNT_EMAIL_VERIFICATION", "CELERY_BEAT_SCHEDULE",
        EMAIL_URL="smtp://anna%40example.org:p%2Fw@mail.example.org:587/?tls=1",
    )  # fmt: skip
    assert settings(tmp_path, "EMAIL_USE_SSL", "EMAIL_PORT", EMAIL_URL="smtps://u:p@mail:465") == [True, 465]
    assert found.pop()["mail"]["task"] == "contest.tasks.mail"
    assert found == ["contest.letters.QueueBackend", "mail.example.org", 587, "anna@example.org", "p/w",
                     True, "mandatory"]  # fmt: skip


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"HTTPS": "maybe"}, "HTTPS must be 1 or 0, not 'maybe'"),
        ({"MATCH_LEASE": "six"}, "MATCH_LEASE must be a whole number, not 'six'"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be one of INFO, DEBUG, WARNING, ERROR, CRITICAL, not 'loud'"),
        ({"PROXY_ADDRESSES": "10.0.0.0/8, here"}, "PROXY_ADDRESSES must be addresses or networks: 'here'"),
        ({"DATABASE_URL": "mysql://u:hush@db/x"}, "DATABASE_URL must be an address such as postgres://"),
        ({"EMAIL_URL": "imap://u:hush@mail"}, "EMAIL_URL must be an address such as smtp://"),
        ({"SECRET_KEY_FILE": "/no/such/file"}, "SECRET_KEY_FILE cannot be read"),
    ],
)
def test_nonsense_is_refused_in_words(tmp_path, variables, words):
    done = run(tmp_path, "import contest.settings", **variables)
    assert done.stderr.startswith(words), done.stderr
    assert done.stderr.count("\n") == done.returncode == 1
    assert "hush" not in done.stderr


@pytest.mark.long("more")
def test_a_dotenv_file_gives_way_to_the_environment(tmp_path):
    (tmp_path / ".env").write_text(
        '# ours\nSECURITY_CONTACT=from file\nEMAIL_FROM="quoted value"\nMETRICS_TOKEN=$a#b\n'
    )
    (tmp_path / "contest").mkdir()
    copied = shutil.copy(ROOT / "contest" / "settings.py", tmp_path / "contest")
    code = f"import runpy; s = runpy.run_path({copied!r})\n"
    code += "print(s['SECURITY_CONTACT'], s['DEFAULT_FROM_EMAIL'], s['METRICS_TOKEN'])"
    done = run(tmp_path, code, SECURITY_CONTACT="from outside")
    assert done.stdout.strip() == "['from outside'] quoted value $a#b", done.stderr


@pytest.mark.long("more")
def test_logs_as_json_carry_the_extra_fields_and_the_trace(tmp_path):
    code = (
        "import django, logging; django.setup(); log = logging.getLogger('tournaments.playing.play')\n"
        "log.warning('Match %s is late', 17, extra={'match': 17})\n"
        "try: 1 / 0\nexcept ZeroDivisionError: log.exception('oh')\n"
    )
    lines = [json.loads(line) for line in run(tmp_path, code, LOG_FORMAT="json").stderr.splitlines()]
    assert lines[0].items() >= {"level": "WARNING", "message": "Match 17 is late", "match": 17}.items()
    assert lines[0]["time"].endswith("+00:00")
    assert "ZeroDivisionError" in lines[1]["trace"]
