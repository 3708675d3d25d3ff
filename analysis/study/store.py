"""Where the files of a study are: a local folder, or any path that fsspec knows."""

from __future__ import annotations

import os
import sys
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from trull.analysis.study.error import StudyError

if sys.platform != "win32":
    import fcntl

_LOCK = ".lock"
_PARTIAL = ".partial"


class Store(ABC):
    """A folder of files that are written whole or not at all.

    Attributes:
        place: the folder as the user names it.
    """

    place: str

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """Return what a file holds, or `None` when there is none."""

    @abstractmethod
    def size(self, name: str) -> int | None:
        """Return the number of bytes of a file, or `None` when there is none."""

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Write a file at once, over an older one."""

    @abstractmethod
    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out of the folder, where that is possible, and clean up after dead ones.

        Raises `StudyError` when another run has it.
        """


class LocalStore(Store):
    """A folder of this machine. A file is written under another name, synced and renamed."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.folder = Path(place).absolute()

    def read(self, name: str) -> bytes | None:
        """Return what a file holds, or `None` when there is none."""
        try:
            return (self.folder / name).read_bytes()
        except FileNotFoundError:
            return None

    def size(self, name: str) -> int | None:
        """Return the number of bytes of a file, or `None` when there is none."""
        try:
            return (self.folder / name).stat().st_size
        except FileNotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        """Write a file at once, over an older one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self.folder / f".{name}.{uuid.uuid4().hex}{_PARTIAL}"
        try:
            with open(partial, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, self.folder / name)
        except BaseException:
            with suppress(OSError):
                partial.unlink()
            raise

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out of the folder; the lock of a run that was killed is void."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / _LOCK, "ab") as lock:
            if sys.platform != "win32":
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError as error:
                    raise StudyError(
                        f"{self.place}: another run is working in this folder; wait for its end"
                    ) from error
            self._remove_partial()
            try:
                yield
            finally:
                self._remove_partial()

    def _remove_partial(self) -> None:
        for path in self.folder.glob(f".*{_PARTIAL}"):
            with suppress(OSError):
                path.unlink()


class RemoteStore(Store):
    """A folder of any file system of fsspec, such as an object store, which writes whole files.

    Runs in the same folder do not know of each other, which costs work, but does no harm: what
    they write is the same.
    """

    def __init__(self, place: str) -> None:
        self.place = place
        self._open()

    def _open(self) -> None:
        try:
            import fsspec
        except ImportError as error:
            raise StudyError(
                f"{self.place}: a path of this kind needs fsspec; install 'trull[cluster]'"
            ) from error
        try:
            self.system, self.root = fsspec.core.url_to_fs(self.place)
            self.system.makedirs(self.root, exist_ok=True)
        except (ValueError, ImportError) as error:
            raise StudyError(f"{self.place}: {error}") from error

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process as the path alone."""
        return RemoteStore, (self.place,)

    def read(self, name: str) -> bytes | None:
        """Return what a file holds, or `None` when there is none."""
        try:
            data: bytes = self.system.cat_file(f"{self.root}/{name}")
        except FileNotFoundError:
            return None
        return data

    def size(self, name: str) -> int | None:
        """Return the number of bytes of a file, or `None` when there is none."""
        self.system.invalidate_cache()
        try:
            size: int = self.system.size(f"{self.root}/{name}")
        except FileNotFoundError:
            return None
        return size

    def write(self, name: str, data: bytes) -> None:
        """Write a file, over an older one."""
        self.system.pipe_file(f"{self.root}/{name}", data)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Do nothing: file systems of this kind have no locks."""
        yield


def open_store(place: str) -> Store:
    """Return the store of a folder: a local path, or a URL such as `s3://bucket/study`.

    Raises `StudyError` where fsspec is needed and missing, or does not know the path.
    """
    scheme, separator, rest = place.partition("://")
    if not separator:
        return LocalStore(place)
    return LocalStore(rest) if scheme in ("file", "local") else RemoteStore(place)
