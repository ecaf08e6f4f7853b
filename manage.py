#!/usr/bin/env python3
"""Django's command line for the portal. People usually want `./run` instead."""

import os
import sys

from django.core.management import BaseCommand, execute_from_command_line

RUN = {"backup", "portal", "restore", "worker"}  # called without `manage`, as their help says
DJANGOS = {"version", "verbosity", "settings", "pythonpath", "traceback", "no-color", "force-color"}

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")
    if sys.argv[1:2] == ["version"]:
        sys.argv[1] = "release"  # Django answers `version` itself, with its own
    BaseCommand.suppressed_base_arguments = {f"--{name}" for name in DJANGOS}  # they would be most of each help
    execute_from_command_line(["run" if RUN & {*sys.argv[1:2]} else "run manage", *sys.argv[1:]])
