"""The one way into the events of a workspace, for every face and every process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec.structs import replace

from contextls.errors import ContextlsError, InvalidRequestError
from contextls.memory.activity.failures import Failure, failures_in
from contextls.memory.activity.printed_paths import PrintedPaths
from contextls.memory.activity.run_reading import RunReader, printed_last, watched_files
from contextls.memory.events import EventLog
from contextls.memory.events.admission import admit_event
from contextls.memory.events.exit_status import is_recorded_run
from contextls.model import Event, EventType, NewEvent, Outcome
from contextls.settings import Settings
from contextls.text.terminal_text import plain_text
from contextls.workspace.roots import relative


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
        self._runs = RunReader(root, accepts)

    def adopt(self, settings: Settings) -> None:
        """Go by these settings from the next event on."""
        self._settings = settings

    def wants(self, kind: str) -> bool:
        """Whether the settings let events of this type in."""
        if self._settings.memory_paused:
            return False
        if any(fnmatchcase(kind, pattern) for pattern in self._settings.unrecorded):
            return False
        return any(fnmatchcase(kind, pattern) for pattern in self._settings.record)

    def record(self, event: NewEvent) -> Event | None:
        """Append ``event``, durable when this returns, and the errors that a failed command's output tells of.

        ``None`` when it concerns an ignored file, or the settings leave it out. Raises ``InvalidRequestError`` naming
        the field that is wrong.
        """
        (stored,) = self.record_many([event])
        if isinstance(stored, ContextlsError):
            raise stored
        return stored

    def record_progress(self, event: NewEvent, told: Set[str]) -> frozenset[str]:
        """Append the run of a command that goes on, where its output has other failures than those ``told`` before.

        The failures that it tells of now, in words. Where the last round of a command that watches files has none left,
        the run has passed.
        """
        allowed = self._admit(event)
        if allowed is None:
            return frozenset(told)
        failures = self._read_failures(allowed)
        now = frozenset(f"{each.path}:{each.line} {each.test} {each.message}" for each in failures)
        if not (now ^ told if watched_files(allowed) else now - told):
            return frozenset(told)
        run = replace(allowed, outcome=Outcome.FAILURE if failures else Outcome.SUCCESS)
        self._log.append_many([run, *(self._errors(run, failures) if self.wants(EventType.ERROR) else ())])
        return now

    def record_many(self, events: Sequence[NewEvent]) -> list[Event | ContextlsError | None]:
        """Append all that may be kept in one transaction; for each event what ``record`` would return or raise."""
        batches: list[list[NewEvent] | ContextlsError] = []
        for event in events:
            try:
                allowed = self._admit(event)
                batches.append([] if allowed is None else self._with_errors(allowed))
            except ContextlsError as error:
                batches.append(error)
        try:
            return self._append_all(batches)
        except InvalidRequestError as error:
            if len(events) == 1:
                return [error]
        return [answer for event in events for answer in self.record_many([event])]

    def _append_all(
        self, batches: Sequence[list[NewEvent] | ContextlsError]
    ) -> list[Event | ContextlsError | None]:
        """Append all batches together; for each its first event as stored."""
        together = [event for batch in batches if isinstance(batch, list) for event in batch]
        stored = iter(self._log.append_many(together))
        answers: list[Event | ContextlsError | None] = []
        for batch in batches:
            if isinstance(batch, ContextlsError):
                answers.append(batch)
            else:
                own = [next(stored) for _ in batch]
                answers.append(own[0] if own else None)
        return answers

    def _admit(self, event: NewEvent) -> NewEvent | None:
        allowed = admit_event(_as_shown(event), self._root, self._accepts)
        if allowed is None or not self.wants(allowed.type):
            return None
        if allowed.type == EventType.SHELL_EXEC and is_recorded_run(str(allowed.content.get("command", ""))):
            return None  # it has recorded what it ran, with its output
        if allowed.type == EventType.SHELL_EXEC:
            return self._runs.find_scripts(allowed)
        return self._without_ignored(allowed)

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

    def _with_errors(self, event: NewEvent) -> list[NewEvent]:
        """The event, and the errors that a failed command's output tells of."""
        if event.type != EventType.SHELL_EXEC:
            return [event]
        if self._runs.is_hidden(event):
            told = self._read_failures(event)
            event = self._runs.judge(event, failed=bool(told))
            failed = event.outcome is Outcome.FAILURE
        else:
            failed = event.outcome is Outcome.FAILURE or (
                event.outcome is None and bool(event.content.get("exitCode"))
            )
            told = self._read_failures(event) if failed else ()
        return [event, *(self._errors(event, told) if failed and self.wants(EventType.ERROR) else ())]

    def _read_failures(self, event: NewEvent) -> tuple[Failure, ...]:
        content = event.content
        resolve = PrintedPaths(self._root, content.get("cwd"), self._accepts, self._known)
        return failures_in(printed_last(event), resolve)

    def _errors(self, event: NewEvent, failures: Sequence[Failure]) -> Iterator[NewEvent]:
        for number, failure in enumerate(failures, 1):
            told = {
                "message": failure.message,
                "path": failure.path,
                "line": failure.line,
                "test": failure.test,
                "code": failure.code,
                "source": failure.source,
                "command": event.content["command"],
            }
            kept = {name: value for name, value in told.items() if value}
            key = event.key and f"{event.key}/{number}"
            yield replace(event, type=EventType.ERROR, content=kept, outcome=Outcome.FAILURE, key=key)


def _as_shown(event: NewEvent) -> NewEvent:
    """The event with what its command printed as a terminal would show it; many tools colour what goes into a pipe."""
    if event.type != EventType.SHELL_EXEC or not isinstance(event.content, Mapping):
        return event
    printed = {name: event.content.get(name) for name in ("stdout", "stderr")}
    shown = {name: plain_text(text) for name, text in printed.items() if isinstance(text, str)}
    return replace(event, content={**event.content, **shown})
