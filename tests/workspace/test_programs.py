from __future__ import annotations

from pathlib import Path

import pytest

from contextls.workspace.programs import is_program


def test_what_may_be_executed_is_a_program(tmp_path: Path) -> None:
    (tmp_path / "pytest").write_text("#!/bin/sh\n")
    assert not is_program(tmp_path / "pytest", [])
    (tmp_path / "pytest").chmod(0o755)
    assert is_program(tmp_path / "pytest", [])


def test_windows_finds_a_program_by_its_name_without_the_ending(tmp_path: Path) -> None:
    (tmp_path / "pytest.exe").write_bytes(b"MZ")
    (tmp_path / "notes.txt").write_text("mine")
    assert is_program(tmp_path / "pytest", [".com", ".exe"])
    assert not is_program(tmp_path / "notes.txt", [".com", ".exe"])
    with pytest.raises(FileNotFoundError):
        is_program(tmp_path / "notes", [".com", ".exe"])
