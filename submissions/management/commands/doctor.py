"""`./run manage doctor`: what this machine has for the portal, and how to get what is missing."""

import ctypes
import os
import platform
import ssl
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError

from contest import checks, organiser
from contest.models import Contest
from contest.server import health
from contest.server.health import Finding
from submissions.languages import LANGUAGES
from submissions.proving import prove_library
from submissions.sandbox import probe
from submissions.sandbox.native import COMPILERS, native

TIME_ERROR = 5  # the answer of adjtimex while no time server sets the clock
TIMEX_BYTES = 512  # more than the kernel's struct timex; all zero asks and changes nothing
NETWORK_FILE_SYSTEMS = {"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs"}


class Command(BaseCommand):
    help = "Examine this machine: Python, database, broker, workers, sandbox, compilers, secrets, disk and clock."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--machine", action="store_true", help="only problems, and only checks that need no running portal"
        )

    def handle(self, *, machine: bool, **_: Any) -> None:
        found = list(of_the_machine())
        if machine:
            for finding in found:
                if not finding.ok:
                    self.stdout.write(line_of(finding))
            return
        found += health.findings()
        found += libraries()
        for finding in found:
            self.stdout.write(line_of(finding))
        if bad := [finding.part for finding in found if not finding.ok]:
            raise CommandError(f"not well: {', '.join(bad)}")


def line_of(finding: Finding) -> str:
    mark = "BAD" if not finding.ok else "WARN" if finding.doubtful else "ok"
    return f"{mark:<4} {finding.part:<10} {finding.detail}"


def of_the_machine() -> Iterator[Finding]:
    yield Finding("python", sys.version_info >= (3, 11), f"{platform.python_version()}, {sys.executable}")
    yield user()
    yield sandbox()
    yield from toolchains()
    yield file_system()
    yield checked("private", checks.private(), "other users can read neither secrets nor sources")
    yield checked("address", checks.address(), "PORTAL_URL, HTTPS, ALLOWED_HOSTS and DEBUG fit each other")
    yield passwords()
    yield certificates()
    yield clock()


def user() -> Finding:
    """Root is allowed, for example in a container, because bots never run as root; but it is reported."""
    who = "root: give the portal a user of its own where you can" if os.geteuid() == 0 else f"user {os.geteuid()}"
    return Finding("user", True, who)


def sandbox() -> Finding:
    level = probe()
    detail = str(level)
    if level.acceptable and level.lacks:
        detail += f"; what this level does not give: {'; '.join(level.lacks)}"
    if level.acceptable and (compiler := native().compiler) != COMPILERS[0]:
        detail += f"; jails open faster with Debian's musl-tools (process 1 was built by {compiler})"
    return Finding("sandbox", level.acceptable, detail)


def checked(part: str, messages: Sequence[CheckMessage], well: str) -> Finding:
    """What one of the portal's system checks has found."""
    detail = "; ".join(str(each.msg) for each in messages) or well
    return Finding(part, not any(each.is_serious() for each in messages), detail, doubtful=bool(messages))


def toolchains() -> Iterator[Finding]:
    """A missing compiler is bad only if a contest that has not ended allows its language."""
    wanted = languages_in_use()
    for slug, language in LANGUAGES.items():
        if version := language.toolchain():
            yield Finding("compiler", True, f"{language.name}: {version}")
        elif slug in wanted:
            detail = f"{language.name}: missing, but a contest allows it: apt-get install {language.package}"
            yield Finding("compiler", False, detail)
        else:
            yield Finding(
                "compiler", True, f"{language.name}: not installed, and no contest allows it ({language.package})"
            )


def libraries() -> Iterator[Finding]:
    """Those that are installed are used by a program in the sandbox."""
    if not probe().acceptable:
        return
    for language in LANGUAGES.values():
        there = language.libraries() if language.installed() else []
        for library, version in there:
            problem = prove_library(language, library, version)
            yield Finding("library", not problem, f"{language.name}: {library.title} {version} {problem}".strip())
        missing = [it for it in language.recipe.libraries if it not in [library for library, _ in there]]
        if missing and language.installed():
            names = " and ".join(it.title for it in missing)
            packages = " ".join(it.package for it in missing)
            yield Finding("library", True, f"{language.name}: no {names}, which contestants may want ({packages})")


def languages_in_use() -> set[str]:
    try:
        contests = list(Contest.objects.filter(ended_at=None).values_list("languages", flat=True))
    except DatabaseError:
        return set()  # missing or not migrated, which is another finding
    return {slug for languages in contests for slug in languages}


def file_system() -> Finding:
    """SQLite's locks and a Unix socket need a local file system under var/."""
    kind = file_system_of(str(settings.VAR_DIR), mounts())
    if kind in NETWORK_FILE_SYSTEMS:
        return Finding("var", False, f"{settings.VAR_DIR} is on {kind}: set VAR_DIR to a local file system")
    return Finding("var", True, f"{settings.VAR_DIR} ({kind})")


def passwords() -> Finding:
    """Whether an administrator can be guessed."""
    try:
        weak = organiser.with_weak_passwords()
    except DatabaseError:
        return Finding("passwords", True, "there are no accounts yet")
    if weak:
        return Finding("passwords", False, f"anybody can guess the password of {', '.join(weak)}: change it")
    kept = settings.VAR_DIR / "organiser.txt"
    if kept.exists():
        detail = f"{kept} keeps the first password: change it in the portal, then delete the file"
        return Finding("passwords", True, detail, doubtful=True)
    return Finding("passwords", True, "no administrator has one of the common passwords")


def mounts() -> list[tuple[str, str]]:
    """Mount points and their types, as the kernel lists them."""
    with open("/proc/self/mounts", encoding="utf-8") as lines:
        return [(fields[1].replace("\\040", " "), fields[2]) for fields in map(str.split, lines)]


def file_system_of(path: str, mounted: list[tuple[str, str]]) -> str:
    """The type of the file system of a path: that of the longest mount point above it, the last one of several."""
    above = [(len(point), number, kind) for number, (point, kind) in enumerate(mounted)
             if path == point or path.startswith(point.rstrip("/") + "/")]  # fmt: skip
    return max(above)[2] if above else "unknown"


def certificates() -> Finding:
    """Without them, only webhooks fail, and only those with HTTPS."""
    paths = ssl.get_default_verify_paths()
    known = bool(paths.cafile or (paths.capath and os.listdir(paths.capath)))
    detail = paths.cafile or paths.capath if known else "no certificates, so HTTPS webhooks fail: ca-certificates"
    return Finding("https", True, f"{detail}", doubtful=not known)


def clock() -> Finding:
    """Deadlines are times of day, so the clock should be right."""
    kept = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX_BYTES)) not in (-1, TIME_ERROR)
    detail = "set by a time server" if kept else "no time server seems to set it, and deadlines depend on it"
    # The host may set the clock of a container or virtual machine, so this is only a doubt.
    return Finding("clock", True, f"{detail}; time zone {settings.TIME_ZONE}", doubtful=not kept)
