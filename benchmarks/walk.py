"""A walk on a bare machine from each kit's download to its first game, as its README says, with the times.

    python3 -m benchmarks.walk [--folder /var/tmp/walk] [GAME:LANGUAGE…]

It needs root, Linux with overlay mounts, `debootstrap` and a mirror of Debian. The bare machine is the smallest Debian
of this release with Python and this machine's settings of apt. It is made once, in the folder. Each kit gets a copy
of its own, so no language helps another one. In it the walk does what the kit's README says and nothing else: installs
the packages that it names, unpacks the kit and plays the first game with its two commands, asks the doctor, and gives
all other commands of the README. A kit for programs that only
connect plays against `kibitz serve` instead. After apt there is no network. Without names all languages are walked,
each with one of the five games, and the remote kits.

Printed are the seconds of apt with its downloads, of the two commands (also those of processors, which other work on
the machine does not lengthen), of the doctor and of all other commands. Target: every step ends well, and the two
commands take at most a minute. Exit status 1 if not.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle, pairwise
from pathlib import Path

import games
from games.kits import ALL, kit_names, kit_zip, remote_kits
from games.toolchains import RECIPES

TARGET = 60.0  # seconds from the download to the end of the first game
LIMIT = 1200  # seconds for one step
LAST = ("doctor", "others")
RELEASE = "bookworm"
APT = "DEBIAN_FRONTEND=noninteractive apt-get -q"
COPIED = ("/etc/apt", "/etc/ssl/certs/ca-certificates.crt", "/etc/resolv.conf", "/etc/hosts", "/usr/share/keyrings")
# Each step has its own mounts, processes and network. All of them are gone when it ends, however it ends.
ENTER = """\
set -e
mount -t overlay overlay -o "lowerdir=$0,upperdir=$1/upper,workdir=$1/work" "$1/machine"
mount -t proc proc "$1/machine/proc"
mount --rbind /dev "$1/machine/dev"
[ "$2" = online ] || ip link set lo up
exec chroot "$1/machine" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 sh -ec "cd $3; $4"
"""
# Starts the server, waits until it is ready, starts the client, and waits for the first score.
CONNECTING = """\
{server} >scores & server=$!
until grep -q "^Barracuda" scores; do kill -0 $server; sleep 0.2; done
{client} & client=$!
until grep "^round" scores; do kill -0 $server; kill -0 $client; sleep 0.2; done"""


class Stumbled(Exception):
    """A step that did not do what the README says."""


@dataclass
class Walk:
    """One kit on a machine of its own."""

    bare: Path
    own: Path
    seconds: dict[str, float] = field(default_factory=dict)
    processor: float = 0.0  # seconds of the last step

    def step(self, name: str, command: str, folder: str = "/root", *, online: bool = False, fine: int = 0) -> str:
        """Do one step. `fine`: the highest exit status that is no failure. Returns what it printed."""
        for part in ("upper", "work", "machine"):
            (self.own / part).mkdir(parents=True, exist_ok=True)
        spaces = ["--mount", "--pid", "--fork", "--kill-child", *([] if online else ["--net"])]
        enter = ["sh", "-c", ENTER, str(self.bare), str(self.own), "online" if online else "", folder, command]
        before, started = _processor(), time.perf_counter()
        done = subprocess.run(
            ["unshare", *spaces, *enter],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - started
        self.processor = _processor() - before
        if not 0 <= done.returncode <= fine:
            raise Stumbled(f"{name}: exit status {done.returncode}\n    {command}\n{done.stdout[-2000:]}")
        return done.stdout


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def bare_machine(folder: Path) -> Path:
    """Make a Debian that has nothing but Python, or return the one that there is."""
    machine, ready = folder / "bare", folder / "bare.ready"
    if ready.exists():
        return machine
    uris = re.findall(r"^(?:URIs:|deb)\s+(\S+)", _sources(), re.M)
    command = ["debootstrap", "--variant=minbase", "--include=ca-certificates", RELEASE, str(machine), uris[0]]
    subprocess.run(command, check=True, stdout=sys.stderr)
    (machine / "etc/apt/sources.list").unlink(missing_ok=True)  # debootstrap's own
    for place in filter(os.path.exists, COPIED):
        copy = ["cp", "-RL", "--remove-destination", place, f"{machine}{os.path.dirname(place)}"]
        subprocess.run(copy, check=True)
    install = f"{APT} update && {APT} install -y --no-install-recommends python3"
    subprocess.run(["chroot", str(machine), "sh", "-ec", install], check=True, stdout=sys.stderr)
    ready.touch()
    return machine


def _sources() -> str:
    places = [*Path("/etc/apt").glob("sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*.sources"))]
    return "\n".join(place.read_text() for place in places)


def kits(named: list[str]) -> Iterator[tuple[str, str]]:
    """Yield game and kit: those named, or every language once, with the games in turns, and every remote kit."""
    if named:
        for name in named:
            slug, _, kit = name.partition(":")
            yield slug, kit
        return
    languages = dict.fromkeys(it for game in games.GAMES.values() for it in kit_names(game) if it != ALL)
    turns = cycle(games.GAMES)
    for language in languages:
        yield next(slug for slug in turns if language in kit_names(games.GAMES[slug])), language
    for game in games.GAMES.values():
        yield from ((game.slug, name) for name in remote_kits(game))


def walk(walker: Walk, slug: str, kit: str) -> float | None:
    """Follow the README of a kit. Returns the seconds of processors that its two commands took. Raises Stumbled."""
    game, name = games.get(slug), f"{slug}-{kit}"
    home = walker.own / "upper/root"
    home.mkdir(parents=True)
    (home / f"{name}.zip").write_bytes(kit_zip(game, kit))
    text = _readme(walker, name)
    if install := re.search(r"`apt-get (install [^`]+)`", text):
        walker.step("apt", f"{APT} -y {install[1]}", online=True)
    walker.step("unpack", _quoted(text, "python3 -m zipfile"))
    used = walker.processor
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    if kit in remote_kits(game):
        server, client = next(pair for pair in pairwise(lines) if " serve " in pair[0])
        walker.step("game", CONNECTING.format(server=server, client=client), f"/root/{name}")
        return None  # its programs do not end by themselves
    lost = int(game.seats == (1, 1))  # the random player of a game for one is judged wrong
    first = _quoted(text, "python3 kibitz.pyz play")
    walker.step("game", first, f"/root/{name}", fine=lost)
    used += walker.processor
    doctor = next(line for line in lines if " doctor " in line)
    walker.step("doctor", doctor, f"/root/{name}", fine=lost)
    started = shlex.join(RECIPES[kit].run_command(shlex.split(doctor)[-1]))  # waits for questions
    for line in lines:
        if line not in (first, doctor) and not line.startswith(started):
            walker.step("others", line, f"/root/{name}", fine=lost)
    return used


def _quoted(text: str, start: str) -> str:
    """The first command of a README that stands in its text and begins so. Blank where there is none."""
    found = re.search(f"`({re.escape(start)} [^`]+)`", text)
    return found[1].replace("\n", " ") if found else ""


def _readme(walker: Walk, name: str) -> str:
    look = f"import sys, zipfile; sys.stdout.write(zipfile.ZipFile('{name}.zip').read('{name}/README.md').decode())"
    return walker.step("readme", f"python3 -c {shlex.quote(look)}")


def row(slug: str, kit: str, walker: Walk, used: float | None) -> tuple[str, bool]:
    """One row of the table, and whether the target was met."""
    took = walker.seconds
    both = took["unpack"] + took["game"]
    times = [took.get("apt"), both, used, *map(took.get, LAST)]
    cells = "".join(f"{'–' if it is None else f'{it:.1f}':>11}" for it in times)
    return f"{kit:<12}{slug:<16}{cells}", both <= TARGET


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kits", nargs="*", metavar="GAME:LANGUAGE")
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/walk"), help="where the machines are made")
    options = parser.parse_args()
    if os.geteuid() or any(shutil.which(it) is None for it in ("debootstrap", "unshare", "ip")):
        parser.error("it needs root, and the Debian packages debootstrap, util-linux and iproute2")
    options.folder.mkdir(parents=True, exist_ok=True)
    bare = bare_machine(options.folder.resolve())
    titles = "".join(f"{title:>11}" for title in ("apt", "two", "processor", *LAST))
    print(f"{'LANGUAGE':<12}{'GAME':<16}{titles}", flush=True)
    good = True
    for slug, kit in kits(options.kits):
        own = options.folder.resolve() / f"{slug}-{kit}"
        shutil.rmtree(own, ignore_errors=True)
        walker = Walk(bare, own)
        try:
            line, met = row(slug, kit, walker, walk(walker, slug, kit))
        except Stumbled as stumbled:
            line, met = f"{kit:<12}{slug:<16} stumbled over {stumbled}", False
        finally:
            shutil.rmtree(own, ignore_errors=True)
        print(line, flush=True)
        good = good and met
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
