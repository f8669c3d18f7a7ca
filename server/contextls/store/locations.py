"""The places on disk of a workspace's index, events and other state: in folders of its own below those of the user."""

from __future__ import annotations

import hashlib
import math
import os
import re
import shutil
import tempfile
import time
from pathlib import Path
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from contextls.errors import StoreError
from contextls.text.gate import clean
from contextls.workspace.state_folders import HOME_VARIABLE, state_folders

# Bumped whenever chunks, terms, columns or what an import leads to change meaning. Each format has a folder of its own,
# so that two versions of contextls that are used side by side never rebuild each other's index.
INDEX_FORMAT = "53"
_UNUSED_DAYS = 30


class Locations(Struct, frozen=True):
    """The folders of one workspace.

    ``state`` holds the truth (events) and must be kept; ``cache`` holds the content index and can always be rebuilt. A
    cache that ``is_temporary`` is deleted at the end of the process.
    """

    state: Path
    cache: Path
    is_temporary: bool = False

    @property
    def events_database(self) -> Path:
        """SQLite file of the events."""
        return self.state / "events.sqlite"

    @property
    def index(self) -> Path:
        """Folder of the content index in the format of this version."""
        return self.cache / f"index-{INDEX_FORMAT}"

    @property
    def index_database(self) -> Path:
        """SQLite file of what is known about each indexed file."""
        return self.index / "index.sqlite"

    @property
    def segments(self) -> Path:
        """Folder of the files that hold the chunks and outlines, to be mapped into memory."""
        return self.index / "segments"

    @property
    def vector_indexes(self) -> Path:
        """Folder of LanceDB's index over the vectors of a large workspace."""
        return self.index / "vectors"

    @property
    def history_database(self) -> Path:
        """SQLite file of the commits read from git."""
        return self.cache / "history.sqlite"

    @property
    def summaries_database(self) -> Path:
        """SQLite file of the summaries that a model made."""
        return self.cache / "summaries.sqlite"

    @property
    def packed_texts(self) -> Path:
        """File of what is known about texts that were packed."""
        return self.cache / "packed"

    @property
    def index_lock(self) -> Path:
        """Lock file that the one process that writes the index holds."""
        return self.index / "index.lock"

    @property
    def writer_lock(self) -> Path:
        """Lock file that the process holds which keeps the index in step with the disk, as long as it runs."""
        return self.index / "writer.lock"

    def delete_other_indexes(self, unused_days: float = _UNUSED_DAYS) -> None:
        """Delete the indexes of other versions that were not opened for that long; one that cannot be deleted stays."""
        newest = time.time() - unused_days * 86_400
        for folder in self.cache.glob("index-*"):
            if folder != self.index and _last_opened(folder) <= newest:
                shutil.rmtree(folder, ignore_errors=True)

    def delete_temporary(self) -> None:
        """Delete a cache that is only for this process."""
        if self.is_temporary:
            shutil.rmtree(self.cache, ignore_errors=True)

    def create(self) -> None:
        """Make the folders, readable by the user alone; no index in a cache that can only be read. Raises ``StoreError``."""
        for folder in (self.state, self.cache, self.index):
            if folder == self.index and not os.access(self.cache, os.W_OK):
                continue  # ``create_writable`` finds another
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                raise StoreError(
                    f"cannot create {folder}: {error.strerror}; "
                    f"free it or point {HOME_VARIABLE} to a folder you can write to"
                ) from error

    def create_writable(self) -> Locations:
        """Make the folders, with a temporary cache where this one can only be read. Raises ``StoreError``."""
        self.create()
        written = (self.cache, self.index, self.index_database, self.index_lock)
        if all(os.access(path, os.W_OK) for path in written if path.exists()):
            return self
        try:
            temporary = Path(tempfile.mkdtemp(prefix="contextls-cache-"))
        except OSError as error:
            raise StoreError(
                f"{self.cache} cannot be written, and no temporary folder made: {error}"
            ) from error
        locations = replace(self, cache=temporary, is_temporary=True)
        locations.create()
        return locations


def locate(root: Path) -> Locations:
    """The locations of the workspace at ``root`` (absolute, resolved). Nothing is created.

    Raises ``InvalidRequestError`` where the user chose a folder that will not do.
    """
    key = f"{_slug(root.name)}-{hashlib.blake2b(os.fsencode(root), digest_size=8).hexdigest()}"
    folders = state_folders()
    return Locations(state=folders.state / key, cache=folders.cache / key)


def _last_opened(index: Path) -> float:
    """The time at which a process last opened or left an index, in seconds: SQLite makes and deletes files then."""
    try:
        return index.stat().st_mtime
    except OSError:
        return math.inf


def _slug(name: str) -> str:
    """The name in letters that any shell takes: ``Uber-app`` for ``Über app``."""
    plain = normalize("NFKD", clean(name)).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip("-")[:40] or "root"
