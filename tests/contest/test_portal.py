"""The parts of `manage.py portal` that need no whole portal; tests/test_run.py runs that."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError

from contest.management.commands import portal
from contest.server import programs

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_listening_socket_is_where_it_was_asked_for():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with portal.listener("127.0.0.1", port) as web:
        assert web.getsockname() == ("127.0.0.1", port)
        with (
            pytest.raises(CommandError, match=f"cannot listen on 127.0.0.1 port {port}"),
            portal.listener("127.0.0.1", port),
        ):
            pass
    with portal.listener("127.0.0.1", port):
        pass  # free again at once


def test_the_lock_is_held_and_says_by_whom(tmp_path):
    """By the process that people see, the killer, which is the parent of the one that holds it."""
    lock = tmp_path / "run" / "portal.lock"
    with portal.only_instance(lock):
        assert lock.read_text() == f"{os.getppid()}\n"
        code = (
            "import django; django.setup(); from pathlib import Path; from contest.management.commands import portal\n"
            f"with portal.only_instance(Path({str(lock)!r})): print('two!')"
        )
        environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings"}
        other = subprocess.run(
            [sys.executable, "-c", code], check=False, cwd=ROOT, env=environment, capture_output=True, text=True
        )
        assert f"is already running (process {os.getppid()})" in other.stderr
        assert "two!" not in other.stdout
    with portal.only_instance(lock):
        pass  # let go


def test_every_queue_is_taken_by_somebody():
    with portal.listener("127.0.0.1", 0) as web:
        every = list(programs.programs(web, 3, [], 5))
    taken = {
        queue
        for program in every
        if "-Q" in program.command
        for queue in program.command[program.command.index("-Q") + 1].split(",")
    }
    assert taken == {"matches", "builds", "portal", "webhooks"}
    commands = {program.name: program.command for program in every}
    assert [commands[name][commands[name].index("-c") + 1] for name in ("matches", "webhooks")] == ["3", "5"]
