"""From a file to what the index keeps of it. Runs in a worker process; everything in and out is plain data."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from contextls.code.model import Chunk, Definition, Import, ParsedFile
from contextls.code.worker_tasks import parse
from contextls.memory.index.calls import pack as pack_calls
from contextls.memory.index.terms import TermSplitter, pack
from contextls.text.redact import redact
from contextls.workspace.read import Unreadable, read_source


@dataclass(frozen=True, slots=True)
class AnalysisTask:
    """One file to analyse. ``text`` is the unsaved editor text; ``None`` reads the file.

    A file whose digest is ``known_digest`` is not parsed again. ``size`` (bytes) tells how much work it is;
    ``plain`` cuts it into windows without parsing it.
    """

    root: str
    path: str
    text: str | None = None
    known_digest: str = ""
    include_noise: bool = False
    size: int = 0
    plain: bool = False


@dataclass(frozen=True, slots=True)
class AnalysedChunk:
    """A chunk and its packed terms."""

    chunk: Chunk
    terms: tuple[int, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """One file as the index keeps it.

    ``references`` are distinct names; ``calls`` and ``bodies`` are packed, see ``memory.calls`` and ``code.skeleton``.
    """

    path: str
    digest: str
    language: str
    chunks: tuple[AnalysedChunk, ...]
    definitions: tuple[Definition, ...]
    references: tuple[str, ...]
    imports: tuple[Import, ...]
    problems: tuple[str, ...]
    calls: str = ""
    bodies: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that stays out of the index; ``reason`` is one word such as ``binary`` or ``generated``."""

    path: str
    digest: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A file whose content is what the index already has."""

    path: str


def analyse(task: AnalysisTask) -> Analysis | Skipped | Unchanged:
    """Read, redact, parse and split one file. Never raises for any content."""
    digest, text = "", task.text
    if text is None:
        source = read_source(Path(task.root) / task.path, within=Path(task.root))
        if isinstance(source, Unreadable):
            return Skipped(task.path, "", source.reason)
        # First, since what is known may have been let in by another setting.
        if source.noise and not task.include_noise:
            return Skipped(task.path, source.digest, source.noise)
        if source.digest == task.known_digest:
            return Unchanged(task.path)
        digest, text = source.digest, source.text
    text = redact(text).text
    parsed = parse(task.path, text, plain=task.plain)
    return Analysis(
        path=task.path,
        digest=digest,
        language=parsed.language,
        chunks=_with_terms(task.path, parsed),
        definitions=parsed.definitions,
        references=tuple(sorted({reference.name for reference in parsed.references})),
        imports=parsed.imports,
        problems=parsed.problems,
        calls=pack_calls(parsed.references),
        bodies=parsed.bodies,
    )


def _with_terms(path: str, parsed: ParsedFile) -> tuple[AnalysedChunk, ...]:
    splitter = _splitter()
    place = path.rsplit(".", 1)[0]
    starting: dict[int, list[Definition]] = {}
    for definition in parsed.definitions:
        starting.setdefault(definition.start_line, []).append(definition)
    analysed = []
    for chunk in parsed.chunks:
        inside = [d for line in range(chunk.start_line, chunk.end_line + 1) for d in starting.get(line, ())]
        # What a file says of itself leads to where it begins.
        docs = [*([parsed.doc] if chunk.start_line == 1 else []), *(d.doc for d in inside)]
        head = " ".join([*{chunk.symbol, *(definition.name for definition in inside)}, place, *docs])
        terms, counts = pack((splitter.counts(chunk.text), splitter.counts(head)))
        analysed.append(AnalysedChunk(chunk, tuple(terms), tuple(counts)))
    return tuple(analysed)


@functools.cache
def _splitter() -> TermSplitter:
    return TermSplitter()
