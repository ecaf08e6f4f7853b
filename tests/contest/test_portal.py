"""The parts of `manage.py portal` that need no whole portal; tests/test_run.py runs that."""

import os
import re
import socket
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError

from contest.management.commands.portal import Command
from contest.server import supervision

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def configuration():
    parser = RawConfigParser()
    parser.read(supervision.CONFIGURATION)
    return parser


def programs(parser):
    return {name.partition(":")[2]: parser[name] for name in parser.sections() if name.startswith("program:")}


def test_a_taken_port_is_refused_or_the_next_one_found():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CommandError, match=f"cannot listen on 127.0.0.1 port {port}"):
            Command().find_port("127.0.0.1", port)
    assert Command().find_port("127.0.0.1", port) == port


def test_the_lock_is_held_and_says_by_whom(tmp_path):
    code = "import django; django.setup(); from contest.server import supervision; "
    code += "lock = supervision.only_instance(); lock.__enter__(); print('locked', flush=True); input()"
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings", "VAR_DIR": str(tmp_path / "var")}
    start = {"cwd": ROOT, "env": environment, "stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code], **start) as first:
        assert first.stdout.readline() == "locked\n"
        with subprocess.Popen([sys.executable, "-c", code], **start, stderr=subprocess.PIPE) as second:
            assert f"is already running (process {first.pid})" in second.communicate()[1]
        first.communicate("\n")
    with subprocess.Popen([sys.executable, "-c", code], **start) as third:
        assert "locked" in third.communicate("\n")[0], "let go"


def test_every_queue_is_taken_by_a_program(configuration):
    taken = {
        queue
        for program in programs(configuration).values()
        for queues in re.findall(r"-Q (\S+)", program["command"])
        for queue in queues.split(",")
    }
    sent = {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()} | {settings.CELERY_TASK_DEFAULT_QUEUE}
    assert taken == sent == {"matches", "builds", "portal", "webhooks"}


def test_no_program_is_given_up_and_all_are_there(configuration):
    found = programs(configuration)
    assert found.keys() == {"broker", *supervision.PROGRAMS}
    for program in found.values():
        assert program["autorestart"] == "true"
        assert int(program["startretries"]) >= 1_000_000


def test_supervisord_gets_every_variable(configuration, monkeypatch, tmp_path):
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    monkeypatch.setattr(settings, "BROKER_SOCKET", tmp_path / "run" / "redis.sock")
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    monkeypatch.setattr(os, "set_inheritable", lambda *_: None)
    commands = []
    monkeypatch.setattr(os, "execv", lambda program, words: commands.append(words))
    supervision.hand_over(0, {"web", "matches"}, {"BIND": "127.0.0.1:8000"}, grace=60)
    used = set(re.findall(r"%\(ENV_(\w+)\)s", supervision.CONFIGURATION.read_text()))
    assert used <= os.environ.keys()
    told = {name: os.environ[f"RUN_{name}"] for name in ("WEB", "BOTS", "BIND", "STOP", "BROKER_HERE")}
    assert told == {"WEB": "True", "BOTS": "False", "BIND": "127.0.0.1:8000", "STOP": "63", "BROKER_HERE": "False"}
    assert commands[0][-2:] == ["-u", "root"] or os.geteuid() != 0
