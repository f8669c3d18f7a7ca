"""From counts to patterns: which habits are strong enough, and how each is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import nsmallest

from msgspec import Struct

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
# Commits are many, and two files meet in some by chance: 2 of 2 and 3 of 4 are sure enough to be told, 2 of 3 is not.
SURE_BY_COMMITS = 0.4
# The number of habits with one cause that are kept: those that followed most often.
MAX_OF_ONE = 8


class _Habit(Struct, frozen=True):
    """An effect that followed a cause, both by their names in the tables, and how often."""

    kind: PatternKind
    cause: str
    effect: str
    applications: int
    followed: Effect
    unit: PatternUnit = PatternUnit.TIMES

    @property
    def is_strong(self) -> bool:
        """Whether it was seen often enough, and held often enough when it could have."""
        successes = self.followed.successes
        share = MIN_SHARE.get(self.kind, USUAL_SHARE)
        return successes >= MIN_SUCCESSES[self.kind] and successes >= share * self.applications

    def to_pattern(
        self,
        description: str,
        files: tuple[str, ...],
        commands: tuple[str, ...] = (),
        about: str = "",
    ) -> Pattern:
        """The habit as answers show it. It is found by the words of its ``commands`` and those of ``about``."""
        followed = self.followed
        return Pattern(
            id=pattern_id(self.kind, self.cause, self.effect),
            kind=self.kind,
            description=description,
            files=files,
            commands=commands,
            words=tuple(sorted(words_of(" ".join((*commands, about))))),
            applications=self.applications,
            successes=followed.successes,
            passed=followed.passed if self.kind in (PatternKind.COMMAND, PatternKind.TASK) else None,
            unit=self.unit,
            helpful=0,
            unhelpful=0,
            last_seen=followed.last,
            confidence=wilson(followed.successes, self.applications),
        )


def describe_pairs(tables: HabitTables, path: str) -> Iterator[Pattern]:
    """The files that change when ``path`` changes, by the events."""
    for habit in _strong_habits(lambda other: _pair_kind(path, other), path, tables.together.get(path)):
        yield _describe_pair(habit)


def describe_history(path: str, change: CoChange) -> Pattern | None:
    """The files that change when ``path`` changes, by the commits; ``None`` when it is no habit."""
    habit = _Habit(
        _pair_kind(path, change.path),
        path,
        change.path,
        change.applications,
        Effect(change.support),
        PatternUnit.COMMITS,
    )
    pattern = _describe_pair(habit) if habit.is_strong else None
    return pattern if pattern is not None and pattern.confidence >= SURE_BY_COMMITS else None


def describe_commands(tables: HabitTables, subject: str) -> Iterator[Pattern]:
    """The commands run after editing a file, or a file of a folder (its path with ``/`` at the end)."""
    is_folder = subject.endswith("/")
    edited = f"a file in {quote_command(subject)}" if is_folder else quote_command(subject)
    if subject == "/":
        edited = "a file in the root folder"
    for habit in _strong_habits(PatternKind.COMMAND, subject, tables.commands.get(subject)):
        text = f"After editing {edited}, run {quote_command(habit.effect)}"
        yield habit.to_pattern(text, () if is_folder else (subject,), (habit.effect,))


def describe_fixes(tables: HabitTables, trouble: str, only: str | None = None) -> Iterator[Pattern]:
    """The repairs of a command that failed, or that failed with a certain error; ``only`` one repair, if given."""
    known = tables.fixes.get(trouble)
    if known is None:
        return
    sort, failed, *by = parts_of(trouble)
    when = (
        f"After the error {quote_command(failed)}"
        if sort == ERRED
        else f"After {quote_command(failed)} failed"
    )
    passing = f"{quote_command(by[0])} pass" if by else "it pass"
    for habit in _strong_habits(PatternKind.FIX, trouble, known, only):
        how, done = parts_of(habit.effect)
        repair = f"a change to {quote_command(done)}" if how == EDITED else f"running {quote_command(done)}"
        yield habit.to_pattern(
            f"{when}, {repair} made {passing}",
            files=(done,) if how == EDITED else (),
            commands=(*([failed] if sort == RAN else []), *by, *([done] if how == RAN else [])),
            about=failed,
        )


def describe_sequences(tables: HabitTables, prefix: str) -> Iterator[Pattern]:
    """The commands run after one or two other actions."""
    parts = parts_of(prefix)
    steps = list(zip(parts[::2], parts[1::2], strict=True))
    # What is edited next follows from the work, not from habit; `commands` tells what is run after an edit.
    if len(steps) == 1 and steps[0][0] == EDITED:
        return
    before = " and then ".join(
        f"editing {quote_command(step)}" if sort == EDITED else quote_command(step) for sort, step in steps
    )
    for habit in _strong_habits(PatternKind.SEQUENCE, prefix, tables.sequences.get(prefix)):
        how, done = parts_of(habit.effect)
        if how != EDITED:
            commands = (done, *(step for sort, step in steps if sort == RAN))
            yield habit.to_pattern(f"After {before}, {quote_command(done)} comes next", (), commands)


def describe_task_commands(tables: HabitTables, task: str) -> Iterator[Pattern]:
    """The commands run while working on a task."""
    for habit in _strong_habits(PatternKind.TASK, task, tables.tasks.get(task)):
        text = f"While working on this task ({task}), run {quote_command(habit.effect)}"
        yield habit.to_pattern(text, (), (habit.effect,))


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


def _strong_habits(
    kind: PatternKind | Callable[[str], PatternKind],
    name: str,
    cause: Cause | None,
    only: str | None = None,
) -> Iterator[_Habit]:
    """The habits of one cause that are strong enough, of the most frequent effects or of ``only`` one.

    ``kind`` may depend on the effect.
    """
    if cause is None:
        return
    effects = cause.effects
    if only is not None:
        chosen: Iterable[str] = [only] if only in effects else ()
    elif len(effects) <= MAX_OF_ONE:
        chosen = effects
    else:
        chosen = nsmallest(
            MAX_OF_ONE, effects, key=lambda each: (-effects[each].successes, -effects[each].last, each)
        )
    for effect in chosen:
        of_kind = kind if isinstance(kind, PatternKind) else kind(effect)
        habit = _Habit(of_kind, name, effect, cause.applications, effects[effect])
        if habit.is_strong:
            yield habit


def _pair_kind(path: str, other: str) -> PatternKind:
    tested = file_kind(other) is FileKind.TEST and file_kind(path) is not FileKind.TEST
    return PatternKind.TEST if tested else PatternKind.TOGETHER


def _describe_pair(habit: _Habit) -> Pattern:
    other = "its test " if habit.kind is PatternKind.TEST else ""
    text = f"When {quote_command(habit.cause)} changes, {other}{quote_command(habit.effect)} changes too"
    return habit.to_pattern(text, (habit.cause, habit.effect))
