"""Fixtures are source files under ``fixtures/<language>/``; beside each lies the outline that is expected of it.

``CONTEXTLS_UPDATE_FIXTURES=1 pytest tests/code`` writes the expectations anew; read what changed before committing it.
"""

from __future__ import annotations

import os
from pathlib import Path

from contextls.code.model import ChunkLimits, ParsedFile
from contextls.code.parse import parse_file

FOLDER = Path(__file__).parent / "fixtures"
# Small enough that a fixture of thirty lines shows how classes are taken apart.
LIMITS = ChunkLimits(target_chars=120, max_chars=240)


def sources() -> list[Path]:
    """All fixture sources."""
    return sorted(path for path in FOLDER.glob("*/*") if path.suffix != ".expected")


def check(path: Path) -> None:
    """Compare what is read out of the fixture with the expectation beside it."""
    text = path.read_bytes().decode("utf-8")
    found = outline(parse_file(path.name, text, LIMITS))
    expected = path.with_name(path.name + ".expected")
    if os.environ.get("CONTEXTLS_UPDATE_FIXTURES"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8"), f"{path}: see tests/code/fixtures.py on updating"


def outline(parsed: ParsedFile) -> str:
    """A parsed file as text that a person can check."""
    lines = [f"language {parsed.language}", *(f"problem {problem}" for problem in parsed.problems)]
    for chunk in parsed.chunks:
        header = " / ".join(line.strip() for line in chunk.header.splitlines())
        place = f"{chunk.start_line}-{chunk.end_line}"
        lines.append(f"chunk {place} {chunk.kind} {chunk.symbol or '-'}" + (f" | {header}" if header else ""))
    for item in parsed.definitions:
        place = f"{item.start_line}-{item.end_line}"
        lines.append(f"def {place} {item.kind} {item.qualified} | {item.signature} | {item.doc}".rstrip(" |"))
    lines += [f"import {item.line} {item.module} {' '.join(item.names)}".rstrip() for item in parsed.imports]
    lines.append(
        "refs " + " ".join(f"{item.name}{'()' * item.call}:{item.line}" for item in parsed.references)
    )
    return "\n".join(lines).rstrip() + "\n"
