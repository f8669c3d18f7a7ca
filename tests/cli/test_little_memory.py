"""Where the system gives too little memory, a command says so in a sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from contextls.cli.shortage import find_shortage

from .conftest import write_workspace

LIMITED = "ulimit -v {limit} && exec {python} -m contextls.cli.main {command}"


def run_limited(limit: int, command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    line = LIMITED.format(limit=limit, python=sys.executable, command=command)
    return subprocess.run(["bash", "-c", line], cwd=cwd, capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold programs to this limit")
@pytest.mark.parametrize("command", ["assemble 'how is mail sent?'", "search mail", "events"])
def test_a_command_that_gets_too_little_memory_is_no_defect(tmp_path: Path, command: str) -> None:
    root = write_workspace(tmp_path / "workspace")
    for limit in (60_000, 100_000, 200_000):
        done = run_limited(limit, command, root)
        assert "internal error" not in done.stderr
        assert "Traceback" not in done.stderr


def test_what_was_short_and_what_to_do_is_said() -> None:
    with pytest.raises(MemoryError) as caught:
        bytearray(1 << 62)
    assert str(find_shortage(caught.value)).startswith("not enough memory; end other programs, or allow more")
    unmapped = ImportError("/lib/x.abi3.so: failed to map segment from shared object")
    assert str(find_shortage(unmapped)).startswith("not enough memory; ")
    full = RuntimeError("can't start new thread")
    assert str(find_shortage(full)).startswith("the system refused another thread; allow more memory")


@pytest.mark.parametrize("error", [ImportError("no module named x"), RuntimeError("x"), OSError(2, "gone")])
def test_another_error_is_no_shortage(error: Exception) -> None:
    assert find_shortage(error) is None
