"""Finds the habits that concern a question: by its files, its words, what is failing, what was just done, the task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from contextls.memory.patterns import describe
from contextls.memory.patterns.miner import EDITED, ERRED, HabitTables, Miner, key, parts_of
from contextls.memory.patterns.pattern import wilson
from contextls.memory.patterns.tables import Table
from contextls.memory.patterns.wording import alike, words_of
from contextls.memory.vcs.view import CommitView
from contextls.model import Pattern, PatternKind

# The commits are asked about the first files of a question only.
FILES_ASKED_OF_HISTORY = 3
CO_CHANGES = 6
# The number of latest failures considered that changes of one file fixed.
MAX_TROUBLES_OF_A_FILE = 8
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
# A shorter question names an error or a command with this share of its words.
NAMED = 0.5
# A question about a repair wants repairs; any other wants them only while something fails.
OTHER_INTENT = 0.7

_Describe: TypeAlias = Callable[[str], Iterator[Pattern]]


class Occasion(Struct, frozen=True):
    """The occasion that a question gives to patterns.

    ``files`` with how much each is meant (0..1), the ``words`` and the full ``text`` of the question, the ids of the active
    ``tasks``. What is told depends on what is asked: about a change to be made (``changing``), about what to run
    (``running``), about a repair (``fixing``), of what failed last (``failing``). An error that the text quotes counts
    always.
    """

    files: tuple[tuple[str, float], ...] = ()
    words: frozenset[str] = frozenset()
    text: str = ""
    changing: bool = False
    running: bool = False
    fixing: bool = False
    failing: bool = False
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
    if occasion.changing or occasion.running:
        yield from _find_commands(miner.tables, occasion.files)
        for task in occasion.tasks:
            for pattern in describe.describe_task_commands(miner.tables, task):
                yield pattern, TASK
    if occasion.running:
        tables = miner.tables
        yield from _by_words(tables.sequences, partial(describe.describe_sequences, tables), occasion.words)
        yield from _by_words(tables.commands, partial(describe.describe_commands, tables), occasion.words)
        yield from _find_next(miner)
    if occasion.fixing:
        yield from _find_mended(miner.tables, occasion)
    yield from _by_trouble(miner, occasion)


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


def _find_commands(
    tables: HabitTables, files: Iterable[tuple[str, float]]
) -> Iterator[tuple[Pattern, float]]:
    """The commands that follow an edit of these files, or of others of their folders."""
    for path, weight in files:
        own = list(describe.describe_commands(tables, path))
        for pattern in own or describe.describe_commands(tables, f"{path.rpartition('/')[0]}/"):
            yield pattern, weight if own else weight * FOLDER


def _find_next(miner: Miner) -> Iterator[tuple[Pattern, float]]:
    """The commands that follow the latest actions."""
    for length in (1, 2):
        if len(miner.recent) >= length:
            for pattern in describe.describe_sequences(miner.tables, key(*miner.recent[-length:])):
                yield pattern, DOING_IT_NOW


def _find_mended(tables: HabitTables, occasion: Occasion) -> Iterator[tuple[Pattern, float]]:
    """Repairs of the named errors and commands: changes of these files before others."""
    for path, weight in occasion.files:
        repair = key(EDITED, path)
        for trouble in _latest(tables.fixes, repair):
            if _names(trouble, occasion.words):
                for pattern in describe.describe_fixes(tables, trouble, only=repair):
                    yield pattern, weight
    for trouble in tables.fixes.sharing(occasion.words):
        if _names(trouble, occasion.words):
            for pattern in describe.describe_fixes(tables, trouble):
                yield pattern, ALL_WORDS


def _names(trouble: str, words: frozenset[str]) -> bool:
    """Whether ``words`` hold what a failed command or an error is called by, or most of it."""
    told = words_of(parts_of(trouble)[1])
    return bool(told) and len(told & words) >= NAMED * len(told)


def _by_words(
    table: Table, describe_cause: _Describe, words: frozenset[str]
) -> Iterator[tuple[Pattern, float]]:
    """Habits with words of the question in their commands and errors."""
    for cause in table.sharing(words):
        for pattern in describe_cause(cause):
            shared = words & set(pattern.words)
            if shared:
                share = len(shared) / len(pattern.words)
                yield pattern, MIN_WORDS + (ALL_WORDS - MIN_WORDS) * share


def _by_trouble(miner: Miner, occasion: Occasion) -> Iterator[tuple[Pattern, float]]:
    """Repairs of what fails now, where that is meant, and of a quoted error."""
    fixes = miner.tables.fixes
    troubles: dict[str, None] = {}
    for trouble in miner.recent_failures() if occasion.failing else ():
        sort, failed, *_ = parts_of(trouble)
        known = [trouble] if sort != ERRED or fixes.get(trouble) else _same_errors(fixes, failed)
        troubles.update(dict.fromkeys(known))
    for line in occasion.text.splitlines()[:LINES_READ]:
        troubles.update(dict.fromkeys(_quoted_errors(fixes, line)))
    for trouble in troubles:
        for pattern in describe.describe_fixes(miner.tables, trouble):
            yield pattern, FAILING


def _same_errors(fixes: Table, error: str) -> Iterator[str]:
    """The remembered errors that are the same as this one, up to what varies."""
    for cause in fixes.sharing(words_of(error)):
        if cause.startswith(ERRED) and alike(parts_of(cause)[1], error) >= SAME_ERROR:
            yield cause


def _quoted_errors(fixes: Table, line: str) -> Iterator[str]:
    """The remembered errors of at least two words that a line quotes, with other words around them or not."""
    said = words_of(line)
    for cause in fixes.sharing(said):
        told = words_of(parts_of(cause)[1])
        if cause.startswith(ERRED) and len(told) > 1 and len(told & said) >= QUOTED * len(told):
            yield cause


def _latest(fixes: Table, repair: str) -> list[str]:
    """The troubles that ``repair`` put right, the latest first."""
    troubles = fixes.find_causes(repair)
    return sorted(troubles, key=lambda name: (-fixes.last(name, repair), name))[:MAX_TROUBLES_OF_A_FILE]


def with_feedback(pattern: Pattern, helpful: int, unhelpful: int) -> Pattern:
    """The pattern with what people said counted like further occasions."""
    if not helpful and not unhelpful:
        return pattern
    confidence = wilson(pattern.successes + helpful, pattern.applications + helpful + unhelpful)
    return replace(pattern, helpful=helpful, unhelpful=unhelpful, confidence=confidence)
