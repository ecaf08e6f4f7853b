"""What `./run` says without doing anything. tests/test_run.py runs it."""

import re
import subprocess
from pathlib import Path

from games import installed
from games.toolchains import RECIPES

ROOT = Path(__file__).resolve().parent.parent
SMALL = ("c", "cpp", "pascal", "python", "perl", "lua", "tcl")
LANGUAGE_PACKAGES = "gcc libc6-dev g++ fp-compiler fp-units-rtl fp-units-base perl lua5.4 lua-socket tcl"


def test_run_installs_the_small_languages_by_the_packages_of_the_table():
    script = (ROOT / "run").read_text()
    slugs, packages = (re.search(rf"^{name}=\((.*)\)", script, re.M)[1].split() for name in ("SMALL", "SMALL_PACKAGES"))
    assert tuple(slugs) == SMALL
    assert packages == installed.packages([RECIPES[slug] for slug in SMALL if slug != "python"], "/nonexistent")
    assert packages == LANGUAGE_PACKAGES.split()


def test_help_names_the_ways_to_use_it():
    result = subprocess.run([ROOT / "run", "--help"], check=True, capture_output=True, text=True)
    for words in ("--port N", "--no-demo", "./run test", "./run manage", "./run languages"):
        assert words in result.stdout
