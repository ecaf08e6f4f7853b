"""Completion, as real shells do it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.kits import kibitz_pyz
from games.toolchains import RECIPES
from tests.cast import Cast, make_cast
from tests.kibitz.conftest import Kibitz, token
from tests.waiting import wait_for

pytestmark = pytest.mark.long("more")

BASH_START = 'eval "$({program} completion bash)"'
BASH = """
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_kibitz
printf '%s\\n' "${{COMPREPLY[@]}}" END
"""
ZSH_START = """
compdef() {{ :; }}
compadd() {{ shift; print -l -- ${{(P)1}}; }}
_files() {{ print FILES; }}
eval "$({program} completion zsh)"
"""
ZSH = """
words=({words}); CURRENT=${{#words}}
_kibitz
print END
"""


@pytest.fixture
def program(home: Path) -> str:
    """The archive, in a folder with a space in its name."""
    path = home / "my kits/kibitz.pyz"
    path.parent.mkdir()
    path.write_bytes(kibitz_pyz())
    return f"{sys.executable} '{path}'"


def completed(shell: str, program: str, *lines: str) -> list[list[str]]:
    """What a shell offers for the last word of each command line."""
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed (apt-get install {shell})")
    start, ask = (BASH_START, BASH) if shell == "bash" else (ZSH_START, ZSH)
    script = start.format(program=program) + "".join(ask.format(words=f"kibitz {line}") for line in lines)
    quiet = ["--norc", "--noprofile"] if shell == "bash" else ["-f"]
    ran = subprocess.run([path, *quiet, "-c", script], capture_output=True, text=True, timeout=300, check=True)
    assert ran.stderr == ""
    found = [piece.split("\n") for piece in ran.stdout.split("END\n")[:-1]]
    return [sorted(word for word in words if word) for words in found]


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_what_can_follow(shell: str, program: str) -> None:
    offered = {
        "st": ["stages", "standings", "stderr"],
        "submit --no": ["--no-activate"],
        "play heart": ["hearts"],
        "play hearts house:rand": ["house:random"],
        "contests --phase o": ["open"],
        "kit pyth": ["python"],
        "submit bot": ["FILES"] if shell == "zsh" else [],
    }
    assert dict(zip(offered, completed(shell, program, *offered), strict=True)) == offered


def test_names_of_contests_come_from_the_portal_and_then_from_the_cache(
    transactional_db: None, live_server: Any, kibitz: Kibitz, program: str
) -> None:
    cast: Cast = make_cast(languages=["c", "python"])
    kibitz("login", live_server.url, "--token", token(cast.alice, "bot"))
    # A portal that takes more than two seconds to answer is not waited for: one presses the key again.
    expected = [["spring-cup"], ["c", "python"]]
    wait_for(lambda: completed("bash", program, "watch -c spr", "submit --language ''") == expected)
    for name in ("no_proxy", "NO_PROXY"):
        os.environ.pop(name, None)
    os.environ["http_proxy"] = "http://127.0.0.1:9"  # from here on the portal cannot be reached
    try:
        assert completed("bash", program, "use spr") == [["spring-cup"]]
    finally:
        del os.environ["http_proxy"]


def test_without_a_portal_languages_are_those_that_there_are(program: str) -> None:
    assert completed("bash", program, "kit ''", "use ''") == [sorted(RECIPES), []]
