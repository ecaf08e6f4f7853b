"""Control groups: the real ones of this machine, and an imitation of version 2 if there is nothing else."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from games.engine import MachineryError
from games.programs import ExitStatus
from submissions.sandbox import Jail, Limits, cgroups, slots
from submissions.sandbox.cgroups import Group
from submissions.sandbox.policy import STATIC
from submissions.sandbox.recipe import Recipe
from tests.sandbox.sandboxes import HELLO, jail, needs_groups, needs_namespaces, needs_root
from tests.waiting import wait_for

EATER = "import os, sys; open(sys.argv[1], 'w').write('0')\nhoard = []\nwhile True: hoard.append(bytearray(1 << 20))"

SPREADER = """
import mmap, sys
open(sys.argv[1], "w").write("0")
space = mmap.mmap(-1, 8 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)  # NORESERVE
space.madvise(mmap.MADV_NOHUGEPAGE)
for at in range(0, 8 << 30, 2 << 20):
    space[at] = 1
print()
input()
"""
"""Touches 4,096 pages that each need a page table: 16 MB of its own memory, and as much of the kernel's."""


@pytest.fixture
def slot():
    with_slot = slots.take()
    yield with_slot
    with_slot.close()


@needs_groups
def test_a_group_counts_what_the_kernel_killed_and_the_peak(slot: slots.Slot) -> None:
    group = Group(f"{slot.number}", memory=32 << 20, processes=4)
    try:
        assert group.kills() == 0
        (path,) = {fd_path(fd) for fd in group.fds if "memory" in fd_path(fd) or cgroups.layout().version == 2}
        assert subprocess.run(["/usr/bin/python3", "-c", EATER, path], check=False).returncode == -9
        assert group.kills() == 1
        assert 30 << 20 < group.peak() <= 32 << 20
    finally:
        group.close()
    assert not any((folder / f"{slot.number}").exists() for folder in cgroups.layout().folders)


@needs_groups
def test_what_was_there_before_a_start_is_not_charged_to_it(slot: slots.Slot) -> None:
    memory = 64 << 20
    group = Group(f"{slot.number}", memory=memory, processes=4)
    layout = cgroups.layout()
    limit = layout.folders[0] / f"{slot.number}" / layout.memory_limit
    try:
        group.renew()
        assert int(limit.read_text()) == memory
        command = ["/usr/bin/python3", "-uc", SPREADER, fd_path(group.fds[0])]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as earlier:
            assert earlier.stdout is not None
            earlier.stdout.readline()
            assert group.peak() > 32 << 20
            group.renew()
            assert int(limit.read_text()) - memory == cgroups.BALLAST_MOST, "more would be a gift to the next one"
            assert group.peak() < 1 << 20
            earlier.kill()
        wait_for(lambda: int(limit.read_text()) <= memory + (2 << 20) or group.renew())
        assert memory <= int(limit.read_text())
    finally:
        group.close()


@needs_groups
def test_a_process_per_question_is_not_charged_with_the_last_ones() -> None:
    """The kernel holds some memory of a process for milliseconds after its end, and new starts come faster."""
    with jail("c", HELLO["c"], memory_bytes=3 << 18) as place:
        for _ in range(1000):
            answer = place.ask(b"one\n", seconds=60.0)
            assert (answer.exit.status, answer.output) == (ExitStatus.EXITED, b"got one\n"), answer


