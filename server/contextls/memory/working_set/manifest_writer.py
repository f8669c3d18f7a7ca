"""Changes the file of a working set: by one thread of one process at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from contextls.errors import StoreError
from contextls.memory.working_set import edits
from contextls.memory.working_set.disk import Content, ManifestFile
from contextls.memory.working_set.entries import PROTOCOL, Manifest, read_manifest
from contextls.memory.working_set.nodes import BrokenFileError
from contextls.store.locks import StateLock, lock_failure

LOCK_SECONDS = 10.0
# The lines of a file that says nothing; where people wrote a comment, it stays.
_BARE = frozenset(("", f"protocol: {PROTOCOL}", "files:", "exclude:"))


class ManifestWriter:
    """Writes ``.context/working-set.yml``. Safe to use from any thread."""

    def __init__(self, root: Path, state: Path, is_there: Callable[[str], bool]) -> None:
        """``is_there`` knows files and folders by their paths; ``state`` is the folder of the lock."""
        self.file = ManifestFile(root)
        self._lock = StateLock(state / "working-set.lock")
        self._is_there = is_there

    def change(
        self,
        change: Callable[[str, Manifest], str],
        assembled_by: str = "user",
        note: Callable[[Content | None, str], None] | None = None,
    ) -> None:
        """Read, change and write the file while no other process does.

        ``note`` hears what is there and the text that takes its place, if another one does; it can be undone then, and
        else a file that says nothing any more is deleted. Raises ``StoreError``.
        """
        with self.hold():
            content = self.file.read()
            text = content.text if content else ""
            changed = change(text, read_manifest(text, self._is_there))
            if changed == text:
                return
            if content is None or not text.strip():
                changed = f"protocol: {PROTOCOL}\n{changed}"
            now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
            changed = edits.with_metadata(changed, {"last_updated": now, "assembled_by": assembled_by})
            if note is not None:
                note(content, changed)
            elif _BARE.issuperset(map(str.rstrip, changed.splitlines())):
                self.file.delete()
                return
            self.file.write(replace(content or Content(""), text=changed))

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the file while no other process changes it. Raises ``StoreError`` when that, or what is done, fails."""
        try:
            with self._lock.acquire(timeout=LOCK_SECONDS):
                yield
        except BrokenFileError as error:
            raise StoreError(
                f"{self.file.path}, {error}; mend it (or delete it) and try again; nothing was changed"
            ) from None
        except TimeoutError:
            raise StoreError(f"{self.file.path} is being changed by another process; try again") from None
        except OSError as error:
            raise lock_failure(self._lock.path, error) from error
