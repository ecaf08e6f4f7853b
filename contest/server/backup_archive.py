"""The file of a backup: a tar, encrypted in the format of age (https://age-encryption.org/v1) if that is wanted.

It is written while it is read, so its size is limited by the disk alone. The members are `about.json`, the database as
its own tools write it, the secrets, the files of records, and at last `end.json` with a digest of everything before it.
So a file that was cut off, or changed on its way, is noticed before anything of it is used. An encrypted backup needs
only public keys: a portal that is broken into cannot read its own backups.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import IO, Any

import pyrage

ABOUT, END = "about.json", "end.json"
AGE = b"age-encryption.org/v1\n"
CHUNK = 1 << 20
FORMAT = 1


class Unusable(Exception):
    """A backup cannot be written or read. The text says why, as a sentence without a full stop."""


class Writer:
    """Adds members to the archive and counts what it added."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self._digest = hashlib.sha256()
        self._members = 0

    def add_text(self, name: str, text: str) -> None:
        data = text.encode()
        self._add(name, len(data), io.BytesIO(data))

    def add_file(self, name: str, path: Path) -> None:
        with path.open("rb") as file:
            self._add(name, os.fstat(file.fileno()).st_size, file)

    def _add(self, name: str, size: int, content: IO[bytes]) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode = size, 0o600
        self._digest.update(f"{name}\0{size}\0".encode())
        self._members += 1
        self._archive.addfile(member, _Digesting(content, self._digest))

    def finish(self) -> None:
        end = {"members": self._members, "sha256": self._digest.hexdigest()}
        data = json.dumps(end).encode()
        member = tarfile.TarInfo(END)
        member.size, member.mode = len(data), 0o600
        self._archive.addfile(member, io.BytesIO(data))


class _Digesting(io.RawIOBase):
    """Reads on behalf of tarfile, and lets a digest see what is read."""

    def __init__(self, inner: IO[bytes], digest: Any) -> None:
        self._inner, self._digest = inner, digest

    def read(self, size: int = -1) -> bytes:
        data = self._inner.read(size)
        self._digest.update(data)
        return data


def write(target: Path, work: Path, fill: Callable[[Writer], None], recipients: Sequence[str] = ()) -> None:
    """Write the archive as a private file, complete or not at all. `work`: a folder of the same file system, where it
    is until it is complete. `recipients`: public keys of age, none to leave it readable."""
    keys = [recipient(each) for each in recipients]
    part = work / "part"
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            if keys:
                _through_pipe(lambda end: _fill(end, fill), lambda end: pyrage.encrypt_io(end, file, keys))
            else:
                _fill(file, fill)
            file.flush()
            os.fsync(file.fileno())
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)


def _fill(file: IO[bytes], fill: Callable[[Writer], None]) -> None:
    with tarfile.open(fileobj=file, mode="w|", format=tarfile.PAX_FORMAT, bufsize=CHUNK) as archive:
        writer = Writer(archive)
        fill(writer)
        writer.finish()


def _through_pipe(source: Callable[[IO[bytes]], None], target: Callable[[IO[bytes]], None]) -> None:
    """Run both at once, what the first writes being what the second reads. Raises what went wrong first."""
    read, write = os.pipe()
    failed: list[BaseException] = []

    def run() -> None:
        try:
            with os.fdopen(write, "wb") as end:
                source(end)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        with os.fdopen(read, "rb") as end:
            target(end)
    except BaseException as error:
        failed.append(error)
    thread.join()
    own = [error for error in failed if not isinstance(error, BrokenPipeError)]
    if own or failed:
        raise (own or failed)[0]


def recipient(key: str) -> Any:
    try:
        return pyrage.x25519.Recipient.from_str(key)
    except pyrage.RecipientError:
        raise Unusable(f"{key!r} is not a public key of age: such a key begins with age1") from None


