"""What the probe reports about this machine, about weaker ones, and about those where no bot may run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest

from games.engine import MachineryError
from submissions.sandbox import Level, cgroups
from submissions.sandbox.native import native
from tests.sandbox.matrix.places import program as program_folder
from tests.sandbox.sandboxes import (
    HELLO,
    LEVEL,
    WITHOUT_GROUPS,
    jail,
    line_of,
    needs_admin,
    needs_groups,
    needs_jail,
    needs_landlock,
    needs_namespaces,
    needs_root,
)

LANDLOCK = 444  # landlock_create_ruleset


def without(call: int) -> str:
    """Code that makes its process and its children run as on a kernel without this system call."""
    return f"""
    import ctypes, os, sys
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]
    from submissions.sandbox.bpf import ALLOW, assemble, deny
    code = assemble({{{call}: deny(38)}}, ALLOW, ALLOW)
    libc = ctypes.CDLL(None)
    assert libc.prctl(38, 1, 0, 0, 0) == 0  # no new privileges
    assert libc.prctl(22, 2, ctypes.byref(Program(len(code) // 8, code))) == 0, "no seccomp"
"""


ASK = """
    import json
    from submissions.languages import LANGUAGES
    from submissions.sandbox import probe
    level = probe()
    print(json.dumps([level.name, level.can, level.reasons]))
"""


def ask(
    path: Path, *, user: int | None = None, script: str = ASK, through: Sequence[str] = (), **environment: str
) -> list:
    """The probe's answer in another process: with other programs on PATH, as another user, or started by a command that
    puts it into other namespaces."""
    python = shutil.which("python3", path="/usr/local/bin:/usr/bin")
    if python is None:
        pytest.skip("no Python of the system")
    ours = {"PATH": os.environ["PATH"], "KIBITZ_SANDBOX_DIR": str(path), "PYTHONPATH": str(program_folder())}
    run = subprocess.run(
        [*through, python, "-B", "-c", textwrap.dedent(script)],
        env=ours | environment, cwd="/",
        user=user, group=user, extra_groups=[] if user else None,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture
def state():
    """A state folder that other users can enter, and that nobody else uses."""
    folder = Path(f"/tmp/kibitz-test-{os.getpid()}")
    yield folder
    if LEVEL.name == "full" and folder.exists():
        for group in (it for parent in groups_of(folder) for it, *_ in os.walk(parent, topdown=False)):
            os.rmdir(group)
    shutil.rmtree(folder, ignore_errors=True)


def groups_of(state: Path) -> list[Path]:
    """The parent groups of a portal with that state folder."""
    places = [folder.parent / cgroups.name_for(state) for folder in cgroups.layout().folders]
    return [path for path in places if path.exists()]


@needs_jail
@needs_landlock
def test_a_bot_may_have_a_port_of_its_own_at_every_level(state: Path) -> None:
    assert LEVEL.no_port == ""
    script = "import json; from submissions.sandbox import probe; print(json.dumps([probe().name, probe().no_port]))"
    assert ask(state, script=script, KIBITZ_SANDBOX_WALLS="landlock")[1] == ""


@needs_jail
def test_where_it_may_not_the_reason_is_told_and_nothing_else_is_lost(state: Path) -> None:
    """On a kernel where nobody may listen."""
    script = f"""{without(native().numbers["listen"])}
    import json
    from submissions.sandbox import probe
    print(json.dumps([probe().acceptable, probe().no_port, str(probe())]))"""
    acceptable, reason, whole = ask(state, script=script)
    assert acceptable
    assert "the jail could not be built" in reason
    assert whole.endswith(f"; no port for TCP clients: {reason}")


@needs_namespaces
@needs_admin
def test_where_no_network_can_be_entered_each_jail_has_one_of_its_own(state: Path) -> None:
    script = f"""{without(native().numbers["setns"])}
    import json
    from submissions.sandbox import Jail, Limits, probe
    from submissions.sandbox.policy import STATIC
    from submissions.sandbox.recipe import Recipe
    networks = {{os.readlink("/proc/self/ns/net")}}
    for _ in range(3):
        with Jail(Recipe(STATIC, ("/init", "hello")), Limits()) as jail:
            networks.add(os.readlink(f"/proc/{{jail._first_pid}}/ns/net"))
    print(json.dumps(len(networks) * probe().acceptable))"""
    assert ask(state, script=script) == 4


def test_below_the_weakest_level_bots_are_refused() -> None:
    nowhere = Level("none", (), ("bubblewrap is not installed",))
    assert not nowhere.acceptable
    with pytest.raises(MachineryError, match="this machine: bubblewrap is not installed"):
        nowhere.demand()


@needs_landlock
def test_without_bubblewrap_bots_are_confined_by_landlock(state: Path, tmp_path: Path) -> None:
    name, can, reasons = ask(state, PATH=bare(tmp_path))
    assert name == "landlock"
    assert "no network and no signals to others, by the system-call filter" in can
    assert reasons[0] == "no namespaces: bubblewrap (the program bwrap) is not installed"


def bare(path: Path) -> str:
    """A PATH without bubblewrap."""
    for program in ("gcc", "as", "ld"):
        if found := shutil.which(program):
            (path / program).symlink_to(found)
    return str(path)


def test_without_bubblewrap_and_landlock_no_bot_is_run_and_the_reasons_are_told(state: Path, tmp_path: Path) -> None:
    script = f"""{without(LANDLOCK)}
    import json
    from games.engine import MachineryError
    from submissions.languages import LANGUAGES
    from submissions.sandbox import Jail, Limits, build, probe
    from submissions.sandbox.recipe import Recipe
    from submissions.sandbox.policy import STATIC
    level, said = probe(), []
    for attempt in (
        level.demand,
        lambda: build(LANGUAGES["c"], b"int main(void) {{ return 0; }}", "x.c"),
        lambda: Jail(Recipe(STATIC, ("/init", "hello")), Limits()),
    ):
        try:
            attempt()
            said.append("it ran")
        except MachineryError as error:
            said.append(str(error))
    print(json.dumps([level.name, level.reasons, said]))"""
    name, reasons, (demanded, built, opened) = ask(state, script=script, PATH=bare(tmp_path))
    assert name == "none"
    assert "Landlock: Function not implemented" in reasons[0]
    assert reasons[1] == "bubblewrap (the program bwrap) is not installed"
    assert demanded.endswith(f"this machine: {'; '.join(reasons)}")
    assert "it ran" not in built
    assert "Landlock: Function not implemented" in opened


@pytest.mark.parametrize("strict", [True, False])
def test_the_doctor_says_that_no_bot_is_run(state: Path, tmp_path: Path, strict: bool) -> None:
    code = (
        f"{textwrap.dedent(without(LANDLOCK))}\nos.environ['DJANGO_SETTINGS_MODULE'] = 'contest.settings'\n"
        "from django.core.management import execute_from_command_line as run\nrun(sys.argv)"
    )
    ours = os.environ | {"PATH": bare(tmp_path), "KIBITZ_SANDBOX_DIR": str(state), "VAR_DIR": str(tmp_path / "var")}
    words = ["doctor"] if strict else ["doctor", "--machine"]
    doctor = subprocess.run(
        [sys.executable, "-c", code, *words], env=ours, cwd=Path(__file__).parents[2], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert "BAD  sandbox    none (bots cannot be run); " in doctor.stdout, doctor.stderr
    assert "Landlock: Function not implemented" in doctor.stdout
    assert "bubblewrap (the program bwrap) is not installed" in doctor.stdout
    assert (doctor.returncode != 0) == strict
    assert ("sandbox" in doctor.stderr) == strict


UNDER_LANDLOCK = """
    import json, os, signal
    from submissions.languages import LANGUAGES
    from submissions.sandbox import Jail, Limits, build, probe
    ends, language = [], LANGUAGES["c"]
    headers = "signal stdio stdlib unistd sys/resource sys/uio sys/mman".split()
    head = "#define _GNU_SOURCE\\n" + "".join(f"#include <{name}.h>\\n" for name in headers)
    for code in CASES:
        source = (head + "int main(void) { int worker = %d; " % os.getpid() + code + " }").encode()
        result = build(language, source, "x.c")
        assert result.ok, result.log
        with Jail.open(result.artifact, language, Limits(memory_bytes=4 << 20)) as jail:
            end = jail.start().ended(10.0)
            ends.append([end.status, end.call or end.signal or end.code])
    print(json.dumps([probe().name, ends, os.getuid()]))
"""


@needs_landlock
@needs_root
def test_a_bot_of_the_workers_own_user_cannot_touch_the_worker(state: Path) -> None:
    """The weakest case: an unprivileged worker in an ordinary container. Its bots run as its user and see its
    process."""
    state.mkdir(mode=0o711)
    os.chown(state, 54321, 54321)
    limit = "struct rlimit r = {1, 1}; return prlimit(worker, RLIMIT_CPU, &r, 0) == 0;"
    read = (  # process 1 reads a bot's memory in this way, but from an address that bots do not know
        "struct iovec *v = mmap((void *)0x4B6962697000, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); "
        "char b[8]; v[0] = v[1] = (struct iovec){b, 8}; v[1].iov_base = (void *)0x400000; "
        "return process_vm_readv(worker, v, 1, v + 1, 1, 0) > 0;"
    )
    cases = {
        "kill(worker, 0);": ["violation", "kill"],
        "kill(-1, 9);": ["violation", "kill"],
        "kill(getppid(), 19);": ["violation", "kill"],
        "raise(9);": ["signalled", 9],
        "abort();": ["signalled", 6],
        limit: ["exited", 0],
        read: ["violation", "process_vm_readv"],
        'char p[99]; sprintf(p, "/proc/%d/environ", worker); return !fopen(p, "r");': ["violation", "openat"],
        'return !fopen("/usr/lib/os-release", "r");': ["violation", "openat"],
        "return fork() >= 0;": ["violation", "clone"],
    }
    script = UNDER_LANDLOCK.replace("CASES", repr(list(cases)))
    name, ends, user = ask(state, user=54321, script=script, KIBITZ_SANDBOX_WALLS="landlock")
    assert (name, user) == ("landlock", 54321)
    assert dict(zip(cases, ends, strict=True)) == cases


def test_without_a_compiler_nothing_runs(state: Path, tmp_path: Path) -> None:
    name, _, reasons = ask(state, PATH=str(tmp_path))
    assert name == "none"
    assert "gcc is needed" in reasons[0]


@needs_jail
@needs_root
def test_an_unprivileged_worker_confines_its_bots_too(state: Path) -> None:
    state.mkdir(mode=0o711)
    os.chown(state, 54321, 54321)
    script = """
        import json, os
        from submissions.languages import LANGUAGES
        from submissions.sandbox import Jail, Limits, build, probe
        language = LANGUAGES["c"]
        source = b'#include <stdio.h>\\nint main(void) { getchar(); return fopen("x", "w") == 0; }'
        result = build(language, source, "x.c")
        with Jail.open(result.artifact, language, Limits(memory_bytes=4 << 20)) as jail:
            process = jail.start()
            owner = os.stat(f"/proc/{process.pid}").st_uid
            end = process.stop(60.0)
        print(json.dumps([probe().name, probe().can, owner, end.status, end.call, end.path]))
    """
    name, can, owner, *end = ask(state, user=54321, script=script)
    assert name == WITHOUT_GROUPS
    assert "bots run as the worker's own, unprivileged user" in can
    assert owner == 54321
    assert end == ["violation", "openat", "/box/x"]


# other portals on the same machine

NEW_PID_SPACE = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")


@needs_groups
@needs_root
@needs_admin
def test_a_group_with_processes_of_another_pid_namespace_does_not_lower_the_level(state: Path) -> None:
    """A portal in a container with the same state folder: the processes in its groups are invisible from here."""
    ask(state)
    groups = [parent / "77" for parent in groups_of(state)]
    sleeper = subprocess.Popen(["sleep", "600"])
    try:
        for group in groups:
            group.mkdir()
            (group / "cgroup.procs").write_text(f"{sleeper.pid}")
        name, _, reasons = ask(state, through=NEW_PID_SPACE)
        assert (name, reasons) == ("full", [])
        assert sleeper.poll() is None
        name, _, _ = ask(state)  # but a process that can see it removes it: nobody holds its slot
        assert name == "full"
        assert sleeper.wait(60) == -9
        assert not any(group.exists() for group in groups)
    finally:
        sleeper.kill()
        sleeper.wait()


@needs_jail
def test_another_portal_with_a_state_folder_of_its_own_spares_our_bots(state: Path) -> None:
    with jail("c", HELLO["c"]) as place:
        process = place.start()
        assert ask(state)[0] != "none"
        os.write(process.stdin, b"still here\n")
        assert line_of(process) == b"got still here\n"
        assert process.stop(60.0).status == "exited"


@needs_groups
@needs_root
@needs_admin
def test_the_same_path_in_another_container_is_another_portal(state: Path) -> None:
    """The path of the state folder is the same, but the locks are not."""
    ask(state)
    (here, *_) = groups_of(state)
    hidden = ("unshare", "--mount", "sh", "-c", f'mount -t tmpfs none {state} && chmod 711 {state} && exec "$@"', "sh")
    group = here / "78"
    group.mkdir()
    sleeper = subprocess.Popen(["sleep", "600"])
    try:
        (group / "cgroup.procs").write_text(f"{sleeper.pid}")
        script = f"""{ASK}
    import os
    from submissions.sandbox import cgroups
    assert cgroups.layout().folders[0].name != {here.name!r}
    [os.rmdir(it) for folder in cgroups.layout().folders for it, *_ in os.walk(folder, topdown=False)]"""
        assert ask(state, through=hidden, script=script)[0] == "full"
        assert sleeper.poll() is None
    finally:
        sleeper.kill()
        sleeper.wait()
        group.rmdir()
