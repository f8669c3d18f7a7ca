"""Patterns: habits that the events support, with how often they applied and how often they held."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from contextls.model import Event, EventType, Outcome

# Writes further apart than this belong to different pieces of work.
TOGETHER_MS = 15 * 60 * 1000
LEAST_SUPPORT = 2


@dataclass(frozen=True, slots=True)
class Pattern:
    """A habit in words. ``files`` and ``words`` say when it applies; ``successes`` of ``applications`` it held."""

    id: str
    description: str
    files: tuple[str, ...]
    words: tuple[str, ...]
    applications: int
    successes: int

    @property
    def confidence(self) -> float:
        """Laplace's rule of succession: 1 of 1 (0.67) does not beat 40 of 45 (0.87)."""
        return (self.successes + 1) / (self.applications + 2)


def mine(events: Sequence[Event]) -> list[Pattern]:
    """The patterns in ``events`` (any order), most trustworthy first."""
    ordered = sorted(events, key=lambda event: (event.timestamp, int(event.id.rsplit("-", 1)[-1])))
    found = [*_written_together(ordered), *_fixed_by(ordered)]
    return sorted(found, key=lambda pattern: (-pattern.confidence, -pattern.successes, pattern.id))


def _written_together(events: Sequence[Event]) -> list[Pattern]:
    """When A is written, B is written in the same piece of work."""
    sittings: list[set[str]] = []
    last: dict[str, int] = {}
    for event in events:
        if event.type != EventType.FILE_WRITE:
            continue
        if event.timestamp - last.get(event.session_id, -TOGETHER_MS - 1) > TOGETHER_MS:
            sittings.append(set())
        last[event.session_id] = event.timestamp
        sittings[-1].add(str(event.content["path"]))
    alone = Counter(path for sitting in sittings for path in sitting)
    both = Counter(pair for sitting in sittings for pair in combinations(sorted(sitting), 2))
    patterns = []
    for (first, second), successes in both.items():
        for cause, effect in ((first, second), (second, first)):
            if successes >= LEAST_SUPPORT and 2 * successes >= alone[cause]:
                patterns.append(
                    Pattern(
                        id=f"together {cause} {effect}",
                        description=f"When `{cause}` changes, `{effect}` changes too",
                        files=(cause, effect),
                        words=(),
                        applications=alone[cause],
                        successes=successes,
                    )
                )
    return patterns


def _fixed_by(events: Sequence[Event]) -> list[Pattern]:
    """After command C failed, writing file F made it pass."""
    failing: dict[tuple[str, str], list[str]] = {}
    fixes: Counter[tuple[str, str]] = Counter()
    attempts: Counter[str] = Counter()
    for event in events:
        if event.type == EventType.FILE_WRITE:
            for (session, _), written in failing.items():
                if session == event.session_id:
                    written.append(str(event.content["path"]))
        elif event.type == EventType.SHELL_EXEC:
            command = str(event.content["command"])
            key = (event.session_id, command)
            if event.outcome is Outcome.FAILURE:
                failing.setdefault(key, [])
            elif key in failing:
                attempts[command] += 1
                fixes.update((command, path) for path in set(failing.pop(key)))
    grouped: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for (command, path), count in sorted(fixes.items()):
        grouped[command].append((path, count))
    return [
        Pattern(
            id=f"fixed {command} {path}",
            description=f"After `{command}` failed, a change to `{path}` made it pass",
            files=(path,),
            words=tuple(command.split()),
            applications=attempts[command],
            successes=count,
        )
        for command, paths in grouped.items()
        for path, count in paths
    ]
