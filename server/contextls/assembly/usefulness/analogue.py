"""Finds the code that a question takes as its model: "add nushell, the same way fish is done" wants the places of fish."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, zip_longest

from contextls.assembly.usefulness.pool import Scored
from contextls.assembly.usefulness.worth import IMPORTS
from contextls.assembly.wording.analogue_phrase import AnaloguePhrase
from contextls.code.kinds import Kind
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.segments.number_sets import distinct
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef, IndexView

# How relevant a place of the model is, in 0..1. After the best FEW each counts less, and those after MAX_PLACES nothing.
# Chosen on the development questions (docs/relevance.md), where 0.1 or a third more or less changes little.
PLACE, FEW, MAX_PLACES = 0.7, 6, 40
BESIDE_SOURCE = 0.3
# A place has to hold this many of the rarest words of the model. A model whose rarest word is in more than MAX_COMMON chunks
# is not looked for.
MAX_WORDS, MAX_COMMON = 3, 1_000
# What is drawn for the model says nothing of how it is done.
_PICTURE = ".svg"
# In these programs are put together as well: services of Symfony, beans of Spring, screens of Android.
_PUT_TOGETHER = (".yml", ".yaml", ".xml")
_SETTINGS = (FileKind.SETTINGS, FileKind.DATA)


def weigh_analogue(model: AnaloguePhrase, ranking: Ranking, snapshot: Snapshot) -> dict[ChunkRef, float]:
    """The relevance, in 0..1, of the chunks that hold what the question of ``ranking`` takes as its ``model``."""
    asked, view = ranking.question.kinds | {FileKind.SOURCE}, snapshot.view
    if any(place.frame for place in ranking.question.places):
        return {}
    found = _find_function_word(model, snapshot) or _find_holding(model, ranking, snapshot)
    if FileKind.TRANSLATION not in asked:
        found = [ref for ref in found if view.file_kind(ref) is not FileKind.TRANSLATION]
    found = [ref for ref in found if not view.path(ref).endswith(_PICTURE)]
    ranks = _rank(_order(found, ranking), model, view)
    return {
        ref: PLACE
        * min(1.0, FEW / rank)
        * (1 if view.file_kind(ref) in asked or _is_registry(ref, view) else BESIDE_SOURCE)
        * (IMPORTS if view.kind(ref) == Kind.IMPORT else 1)
        for ref, rank in islice(ranks.items(), MAX_PLACES)
    }


def _is_registry(place: ChunkRef, view: IndexView) -> bool:
    """Whether ``place`` may be where a part of the program is registered, though it is no code."""
    return view.file_kind(place) in _SETTINGS and view.path(place).endswith(_PUT_TOGETHER)


def _order(places: Sequence[ChunkRef], ranking: Ranking) -> list[ChunkRef]:
    """``places`` by how well they answer the rest of the question, the best first."""
    if not places:
        return []
    scored = Scored.of(ranking, ranking.read(distinct(ranking.numbers.numbers(places))))
    refs = ranking.numbers.refs(scored.rows.numbers)
    return ranking.view.best_first(dict(zip(refs, scored.score.tolist(), strict=True)))


def _rank(places: Sequence[ChunkRef], model: AnaloguePhrase, view: IndexView) -> dict[ChunkRef, int]:
    """``places`` in turn with the rank of each, every other one in a file that is not called after the model.

    These are where it is registered and named, each of which is wanted, and are ranked among themselves. Of the model's
    own files a few places tell how it is done: these are ranked among all.
    """
    after = {path: model.names(path) for path in dict.fromkeys(map(view.path, places))}
    own, others = ([ref for ref in places if after[view.path(ref)] is is_own] for is_own in (True, False))
    leading, following = (own, others) if places[:1] == own[:1] else (others, own)
    in_turn = [ref for pair in zip_longest(leading, following) for ref in pair if ref is not None]
    among_others = {ref: rank for rank, ref in enumerate(others, 1)}
    return {ref: among_others.get(ref, rank) for rank, ref in enumerate(in_turn, 1)}


def _find_holding(model: AnaloguePhrase, ranking: Ranking, snapshot: Snapshot) -> list[ChunkRef]:
    """The chunks that hold the rarest words of the model, all of them, and what of it is written as code.

    Of those, where some hold a name of several words as one, only these.
    """
    uses = ranking.words.uses
    columns = [column for column, use in enumerate(uses) if use.hash in model.terms and use.living]
    columns.sort(key=lambda column: (-uses[column].weight, uses[column].hash))
    if not columns or uses[columns[0]].living > MAX_COMMON:
        return []
    chunks = ranking.words.holding(uses[columns[0]])
    if len(columns) > 1:
        _, holds = ranking.words.read(chunks)
        chunks = chunks[holds[:, columns[:MAX_WORDS]].all(axis=1)]
    refs = ranking.numbers.refs(chunks)
    refs = _matching(model.code_patterns(), refs, snapshot)
    return _matching(model.long_name_patterns(), refs, snapshot) or refs


def _matching(
    patterns: Sequence[re.Pattern[str]], refs: Sequence[ChunkRef], snapshot: Snapshot
) -> list[ChunkRef]:
    """The chunks of ``refs`` whose text has all of ``patterns``."""
    if not patterns:
        return list(refs)
    row = snapshot.view.row
    return [ref for ref in refs if all(pattern.search(row(ref).text) for pattern in patterns)]


def _find_function_word(model: AnaloguePhrase, snapshot: Snapshot) -> list[ChunkRef]:
    """The place of the model that is called by a function word, if one source file defines it so.

    Its word is everywhere, so that no other place is looked for.
    """
    name = model.function_word
    defined = snapshot.symbols.find_named(name) if name else ()
    source = [
        item
        for item in defined
        if item.definition.name == name and snapshot.files.kind(item.path) is FileKind.SOURCE
    ]
    if len({item.path for item in source}) != 1:
        return []
    found = (snapshot.view.chunk_at(item.path, item.definition.start_line) for item in source)
    return [ref for ref in dict.fromkeys(found) if ref is not None]
