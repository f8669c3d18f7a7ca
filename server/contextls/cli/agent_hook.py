"""The program of a hook: ``python -m contextls.cli.agent_hook AGENT [EVENT] [--budget N] [--root DIR]``.

Reads the JSON of an agent's hook on standard input, records the events in it, and prints the context for the agent, if it
takes any now. The hook of a shell (``shell``) passes a command in options instead. The work is done by a process that has
the workspace open, or here where there is none. A hook never holds up an agent: whatever happens, it ends with status 0,
within its time, with at most a line on standard error. It is not a command of ``contextls`` because it runs after every tool
and command, and must not load the command line.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from contextls.isolation import isolate

if TYPE_CHECKING:
    from contextls.agents.call import HookCall
    from contextls.engine import Engine
    from contextls.settings import Settings

_CONTEXT_SECONDS = 15.0
_EVENT_SECONDS = 6.0
# How long a prompt waits for the index to take in what changed; then it is answered from what is there.
_SECONDS_TO_INDEX = 3.0
# The options of a shell's hook, and the fields of the payload that they stand for.
_PAYLOAD_OPTIONS = {
    "--command": "command",
    "--cwd": "cwd",
    "--exit-code": "exitCode",
    "--duration-ms": "durationMs",
    "--at-ms": "atMs",
}
_OPTIONS = {"--budget", "--root", *_PAYLOAD_OPTIONS}
_MAX_DIGITS = 16


class Arguments(Struct, frozen=True):
    """The command line, read."""

    agent: str = ""
    event: str = ""
    budget: int | None = None
    root: Path | None = None
    # What a shell passed in options, in the form in which an agent writes to standard input.
    payload: bytes | None = None


def read_arguments(words: Sequence[str]) -> Arguments:
    """Read the command line as ``contextls hook`` wrote it; unknown options are names."""
    names: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in _OPTIONS:
            options[name] = value if equals else next(rest, "")
        else:
            names.append(word)
    agent, event, *_ = [*names, "", ""]
    root = options.get("--root")
    payload = {name: options[option] for option, name in _PAYLOAD_OPTIONS.items() if option in options}
    numbers = {name: _whole(payload[name]) for name in ("exitCode", "durationMs", "atMs") if name in payload}
    return Arguments(
        agent,
        event,
        _whole(options.get("--budget", "")) or None,
        Path(root) if root else None,
        json.dumps(payload | numbers).encode() if payload else None,
    )


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < _MAX_DIGITS else None


def respond(arguments: Arguments, given: bytes) -> str:
    """Handle a call of the hook, and return what to print. Raises ``ContextlsError``, ``ValueError``."""
    from contextls.agents.sockets import MAX_BYTES, ask_running

    if len(given) > MAX_BYTES:
        raise ValueError(f"standard input has more than {MAX_BYTES:,} bytes")
    root = arguments.root or (
        Path(os.environ["CONTEXTLS_ROOT"]) if os.environ.get("CONTEXTLS_ROOT") else None
    )
    # A process that dies while it answers may have recorded it, or not.
    key = os.urandom(16).hex()
    header = {"agent": arguments.agent, "event": arguments.event, "budget": arguments.budget, "key": key}
    running = ask_running(header | ({"root": str(root)} if root else {}), given)
    if running is None:
        return _respond_alone(arguments, root, given, key)
    if said := running.get("said"):
        raise ValueError(said)
    return str(running.get("answer") or "")


def _respond_alone(arguments: Arguments, root: Path | None, given: bytes, key: str) -> str:
    """Handle the call in this process."""
    from contextls.agents.quick_look import is_elsewhere

    if root is None and is_elsewhere(given):
        return ""
    from contextls.cli.short_process import collect_rarely

    collect_rarely()
    from contextls.agents.respond import read_call, wants_context, write_answer
    from contextls.text.gated_stream import gate_standard_error

    gate_standard_error()
    call = read_call(arguments.agent, arguments.event, given)
    if not call.events and not wants_context(call):
        return ""
    root = root or _find_workspace(call)
    if root is None:
        return ""
    settings = _settings()
    if call.events:
        _record(root, call, key, settings)
    context = _find_context(root, call, arguments.budget, settings) if wants_context(call) else ""
    return write_answer(arguments.agent, call, context)


def _find_workspace(call: HookCall) -> Path | None:
    from contextls.standalone import find_workspace

    return find_workspace(Path(call.folder) if call.folder else Path.cwd())


def _record(root: Path, call: HookCall, key: str, settings: Settings) -> None:
    from contextls.agents.respond import record_events
    from contextls.recording import Recording

    recording = Recording.open(root, settings)
    try:
        record_events(recording, call, key)
    finally:
        recording.close()


def _find_context(root: Path, call: HookCall, budget: int | None, settings: Settings) -> str:
    from contextls.agents.respond import find_context
    from contextls.engine import Engine

    engine = Engine.open(root, settings)
    try:
        _bring_up_to_date(engine)
        return find_context(engine, call, budget)
    finally:
        engine.close()


def _bring_up_to_date(engine: Engine) -> None:
    """Update the index, for a few seconds. One that was never built is not begun here: that may take minutes."""
    from contextls.errors import CancelledError

    if not engine.is_built:
        sys.stderr.write(f"contextls: no index yet; once: contextls index {engine.root}\n")
        return
    cancel = threading.Event()
    timer = threading.Timer(_SECONDS_TO_INDEX, cancel.set)
    timer.daemon = True
    timer.start()
    try:
        engine.index(cancel=cancel)
    except CancelledError:
        pass
    finally:
        timer.cancel()


def _settings() -> Settings:
    from contextls.settings_file import read_user_settings

    user = read_user_settings()
    for warning in user.warnings:
        sys.stderr.write(f"contextls: warning: {warning}\n")
    return user.settings


def main() -> None:
    """Answer one hook and end the process with status 0."""
    isolate()
    arguments = read_arguments(sys.argv[1:])
    _give_up_after(_CONTEXT_SECONDS if _may_want_context(arguments.event) else _EVENT_SECONDS)
    try:
        from contextls.agents.sockets import MAX_BYTES

        payload = arguments.payload
        given = sys.stdin.buffer.read(MAX_BYTES + 1) if payload is None else payload
        answer = respond(arguments, given)
        # It passed the gate where it was written; printing it as commands do would load the whole command line.
        sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
    except Exception as error:  # nothing that is wrong here may fail an agent
        from contextls.text.gated_stream import gate_standard_error

        gate_standard_error()
        sys.stderr.write(f"contextls: {type(error).__name__}: {error}\n")
    with suppress(OSError):  # the agent is gone
        sys.stdout.flush()
    os._exit(0)


def _may_want_context(event: str) -> bool:
    return "tool" not in event.lower() and "edit" not in event.lower()


def _give_up_after(seconds: float) -> None:
    def give_up() -> None:
        sys.stderr.write(f"contextls: no answer within {seconds:.0f} s, given up\n")
        os._exit(0)

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()


if __name__ == "__main__":
    main()
