#!/usr/bin/env python3
"""Django's command line for the portal. People usually want `./run` instead."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")
    if sys.argv[1:2] == ["version"]:
        sys.argv[1] = "release"  # Django answers `version` itself, with its own
    execute_from_command_line(sys.argv)
