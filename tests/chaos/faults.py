"""What can happen to a portal. Each fault happens to a `Scene`, says what it did, and may say how it ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import redis
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

from tests.chaos.portal import LEASE, TICK, WORKERS
from tournaments.seating import queue

if TYPE_CHECKING:
    from tests.chaos.conductor import Scene

HOUR = 3600
Fault = Callable[["Scene", Random], str]

EVERYWHERE: list[Fault] = []
ON_POSTGRESQL: list[Fault] = []


def on(*lists: list[Fault]) -> Callable[[Fault], Fault]:
    def register(fault: Fault) -> Fault:
        for each in lists:
            each.append(fault)
        return fault

    return register


def faults_of(vendor: str) -> list[Fault]:
    return EVERYWHERE + (ON_POSTGRESQL if vendor == "postgresql" else [])


# Processes that die or stop -------------------------------------------------------------------------------------------


@on(EVERYWHERE)
def kill_a_worker(scene: Scene, random: Random) -> str:
    name = random.choice(WORKERS)
    scene.processes.signal(name, signal.SIGKILL)
    return f"kill -9 of {name} with its pool"


@on(EVERYWHERE)
def kill_a_playing_process(scene: Scene, random: Random) -> str:
    name = random.choice(WORKERS)
    for pid in scene.processes.pool_of(name):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return f"kill -9 of the pool of {name}"


@on(EVERYWHERE)
def kill_the_tick(scene: Scene, random: Random) -> str:
    scene.processes.signal(TICK, signal.SIGKILL)
    return "kill -9 of the worker of the tick"


def _stop(scene: Scene, name: str, seconds: float) -> str:
    scene.processes.signal(name, signal.SIGSTOP)
    scene.later(seconds, lambda: scene.processes.signal(name, signal.SIGCONT))
    return f"SIGSTOP of {name} for {seconds:.1f} s"


@on(EVERYWHERE)
def stop_a_worker_beyond_its_lease(scene: Scene, random: Random) -> str:
    return _stop(scene, random.choice(WORKERS), LEASE + random.uniform(1, 4))


@on(EVERYWHERE)
def stop_a_worker_for_a_moment(scene: Scene, random: Random) -> str:
    return _stop(scene, random.choice(WORKERS), random.uniform(0.5, 2))


@on(EVERYWHERE)
def stop_the_tick(scene: Scene, random: Random) -> str:
    return _stop(scene, TICK, random.uniform(1, 5))


# Clocks ---------------------------------------------------------------------------------------------------------------


def _step(scene: Scene, seconds: int, duration: float) -> str:
    scene.shim.step(seconds)
    scene.later(duration, lambda: scene.shim.step(0))
    return f"the clock of the machine steps by {seconds:+d} s, and back after {duration:.1f} s"


@on(EVERYWHERE)
def clock_ahead(scene: Scene, random: Random) -> str:
    return _step(scene, HOUR, random.uniform(3, 8))


@on(EVERYWHERE)
def clock_back(scene: Scene, random: Random) -> str:
    return _step(scene, -HOUR, random.uniform(3, 8))


@on(ON_POSTGRESQL)
def clock_of_one_machine(scene: Scene, random: Random) -> str:
    name, seconds, duration = random.choice((*WORKERS, TICK)), random.choice((HOUR, -HOUR)), random.uniform(4, 8)
    wrong = [scene.processes.components[name].pid, *scene.processes.pool_of(name)]
    scene.shim.step_of(wrong, seconds)
    scene.later(duration, lambda: scene.shim.step_of([], 0))
    return f"the clock of {name} alone steps by {seconds:+d} s, and back after {duration:.1f} s"


# The broker -----------------------------------------------------------------------------------------------------------


def _redis() -> redis.Redis:
    return redis.Redis(unix_socket_path=str(settings.BROKER_SOCKET), socket_timeout=2)


@on(EVERYWHERE)
def kill_the_broker(scene: Scene, random: Random) -> str:
    scene.processes.signal("broker", signal.SIGKILL)
    return "kill -9 of the broker"


@on(EVERYWHERE)
def restart_the_broker(scene: Scene, random: Random) -> str:
    scene.processes.signal("broker", signal.SIGTERM)
    return "the broker is restarted"


@on(EVERYWHERE)
def empty_the_broker(scene: Scene, random: Random) -> str:
    with suppress(redis.RedisError):
        _redis().flushall()
    return "the broker is emptied"


@on(EVERYWHERE)
def stop_the_broker(scene: Scene, random: Random) -> str:
    return _stop(scene, "broker", random.uniform(2, 6))


@on(EVERYWHERE)
def messages_twice(scene: Scene, random: Random) -> str:
    with suppress(OperationalError):
        for _ in range(10):
            current_app.send_task(queue.PLAY)
            current_app.send_task("tournaments.tasks.tick")
    return "ten messages too many for workers, and for the tick"


@on(EVERYWHERE)
def messages_lost(scene: Scene, random: Random) -> str:
    with suppress(redis.RedisError):
        _redis().delete(queue.QUEUE, "portal", "unacked", "unacked_index")
    return "all messages are lost"


# The disk -------------------------------------------------------------------------------------------------------------


@on(EVERYWHERE)
def disk_full(scene: Scene, random: Random) -> str:
    seconds = random.uniform(2, 5)
    scene.disk.fill()
    scene.later(seconds, scene.disk.empty)
    return f"the disk is full for {seconds:.1f} s"


@on(EVERYWHERE)
def disk_read_only(scene: Scene, random: Random) -> str:
    seconds = random.uniform(2, 5)
    scene.shim.disk(2)
    scene.later(seconds, lambda: scene.shim.disk(0))
    return f"the disk is read-only for {seconds:.1f} s"


# PostgreSQL -----------------------------------------------------------------------------------------------------------


@on(ON_POSTGRESQL)
def restart_postgresql(scene: Scene, random: Random) -> str:
    assert scene.server is not None
    assert scene.server.process is not None
    scene.server.process.send_signal(signal.SIGINT)
    return "PostgreSQL is restarted"


@on(ON_POSTGRESQL)
def kill_postgresql(scene: Scene, random: Random) -> str:
    assert scene.server is not None
    scene.server.signal(signal.SIGKILL)
    return "kill -9 of PostgreSQL with all its processes"


@on(ON_POSTGRESQL)
def stop_postgresql(scene: Scene, random: Random) -> str:
    assert scene.server is not None
    seconds = random.uniform(2, 6)
    scene.server.signal(signal.SIGSTOP)
    scene.later(seconds, lambda: scene.server and scene.server.signal(signal.SIGCONT))
    return f"SIGSTOP of PostgreSQL for {seconds:.1f} s"


@on(ON_POSTGRESQL)
def postgresql_away(scene: Scene, random: Random) -> str:
    assert scene.server is not None
    assert scene.server.process is not None
    server, seconds = scene.server, random.uniform(2, 5)
    server.wanted = False
    scene.server.process.send_signal(signal.SIGQUIT)
    scene.later(seconds, lambda: setattr(server, "wanted", True))
    return f"PostgreSQL is away for {seconds:.1f} s"
