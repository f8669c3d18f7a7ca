"""Says in a short phrase why a piece is in a prompt: what really counted, and the same for the same inputs.

Phrases name code and files that are in the prompt or in the question, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from contextls.assembly.usefulness.calls import Calls
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking.evidence import Evidence, Evidences
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import STOP_WORDS
from contextls.model import Event, EventType, Outcome
from contextls.text.fence import inline
from contextls.text.word_set import word_set

# They count where they stand, and say nothing of why: "incognito, being, mode".
_FUNCTION_WORDS = STOP_WORDS | word_set(
    """
    about again against all almost already also although always am among anything because been before being besides
    between both during either else even ever every everything few he hence her here him his however instead just least
    less many may maybe me might more most much must neither never no nor not nothing now of off often onto other others
    ought our ours out over own per perhaps quite rather same shall she since something somehow sometimes somewhere still
    such than though through thus till too toward towards under unless until up upon very via want wants whereas whether
    whom within without yet yours
    """
)
MAX_WORDS = 3
MAX_REASONS = 3

_DONE: Mapping[str, str] = {
    EventType.FILE_READ: "read",
    EventType.FILE_FOCUS: "looked at",
    EventType.FILE_EDIT: "edited",
    EventType.FILE_WRITE: "saved",
    EventType.FILE_RENAME: "renamed",
    EventType.FILE_DELETE: "deleted",
    EventType.FILES_CHANGED: "changed on disk",
    EventType.SHELL_EXEC: "run",
    EventType.DIAGNOSTIC: "reported",
    EventType.GIT_CHECKOUT: "checked out",
    EventType.GIT_COMMIT: "committed",
    EventType.GIT_STASH: "stashed",
    EventType.GIT_REBASE: "rebased",
    EventType.NOTE: "noted",
}
_CALLED = {
    FileKind.EXAMPLE: "an example",
    FileKind.SETTINGS: "settings",
    FileKind.DATA: "data",
    FileKind.LEGACY: "older code",
}


def join_reasons(reasons: Iterable[str]) -> str:
    """Several reasons as one phrase: each once, the first three; the words of all pieces are one of them."""
    parts: dict[str, list[str]] = {}
    for part in (part for reason in reasons for part in reason.split("; ") if part):
        label, _, words = part.partition(": ")
        if label.endswith("words"):
            parts.setdefault(label, []).extend(words.split(", "))
        else:
            parts.setdefault(part, [])
    told = [_list_words(label, words) if words else label for label, words in parts.items()]
    return "; ".join(told[:MAX_REASONS])


def of_chunk(
    searched: Evidences,
    ref: ChunkRef,
    calls: Calls | None = None,
    *,
    asked: str = "",
    active: bool = False,
    implements: str = "",
) -> str:
    """The reason why a chunk ranked; ``asked`` is what was searched for where it is not the question itself.

    ``calls`` tie it to code that ranked, and so does the member of an interface that it ``implements``. ``active`` says that
    its file is the one in front, which counts in its favour.
    """
    found = searched.of(ref)
    reasons = []
    if found.placed:
        reasons.append(f"in {asked}" if asked else "the question names the place")
    if found.prints:
        reasons.append("prints a message of the question")
    if found.defines:
        reasons.append(f"defines {inline(found.defines)}")
    by_words = _by_words(found, asked)
    by_meaning = f"close in meaning to {asked}" if asked else "close in meaning"
    both = [by_words, by_meaning if found.meaning else ""]
    reasons.extend(both if found.words_first else reversed(both))
    if found.kind is not None:
        reasons.append(f"{_CALLED.get(found.kind, f'a {found.kind}')}, as asked for")
    if active:
        reasons.append("in the active file")
    if implements:
        reasons.append(f"implements {inline(implements)}")
    reasons.extend(_by_calls(ref, calls) if calls else ())
    return join_reasons(reasons) or by_meaning


def words_of(words: Iterable[str], asked: str = "") -> str:
    """The words of the question (or of what was ``asked``) that a piece holds; empty where it holds none."""
    return _list_words(f"words of {asked}" if asked else "words", words)


def _list_words(label: str, words: Iterable[str]) -> str:
    # The "3" and the "s" of "s3" say nothing; one character of Chinese is a word.
    telling = (word for word in dict.fromkeys(words) if len(word) > 1 or not word.isascii())
    shown = [word for word in telling if word not in _FUNCTION_WORDS][:MAX_WORDS]
    return f"{label}: {', '.join(shown)}" if shown else ""


def spell_keywords(keywords: Sequence[str], question: str) -> list[str]:
    """The first keywords (stems of its words) as ``question`` spells them."""
    lowered = question.lower()
    found = []
    for keyword in keywords[:MAX_WORDS]:
        start = lowered.find(keyword)
        end = start + len(keyword)
        while start >= 0 and end < len(question) and question[end].islower():
            end += 1
        found.append(lowered[start:end] if start >= 0 else keyword)
    return found


def of_event(event: Event, keywords: Sequence[str], question: str, *, own: bool, before_failure: bool) -> str:
    """The reason for an event: what was done, in whose session, and which ``keywords`` of the ``question`` it holds."""
    failed = event.outcome is Outcome.FAILURE
    done = "failed" if failed else _DONE.get(event.type, "happened")
    first = "before the latest failure" if before_failure else ""
    session = f"{done} in {'this' if own else 'another'} session"
    return join_reasons([first, session, words_of(spell_keywords(keywords, question))])


def _by_calls(ref: ChunkRef, calls: Calls) -> Iterator[str]:
    if ref in calls.called:
        yield f"defines {inline(calls.called[ref].name)}, which is called there"
    if ref in calls.callers:
        yield f"calls {inline(calls.callers[ref].name)}"


def _by_words(found: Evidence, asked: str) -> str:
    fresh = [name for name in found.names if name != found.defines]
    if fresh:
        return f"names {', '.join(map(inline, fresh[:MAX_WORDS]))}"
    return join_reasons([words_of(found.words, asked), _list_words("in other words", found.other_words)])
