"""Private copies of runtimes: complete, each leased by one jail at a time, made again when damaged or outdated."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from submissions.sandbox import runtimes
from submissions.sandbox.runtimes import Lease, lease
from tests.sandbox.sandboxes import artifact, jail, line_of, needs, needs_jail, needs_namespaces, run

pytestmark = needs_jail


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A state folder of this test's own."""
    folder = Path(f"/tmp/kibitz-test-runtimes-{os.getpid()}")
    folder.mkdir(mode=0o711)
    monkeypatch.setattr(runtimes, "state_folder", lambda: folder)
    monkeypatch.setattr(runtimes, "_listings", {})
    monkeypatch.setattr(runtimes, "_checked", {})
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A runtime in the small: a program, a module, a link, and what is left out."""
    folder = tmp_path / "lib"
    (folder / "parts" / "test").mkdir(parents=True)
    (folder / "program").write_text("#!")
    (folder / "parts" / "module").write_text("one")
    (folder / "parts" / "test" / "big").write_text("left out")
    (folder / "parts" / "secret").write_text("for its owner")
    (folder / "parts" / "secret").chmod(0o600)
    (folder / "parts" / "link").symlink_to("module")
    for file in (folder / "program", folder / "parts" / "module"):
        file.chmod(0o755)
    return folder


def names_in(held: Lease, folder: Path) -> list[str]:
    root = held.path / str(folder).lstrip("/")
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def test_a_copy_holds_what_programs_read_and_nobody_can_write_to_it(state: Path, library: Path) -> None:
    with closing(lease([str(library)])) as held:
        assert names_in(held, library) == ["parts", "parts/link", "parts/module", "program"]
        for path in held.path.rglob("*"):
            about = path.lstat()
            assert about.st_uid == os.geteuid()
            assert stat.S_ISLNK(about.st_mode) or not about.st_mode & 0o022
            if path.is_file() and not path.is_symlink():
                assert not about.st_mode & 0o200
                assert about.st_nlink == 1, "a file of the host would be shared"


def test_two_at_once_never_have_the_same_copy_and_it_is_used_again(state: Path, library: Path) -> None:
    one, two = lease([str(library)]), lease([str(library)])
    assert one.path != two.path
    place = str(library / "program").lstrip("/")
    assert (one.path / place).stat().st_ino != (two.path / place).stat().st_ino
    one.close()
    one.close()
    with closing(lease([str(library)])) as third:
        assert third.path == one.path
    two.close()


def test_a_copy_of_a_dead_process_is_free_again(state: Path) -> None:
    code = (
        "import os, sys; from submissions.sandbox import runtimes; from pathlib import Path;"
        f"runtimes.state_folder = lambda: Path({str(state)!r});"
        "print(runtimes.claim('x')[0], flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout
    assert other.stdin
    with other.stdout, other.stdin:
        assert other.stdout.readline() == b"0\n"
        number, lock = runtimes.claim("x")
        assert number == 1
        other.kill()
        other.wait()
        again, another = runtimes.claim("x")
        assert again == 0
    os.close(lock)
    os.close(another)


def test_reading_leaves_no_trace(state: Path, library: Path) -> None:
    """Otherwise a bot could tell by the time of access that another one has read a file."""
    with closing(lease([str(library)])) as held:
        module = held.path / str(library / "parts" / "module").lstrip("/")
        before = [os.lstat(path).st_atime_ns for path in (module, module.parent, module.with_name("link"))]
        assert module.with_name("link").read_text() == "one"
        assert os.listdir(module.parent)
        assert [os.lstat(path).st_atime_ns for path in (module, module.parent, module.with_name("link"))] == before
        assert min(before) > time.time_ns()


@pytest.mark.parametrize("damage", ["remove", "change", "replace"])
def test_a_damaged_copy_is_made_again(state: Path, library: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtimes, "CHECKED_EVERY", 0.0)
    place = str(library / "parts" / "module").lstrip("/")
    with closing(lease([str(library)])) as held:
        file = held.path / place
        file.chmod(0o644)
        if damage == "change":
            file.write_text("two words")
        else:
            file.unlink()
        if damage == "replace":
            file.symlink_to("/etc/passwd")
    with closing(lease([str(library)])) as held:
        assert (held.path / place).read_text() == "one"
        assert not (held.path / place).is_symlink()


def test_an_upgrade_makes_another_copy_and_the_old_one_goes(
    state: Path, library: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    packages = tmp_path / "status"
    packages.write_text("1")
    monkeypatch.setattr(runtimes, "PACKAGES", packages)
    with closing(lease([str(library)])) as old:
        pass
    packages.write_text("another package")
    with closing(lease([str(library)])) as same:
        assert same.path == old.path, "nothing that it holds has changed"
    (library / "parts" / "module").write_text("version 2")
    packages.write_text("version 2")
    os.utime(old.path, (0, 0))
    with closing(lease([str(library)])) as new:
        assert new.path != old.path
    assert not old.path.exists()


@needs_namespaces
def test_bots_that_play_at_once_have_no_file_in_common() -> None:
    """Not even if they are the same program: its own folder, its interpreter, its library, process 1."""
    code = """
        import os, sys
        tops = [it for start in ("/usr", "/box") for it in os.walk(start)]
        for path in ["/init", *(os.path.join(top, name) for top, _, files in tops for name in files)]:
            about = os.lstat(path)
            print(about.st_dev, about.st_ino)
        print("end", flush=True)
        sys.stdin.read()
    """
    source = "\n".join(line[8:] for line in code.split("\n"))
    found = []
    with ExitStack() as stack:
        for _ in range(2):
            place = stack.enter_context(jail("python", source))
            process = place.start()
            said = b""
            while not said.endswith(b"end\n"):
                said += line_of(process)
                assert said, "it ended"
            found.append(set(said.split(b"\n")) - {b"end", b""})
    assert len(found[0]) > 500
    assert not found[0] & found[1]


@needs_namespaces
@pytest.mark.parametrize("slug", ["java", "javascript"])
def test_a_bot_with_a_proc_sees_constants_and_nothing_of_the_kernels(slug: str) -> None:
    needs(slug)
    sources = {
        "java": "import java.nio.file.*; class mybot { public static void main(String[] a) throws Exception {"
        'System.out.print(Files.readString(Path.of("/proc/loadavg")) + Files.exists(Path.of("/proc/locks"))'
        ' + Files.exists(Path.of("/proc/self/status"))); } }',
        "javascript": 'const fs = require("fs"); process.stdout.write(fs.readFileSync("/proc/loadavg", "utf8")'
        ' + fs.existsSync("/proc/locks") + fs.existsSync("/proc/self/status"));',
    }
    _, said, complained = run(slug, sources[slug], memory_bytes=256 << 20, grace=60.0)
    assert said == b"0.00 0.00 0.00 1/1 1\nfalsefalse", complained


def test_the_same_artifact_is_never_open_twice() -> None:
    bot = artifact("c", "int main(void) { return 0; }")
    assert bot
    with jail("c", "int main(void) { return 0; }") as one, jail("c", "int main(void) { return 0; }") as two:
        claims = [runtimes.claim(f"artifact {it} of {os.getpid()}") for it in ("a", "b")]  # other runs share the folder
        for number, lock in claims:
            assert number == 0
            os.close(lock)
        assert one.start().stop(60.0).code == two.start().stop(60.0).code == 0
