"""From all chunks to the best ones. docs/relevance.md says why each part is there and what it is worth.

A question costs a few numpy passes over all chunks and a Python pass over the few that lead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.content.files import KINDS
from contextls.memory.content.lexical import LexicalWeights, lexical_scores
from contextls.memory.content.priors import FileKind
from contextls.memory.content.traces import in_workspace
from contextls.memory.content.view import ChunkRef, ContentView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.content.question import Question
    from contextls.memory.snapshot import Snapshot


FEW_CHUNKS = 20


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """Every constant of the ranking; a weight of 0 switches its part off.

    ``named_file`` and ``named_line`` weigh a file that a long question or its stack trace names, and the chunk at the
    line. Scores of words and of vectors are each scaled to 0..1 over the snapshot before they are added.
    """

    lexical: LexicalWeights = field(default_factory=LexicalWeights)
    vector: float = 1.0
    symbol_vector: float = 0.0
    file: float = 0.5
    evidence: int = 300
    definition: float = 2.0
    stem: float = 0.75
    path: float = 0.6
    decay: float = 0.4
    asked: float = 0.4
    named_file: float = 1.5
    named_line: float = 3.0
    priors: Mapping[FileKind, float] = field(
        default_factory=lambda: {
            FileKind.SOURCE: 1.0,
            FileKind.TEST: 0.3,
            FileKind.EXAMPLE: 0.4,
            FileKind.DOCUMENT: 0.4,
            FileKind.DATA: 0.5,
            FileKind.LEGACY: 0.5,
        }
    )


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A chunk and its score; scores compare within one question, the best is a small multiple of 1."""

    ref: ChunkRef
    score: float


def rank(snapshot: Snapshot, question: Question, weights: RankingWeights, limit: int) -> list[RankedChunk]:
    """The best ``limit`` chunks for ``question``, best first; ties break by path and line."""
    view = snapshot.view
    words = lexical_scores(view, question.terms, weights.lexical, question.emphasis)
    scores = _fused([part.score for part in words], view, question, weights)
    floor = _nth_best(scores, weights.evidence)
    asked = np.array([term.hash for term in question.terms], np.uint32)
    scale = _prior_of_kinds(question, weights)
    evidence = _file_evidence(view, scores, floor)
    defined = _defining(snapshot, question)
    placed = _placed(view, question, weights)
    for number, segment in enumerate(view.segments):
        part, files = scores[number], segment.files
        part *= 1 + np.float32(weights.file) * evidence[number][files.of_chunk]
        if weights.stem:
            part += np.float32(weights.stem) * files.stem_agreement(asked)[files.of_chunk] * (part > 0)
        if weights.path:
            part += np.float32(weights.path) * words[number].in_path * (part > 0)
        for ref, strength in defined.items():
            if ref.segment == number:
                part[ref.position] += np.float32(weights.definition * strength)
        part *= scale[files.kinds][files.of_chunk]
        for ref, gain in placed.items():
            if ref.segment == number:
                part[ref.position] += np.float32(gain)
    return _diverse(view, _top(view, scores, max(100, 4 * limit)), weights.decay)[:limit]


def _fused(
    words: Sequence[NDArray[np.float32]], view: ContentView, question: Question, weights: RankingWeights
) -> list[NDArray[np.float32]]:
    """Word and vector scores on one scale; dead chunks at 0."""
    best = max(
        (float(part[mask].max(initial=0)) for part, mask in zip(words, view.alive, strict=True)), default=0.0
    )
    fused = [part / np.float32(best or 1.0) for part in words]
    weight = weights.symbol_vector if question.is_symbol else weights.vector
    if weight and question.vector.any() and len(view):
        similar = [segment.batch.vectors @ question.vector for segment in view.segments]
        living = np.concatenate([part[mask] for part, mask in zip(similar, view.alive, strict=True)])
        # The mean is what an unrelated chunk scores; of a handful of chunks it says nothing.
        mean = np.float32(living.mean() * len(living) / (len(living) + FEW_CHUNKS))
        spread = np.float32(weight / max(float(living.max() - mean), 1e-6))
        fused = [
            part + spread * np.maximum(near - mean, 0) for part, near in zip(fused, similar, strict=True)
        ]
    return [part * mask for part, mask in zip(fused, view.alive, strict=True)]


