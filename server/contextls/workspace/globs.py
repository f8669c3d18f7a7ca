"""Path patterns of a request: gitignore's language, matched against paths relative to the workspace."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pathspec import GitIgnoreSpec

from contextls.errors import InvalidRequestError

MOST_PATTERNS = 100
LONGEST_PATTERN = 300
# Each further star multiplies the time that a pattern can take on a path made for it.
MOST_STARS = 6
_STARS = re.compile(r"\*+")


class Globs:
    """Patterns such as ``src/auth/**``, ``*.sql`` or ``tests/``; the last one that matches decides, ``!`` takes back."""

    def __init__(self, patterns: Sequence[str], field: str) -> None:
        """Raises ``InvalidRequestError`` naming ``field`` when a pattern cannot be read or would be slow to match."""
        if len(patterns) > MOST_PATTERNS:
            raise InvalidRequestError(field, f"at most {MOST_PATTERNS} patterns")
        for pattern in patterns:
            if not 0 < len(pattern) <= LONGEST_PATTERN or len(_STARS.findall(pattern)) > MOST_STARS:
                expected = f"patterns of 1 to {LONGEST_PATTERN} characters with at most {MOST_STARS} stars"
                raise InvalidRequestError(field, expected, pattern)
        try:
            self._spec = GitIgnoreSpec.from_lines(patterns)
        except ValueError:
            raise InvalidRequestError(
                field, "gitignore patterns such as src/**/*.py", list(patterns)
            ) from None

    def match(self, path: str) -> bool:
        """Whether the patterns speak for the file at this relative path."""
        return self._spec.match_file(path)
