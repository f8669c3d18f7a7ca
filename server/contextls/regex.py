"""Regular expressions that are compiled when they are first used: a question needs a hundred of four hundred."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, AnyStr, cast


def compile_late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """``re.compile``, but for the time: a pattern that is wrong raises ``re.error`` at its first use."""
    return cast("re.Pattern[AnyStr]", LateRegex(pattern, flags))


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
