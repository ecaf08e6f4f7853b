"""Completion of command lines in bash and zsh.

The scripts ask this program: `kibitz __complete WORD…` prints what may follow, a line each. Names of contests come from
a cache, or from the portal if it answers at once.
"""

from __future__ import annotations

import re
import shlex
import sys
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from games import GAMES
from games.portal import store
from games.portal.contests import cache_name
from games.portal.session import Session
from games.portal.trouble import DONE
from games.toolchains import RECIPES

SHELLS = ("bash", "zsh")
ASK = "__complete"
"""The command that the scripts call."""
HARMLESS = re.compile(r"[\w./:@+-]+")
"""Words that are put into a command line as they are. Others come from a portal that means harm: `x;rm`."""
SECONDS = 2.0
"""For which somebody who has pressed Tab may wait for a portal."""

BASH = """\
# Completion of kibitz for bash: put  eval "$(kibitz completion bash)"  into ~/.bashrc
_kibitz() {{
  local IFS=$'\\n'
  COMPREPLY=($({program} {ask} "${{COMP_WORDS[@]:1:COMP_CWORD}}" 2>/dev/null))
}}
complete -o default -F _kibitz kibitz kibitz.pyz
"""
ZSH = """\
#compdef kibitz kibitz.pyz
# Completion of kibitz for zsh: put  eval "$(kibitz completion zsh)"  into ~/.zshrc, after compinit
_kibitz() {{
  local -a found
  found=("${{(@f)$({program} {ask} "${{(@)words[2,CURRENT]}}" 2>/dev/null)}}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}}
compdef _kibitz kibitz kibitz.pyz
"""


def script(here: Session) -> int:
    shell = here.arguments.shell
    text = (BASH if shell == "bash" else ZSH).format(program=_program(), ask=ASK)
    here.screen.value({"shell": shell, "script": text})
    here.screen.say(*text.splitlines())
    return DONE


def _program() -> str:
    """How to call this program, wherever it is."""
    path = Path(sys.argv[0]).resolve()
    if path.name == "__main__.py":  # python3 -m games
        return f"env PYTHONPATH={shlex.quote(str(path.parent.parent))} {shlex.quote(sys.executable)} -m games"
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def complete(commands: Mapping[str, ArgumentParser], words: Sequence[str]) -> int:
    """Print what may stand in the place of the last of these words."""
    *before, begun = words or [""]
    try:
        found = candidates(commands, before, begun)
    except Exception:  # whatever goes wrong, nothing is completed
        return DONE
    for word in found:
        if word.startswith(begun) and HARMLESS.fullmatch(word):
            print(word)
    return DONE


def candidates(commands: Mapping[str, ArgumentParser], before: Sequence[str], begun: str) -> Iterable[str]:
    """The words that may follow. Nothing where a file's name is wanted, which shells complete themselves."""
    if not before:
        return sorted(commands)
    if before[0] not in commands:
        return ()
    actions = commands[before[0]]._actions
    options = {name: action for action in actions for name in action.option_strings}
    previous = before[-1]
    if previous in options and options[previous].nargs != 0:
        return _values(options[previous], before)
    if begun.startswith("-"):
        return sorted(name for name in options if name.startswith("--"))
    return _values(_positional(actions, options, before[1:]), before)


def _positional(actions: Sequence[Action], options: Mapping[str, Action], words: Sequence[str]) -> Action | None:
    """The argument whose place it is."""
    places = [action for action in actions if not action.option_strings]
    taken, skip = 0, False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in options and options[word].nargs != 0
        else:
            taken += 1
    several = places and places[-1].nargs in ("*", "+")
    return places[min(taken, len(places) - 1)] if taken < len(places) or several else None


def _values(action: Action | None, before: Sequence[str]) -> Iterable[str]:
    if action is None:
        return ()
    if action.choices:
        return [str(choice) for choice in action.choices]
    find = VALUES.get(str(action.metavar or ""))
    return find(before) if find else ()


def _contests(before: Sequence[str]) -> Iterable[str]:
    here = _session(before)
    name = f"contests-{cache_name(here.portal.address)}"
    known = store.remembered(name, store.FRESH)
    if known is None:
        known = [contest["slug"] for contest in here.portal.pieces("/contests")]
        store.keep(name, known)
    return [str(slug) for slug in known]


def _languages(before: Sequence[str]) -> Iterable[str]:
    """Those of the contest, or all that there are."""
    try:
        here = _session(before)
        name = f"languages-{cache_name(here.portal.address)}-{here.contest}"
        known = store.remembered(name, store.FRESH)
        if known is None:
            known = [it["slug"] for it in here.portal.get(here.in_contest("/languages"))["languages"]]
            store.keep(name, known)
        return [str(slug) for slug in known]
    except Exception:  # no portal, no contest, no answer
        return list(RECIPES)


def _versions(before: Sequence[str]) -> Iterable[str]:
    here = _session(before)
    return [str(version["number"]) for version in here.portal.pieces(here.in_contest("/versions"), 50)]


def _matches(before: Sequence[str]) -> Iterable[str]:
    here = _session(before)
    return [str(match["match"]) for match in here.portal.pieces(here.in_contest("/matches"), 50)]


def _stages(before: Sequence[str]) -> Iterable[str]:
    here = _session(before)
    return [str(stage["id"]) for stage in here.portal.get(here.in_contest("/stages"))]


def _portals(before: Sequence[str]) -> Iterable[str]:
    return list(store.Store().portals)


def _bots(before: Sequence[str]) -> Iterable[str]:
    """The house players of the game that is named before them; files are completed by the shell."""
    game = GAMES.get(before[1]) if len(before) > 1 else None
    return [f"house:{house.name}" for house in game.house] if game else ()


def _players(before: Sequence[str]) -> Iterable[str]:
    here = _session(before)
    return [each["key"] for each in here.portal.get(here.in_contest("/practice/opponents"))["opponents"]]


VALUES: dict[str, Callable[[Sequence[str]], Iterable[str]]] = {
    "BOT": _bots,
    "CONTEST": _contests,
    "GAME": lambda before: list(GAMES),
    "LANGUAGE": _languages,
    "MATCH": _matches,
    "PLAYER": _players,
    "PORTAL": _portals,
    "STAGE": _stages,
    "VERSION": _versions,
}
"""What completes a value, by the word that stands for it in the usage."""


def _session(before: Sequence[str]) -> Session:
    """The portal and the contest that the words before name, asked without patience."""
    named = {name: before[at + 1] for at, name in enumerate(before[:-1]) if name.startswith("-")}
    arguments = Namespace(portal=named.get("--portal"), contest=named.get("-c") or named.get("--contest"), json=False)
    here = Session(arguments)
    here.portal.timeout = SECONDS
    here.portal.note = lambda text: None
    here.portal.tries = 0
    return here
