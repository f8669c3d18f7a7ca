"""Reads from the run of a command, before it is stored, which commands it stands for and its outcome."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from contextls.memory.activity.printed_outcome import outcome_printed
from contextls.memory.activity.project_scripts import ScriptRuns, find_runs
from contextls.memory.activity.runners import as_printed, begins_round
from contextls.memory.events.exit_status import ends_server, hides_outcome, is_stopped, shows_something
from contextls.memory.events.programs import tells_outcome
from contextls.memory.events.servers import serves
from contextls.model import NewEvent, Outcome
from contextls.text.gate import clean
from contextls.workspace.regular_file import SETTINGS_BYTES, read_text
from contextls.workspace.roots import relative

# A shell keeps more than a person reads; what a runner says about failures is at its ends.
READ_CHARS = 400_000
_HALF = READ_CHARS // 2
_MAX_LINE_CHARS = 400


class RunReader:
    """Reads runs of commands in one workspace."""

    def __init__(self, root: Path, accepts: Callable[[str], bool]) -> None:
        """``accepts`` turns ignored files away."""
        self._root = root
        self._accepts = accepts

    def find_scripts(self, event: NewEvent) -> NewEvent:
        """The event with the command lines that its own stands for, where that does not say all itself."""
        if "runs" in event.content:
            return event
        runs = list(self._find_runs(event).commands)
        return replace(event, content={**event.content, "runs": runs}) if runs else event

    def _find_runs(self, event: NewEvent) -> ScriptRuns:
        folder = Path(self._root, str(event.content.get("cwd") or ".")).as_posix()
        # A secret that is cut into lines is no longer known as one.
        return find_runs(clean(str(event.content["command"])), folder, self._find_folder, self._read)

    def is_hidden(self, event: NewEvent) -> bool:
        """Whether nothing says how the run ended but what it printed.

        Its exit code is not known, that of a filter or an ``echo``, or that of a command which served or watched
        files until a user stopped it.
        """
        code, line = event.content.get("exitCode"), str(event.content["command"])
        if event.outcome is not None:
            return False
        if not isinstance(code, int) or is_stopped(code):
            return any(_printed(event))
        if hides_outcome(line, code) or watched_files(event) or (ends_server(code) and _is_server(event)):
            return True
        # A script that went on after its work failed ends well.
        return code == 0 and any(hides_outcome(each, code) for each in self._find_runs(event).scripts)

    def judge(self, event: NewEvent, *, failed: bool) -> NewEvent:
        """The event of such a run with the outcome that its output tells; ``failed`` where that holds a failure."""
        if is_stopped(event.content.get("exitCode")) and not (failed or _goes_on(event)):
            return event  # a part of its work says nothing of the rest
        content = {name: value for name, value in event.content.items() if name != "exitCode"}
        return replace(event, content=content, outcome=_outcome_of(event, failed=failed))

    def _find_folder(self, folder: str) -> str | None:
        below = relative(self._root, f"{folder}/-")
        return None if below is None else below.removesuffix("-").removesuffix("/")

    def _read(self, path: str) -> str | None:
        if not self._accepts(path):
            return None
        try:
            return clean(read_text(self._root / path, SETTINGS_BYTES, errors="replace"))
        except OSError:
            return None


def _outcome_of(event: NewEvent, *, failed: bool) -> Outcome | None:
    """The outcome that the output of a run tells; ``failed`` where that holds a failure."""
    printed, line = printed_last(event), str(event.content["command"])
    was_stopped = is_stopped(event.content.get("exitCode"))
    tells = any(map(tells_outcome, _lines_of(event))) or was_stopped or _goes_on(event)
    if failed or not tells:
        return Outcome.FAILURE if tells else None
    # A check that is content may say nothing: `tsc --noEmit | head`.
    if not printed.strip() and "stdout" in event.content and shows_something(line):
        return Outcome.SUCCESS
    told = outcome_printed(printed)
    if printed.strip() and _is_server(event):
        # An error that a server speaks of in passing need not be one of this code.
        return None if told is Outcome.FAILURE else Outcome.SUCCESS
    return told


def _goes_on(event: NewEvent) -> bool:
    """Whether a run was of a command that goes on until a user stops it."""
    return watched_files(event) or _is_server(event)


def _is_server(event: NewEvent) -> bool:
    """Whether a run was one of a server."""
    return any(map(serves, _lines_of(event)))


def _lines_of(event: NewEvent) -> list[str]:
    """The command line of a run, and those that it stands for."""
    return [str(line) for line in (event.content["command"], *event.content.get("runs", ()))]


def printed_last(event: NewEvent) -> str:
    """The output of a run; of one that watched files, the output of its last round."""
    return "\n".join(text if (last := _last_round(text)) is None else last for text in _printed(event))


def watched_files(event: NewEvent) -> bool:
    """Whether a run printed the rounds of a command that watches files."""
    return any(_last_round(text) is not None for text in _printed(event))


def _last_round(printed: str) -> str | None:
    """The last round of a command that watches files, which alone says how things are; ``None`` where there are none."""
    lines = printed.split("\n")
    for place in range(len(lines) - 1, -1, -1):
        if begins_round(as_printed(lines[place][:_MAX_LINE_CHARS])):
            return "\n".join(lines[place:])
    return None


def _printed(event: NewEvent) -> list[str]:
    """The text of both streams: of each, as much of its ends as a person would read."""
    texts = (str(event.content[name]) for name in ("stdout", "stderr") if event.content.get(name))
    return [text if len(text) <= READ_CHARS else f"{text[:_HALF]}\n\n{text[-_HALF:]}" for text in texts]
