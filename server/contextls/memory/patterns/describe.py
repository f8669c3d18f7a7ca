"""From counts to patterns: which habits are strong enough, and how each is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nsmallest

from contextls.memory.index.priors import FileKind, file_kind
from contextls.memory.patterns.miner import EDITED, ERRED, RAN, HabitTables, parts_of
from contextls.memory.patterns.pattern import pattern_id, wilson
from contextls.memory.patterns.tables import Cause, Effect
from contextls.memory.patterns.wording import quote_command, words_of
from contextls.memory.vcs.view import CoChange
from contextls.model import Pattern, PatternKind, PatternUnit

# How often something must have been seen to count as a habit. One repair is worth telling, and trusted accordingly.
MIN_SUCCESSES = {
    PatternKind.TOGETHER: 2,
    PatternKind.TEST: 2,
    PatternKind.COMMAND: 2,
    PatternKind.FIX: 1,
    PatternKind.SEQUENCE: 3,
    PatternKind.TASK: 3,
}
# The share of occasions in which it must have held.
MIN_SHARE = {PatternKind.FIX: 0.2, PatternKind.TASK: 0.2}
USUAL_SHARE = 0.5
# Of one cause, what followed most often; a ninth habit of the same file helps nobody.
MAX_OF_ONE = 8


def describe_pairs(tables: HabitTables, path: str) -> Iterator[Pattern]:
    """The files that change when ``path`` changes, by the events."""
    for other, cause, effect in _effects(tables.together.get(path)):
        kind = _pair_kind(path, other)
        if _is_habit(kind, cause.applications, effect.successes):
            yield _pattern(kind, path, other, _pair_words(kind, path, other), (path, other), cause, effect)


def describe_history(path: str, change: CoChange) -> Pattern | None:
    """The files that change when ``path`` changes, by the commits; ``None`` when it is no habit."""
    kind = _pair_kind(path, change.path)
    if not _is_habit(kind, change.applications, change.support):
        return None
    counts = Effect(change.support)
    return _pattern(
        kind,
        path,
        change.path,
        _pair_words(kind, path, change.path),
        (path, change.path),
        Cause(change.applications),
        counts,
        unit=PatternUnit.COMMITS,
    )


def describe_commands(tables: HabitTables, subject: str) -> Iterator[Pattern]:
    """The commands run after editing a file, or a file of a folder (its path with ``/`` at the end)."""
    for command, cause, effect in _effects(tables.commands.get(subject)):
        if _is_habit(PatternKind.COMMAND, cause.applications, effect.successes):
            edited = (
                f"a file in {quote_command(subject)}" if subject.endswith("/") else quote_command(subject)
            )
            text = f"After editing {edited if subject != '/' else 'a file in the root folder'}, run {quote_command(command)}"
            files = () if subject.endswith("/") else (subject,)
            yield _pattern(PatternKind.COMMAND, subject, command, text, files, cause, effect, told=(command,))


def describe_fixes(tables: HabitTables, trouble: str, only: str | None = None) -> Iterator[Pattern]:
    """The repairs of a command that failed, or that failed with a certain error; ``only`` one repair, if given."""
    known = tables.fixes.get(trouble)
    if only is None or known is None:
        found = list(_effects(known))
    else:
        found = [(only, known, known.effects[only])] if only in known.effects else []
    for what, cause, effect in found:
        if not _is_habit(PatternKind.FIX, cause.applications, effect.successes):
            continue
        how, done = parts_of(what)
        sort, failed, *by = parts_of(trouble)
        when = (
            f"After the error {quote_command(failed)}"
            if sort == ERRED
            else f"After {quote_command(failed)} failed"
        )
        passing = f"{quote_command(by[0])} pass" if by else "it pass"
        if how == EDITED:
            text = f"{when}, a change to {quote_command(done)} made {passing}"
        else:
            text = f"{when}, running {quote_command(done)} made {passing}"
        files = (done,) if how == EDITED else ()
        told = (*([failed] if sort == RAN else []), *by, *([done] if how == RAN else []))
        yield _pattern(PatternKind.FIX, trouble, what, text, files, cause, effect, told=told, about=failed)


def describe_sequences(tables: HabitTables, prefix: str) -> Iterator[Pattern]:
    """The commands run after one or two other actions."""
    parts = parts_of(prefix)
    steps = list(zip(parts[::2], parts[1::2], strict=True))
    for action, cause, effect in _effects(tables.sequences.get(prefix)):
        how, done = parts_of(action)
        # What is edited next follows from the work, not from habit; `commands` tells what is run after an edit.
        if how == EDITED or (len(steps) == 1 and steps[0][0] == EDITED):
            continue
        if _is_habit(PatternKind.SEQUENCE, cause.applications, effect.successes):
            before = " and then ".join(
                f"editing {quote_command(step)}" if sort == EDITED else quote_command(step)
                for sort, step in steps
            )
            told = (done, *(step for sort, step in steps if sort == RAN))
            text = f"After {before}, {quote_command(done)} comes next"
            yield _pattern(PatternKind.SEQUENCE, prefix, action, text, (), cause, effect, told=told)


def describe_task_commands(tables: HabitTables, task: str) -> Iterator[Pattern]:
    """The commands run while working on a task."""
    for command, cause, effect in _effects(tables.tasks.get(task)):
        if _is_habit(PatternKind.TASK, cause.applications, effect.successes):
            text = f"While working on this task ({task}), run {quote_command(command)}"
            yield _pattern(PatternKind.TASK, task, command, text, (), cause, effect, told=(command,))


def describe_all(tables: HabitTables) -> Iterator[Pattern]:
    """All habits of all tables, in no order."""
    for table, described in (
        (tables.together, describe_pairs),
        (tables.commands, describe_commands),
        (tables.fixes, describe_fixes),
        (tables.sequences, describe_sequences),
        (tables.tasks, describe_task_commands),
    ):
        for name, _ in table:
            yield from described(tables, name)


def _effects(cause: Cause | None) -> Iterator[tuple[str, Cause, Effect]]:
    if cause is not None:
        effects = cause.effects
        often: Iterable[str] = (
            effects
            if len(effects) <= MAX_OF_ONE
            else nsmallest(
                MAX_OF_ONE, effects, key=lambda name: (-effects[name].successes, -effects[name].last, name)
            )
        )
        for name in often:
            yield name, cause, effects[name]


def _is_habit(kind: PatternKind, applications: int, successes: int) -> bool:
    share = MIN_SHARE.get(kind, USUAL_SHARE)
    return successes >= MIN_SUCCESSES[kind] and successes >= share * applications


def _pair_kind(path: str, other: str) -> PatternKind:
    tested = file_kind(other) is FileKind.TEST and file_kind(path) is not FileKind.TEST
    return PatternKind.TEST if tested else PatternKind.TOGETHER


def _pair_words(kind: PatternKind, path: str, other: str) -> str:
    if kind is PatternKind.TEST:
        return f"When {quote_command(path)} changes, its test {quote_command(other)} changes too"
    return f"When {quote_command(path)} changes, {quote_command(other)} changes too"


def _pattern(
    kind: PatternKind,
    cause: str,
    effect: str,
    text: str,
    files: tuple[str, ...],
    applied: Cause,
    followed: Effect,
    *,
    told: tuple[str, ...] = (),
    about: str = "",
    unit: PatternUnit = PatternUnit.TIMES,
) -> Pattern:
    return Pattern(
        id=pattern_id(kind, cause, effect),
        kind=kind,
        description=text,
        files=files,
        commands=told,
        words=tuple(sorted(words_of(" ".join((*told, about))))),
        applications=applied.applications,
        successes=followed.successes,
        passed=followed.passed if kind in (PatternKind.COMMAND, PatternKind.TASK) else None,
        unit=unit,
        helpful=0,
        unhelpful=0,
        last_seen=followed.last,
        confidence=wilson(followed.successes, applied.applications),
    )
