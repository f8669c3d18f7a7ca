"""Path patterns of a request: gitignore's language, matched against paths relative to the workspace."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.errors import InvalidRequestError
from contextls.workspace.patterns import Patterns

MAX_PATTERNS = 100
MAX_PATTERN_CHARS = 300
_MAX_REMEMBERED = 10_000


class Globs:
    """Patterns such as ``src/auth/**``, ``*.sql`` or ``tests/``; the last one that matches decides, ``!`` takes back.

    One that matches a folder speaks for everything below it.
    """

    def __init__(self, patterns: Sequence[str], field: str) -> None:
        """Raises ``InvalidRequestError`` naming ``field`` when a pattern cannot be read."""
        if len(patterns) > MAX_PATTERNS:
            raise InvalidRequestError(field, f"at most {MAX_PATTERNS} patterns")
        for pattern in patterns:
            if not 0 < len(pattern) <= MAX_PATTERN_CHARS:
                raise InvalidRequestError(field, f"patterns of 1 to {MAX_PATTERN_CHARS} characters", pattern)
        self._patterns = Patterns(patterns)
        for problem in self._patterns.problems:
            expected = f"gitignore patterns such as src/**/*.py ({problem.reason})"
            raise InvalidRequestError(field, expected, patterns[problem.line - 1])
        self._folders: dict[str, int] = {"": -1}

    def match(self, path: str) -> bool:
        """Whether the patterns speak for the file at this relative path."""
        folder = self._folder(path.rpartition("/")[0])
        best = max(folder, self._patterns.last_match(path, is_dir=False))
        return best >= 0 and self._patterns.ignores(best)

    def _folder(self, path: str) -> int:
        """The place of the last pattern that matches the folder or one above it; -1 for none."""
        known = self._folders.get(path)
        if known is None:
            if len(self._folders) > _MAX_REMEMBERED:
                self._folders = {"": -1}
            above = max(
                (self._patterns.last_match(path[:end], is_dir=True) for end in _ends(path)), default=-1
            )
            known = self._folders[path] = above
        return known


def _ends(path: str) -> list[int]:
    """The end of each folder of a path, itself included."""
    return [place for place, sign in enumerate(path) if sign == "/"] + [len(path)]
