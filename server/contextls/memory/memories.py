"""All memories of one workspace together: opened, brought up to date, looked at and closed as one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from contextls.errors import StoreError
from contextls.memory.open_memories import OpenMemories
from contextls.model import Changes, ClearReport, IndexProgress, IndexReport, Status
from contextls.settings import Settings
from contextls.store.times import now_ms

if TYPE_CHECKING:
    from contextls.memory.index.segments.outlines import Outline
    from contextls.memory.index.updating.order_of_use import Use
    from contextls.memory.knowledge.base import Knowledge
    from contextls.memory.vcs.asked_changes import AskedChanges
    from contextls.memory.vcs.branch_work import BranchWork
    from contextls.memory.vcs.change_scope import ChangeScope
    from contextls.memory.vcs.file_pairs import ComparedWorkspace
    from contextls.memory.vcs.line_history import LineChange
    from contextls.workspace.git_log import Commit
    from contextls.workspace.scan import FileStat

# Clearing the index takes every cache along that can be made again from the workspace.
_CLEARED_WITH_INDEX = (
    OpenMemories.content,
    OpenMemories.history,
    OpenMemories.summaries,
    OpenMemories.knowledge,
)
# A run that indexed more files than these may have changed the imports of as many.
MANY_CHANGED = 64


class Memories(OpenMemories):
    """The memories of one workspace as one: each is an attribute, what concerns several of them a method."""

    def adopt(self, settings: Settings) -> None:
        """Take over settings that are live; the others stay as they were at opening."""
        self.settings = settings
        self.recorder.adopt(settings)

    def index(
        self, progress: Callable[[IndexProgress], None] | None, cancel: threading.Event | None
    ) -> IndexReport:
        """Bring content, and what is known about it, up to date with the disk. Raises ``CancelledError``."""
        if working := OpenMemories.working.peek(self):
            working.forget()
        report = self.content.index(progress, cancel, self._find_use)
        # With no table of imports each process to come would resolve them for itself.
        if report.changed > MANY_CHANGED or (report.files and self.content.store.derived.read() is None):
            self.knowledge.settle(self.content.memory.catch_up())
        return report

    def _find_use(self, files: Sequence[FileStat]) -> Use:
        from contextls.memory.vcs.files_in_use import find_files_in_use

        return find_files_in_use(self.root, files)

    def look_for(self, text: str, scope: Sequence[str] | None = None) -> None:
        """Let answers to ``text`` draw on files that are not indexed yet; takes seconds at most, and none where all are.

        Raises ``InvalidRequestError`` (field ``scope``), ``CancelledError``.
        """
        if not (self._closed or self.content.is_complete):
            limited = self.scope.find(scope, self.content.memory.snapshot.outlines.keys())
            self.content.look_for(text, limited)

    def prepare(self) -> None:
        """Load what questions need, so that the first one does not wait for it; what is damaged is indexed again."""
        self.content.mend()
        self.content.prepare()
        self.knowledge.prepare(self.content.memory.snapshot)
        self.patterns.catch_up()
        self.history.follow()

    def update_files(self, paths: Iterable[str]) -> None:
        """Bring these files or folders up to date; searchable when this returns."""
        changed = set(paths)
        self.content.update_files(changed)
        if working := OpenMemories.working.peek(self):
            working.forget_files(changed)

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved editor text of ``path`` wins over disk until ``None`` takes it away, but for one that is too long."""
        self.working_set.set_overlay(path, text)
        self.content.set_overlay(path, text)
        self.working.set_overlay(path, None if path in self.content.too_long() else text)

    def follow_git(self) -> int:
        """Append what git did since any process last looked; the number of events."""
        moves = self.git.catch_up()
        if moves:
            self.history.follow()
        return moves

    def changes(self, asked: ChangeScope, outlines: Mapping[str, Outline]) -> AskedChanges:
        """The differences that are asked for, right now; ``outlines`` are of the files as they are."""
        from contextls.memory.vcs.asked_changes import read_asked_changes

        return read_asked_changes(self._changing(outlines), asked)

    def branch(self, outlines: Mapping[str, Outline]) -> BranchWork | None:
        """The work on the checked-out branch; None where there is no branch that it grew from."""
        from contextls.memory.vcs.branch_work import read_branch
        from contextls.memory.vcs.change_scope import ChangeScope

        return read_branch(self.root, lambda since: self.changes(ChangeScope(Changes.ALL, since), outlines))

    def newest_commits(self, limit: int, within: Callable[[str], bool] | None) -> tuple[Commit, ...]:
        """The newest commits that touch a file ``within``; none where git is to be left alone."""
        from contextls.memory.vcs.newest_commits import read_newest

        return read_newest(self.root, limit, within=within) if self.settings.history_commits else ()

    def line_changes(self, path: str, first: int, last: int) -> Iterator[LineChange]:
        """The commits that changed lines of a file as it is now, newest first; none where git is to be left alone."""
        from contextls.memory.vcs.file_revisions import read_line_changes

        if self.settings.history_commits:
            unsaved, known = self.working.unsaved().get(path), self.history.snapshot()
            yield from read_line_changes(self.root, path, first, last, known, unsaved)

    def _changing(self, outlines: Mapping[str, Outline]) -> ComparedWorkspace:
        from contextls.memory.vcs.file_pairs import ComparedWorkspace

        return ComparedWorkspace(
            self.root, outlines, self.working.unsaved(), self.shows, self.content.pool, self.names
        )

    def known_now(self) -> Knowledge:
        """Entities and relations as they are now."""
        return self.knowledge.at(self.current(), now_ms())

    def status(self) -> Status:
        """The truth about the index, the events and where they live, also when some of it cannot be read."""
        snapshot = self.current()
        content = self.content
        warnings = [warning for memory in self._open_those_with_warnings() for warning in memory.warnings()]
        events = 0
        try:
            events = self.events.count()
        except StoreError as error:
            warnings.append(str(error))
        languages = snapshot.files.count_languages()
        return Status(
            root=str(self.root),
            state=content.state(snapshot),
            files=len(snapshot.outlines),
            chunks=len(snapshot.view),
            events=events,
            languages=dict(sorted(languages.items(), key=lambda item: (-item[1], item[0]))),
            embedder=content.embedder.identity,
            tokenizer=self.settings.tokenizer,
            index_bytes=content.store.size_bytes(),
            index_location=str(self._locations.cache),
            state_location=str(self._locations.state),
            skipped=content.store.skipped(),
            writer=content.role.holder(),
            scope=self.scope.current().entries,
            analyzed=content.indexer.analyzed,
            warnings=tuple(warnings),
            index_extent=content.extent,
        )

    def version(self) -> Hashable:
        """Differs whenever that of any memory does that prompts draw on. Raises ``StoreError``."""
        return tuple((memory.name, memory.version()) for memory in self._open_those_in_use())

    def versions(self) -> Mapping[str, Hashable]:
        """The version of each memory by its name; one that cannot be read right now is left out."""
        found: dict[str, Hashable] = {}
        for memory in self._open_all():
            with suppress(StoreError):
                found[memory.name] = memory.version()
        return found

    def clear(self, *, index: bool, events: bool, conversations: bool = False) -> ClearReport:
        """Delete what was asked for. The index can be rebuilt; events and conversations cannot."""
        if index:
            from contextls.store.digest_cache import delete_values

            for each in _CLEARED_WITH_INDEX:
                if (memory := each.get(self)) is not None:
                    memory.wipe()
            delete_values(self._locations.packed_texts)
        deleted = 0
        if events:
            deleted = self.events.wipe()
            self.patterns.wipe()  # derived from events
        forgotten = self.conversations.wipe() if conversations else 0
        return ClearReport(index=index, events=deleted, conversations=forgotten)

    def stop(self) -> None:
        """Ask running work to end soon, from any thread."""
        self.content.stop()
        for memory in (OpenMemories.history.peek(self), OpenMemories.summaries.peek(self)):
            if memory is not None:
                memory.stop()

    def close(self) -> None:
        """Finish pending writes and let go of files, threads and worker processes. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        for memory in reversed(self._list_open()):
            memory.close()
        self._locations.delete_temporary()
