"""Names of code in a question: where they are defined is of use, and who uses them where the question is about that."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice

from contextls.assembly.usefulness.own_bindings import binds_own
from contextls.assembly.usefulness.prototypes import declares_alone
from contextls.assembly.usefulness.receivers import CallSites, Receivers, ReceiversOf, tell_by_receivers
from contextls.assembly.usefulness.subtypes import MIXABLE, find_overriding, find_subtypes
from contextls.assembly.wording.name_questions import (
    asks_for_calls,
    asks_for_change,
    asks_for_overriding,
    asks_for_users,
    asks_to_rename,
    find_members_of,
)
from contextls.code.kinds import Kind
from contextls.code.languages import default_languages
from contextls.code.model import Definition
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.memory.index.terms import TermSplitter, hash_term
from contextls.memory.knowledge.relations import RelationGraph
from contextls.memory.knowledge.relations.uses import owner_of
from contextls.regex import compile_late
from contextls.store.chunk_rows import ChunkLines

# How relevant a definition and a call of it are, in addition to what words and vectors say. On the development questions
# (benchmarks.lines) coverage rises from .515 to .525, that of "impact" from .712 to .771; 0.1 more or less changes nothing.
DEFINITION, CALL = 0.7, 0.6
# The same for types that implement or extend another, and for overriding members: a change of one concerns the other.
BASED = 0.6
# A question for the callers of a thing is asked in order to change it: calls in tests are many, and come second.
BESIDE_SOURCE = 0.5
MAX_CALLS = 60
# What is named without a call that is known: in an annotation, as an argument of a type, in an expression.
REFERENCE, MAX_REFERENCES, EVERY_REFERENCE = 0.7, 40, 1_000
# In a question with more names than this, most of them are circumstances.
MAX_SUBJECTS = 2
# A text with more names than this, such as pasted code, is not about each of them.
MAX_NAMES = 6
_IMPORTS = ("import ", "from ")
_SCOPES = compile_late(r"::|->|[.#\\]")


def weigh_named(
    named: Mapping[ChunkRef, str],
    ranking: Ranking,
    snapshot: Snapshot,
    graph: RelationGraph,
    receivers_of: ReceiversOf,
    *,
    subject: str = "",
) -> dict[ChunkRef, float]:
    """The relevance, in 0..1, of the chunks that define the names that the question spells, or call them.

    ``named`` are the names by the chunks that define them. A question for one ``subject`` alone wants all of its users.
    """
    alone = bool(subject)
    if len(named) > MAX_NAMES and not alone:
        return {}
    found = dict.fromkeys(named, DEFINITION)
    asked = ranking.question.kinds | {FileKind.SOURCE}
    if not asks_for_users(ranking.question.text):
        return found | _find_changes(ranking, snapshot) if FileKind.CHANGELOG in asked else found
    users = [(user, BASED) for user in _find_based(named, snapshot, ranking.question.text)]
    if asks_for_calls(ranking.question.text):
        calls = _find_users(named, ranking, snapshot, graph, receivers_of, subject)
        users += [(user, CALL * certainty) for user, certainty in calls]
    for user, worth in users:
        kind = snapshot.view.file_kind(user)
        # What a message says in other languages tells no more of who uses it, unless all of them are to be changed.
        if kind is FileKind.TRANSLATION and kind not in asked and not asks_for_change(ranking.question.text):
            continue
        beside = 1.0 if kind in asked else BESIDE_SOURCE
        found[user] = max(worth * beside, found.get(user, 0.0))
    return found


def _find_users(
    named: Mapping[ChunkRef, str],
    ranking: Ranking,
    snapshot: Snapshot,
    graph: RelationGraph,
    receivers_of: ReceiversOf,
    subject: str,
) -> Iterator[tuple[ChunkRef, float]]:
    """The chunks that call what others define by these names, or name it otherwise, and how sure it is that they do."""
    members = {
        (path, definition): receivers_of(path, definition)
        for _, path, definition in find_definitions(named, snapshot)
    }
    binds = cache(partial(binds_own, snapshot=snapshot))
    changes, names = asks_for_change(ranking.question.text), set(named.values())
    users = list(_find_callers(named, snapshot, tell_by_receivers(members, graph, graph.uses.call_sites)))
    if subject and all(user in named for user, _ in users):
        users += _find_callers(named, snapshot, tell_by_receivers(members, graph, graph.uses.possible_calls))
    spelled = (subject,) if subject else ranking.question.identifiers
    references = _find_references(spelled, ranking, snapshot, EVERY_REFERENCE if subject else MAX_REFERENCES)
    if names and not changes:
        written = _spelling_of(names)
        references = (each for each in references if written.search(snapshot.view.row(each[0]).text))
    for user, certainty in (*users, *references):
        if not changes and any(declares_alone(user, name, snapshot) for name in names):
            continue
        lines = snapshot.view.lines(user)
        if not (members and _means_others(lines, members, binds)):
            yield user, certainty


def _means_others(
    lines: ChunkLines,
    members: Mapping[tuple[str, Definition], Receivers],
    binds: Callable[[str, str], bool],
) -> bool:
    """Whether each name in ``lines`` means something else than each of ``members``."""
    return all(
        receivers.only_others(lines.path, lines.start_line, lines.end_line)
        or (not owner_of(each) and path != lines.path and binds(lines.path, each.name))
        for (path, each), receivers in members.items()
    )


def find_subject(text: str, names: Sequence[str], snapshot: Snapshot) -> str:
    """The one of ``names`` that a text is about: the only one, or a member before the type that it names; "" of others."""
    if len(names) == 1:
        return names[0]
    if len(names) == 2:
        for member, owner in find_members_of(text):
            if {member, owner} == set(names) and _has_member(owner, member, snapshot):
                return member
    return ""


def find_members(member: str, owners: Sequence[str], snapshot: Snapshot) -> dict[ChunkRef, str]:
    """The chunks of source that define the ``member`` of a type which is one of ``owners``, with its name."""
    found = {}
    for item in snapshot.symbols.find_named(member):
        ref = snapshot.view.chunk_at(item.path, item.definition.start_line)
        named = item.definition.name == member and owner_of(item.definition) in owners
        if named and ref is not None and snapshot.view.file_kind(ref) is FileKind.SOURCE:
            found[ref] = member
    return found


def _has_member(owner: str, member: str, snapshot: Snapshot) -> bool:
    return any(
        item.definition.name == member and item.definition.qualified.split(".")[-2:-1] == [owner]
        for item in snapshot.symbols.find_named(member)
    )


def _find_based(named: Mapping[ChunkRef, str], snapshot: Snapshot, text: str) -> Iterator[ChunkRef]:
    """The chunks of the types that implement or extend those named, and of the members that override those named."""
    of_members = asks_for_overriding(text)
    for _, _, item in find_definitions(named, snapshot):
        places: Iterable[tuple[str, int]] = ()
        if item.kind in MIXABLE:
            places = ((subtype.path, subtype.line) for subtype in find_subtypes(item.name, snapshot))
        elif of_members and (owner := owner_of(item)):
            places = ((path, each.start_line) for path, each in find_overriding(owner, item.name, snapshot))
        for path, line in places:
            based = snapshot.view.chunk_at(path, line)
            if based is not None:
                yield based


def _find_callers(
    named: Mapping[ChunkRef, str], snapshot: Snapshot, find: CallSites
) -> Iterator[tuple[ChunkRef, float]]:
    """The chunks that call what others define by these names, as ``find`` has it, and how sure that is."""
    for ref, defining, definition in find_definitions(named, snapshot):
        for path, line, certainty in islice(find(defining, definition), MAX_CALLS):
            caller = snapshot.view.chunk_at(path, line)
            if caller is not None and caller != ref:
                yield caller, certainty


def find_definitions(
    named: Mapping[ChunkRef, str], snapshot: Snapshot
) -> Iterator[tuple[ChunkRef, str, Definition]]:
    """The definitions by these names in the chunks, each with its chunk and its file."""
    for ref, name in named.items():
        lines = snapshot.view.lines(ref)
        outline = snapshot.outlines.get(lines.path)
        for definition in outline.beginning_in(lines.start_line, lines.end_line) if outline else ():
            if definition.name == name:
                yield ref, lines.path, definition


def _find_changes(ranking: Ranking, snapshot: Snapshot) -> dict[ChunkRef, float]:
    """The chunks of changelogs that hold a name which the question spells."""
    return {
        ref: worth
        for ref, worth in _find_references(ranking.question.identifiers, ranking, snapshot)
        if snapshot.view.file_kind(ref) is FileKind.CHANGELOG
    }


def _find_references(
    spelled: Sequence[str], ranking: Ranking, snapshot: Snapshot, most: int = MAX_REFERENCES
) -> Iterator[tuple[ChunkRef, float]]:
    """The chunks that hold a name of several words which is ``spelled``, and how sure it is that they use it.

    A name that more than ``most`` hold is not looked for.

    Of a constant or a type the use is often no call, and of what several files define none is known to be one.
    """
    if len(spelled) > MAX_SUBJECTS:
        return
    splitter = TermSplitter()
    wholes = {"".join(splitter.parts(_SCOPES.split(name)[-1])) for name in spelled}
    hashes = set(map(hash_term, wholes))
    for use in ranking.words.uses:
        if use.whole and use.hash in hashes and use.living <= most:
            for user in ranking.numbers.refs(ranking.words.holding(use)):
                if snapshot.view.kind(user) == Kind.IMPORT:
                    continue
                marks = unused_marks(user, ranking.question.text, snapshot.view)
                if not (marks and _is_unused(snapshot.view.row(user).text, marks, wholes, splitter)):
                    yield user, REFERENCE


def _spelling_of(names: Collection[str]) -> re.Pattern[str]:
    """The pattern that finds one of ``names`` as its definition writes it, or in a single case.

    In another form (`refresh_feed` of `RefreshFeed`) it is most often what something else is called.
    """
    forms = {form for name in names for form in (name, name.lower(), name.upper())}
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, forms))})(?!\w)")


def unused_marks(user: ChunkRef, text: str, view: IndexView) -> tuple[str, ...]:
    """The beginnings of lines that use no name: comments and imports. None for a rename, which changes those, too.

    In a file of settings, defaults are commented out.
    """
    if view.file_kind(user) not in (FileKind.SOURCE, FileKind.TEST) or asks_to_rename(text):
        return ()
    facts = default_languages().facts(view.row(user).language)
    return (*facts.comments.line, *_IMPORTS) if facts else ()


def _is_unused(text: str, marks: tuple[str, ...], wholes: Collection[str], splitter: TermSplitter) -> bool:
    """Whether code holds none of the names ``wholes`` but in lines that begin with ``marks``."""
    holding = [
        line
        for line in text.splitlines()
        if any("".join(splitter.parts(word)) in wholes for word in splitter.words(line))
    ]
    return bool(holding) and all(line.lstrip().startswith(marks) for line in holding)