def new_key() -> tuple[str, str]:
    """A new pair: the secret key, and the public one."""
    identity = pyrage.x25519.Identity.generate()
    return str(identity), str(identity.to_public())


def is_encrypted(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(AGE)) == AGE


def unpack(path: Path, folder: Path, key_file: Path | None = None) -> dict[str, Any]:
    """Unpack a backup into an empty private folder, check all of it, and return what it says about itself.

    Raises Unusable if it is not whole, not a backup, or encrypted for another key."""
    try:
        with _opened(path, key_file) as file:
            _unpack(file, folder)
        about: dict[str, Any] = {"format": None} | json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except (tarfile.TarError, EOFError, KeyError, TypeError, ValueError, FileNotFoundError) as error:
        raise Unusable(f"{path} is not a whole backup: {error}") from None
    if about["format"] != FORMAT:
        raise Unusable(f"{path} has format {about['format']}, and this release reads {FORMAT}")
    return about


def _unpack(file: IO[bytes], folder: Path) -> None:
    digest, count = hashlib.sha256(), 0
    end: dict[str, Any] | None = None
    with tarfile.open(fileobj=file, mode="r|", bufsize=CHUNK) as archive:
        for member in archive:
            # A sparse one may claim to be larger than any disk. Writer makes none.
            content = archive.extractfile(member) if member.isreg() and not member.issparse() else None
            if content is None or end is not None:
                raise Unusable(f"it has an unexpected member {member.name!r}")
            if member.name == END:
                end = json.load(content)
                continue
            digest.update(f"{member.name}\0{member.size}\0".encode())
            count += 1
            place = _inside(folder, member.name)
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                while data := content.read(CHUNK):
                    digest.update(data)
                    out.write(data)
    if end is None:
        raise Unusable("the backup is cut off")
    if end != {"members": count, "sha256": digest.hexdigest()}:
        raise Unusable("the backup was changed: its digest is another one")


def _inside(folder: Path, name: str) -> Path:
    """Where to unpack a member; nothing may leave the folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise Unusable(f"it has an unexpected member {name!r}")
    return folder / path


@contextmanager
def _opened(path: Path, key_file: Path | None) -> Iterator[IO[bytes]]:
    """The readable archive. What is encrypted is deciphered by a thread while it is read."""
    if not is_encrypted(path):
        with path.open("rb") as file:
            yield file
        return
    if key_file is None:
        raise Unusable(f"{path} is encrypted: name the file of the secret key with --key")
    identities = _identities(key_file)
    read, write = os.pipe()
    failed: list[Exception] = []

    def decipher() -> None:
        with suppress(BrokenPipeError), path.open("rb") as file, os.fdopen(write, "wb") as end:
            try:
                pyrage.decrypt_io(file, end, identities)
            except (pyrage.DecryptError, OSError) as error:
                failed.append(error)

    thread = threading.Thread(target=decipher)
    thread.start()
    try:
        with os.fdopen(read, "rb") as end:
            yield end
            while end.read(CHUNK):  # to the end, which is what proves that nothing was cut off
                pass
    except Exception as error:
        thread.join()
        raise (_not_deciphered(path, failed[0]) if failed else error) from None
    thread.join()
    if failed:
        raise _not_deciphered(path, failed[0])


def _not_deciphered(path: Path, error: Exception) -> Unusable:
    return Unusable(f"{path} cannot be deciphered with this key: {error}")


def _identities(key_file: Path) -> list[Any]:
    """The secret keys in a file as `age-keygen` and `./run backup --new-key` write it."""
    lines = [line.strip() for line in key_file.read_text(encoding="utf-8").splitlines()]
    try:
        found = [pyrage.x25519.Identity.from_str(line) for line in lines if line and not line.startswith("#")]
    except pyrage.IdentityError as error:
        raise Unusable(f"{key_file} is not a file of secret keys: {error}") from None
    if not found:
        raise Unusable(f"there is no secret key in {key_file}")
    return found
