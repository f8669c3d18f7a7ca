"""The one way into the events of a workspace, for every face and every process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from contextls.memory.activity.failures import failures_in
from contextls.memory.activity.printed_paths import PrintedPaths
from contextls.memory.admission import admitted
from contextls.memory.events import EventLog
from contextls.model import Event, EventType, NewEvent, Outcome
from contextls.settings import Settings
from contextls.workspace.roots import relative

# A shell keeps more than anybody reads; what a runner says about failures is at its ends.
READ_CHARS = 400_000


class Recorder:
    """Decides what is kept of an event, and appends it with what follows from it. Safe to use from any thread."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        log: EventLog,
        accepts: Callable[[str], bool],
        known: Callable[[], Iterable[str]],
    ) -> None:
        """``accepts`` turns ignored files away; ``known`` lists the workspace's files, for names printed without folder."""
        self._root = root
        self._settings = settings
        self._log = log
        self._accepts = accepts
        self._known = known

    def wants(self, kind: str) -> bool:
        """Whether the settings let events of this type in."""
        if self._settings.memory_paused:
            return False
        return any(fnmatchcase(kind, pattern) for pattern in self._settings.record)

    def record(self, event: NewEvent) -> Event | None:
        """Append ``event``, durable when this returns, and the errors that a failed command's output tells of.

        ``None`` when it concerns an ignored file, or the settings leave it out. Raises ``InvalidRequestError`` naming
        the field that is wrong.
        """
        allowed = admitted(event, self._root, self._accepts)
        if allowed is None or not self.wants(allowed.type):
            return None
        stored = self._log.append(self._without_ignored(allowed))
        failed = stored.type == EventType.SHELL_EXEC and stored.outcome is Outcome.FAILURE
        if failed and self.wants(EventType.ERROR):
            for error in self._errors(allowed, stored):
                self._log.append(error)
        return stored

    def _without_ignored(self, event: NewEvent) -> NewEvent:
        """Ignored files go from the lists and origins that an event names."""
        content = dict(event.content)
        origin, paths = content.get("from"), content.get("paths")
        if event.type == EventType.FILE_RENAME and isinstance(origin, str):
            inside = relative(self._root, self._root / origin)
            if inside is None or not self._accepts(inside):
                del content["from"]
        if isinstance(paths, (list, tuple)):
            content["paths"] = [path for path in paths if not isinstance(path, str) or self._accepts(path)]
        return event if content == event.content else replace(event, content=content)

    def _errors(self, event: NewEvent, stored: Event) -> Iterator[NewEvent]:
        content = event.content
        resolve = PrintedPaths(self._root, content.get("cwd"), self._accepts, self._known)
        said = "\n".join(_ends(str(content[name])) for name in ("stdout", "stderr") if content.get(name))
        for failure in failures_in(said, resolve):
            told = {
                "message": failure.message,
                "path": failure.path,
                "line": failure.line,
                "test": failure.test,
                "code": failure.code,
                "source": failure.source,
                "command": content["command"],
            }
            yield NewEvent(
                EventType.ERROR,
                {name: value for name, value in told.items() if value},
                Outcome.FAILURE,
                timestamp=stored.timestamp,
                session_id=stored.session_id,
                task_id=event.task_id,
            )


def _ends(text: str) -> str:
    half = READ_CHARS // 2
    return text if len(text) <= READ_CHARS else f"{text[:half]}\n\n{text[-half:]}"
