"""Messages that no client should send.

Five sessions with fixed seeds, each with a server process of its own: see ``fuzz_session`` for what every message is owed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ..protocol.conftest import build_workspace
from ..protocol.wire import Wire
from .fuzz_session import Session

SEEDS = (11, 22, 33, 44, 55)


@pytest.mark.parametrize("count", [150, pytest.param(2000, marks=pytest.mark.long)])
@pytest.mark.parametrize("seed", SEEDS)
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
    assert "Traceback" not in session.wire.log.decode(errors="replace")