def _nth_best(scores: Sequence[NDArray[np.float32]], count: int) -> float:
    """The score that ``count`` chunks reach."""
    together = np.concatenate(scores) if scores else np.zeros(0, np.float32)
    if len(together) <= count:
        return 0.0
    return float(np.partition(together, len(together) - count)[len(together) - count])


def _file_evidence(
    view: ContentView, scores: Sequence[NDArray[np.float32]], floor: float
) -> list[NDArray[np.float32]]:
    """Per segment and file, the sum of its leading chunks' scores, 1 for the best file: several good ones say more."""
    sums = [
        np.bincount(segment.files.of_chunk, np.where(part >= floor, part, 0), len(segment.files))
        for segment, part in zip(view.segments, scores, strict=True)
    ]
    best = max((float(part.max(initial=0)) for part in sums), default=0.0) or 1.0
    return [(part / best).astype(np.float32) for part in sums]


def _prior_of_kinds(question: Question, weights: RankingWeights) -> NDArray[np.float32]:
    """One factor per kind of file; a kind that the question asks for is raised towards 1 by ``asked``."""
    factors = []
    for kind in KINDS:
        prior = weights.priors[kind]
        factors.append(prior + weights.asked * (1 - prior) if kind in question.kinds else prior)
    return np.array(factors, np.float32)


def _defining(snapshot: Snapshot, question: Question) -> dict[ChunkRef, float]:
    """The chunks that define a name which the question asks for; 1 for an exact match of a one-name question."""
    strengths: dict[ChunkRef, float] = {}
    strength = 1.0 if question.is_symbol else 0.4
    for name in question.identifiers:
        asked = name.replace("::", ".").replace("#", ".").replace("->", ".")
        for item in snapshot.symbols.named(asked.rsplit(".", 1)[-1]):
            definition = item.definition
            exact = definition.qualified.endswith(asked) or asked.endswith(definition.qualified)
            here = strength if exact else 0.8 * strength
            for ref in snapshot.view.chunks_of(item.path):
                row = snapshot.view.row(ref)
                if row.start_line <= definition.start_line <= row.end_line:
                    strengths[ref] = max(here, strengths.get(ref, 0.0))
                    break
    return strengths


def _placed(view: ContentView, question: Question, weights: RankingWeights) -> dict[ChunkRef, float]:
    """What chunks gain because the question names their file or, more, their lines."""
    gains: dict[ChunkRef, float] = {}
    for found in in_workspace(question.places, view.paths) if question.places else ():
        for ref in view.chunks_of(found.path):
            row = view.row(ref)
            here = found.line is not None and row.start_line <= found.line <= row.end_line
            gain = found.strength * (weights.named_file + (weights.named_line if here else 0.0))
            gains[ref] = max(gain, gains.get(ref, 0.0))
    return gains


def _top(view: ContentView, scores: Sequence[NDArray[np.float32]], count: int) -> list[RankedChunk]:
    found: list[RankedChunk] = []
    for number, part in enumerate(scores):
        best = np.argpartition(-part, count)[:count] if len(part) > count else np.arange(len(part))
        found.extend(RankedChunk(ChunkRef(number, int(at)), float(part[at])) for at in best if part[at] > 0)
    return _ordered(view, found)[:count]


def _diverse(view: ContentView, ranked: Sequence[RankedChunk], decay: float) -> list[RankedChunk]:
    """Each further chunk of a file counts ``decay`` times less, so that other files get their say."""
    seen: dict[str, int] = defaultdict(int)
    spread = []
    for item in ranked:
        path = view.row(item.ref).path
        spread.append(RankedChunk(item.ref, item.score * decay ** seen[path]))
        seen[path] += 1
    return _ordered(view, spread)


def _ordered(view: ContentView, ranked: Sequence[RankedChunk]) -> list[RankedChunk]:
    def key(item: RankedChunk) -> tuple[float, str, int]:
        row = view.row(item.ref)
        return -item.score, row.path, row.start_line

    return sorted(ranked, key=key)
