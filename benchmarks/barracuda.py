"""What a decision of Barracuda costs over loopback, and how a server with many clients does.

    python -m benchmarks.barracuda [--rounds 31] [--clients 200] [--seconds 30]

Part one pins everything to one core and plays a match between two C clients that answer at once. Each round then makes
as many bare round trips over loopback between two C processes. The ratio per decision is the median over the rounds of
the ratio within one round.

Part two connects many clients to one contest server and lets all of them play at once. Server and clients share the
machine's first two cores.

Exit status 1 when the ratio is above the target, or when anybody is charged with a fault.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.referee import build
from games import get
from games.players import Seated
from games.programs import LocalProgram, pinned
from games.referee import play
from games.sockets import SocketPlayer

TARGET = 5.0
GAME = get("barracuda")
START = 10
"""Decisions after which both clients have surely started and connected."""

clock = time.perf_counter


def one_round(base: Path, seed: int) -> tuple[float, float]:
    """Microseconds per decision: of the match, of the base."""
    players = [SocketPlayer(LocalProgram([str(base)])) for _ in range(2)]
    times: list[float] = []
    seats = [Seated(f"{number}", "tcpbots.c", player) for number, player in enumerate(players)]
    options = GAME.options()
    match = play(
        GAME, seats, seed=seed, options=options, preset="open", games=8, on_progress=lambda _: times.append(clock())
    )
    decisions, took = len(times) - START, times[-1] - times[START - 1]
    assert match.faults == [[], []], "the client of this benchmark is wrong"
    bare = int(subprocess.check_output([base, "ping", str(decisions)])) / 1e9
    return 1e6 * took / decisions, 1e6 * bare / decisions


def ratio(base: Path, rounds: int) -> float:
    with pinned():
        one_round(base, 0)
        found = [one_round(base, seed) for seed in range(1, rounds + 1)]
    ours, bare = (statistics.median(sides) for sides in zip(*found, strict=True))
    ratios = sorted(mine / theirs for mine, theirs in found)
    median = statistics.median(ratios)
    print(f"bare C round trip over loopback  {bare:6.2f} µs")
    print(f"Barracuda, two C clients         {ours:6.2f} µs a decision")
    print(f"ratio {median:.2f} (rounds {ratios[0]:.2f} to {ratios[-1]:.2f}), target at most {TARGET}")
    return median


def crowd(base: Path, clients: int, seconds: float) -> int:
    """The faults in all rounds played."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "games", "serve", "barracuda", "--host", "127.0.0.1", "--port", "0"]
        command += ["--test-port", "0", "--games", "3", "--records", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=two_cores) as server:
            assert server.stdout is not None
            port = server.stdout.readline().split("port ")[1].split(",")[0]
            bots = subprocess.Popen([base, "crowd", port, str(clients)], preexec_fn=two_cores)
            time.sleep(seconds)
            server.send_signal(signal.SIGTERM)
            lines = server.stdout.read().splitlines()
            bots.kill()
            bots.wait()
        records = [json.loads(path.read_bytes()) for path in Path(folder).glob("*.json")]
    standings = [line for line in lines if line.strip()[:1].isdigit()]
    events = [event for record in records for event in record["events"]]
    faults = [event for event in events if event["event"] == "fault"]
    times = sorted(event["ms"] for event in events if "ms" in event)
    print(f"{clients} clients, {len(standings)} of them known, played {len(records)} rounds in {seconds:.0f} s")
    print(f"{len(times) / seconds:,.0f} decisions a second, each on average after {statistics.fmean(times):.1f} ms,")
    print(f"99 % within {times[len(times) * 99 // 100]:.0f} ms, the slowest after {times[-1]:.0f} ms")
    print(f"faults: {len(faults)}{' ' + faults[0]['detail'] if faults else ''}")
    return len(faults) + (len(standings) != clients)


def two_cores() -> None:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = build(Path(folder), "tcpbots")
        slow = bool(arguments.rounds) and ratio(base, arguments.rounds) > TARGET
        late = bool(arguments.clients) and crowd(base, arguments.clients, arguments.seconds) > 0
    return int(slow or late)


if __name__ == "__main__":
    sys.exit(main())
