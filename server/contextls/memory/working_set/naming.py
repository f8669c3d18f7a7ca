"""The target that a client means by a path, a symbol or a place in a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from contextls.errors import InvalidRequestError
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.working_set.places import Places
from contextls.memory.working_set.target_text import read_target
from contextls.model import Target
from contextls.text.gate import clean


class TargetResolver:
    """Makes targets of what clients name; looks at the disk and the index of one workspace."""

    def __init__(self, places: Places, outlines: Callable[[], Mapping[str, Outline]]) -> None:
        """``outlines`` are those of all known files."""
        self._places = places
        self._outlines = outlines

    def target(self, path: str, symbol: str | None = None, line: int | None = None) -> Target:
        """The target of a path, which may carry ``#symbol``, with a symbol or the one around a 1-based line.

        Raises ``InvalidRequestError``.
        """
        try:
            target = read_target(path, self._places.is_there)
        except ValueError as error:
            expected = f"a file or folder in the workspace; this {error}"
            raise InvalidRequestError("path", expected, path) from None
        if target.pattern or target.lines:
            if symbol is not None or line is not None:
                raise InvalidRequestError(
                    "symbol", "a symbol or place of one file, not of lines or a pattern", symbol
                )
            return target
        if target.symbol is not None and symbol is not None:
            raise InvalidRequestError("symbol", "one name, either here or behind # in path", symbol)
        found = self.target_of(target.path, target.symbol or symbol, line)
        return found if found.symbol else replace(found, folder=found.folder or target.folder)

    def target_of(self, path: str, symbol: str | None = None, line: int | None = None) -> Target:
        """The same of a path inside the workspace that carries nothing. Raises ``InvalidRequestError``."""
        if clean(path) != path:
            raise InvalidRequestError(
                "path", "a path without a secret in it; what is named so is left out everywhere"
            )
        if line is not None:
            return Target(path, self._around(path, line))
        if symbol is None:
            return Target(path, folder=self._places.is_folder(path))
        try:
            found = read_target(f"a#{symbol}", lambda _: False)
        except ValueError:
            raise InvalidRequestError("symbol", "the name of a symbol", symbol) from None
        return Target(path, self._qualify(path, found.symbol or symbol))

    def _qualify(self, path: str, symbol: str) -> str:
        """The full name of the one symbol that ends so; ``symbol`` itself where that is not clear."""
        outline = self._outlines().get(path)
        names = {item.qualified for item in outline.definitions} if outline else set()
        ending = [name for name in names if name.endswith(f".{symbol}")]
        return ending[0] if len(ending) == 1 and symbol not in names else symbol

    def _around(self, path: str, line: int) -> str:
        """The innermost symbol around a line."""
        outline = self._outlines().get(path)
        around = (
            [item for item in outline.definitions if item.start_line <= line <= item.end_line]
            if outline
            else []
        )
        if not around:
            raise InvalidRequestError("position", f"a place inside a symbol of {path}")
        return max(around, key=lambda item: (item.start_line, -item.end_line)).qualified
