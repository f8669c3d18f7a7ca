"""Messages that no client should send.

Sessions with fixed seeds, each with a server process of its own: see ``fuzz_session`` for what every message is owed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..protocol.conftest import build_workspace
from ..protocol.wire import Wire, WireError
from .fuzz_session import INTERNAL_ERROR, Session

SEEDS = (11, 22, 33, 44, 55)
# No disk takes such a name, alone or as a folder of a path.
LONG_NAMES = ("x" * 300, "x" * 300 + "/a.py", "x" * 5000 + ".py")


@pytest.mark.parametrize("count", [150, pytest.param(2000, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "seed", [*SEEDS[:2], *(pytest.param(seed, marks=pytest.mark.long) for seed in SEEDS[2:])]
)
def test_every_message_gets_what_it_is_owed(
    start: Callable[..., Wire],
    tmp_path: Path,
    record_property: Callable[[str, object], None],
    seed: int,
    count: int,
) -> None:
    record_property("attacks", count)
    session = Session(start(), build_workspace(tmp_path / "shop"), seed)
    session.run(count)
    assert session.problems() == []
    assert session.wire.process.wait(60) == 0
    assert "Traceback" not in session.wire.whole_log()


def internal_failure(wire: Wire, method: str, params: dict[str, Any]) -> str | None:
    """What is wrong where a request is answered with a failure of ours, and not with a result or with what to mend."""
    try:
        wire.request(method, params)
    except WireError as error:
        return f"{method}: {error}" if error.code == INTERNAL_ERROR else None
    return None


@pytest.mark.parametrize("name", LONG_NAMES, ids=["file", "folder", "path"])
def test_a_name_longer_than_a_disk_takes_is_answered(
    start: Callable[..., Wire], tmp_path: Path, name: str
) -> None:
    root = build_workspace(tmp_path / "shop")
    wire = start()
    wire.initialize(root)
    document = {"uri": f"{root.as_uri()}/{name}"}
    failed = {"command": "x", "exitCode": 1, "stdout": f"{name}:12: error: y", "cwd": name}
    asked: list[tuple[str, dict[str, Any]]] = [
        ("context/recordEvent", {"type": "shell_exec", "content": failed}),
        ("context/recordEvent", {"type": "file_write", "content": {"path": name}}),
        ("context/fileStatus", {"textDocument": document}),
        ("context/workingSet/pin", {"path": name}),
        ("context/workingSet/exclude", {"path": name}),
        (
            "context/workingSet/update",
            {"updates": [{"action": "add_to_working_set", "path": name, "why": name}]},
        ),
        (
            "context/assemble",
            {"query": f"{name}:3", "textDocument": document, "filters": {"exclude": [name]}},
        ),
    ]
    for method in ("workspace/didDeleteFiles", "workspace/didCreateFiles"):
        wire.notify(method, {"files": [document]})
    wire.notify(
        "workspace/didChangeWatchedFiles", {"changes": [{**document, "type": kind} for kind in (1, 3)]}
    )
    failures = [failure for method, params in asked if (failure := internal_failure(wire, method, params))]
    assert failures == []
    assert wire.end() == 0
    assert "Traceback" not in wire.whole_log()
