"""Exit codes: whether the work of a command line failed, and whether its code tells so at all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from contextls.memory.events.programs import HARMLESS, RUNNERS, is_work, program_of, tells_outcome, unwrap
from contextls.memory.events.shell_line import steps_of
from contextls.model import Event, Outcome
from contextls.regex import compile_late
from contextls.text.word_set import word_set

NOT_RUNNABLE, NOT_FOUND, NOT_FOUND_BY_CMD = 126, 127, 9009
# By the user: SIGINT, SIGPIPE (as by `| head`), SIGTERM; on Windows STATUS_CONTROL_C_EXIT, with and without a sign.
_STOPPED = frozenset((130, 141, 143, 0xC000013A, 0xC000013A - (1 << 32)))
# A server ends so at a key, by ``timeout`` and by SIGKILL as well.
_ENDS_SERVER = _STOPPED | {0, 124, 137}
# Programs that pass on their input and hardly ever fail: another exit code comes from an earlier command of the line.
_NEVER_FAILS = word_set("cat column cut echo head less more printf sort tail tee tr true uniq")
_WATCH = compile_late(r"--watch|watch\Z")
_STOPS = compile_late(r"-[a-df-z]{0,9}e|errexit\Z")
_RECORDED_RUN = compile_late(r"\s*(?:\S*[/\\])?contextls(?:\.exe)?\s+run\s")


def tries_something(line: str, exit_code: object) -> bool:
    """Whether a failing command was work that failed: no typo, no look around, nothing that the user stopped."""
    if is_stopped(exit_code):
        return False
    programs = [program_of(words[0]) for step in steps_of(line) if (words := unwrap(step.words))]
    if exit_code in (NOT_RUNNABLE, NOT_FOUND, NOT_FOUND_BY_CMD):
        return any(program in RUNNERS for program in programs)
    return any(program not in HARMLESS for program in programs)


def is_stopped(exit_code: object) -> bool:
    """Whether a code says that the user stopped the command."""
    return exit_code in _STOPPED


def ends_server(exit_code: int) -> bool:
    """Whether a code of a server says that the user ended it, and so nothing of what it met."""
    return exit_code in _ENDS_SERVER


def was_work(run: Event) -> bool:
    """Whether a run of a command, failed or not, was work."""
    code = run.content.get("exitCode") if run.outcome is Outcome.FAILURE else 0
    return tries_something(str(run.content.get("command", "")), code)


def hides_outcome(line: str, exit_code: int) -> bool:
    """Whether the exit code of a line says nothing of its work: ``npm test | tail``, ``pytest; echo``, ``tsc --watch``."""
    steps = [(words, step.then) for step in steps_of(line) if (words := unwrap(step.words))]
    if tells_outcome(line) and any(_WATCH.match(word) for words, _ in steps for word in words[1:]):
        return True  # it went on until a user stopped it
    work = [number for number, (words, _) in enumerate(steps) if is_work(words)]
    if not work or is_stopped(exit_code):
        return False
    # What goes well at the end says nothing of what went before; what fails there is what failed.
    after = steps[work[0 if exit_code == 0 else -1] :]
    # After `set -e` the next line is only reached by what went well.
    goes_on = ("&&", "", ";") if any(map(_stops_at_errors, steps)) else ("&&", "")
    if all(then in goes_on for _, then in after):
        return False
    return exit_code == 0 or program_of(after[-1][0][0]) not in _NEVER_FAILS


def _stops_at_errors(step: tuple[Sequence[str], str]) -> bool:
    words, _ = step
    return words[0] == "set" and any(_STOPS.match(word) for word in words[1:])


def shows_something(line: str) -> bool:
    """Whether a line shows some of what its work prints, whatever that is: it is piped into what only cuts it short."""
    steps = steps_of(line)
    return all(step.pipes for step in steps[:-1] if is_work(step.words)) and all(
        program_of(after.words[0]) in _NEVER_FAILS for step, after in pairwise(steps) if step.pipes
    )


def is_recorded_run(line: str) -> bool:
    """Whether it is ``contextls run …``, which tells of what it ran itself."""
    return bool(_RECORDED_RUN.match(line))
