"""Regular expressions that are compiled when they are first used: a question needs a hundred of four hundred."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, AnyStr, cast


def compile_late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """``re.compile``, but for the time: a pattern that is wrong raises ``re.error`` at its first use."""
    return cast("re.Pattern[AnyStr]", LateRegex(pattern, flags))


def compile_cued(pattern: str, cues: str, flags: int = 0) -> CuedRegex:
    """A pattern whose every match holds one of the ``cues``, words or parts of words with blanks between them."""
    return CuedRegex(compile_late(pattern, flags), tuple(cues.split()))


class CuedRegex:
    """A pattern that most texts need not be searched for: they hold none of its cues, in upper or lower case."""

    def __init__(self, pattern: re.Pattern[str], cues: tuple[str, ...]) -> None:
        self.pattern = pattern
        self.cues = cues

    def search(self, text: str) -> re.Match[str] | None:
        """Like ``search`` of the pattern."""
        lowered = text.lower()
        return self.pattern.search(text) if any(cue in lowered for cue in self.cues) else None


class LateRegex:
    """A compiled pattern, once something of it is asked for; its methods are then those of the pattern itself."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[Any]:
        """The pattern itself."""
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what a pattern has
        found = self.__dict__[name] = getattr(self.compiled, name)
        return found
