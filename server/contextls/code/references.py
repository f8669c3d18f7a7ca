"""The references of a file: calls, instantiations and other uses of names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from contextls.code.kinds import CALLABLE
from contextls.code.model import Reference
from contextls.code.node_text import decode
from contextls.regex import compile_late

if TYPE_CHECKING:
    from tree_sitter import Node

    from contextls.code.units import Unit

USES = frozenset({"call", "ref", "bare"})

# Definitions are known by their own name, whatever is written before it: `Shop.Cart` and `Shop::Cart` as `Cart`.
_BEFORE_NAME = r"^(?:\w+(?:\.|::|\\))+(?=\w+$)"
SCOPE, _SCOPE_BYTES = compile_late(_BEFORE_NAME), compile_late(_BEFORE_NAME.encode())

Captures = Mapping[str, Sequence["Node"]]


class References:
    """The references of one file, in the order in which its query finds them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._called: dict[tuple[bytes, int], bool] = {}  # name and row -> whether it is called there
        self._bare: list[tuple[bytes, int]] = []
        self._members: list[tuple[bytes, bytes, int]] = []  # type, name and row

    def note(self, captures: Captures) -> None:
        """Take in one match of the query."""
        for node in captures.get("ref", ()):
            name, row = self._place(node)
            self._called.setdefault((_SCOPE_BYTES.sub(b"", name), row), False)
        for node in captures.get("bare", ()):
            self._bare.append(self._place(node))
        of = self._type_in(captures["of"]) if "of" in captures else None
        for node in captures.get("call", ()):
            place = self._place(node)
            if of is None:
                self._called[place] = True
            else:
                self._members.append((of, *place))

    def read(self, units: Iterable[Unit]) -> tuple[Reference, ...]:
        """The references of the file, which defines these ``units``."""
        if self._bare or self._members:
            self._tell(list(units))
        names = {name: decode(name) for name in {name for name, _ in self._called}}
        return tuple(
            Reference._make((names[name], row + 1, call)) for (name, row), call in self._called.items()
        )

    def _tell(self, units: Sequence[Unit]) -> None:
        functions = {unit.name.encode() for unit in units if unit.kind in CALLABLE}
        own = {unit.name.encode() for unit in units if unit.kind not in CALLABLE}
        for place in self._bare:
            if place[0] in functions:
                self._called[place] = True
        for of, name, row in self._members:
            # A function of this file with the same name is not the member of a type from elsewhere.
            is_elsewhere = name in functions and of not in own
            self._called[(of if is_elsewhere else name), row] = True
            self._called.setdefault((of, row), False)

    def _type_in(self, nodes: Sequence[Node]) -> bytes | None:
        """The last of ``nodes`` that is written as a type."""
        names = [name for name, _ in map(self._place, nodes) if _is_type(name)]
        return names[-1] if names else None

    def _place(self, node: Node) -> tuple[bytes, int]:
        start, end = node.byte_range
        return self._data[start:end], node.start_point[0]


def _is_type(name: bytes) -> bool:
    """Whether it is written as types are: ``Parser``, no ``parser``, ``LOG`` or ``Self``."""
    return name[:1].isupper() and not name.isupper() and name != b"Self"
