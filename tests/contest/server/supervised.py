"""A supervisor in a process of its own, for test_supervisor.py: it kills everything below itself when it stops.

    python supervised.py LOG_FOLDER '[["name", "shell command", {"stop_last": true}], …]'

Prints `ready` when everybody is, and ends with status 1 and the reason when a program could not start.
"""

import json
import signal
import sys
from pathlib import Path

from contest.server.supervisor import Program, Supervisor

supervisor = Supervisor(Path(sys.argv[1]), lambda line: print(line, flush=True))
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda *_: supervisor.request_stop())
for name, command, options in json.loads(sys.argv[2]):
    if "stop_signals" in options:
        options["stop_signals"] = [signal.Signals[word] for word in options["stop_signals"]]
    if flag := options.pop("ready_file", None):
        options["ready"] = lambda pid, flag=flag: Path(flag).exists()
    supervisor.start(Program(name, ["bash", "-c", command], **options))
if supervisor.until_ready(float(sys.argv[3]) if len(sys.argv) > 3 else 20):
    print("ready", flush=True)
supervisor.run()
supervisor.stop()
print("stopped", flush=True)
if supervisor.failure:
    sys.exit(supervisor.failure)