@needs_groups
def test_what_is_small_beside_its_memory_moves_no_limit(slot: slots.Slot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel reports that the last process left a fifth of a megabyte: 1/320 of the memory, then 1/20."""
    pread = os.pread
    for memory, moved in ((64 << 20, 0), (4 << 20, 200_000)):
        group = Group(f"{slot.number}", memory=memory, processes=4)
        limit = cgroups.layout().folders[0] / f"{slot.number}" / cgroups.layout().memory_limit
        monkeypatch.setattr(
            cgroups.os, "pread", lambda fd, *where, own=group._left: b"200000" if fd == own else pread(fd, *where)
        )
        try:
            group.renew()
            assert int(limit.read_text()) == pytest.approx(memory + moved, abs=4096)  # the kernel counts pages
        finally:
            monkeypatch.undo()
            group.close()


@needs_groups
@needs_namespaces
def test_a_child_that_went_over_the_memory_is_found_though_its_parent_ends_well() -> None:
    source = """
        #include <stdlib.h>
        #include <sys/wait.h>
        #include <unistd.h>
        int main(void) {
            if (fork() == 0) for (char *p;;) if ((p = malloc(4096))) *p = 1;
            wait(0);
            return write(1, "done\\n", 5) != 5;
        }"""
    with jail("c", source, memory_bytes=4 << 20, processes=4) as place:
        for _ in range(2):
            answer = place.ask(b"", seconds=60.0)
            assert (answer.exit.status, answer.output) == (ExitStatus.MEMORY, b"done\n")


def fd_path(fd: int) -> str:
    return str(Path(f"/proc/self/fd/{fd}").readlink())


@needs_groups
def test_what_a_dead_worker_left_under_that_name_is_cleared_first(slot: slots.Slot) -> None:
    head = cgroups.layout().folders[0] / f"{slot.number}"
    head.mkdir()
    sleeper = subprocess.Popen(["sleep", "600"])
    (head / "cgroup.procs").write_text(f"{sleeper.pid}")
    group = Group(f"{slot.number}", memory=4 << 20, processes=1)
    assert sleeper.wait(60) == -9
    group.close()
    group.close()


@needs_groups
def test_sweeping_removes_only_groups_that_nobody_holds(slot: slots.Slot) -> None:
    held = Group(f"{slot.number}", memory=4 << 20, processes=1)
    free = slots.take()
    stale = [folder / f"{free.number}" for folder in cgroups.layout().folders]
    for path in stale:
        path.mkdir()
    free.close()
    cgroups.sweep()  # or that of another worker with the same state folder, which may be faster
    assert not any(path.exists() for path in stale)
    assert (cgroups.layout().folders[0] / f"{slot.number}").exists()
    held.close()


@pytest.fixture
def occupied(slot: slots.Slot):
    """A group of ours that cannot be removed, because it contains another one."""
    inner = cgroups.layout().folders[0] / f"{slot.number}" / "inner"
    inner.mkdir(parents=True)
    yield slot
    inner.rmdir()
    inner.parent.rmdir()


@needs_groups
def test_a_slot_whose_group_is_occupied_is_passed_over(occupied: slots.Slot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups.clear, "__defaults__", (0.0,))
    with pytest.raises(cgroups.Occupied):
        Group(f"{occupied.number}", memory=4 << 20, processes=1)
    assert not any((folder / f"{occupied.number}").exists() for folder in cgroups.layout().folders[1:])
    occupied.close()
    monkeypatch.setattr(slots.random, "randrange", lambda most: occupied.number)
    with Jail(Recipe(STATIC, ("/init", "hello")), Limits()) as place:
        assert place.slot.number != occupied.number
        assert place.start().stop(60.0).code == 0
    assert slots.take_number(occupied.number) is not None, "it was given back"


@needs_groups
def test_closing_a_group_that_cannot_be_removed_is_not_a_failure_of_the_match(
    slot: slots.Slot, caplog: pytest.LogCaptureFixture
) -> None:
    group = Group(f"{slot.number}", memory=4 << 20, processes=1)
    inner = cgroups.layout().folders[0] / f"{slot.number}" / "inner"
    inner.mkdir()
    group.close(patience=0.0)
    assert "left to the next sweep" in caplog.text
    inner.rmdir()
    group.close()
    assert not inner.parent.exists()


def test_two_holders_of_one_slot_cannot_be(slot: slots.Slot) -> None:
    assert slots.take_number(slot.number) is None
    other = slots.take()
    assert other.number != slot.number
    other.close()
    other.close()
    again = slots.take_number(other.number)
    assert again is not None
    again.close()


@pytest.fixture
def fresh_layout(monkeypatch: pytest.MonkeyPatch):
    cgroups.layout.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    cgroups.layout.cache_clear()


def test_version_2_asks_for_both_controllers_on_the_way_down(fresh_layout: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a kernel: these are the files of version 2, and what we write to them."""
    ours = tmp_path / "kibitz"
    ours.mkdir()
    (tmp_path / "cgroup.subtree_control").write_text("cpu memory pids")
    (ours / "cgroup.subtree_control").write_text("")
    fresh_layout.setenv("KIBITZ_CGROUP", str(ours))
    layout = cgroups.layout()
    assert (layout.version, layout.folders, layout.memory_limit, layout.join) == (
        2,
        (ours,),
        "memory.max",
        "cgroup.procs",
    )
    assert (tmp_path / "cgroup.subtree_control").read_text() == "cpu memory pids"
    assert (ours / "cgroup.subtree_control").read_text() == "+memory +pids"


def unified() -> Path:
    """The mount point of the real version 2, with any controllers. Skips the test if we cannot use it."""
    folder = cgroups._hierarchies().get("2", Path("/nonexistent"))
    if not os.access(folder, os.W_OK):
        pytest.skip("no hierarchy of version 2 that is ours to write")
    return folder


@needs_root
def test_an_unprivileged_process_joins_a_real_group_of_version_2_which_is_cleared_at_once() -> None:
    """The kernel's side of `join` and `clear`; limits need controllers, which a hybrid machine has in version 1."""
    group = unified() / f"kibitz-test-{os.getpid()}"
    group.mkdir()
    join = os.open(group / "cgroup.procs", os.O_WRONLY)
    spawn = f"import os, time\nos.write({join}, b'0')\nos.fork(); os.fork()\nprint(flush=True); time.sleep(60)"
    member = subprocess.Popen(
        ["/usr/bin/python3", "-I", "-S", "-c", spawn], stdout=subprocess.PIPE, pass_fds=[join],
        user=65534, group=65534, extra_groups=[],
    )  # fmt: skip
    try:
        assert member.stdout
        for _ in range(4):
            assert member.stdout.readline() == b"\n"
        assert len((group / "cgroup.procs").read_text().split()) == 4
        cgroups.clear(group)
        assert not group.exists()
        assert member.wait(60) == -9
    finally:
        member.kill()
        member.wait()
        assert member.stdout
        member.stdout.close()
        os.close(join)
        cgroups.clear(group)


def test_a_group_that_cannot_be_made_is_our_failure(
    fresh_layout: pytest.MonkeyPatch, slot: slots.Slot, tmp_path: Path
) -> None:
    (tmp_path / "cgroup.subtree_control").write_text("memory pids")
    ours = tmp_path / "kibitz"
    ours.mkdir()
    (ours / "cgroup.subtree_control").write_text("memory pids")
    fresh_layout.setenv("KIBITZ_CGROUP", str(ours))
    with pytest.raises((MachineryError, OSError)):
        Group(f"{slot.number}", memory=4 << 20, processes=1)  # a plain folder has no cgroup.procs
