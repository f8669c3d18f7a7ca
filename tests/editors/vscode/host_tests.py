"""Runs the suites of ``editors/vscode/test`` inside a real extension host and says what became of each test."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from .vscode_server import VSCodeServer

# The variables that tell the suites where to write, and (with blanks between them) which of them to run.
RESULTS = "CONTEXTLS_TEST_RESULTS"
SUITES = "CONTEXTLS_TEST_SUITES"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test: the ``suite`` file it stands in, its full ``title``, and Mocha's ``message`` where it failed."""

    suite: str
    title: str
    passed: bool
    milliseconds: int
    message: str


@dataclass(frozen=True, slots=True)
class HostRun:
    """What one run brought: its ``outcomes``, how the host ``ended``, the warnings and errors it ``said``.

    ``log`` is what the extension and its servers wrote.
    """

    outcomes: Sequence[Outcome]
    ended: str
    said: str
    log: str


def run_host_tests(
    server: VSCodeServer,
    page: Page,
    extension: Path,
    workspace: Path,
    results: Path,
    *,
    timeout_s: float = 900.0,
) -> HostRun:
    """Open ``workspace`` with ``extension`` under test (its ``out/test/index.js``) and wait for the end.

    ``server`` runs with ``automation``, and with ``results`` in its variable ``CONTEXTLS_TEST_RESULTS``.
    A host that does not end in time is no error here: ``ended`` says so, and the outcomes so far are there.
    """
    ended: list[str] = []
    said: list[str] = []

    def _log(level: str, line: Any) -> None:  # noqa: ANN401 - whatever the host's console was given
        if level in ("warn", "error"):
            said.append(f"{level}: {line}")

    page.expose_function("codeAutomationLog", _log)
    page.expose_function("codeAutomationExit", lambda code, _logs=None: ended.append(f"exit {code}"))
    payload = (
        ("extensionDevelopmentPath", server.remote(extension)),
        ("extensionTestsPath", server.remote(extension / "out" / "test" / "index.js")),
    )
    page.goto(server.url(workspace, payload=payload))
    deadline = time.monotonic() + timeout_s
    while not ended and time.monotonic() < deadline:
        page.wait_for_timeout(1_000)
    how = ended[0] if ended else f"no end within {timeout_s:.0f} s"
    return HostRun(_outcomes(results), how, "\n".join(said), server.output("contextls"))


def _outcomes(results: Path) -> list[Outcome]:
    if not results.exists():
        return []
    lines = results.read_text(encoding="utf-8").splitlines()
    return [Outcome(**json.loads(line)) for line in lines]
