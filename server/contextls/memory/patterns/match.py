"""Which habits concern a question: by its files, its words, what is failing, what was just done, the task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from contextls.memory.patterns import describe
from contextls.memory.patterns.miner import EDITED, ERRED, Miner, key, parts_of
from contextls.memory.patterns.pattern import wilson
from contextls.memory.patterns.tables import Table
from contextls.memory.patterns.wording import alike, words_of
from contextls.memory.vcs.view import CommitView
from contextls.model import Pattern, PatternKind

# The commits are asked about the first files of a question only.
FILES_ASKED_OF_HISTORY = 3
CO_CHANGES = 6
# Of the causes that share words with a question, those that share most; of the troubles that one file put right, the latest.
CAUSES_OF_WORDS = 8
TROUBLES_OF_A_FILE = 8
# How much a match says, from 0 to 1: a file of the question itself is 1.
FOLDER = 0.7
DOING_IT_NOW = 0.8
TASK = 0.7
FAILING = 1.0
MIN_WORDS, ALL_WORDS = 0.4, 0.8
# Errors whose words agree less than this are two errors.
SAME_ERROR = 0.6
# A question quotes an error when this share of the error's words is in one of its first lines.
QUOTED = 0.8
LINES_READ = 40
# A question about a repair wants repairs; any other wants them only while something fails.
OTHER_INTENT = 0.7


class Occasion(Struct, frozen=True):
    """The occasion that a question gives to patterns.

    ``files`` with how much each is meant (0..1), the ``words`` and the full ``text`` of the question, whether it is about
    a change to be made (``changing``) or a repair (``fixing``), the ids of the active ``tasks``.
    """

    files: tuple[tuple[str, float], ...] = ()
    words: frozenset[str] = frozenset()
    text: str = ""
    changing: bool = False
    fixing: bool = False
    tasks: tuple[str, ...] = ()


class PatternMatch(Struct, frozen=True):
    """A pattern and how strongly it concerns the question, in 0..1."""

    pattern: Pattern
    strength: float


def find_matches(miner: Miner, occasion: Occasion, history: CommitView) -> list[PatternMatch]:
    """Every habit that concerns the question, each once, in no order."""
    best: dict[str, PatternMatch] = {}
    for pattern, strength in _candidates(miner, occasion, history):
        if (pattern.kind is PatternKind.FIX) != occasion.fixing and strength < FAILING:
            strength *= OTHER_INTENT
        known = best.get(pattern.id)
        if known is not None:
            # The same pair by events and by commits: the better witness speaks.
            pattern = max(pattern, known.pattern, key=lambda each: each.confidence)
            strength = max(strength, known.strength)
        best[pattern.id] = PatternMatch(pattern, strength)
    return list(best.values())


def _candidates(miner: Miner, occasion: Occasion, history: CommitView) -> Iterator[tuple[Pattern, float]]:
    if occasion.changing:
        yield from _find_pairs(miner, occasion.files, history)
    yield from _by_files(miner, occasion.files)
    yield from _by_words(miner, occasion.words)
    yield from _by_trouble(miner, occasion)
    recent = miner.recent
    for length in (1, 2):
        if len(recent) >= length:
            for pattern in describe.describe_sequences(miner.tables, key(*recent[-length:])):
                yield pattern, DOING_IT_NOW
    for task in occasion.tasks:
        for pattern in describe.describe_task_commands(miner.tables, task):
            yield pattern, TASK


def _find_pairs(
    miner: Miner, files: tuple[tuple[str, float], ...], history: CommitView
) -> Iterator[tuple[Pattern, float]]:
    """The habits of changing other files together with these."""
    for path, weight in files:
        for pattern in describe.describe_pairs(miner.tables, path):
            yield pattern, weight
    for path, weight in files[:FILES_ASKED_OF_HISTORY]:
        for change in history.co_changes(path, CO_CHANGES):
            committed = describe.describe_history(path, change)
            if committed is not None:
                yield committed, weight


def _by_files(miner: Miner, files: Iterable[tuple[str, float]]) -> Iterator[tuple[Pattern, float]]:
    tables = miner.tables
    for path, weight in files:
        own = list(describe.describe_commands(tables, path))
        for pattern in own or describe.describe_commands(tables, f"{path.rpartition('/')[0]}/"):
            yield pattern, weight if own else weight * FOLDER
        repair = key(EDITED, path)
        for trouble in _latest(tables.fixes, repair):
            for pattern in describe.describe_fixes(tables, trouble, only=repair):
                yield pattern, weight


def _by_words(miner: Miner, words: frozenset[str]) -> Iterator[tuple[Pattern, float]]:
    tables = miner.tables
    for table, described in (
        (tables.fixes, describe.describe_fixes),
        (tables.sequences, describe.describe_sequences),
        (tables.commands, describe.describe_commands),
    ):
        for cause in table.sharing(words, CAUSES_OF_WORDS):
            for pattern in described(tables, cause):
                shared = words & set(pattern.words)
                if shared:
                    share = len(shared) / len(pattern.words)
                    yield pattern, MIN_WORDS + (ALL_WORDS - MIN_WORDS) * share


def _by_trouble(miner: Miner, occasion: Occasion) -> Iterator[tuple[Pattern, float]]:
    """Repairs of what fails now, and of an error that the question quotes."""
    fixes = miner.tables.fixes
    troubles: dict[str, None] = {}
    for trouble in miner.recent_failures():
        sort, failed, *_ = parts_of(trouble)
        if sort == ERRED:
            known = [trouble] if fixes.get(trouble) else _same_errors(fixes, failed)
            troubles.update(dict.fromkeys(known))
        elif occasion.fixing:
            troubles[trouble] = None
    for line in occasion.text.splitlines()[:LINES_READ]:
        troubles.update(dict.fromkeys(_quoted_errors(fixes, line)))
    for trouble in troubles:
        for pattern in describe.describe_fixes(miner.tables, trouble):
            yield pattern, FAILING


def _same_errors(fixes: Table, error: str) -> Iterator[str]:
    """The remembered errors that are the same as this one, up to what varies."""
    for cause in fixes.sharing(words_of(error), CAUSES_OF_WORDS):
        if cause.startswith(ERRED) and alike(parts_of(cause)[1], error) >= SAME_ERROR:
            yield cause


def _quoted_errors(fixes: Table, line: str) -> Iterator[str]:
    """The remembered errors of at least two words that a line quotes, with other words around them or not."""
    said = words_of(line)
    for cause in fixes.sharing(said, CAUSES_OF_WORDS):
        told = words_of(parts_of(cause)[1])
        if cause.startswith(ERRED) and len(told) > 1 and len(told & said) >= QUOTED * len(told):
            yield cause


def _latest(fixes: Table, repair: str) -> list[str]:
    """The troubles that ``repair`` put right, the latest first."""
    troubles = fixes.find_causes(repair)
    return sorted(troubles, key=lambda name: (-fixes.last(name, repair), name))[:TROUBLES_OF_A_FILE]


def with_feedback(pattern: Pattern, helpful: int, unhelpful: int) -> Pattern:
    """The pattern with what people said counted like further occasions."""
    if not helpful and not unhelpful:
        return pattern
    confidence = wilson(pattern.successes + helpful, pattern.applications + helpful + unhelpful)
    return replace(pattern, helpful=helpful, unhelpful=unhelpful, confidence=confidence)
