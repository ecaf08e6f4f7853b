"""The log file of one process: written while the disk takes it, and never a reason to fail."""

import errno
import os
from io import FileIO
from pathlib import Path

LOG_BYTES = 20_000_000  # a log file is rotated at this size; one older file is kept


class LogFile:
    """A file that grows up to LOG_BYTES, with one older file beside it. No method raises OSError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.error = ""  # why the last bytes could not be written; empty if they were
        self._lost = 0
        self._file: FileIO | None = None

    def append(self, data: bytes) -> None:
        """Write, or note why that is impossible. The next call tries again, and says how much is missing."""
        try:
            if self._lost:
                self._write(b"\n[%d bytes could not be written here: %s]\n" % (self._lost, self.error.encode()))
                self._lost = 0
            self._write(data)
            self.error = ""
        except OSError as error:
            self._lost += len(data)
            self.error = error.strerror or str(error)
            self.close()

    def retry(self) -> bool:
        """Whether it can be written again after an error."""
        self.append(b"")
        return not self.error

    def close(self) -> None:
        if self._file is not None:
            try:
                self._file.close()
            except OSError as error:
                self.error = error.strerror or str(error)
            self._file = None

    def _write(self, data: bytes) -> None:
        if self._file is None:
            self._file = FileIO(self.path, "ab")
        if self._file.tell() > LOG_BYTES:
            self._file.close()
            self.path.replace(self.path.with_suffix(".log.1"))
            self._file = FileIO(self.path, "ab")
        if self._file.write(data) < len(data):  # the disk had room for a part of it
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
