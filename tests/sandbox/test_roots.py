"""Artifacts and the file systems made from them."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import MachineryError
from submissions.sandbox import roots
from submissions.sandbox.native import JAILS, state_folder
from submissions.sandbox.roots import Parcel, pack, root_of, unpack
from tests.sandbox.sandboxes import needs_jail

NAMES = st.from_regex(roots.PLAIN, fullmatch=True).filter(lambda name: name.isascii())


@given(st.dictionaries(NAMES, st.binary(max_size=200), max_size=5))
def test_what_is_packed_is_unpacked(files: dict[str, bytes]) -> None:
    assert unpack(pack(files)) == files
    assert pack(dict(reversed(files.items()))) == pack(files)


def tar_of(entry: tarfile.TarInfo, data: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        entry.size = len(data)
        tar.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_an_artifact_holds_no_links_devices_or_folders(kind: bytes) -> None:
    entry = tarfile.TarInfo("bot")
    entry.type = kind
    entry.linkname = "/etc/passwd"
    with pytest.raises(MachineryError, match="not a plain file"):
        unpack(tar_of(entry))


@pytest.mark.parametrize(
    "name", ["../bot", "/etc/passwd", "a/../b", "a//b", ".", "..", "a/.hidden", "a\nb", "-rf", "x" * 101]
)
def test_an_artifact_holds_no_crooked_names(name: str) -> None:
    with pytest.raises(MachineryError, match="not a plain file"):
        unpack(tar_of(tarfile.TarInfo(name), b"x"))


def fresh() -> Parcel:
    return Parcel.of(pack({"bot": os.urandom(8)}))


@needs_jail
def test_what_cannot_be_fetched_or_unpacked_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(roots, "state_folder", lambda: tmp_path)  # only ours: others create roots at any time
    (tmp_path / "roots").mkdir()
    for load, error in ((lambda: b"%d" % (1 // 0), ZeroDivisionError), (lambda: b"no tar" * 200, MachineryError)):
        with pytest.raises(error):
            root_of(Parcel(os.urandom(8).hex(), load), ())
    assert not list((tmp_path / "roots").iterdir())
    root_of(fresh(), ())
    assert len(list((tmp_path / "roots").iterdir())) == 1


@needs_jail
def test_a_root_is_made_once_and_nobody_can_list_or_change_it() -> None:
    artifact = pack({"bot": b"\x7fELF" + os.urandom(8), "notes.txt": b"x"})
    root = root_of(Parcel.of(artifact), ())
    assert root_of(Parcel.of(artifact), ()) == root
    assert sorted(path.name for path in root.iterdir()) == ["box", "etc", "init", "streams"]
    assert (root / "box" / "bot").stat().st_mode & 0o777 == 0o555
    assert (root / "box" / "notes.txt").stat().st_mode & 0o777 == 0o444
    assert stat.S_IMODE(root.parent.stat().st_mode) == 0o711
    about = state_folder().stat()
    if os.geteuid() == 0:
        assert (stat.S_IMODE(about.st_mode), about.st_gid) == (0o710, JAILS), "bots pass through, other users do not"
    else:
        assert stat.S_IMODE(about.st_mode) == 0o700, "bots run as this user"


@needs_jail
def test_a_root_has_a_place_for_every_mount() -> None:
    root = root_of(fresh(), ("/usr", "/dev/null"))
    assert (root / "usr").is_dir()
    assert (root / "dev" / "null").is_file()
    assert os.path.islink(root / "lib") == os.path.islink("/lib")


@needs_jail
def test_roots_unused_for_a_day_go_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    old, used = (root_of(fresh(), ()) for _ in range(2))
    os.utime(old, (time.time() - 100_000,) * 2)
    monkeypatch.setattr(roots, "KEPT", 1)
    root_of(fresh(), ())
    assert not old.exists()
    assert used.exists()


def test_a_state_folder_of_somebody_else_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    monkeypatch.setenv("KIBITZ_SANDBOX_DIR", str(folder))
    state_folder.cache_clear()
    try:
        with pytest.raises(MachineryError, match="only we can write"):
            state_folder()
        link = tmp_path / "link"
        folder.chmod(0o711)
        link.symlink_to(folder)
        monkeypatch.setenv("KIBITZ_SANDBOX_DIR", str(link))
        with pytest.raises(MachineryError, match="only we can write"):
            state_folder()
    finally:
        state_folder.cache_clear()
