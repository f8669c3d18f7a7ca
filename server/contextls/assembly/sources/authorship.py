"""Authorship of what a question asks about: the authors of its files, and the commits that changed the one it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import CommitList, KnownEntity, RelationBundle
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.source import Findings
from contextls.memory.knowledge.relations import RelationType
from contextls.model import Section
from contextls.regex import compile_late
from contextls.text.fence import inline

# Files that the question names, or the first that were found for its words.
MAX_NAMED, MAX_FOUND = 4, 2
COMMITS = 6
_ASKED = compile_late(
    # Asked, not told: "a user who changed the password" is no question.
    r"(?:^|[.?!,;:\n][ \t]{0,8}|\b(?:and|ask|know|see|tell me|find out|person|developer|colleague)\s+)"
    r"who(m|se code)?\b.{0,40}\b(wrote|written|authored|created|made|maintain(s|ed|ing)?|owns?|works? on|worked on|knows?"
    r"|touched|changed|introduced|added|implemented|ask|review(s|ed)?|responsible)\b"
    # "I'm the owner of that repo" asks for nobody.
    r"|(?<!m the )(?<!m an )(?<!as the )\b(author|creator|maintainer|owner)s? (of|for|behind)\b",
    re.IGNORECASE,
)


def asks_for_authors(text: str, memories: MemorySnapshot) -> bool:
    """Whether a question asks for people rather than for code, and there is a history that knows them."""
    return bool(memories.history) and bool(_ASKED.search(text))


def find_authors(memories: MemorySnapshot, found: Findings) -> tuple[Candidate, ...]:
    """A sentence about the authors of each file in question, and the newest commits of those that it names."""
    entities = [one.body for one in found.of("entities").candidates if isinstance(one.body, KnownEntity)]
    named = _unique([body.entity.path for body in entities if body.mentioned and body.entity.path])[
        :MAX_NAMED
    ]
    content = _unique([path for one in found.of("content").candidates for path in one.paths])[:MAX_FOUND]
    # The commits that changed the code itself say more than those of its file.
    are_told = bool(found.of("commits").candidates)
    return tuple(
        candidate
        for place, path in enumerate(named or content)
        for candidate in _describe(path, memories, place, in_question=bool(named))
        if not (are_told and isinstance(candidate.body, CommitList))
    )


def _describe(path: str, memories: MemorySnapshot, place: int, *, in_question: bool) -> Iterator[Candidate]:
    edges = [
        edge
        for edge in memories.knowledge.edges(path, {RelationType.AUTHORED})
        if edge.type is RelationType.AUTHORED
    ]
    if not edges:
        return
    why = f"{inline(path)} is named in the question" if in_question else f"of {inline(path)}, which was found"
    names = {edge.source: edge.source.partition(":")[2] for edge in edges}
    yield Candidate(
        section=Section.RELATION,
        id=edges[0].id,
        body=RelationBundle(path, tuple(edges), names),
        scores=Scores(1.0 - 0.01 * place, 1.0, 1.0),  # in the order of the files
        paths=(path,),
        why=why,
        chance=1.0 if in_question else 0.0,
    )
    commits = tuple(
        (each.sha, f"{each.subject} ({each.author})")
        for each in (memories.history.recent(path, COMMITS) if memories.history else ())
        if not memories.exclusion.is_named_in(each.subject)
    )
    if commits and in_question:
        body = CommitList(commits, path=path)
        yield Candidate(Section.RECENT, f"commits:{path}", body, Scores(0.9, 0.9, 0.9), (path,), why=why)


def _unique(paths: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(paths))
