"""The definitions of the names that a question spells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from contextls.code.kinds import CALLABLE, TYPE_LIKE, TYPES
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.http_requests import METHODS
from contextls.memory.index.ranking.initials import are_spelled_as
from contextls.memory.index.ranking.lexical import QuestionTerms
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.regex import compile_late

if TYPE_CHECKING:
    from contextls.memory.index.query.search_query import SearchQuery
    from contextls.memory.index.snapshot.snapshot import Snapshot
    from contextls.memory.index.snapshot.symbols import Located

# What stands for the object at hand, before the name of its member.
_RECEIVER = compile_late(r"^(?:self|this|cls|super)\.")
_JOINS = compile_late(r"::|->|#|\\{1,2}")
_PARTS = compile_late(r"[/.#]")
# In a name with at least this many dots, as ``storage.tsdb.retention.time``, a ``time`` elsewhere is not meant.
MIN_DOTS = 2
# A name with more definitions than this means none of them, wherever they are.
MAX_TOLD_APART = 60


def find_defining(
    snapshot: Snapshot, question: SearchQuery, words: QuestionTerms, files: Collection[str]
) -> dict[ChunkRef, tuple[float, str]]:
    """The chunks that define a name which the question asks for, how much that says, in 0..1, and the name.

    It says as much as the name is of the question, and less the more files define it: 1 over the root of their number.
    Names of ``files`` are none of code: ``Cart.java`` is no question for ``Java``.
    """
    strengths: dict[ChunkRef, tuple[float, str]] = {}
    for name in question.identifiers:
        if name in files:
            continue
        asked = _RECEIVER.sub("", _JOINS.sub(".", name.lstrip("\\")))
        named = snapshot.symbols.find_named(asked.rsplit(".", 1)[-1])
        if name in question.asked_types:
            named = tuple(item for item in named if item.definition.kind in TYPES)
        meant = _leave_out_locals(
            named if question.is_symbol else _meant_by(asked, named, snapshot.view), snapshot
        )
        strength = words.share(question.names[name]) / max(1, len({item.path for item in meant})) ** 0.5
        for item in _narrow(asked, meant):
            ref = snapshot.view.chunk_at(item.path, item.definition.start_line)
            if ref is not None:
                known = strengths.get(ref, (0.0, item.definition.name))
                strengths[ref] = max((strength, item.definition.name), known, key=itemgetter(0))
    return strengths


def _meant_by(asked: str, named: tuple[Located, ...], view: IndexView) -> tuple[Located, ...]:
    """The definitions that the word ``asked`` may mean, where it stands in prose.

    One in a single case, ``INFO`` or ``preview``, may be no name: in another case it means types alone, ``POST`` nothing,
    and initials those types as which the workspace mostly writes them. ``Send`` is not ``send``.
    """
    if not asked.isalpha() or not (asked.isupper() or asked.islower() or asked.istitle()):
        return named

    def is_meant(item: Located) -> bool:
        name = item.definition.name
        if name == asked:
            return True
        if (
            asked.istitle()
            or item.definition.kind not in TYPE_LIKE
            or (asked.isupper() and asked.lower() in METHODS)
        ):
            return False
        return asked.islower() or are_spelled_as(view, asked, name)

    return tuple(filter(is_meant, named))


def _leave_out_locals(named: Sequence[Located], snapshot: Snapshot) -> Sequence[Located]:
    """``named`` without those inside of functions, if source has others: only their function knows them."""
    if not 1 < len(named) <= MAX_TOLD_APART:
        return named
    outer = [item for item in named if not _is_local(item, snapshot)]
    return outer if any(_is_of_source(item, snapshot.view) for item in outer) else named


def _is_of_source(item: Located, view: IndexView) -> bool:
    ref = view.chunk_at(item.path, item.definition.start_line)
    return ref is not None and view.file_kind(ref) is FileKind.SOURCE


def _is_local(item: Located, snapshot: Snapshot) -> bool:
    around, _, _ = item.definition.qualified.rpartition(".")
    start, end = item.definition.start_line, item.definition.end_line
    return bool(around) and any(
        each.kind in CALLABLE
        and each.qualified == around
        and each.start_line <= start
        and end <= each.end_line
        for each in snapshot.outlines[item.path].touching(start, end)
    )


def _narrow(asked: str, named: Sequence[Located]) -> Sequence[Located]:
    """The definitions that a name with dots means.

    Whose own name ends as ``asked`` goes before all others, then a member whose own name and its type ``asked`` ends as;
    then what it ends as, and what stands in a place that is called like a part before the last.
    """
    exact = [item for item in named if f".{item.definition.qualified}".endswith(f".{asked}")]
    members = (item for item in named if "." in item.definition.qualified)
    exact = exact or [item for item in members if f".{asked}".endswith(f".{item.definition.qualified}")]
    if exact:
        return exact
    way = set(asked.lower().split(".")[:-1])
    meant = [
        item
        for item in named
        if f".{asked}".endswith(f".{item.definition.qualified}")
        or way.intersection(_PARTS.split(item.id.lower())[:-1])
    ]
    return meant or (named if len(way) < MIN_DOTS else ())
