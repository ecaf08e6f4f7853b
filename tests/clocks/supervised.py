"""A supervisor in a process of its own, for test_supervisor.py: it kills everything below itself when it stops.

    python supervised.py LOG_FOLDER '[["name", "shell command", {"stop_last": true}], …]'

Prints `ready` when everybody is, and ends with status 1 and the reason when a program could not start. With KILLER=1 a
killer stands behind it, and QUICK_DEATH sets how long a process must live to have worked.
"""

import json
import os
import signal
import sys
from pathlib import Path

from contest.server import killer
from contest.server import supervisor as module
from contest.server.supervisor import Program, Supervisor

module.QUICK_DEATH = float(os.environ.get("QUICK_DEATH", module.QUICK_DEATH))
if "KILLER" in os.environ:
    killer.stand_behind()
log = Path(sys.argv[1])
supervisor = Supervisor(log, lambda line: print(line, flush=True), log.parent / "parts")
signal.signal(killer.LEFT_ALONE, lambda *_: (supervisor.request_stop(), supervisor.request_stop()))
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda *_: supervisor.request_stop())
for name, command, options in json.loads(sys.argv[2]):
    if "stop_signals" in options:
        options["stop_signals"] = [signal.Signals[word] for word in options["stop_signals"]]
    if flag := options.pop("ready_file", None):
        options["ready"] = lambda pid, flag=flag: Path(flag).exists()
    supervisor.start(Program(name, [os.environ.get("BASH", "bash"), "-c", command], **options))
if supervisor.until_ready(float(sys.argv[3]) if len(sys.argv) > 3 else 20):
    print("ready", flush=True)
supervisor.run()
supervisor.stop()
print("stopped", flush=True)
if supervisor.failure:
    sys.exit(supervisor.failure)
