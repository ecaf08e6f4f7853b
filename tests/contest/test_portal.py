"""The parts of `manage.py portal` that need no whole portal; tests/test_run.py runs that."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

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


def test_without_a_wish_the_next_free_port_is_taken():
    with portal.listener("127.0.0.1", None) as first, portal.listener("127.0.0.1", None) as second:
        assert portal.FIRST_PORT <= first.getsockname()[1] < second.getsockname()[1]


def test_an_address_that_is_not_ours_is_refused():
    with (
        pytest.raises(CommandError, match=r"cannot listen on 192\.0\.2\.1 port 8000"),
        portal.listener("192.0.2.1", None),
    ):
        pass


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_ipv6_addresses_work():
    with portal.listener("::1", 0) as web:
        assert web.family == socket.AF_INET6


def test_visitors_may_use_every_name_of_this_machine():
    with portal.listener("127.0.0.1", 0) as web:
        names = programs.own_names(web)
    assert socket.gethostname().lower() in names
    assert "127.0.0.1" in names
    assert len(names) == len(set(names))
    assert "*" not in names


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


def test_nobody_is_at_work_without_a_broker(settings, tmp_path):
    settings.CACHE_URL = f"unix://{tmp_path}/nobody.sock?db=1"
    assert not programs.is_at_work(os.getpid())


def test_no_answer_is_no_answer():
    with portal.listener("127.0.0.1", 0) as web:
        port = web.getsockname()[1]
        web.close()
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", port))
            assert not programs.answers(closed)


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


def test_no_upload_keeps_the_tick_waiting():
    """Two slow checks once occupied both processes of the worker for the tick, for an hour and a half."""
    with portal.listener("127.0.0.1", 0) as web:
        every = list(programs.programs(web, 1, [], 1))
    queues = [it.command[it.command.index("-Q") + 1] for it in every if "-Q" in it.command]
    assert "portal" in queues


def test_a_portal_without_workers_is_refused():
    with pytest.raises(CommandError, match="--workers must be at least 1"):
        call_command("portal", workers=0)
