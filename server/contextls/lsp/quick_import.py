"""Import the protocol's types in half of the time.

``lsprotocol.types`` has more than 500 attrs classes, and attrs writes and compiles the methods of each while it is
imported, which is most of what starting a server costs. A session makes objects of a few of them, and compares and prints
fewer: here each class gets its ``__init__`` with its first object, and one function compares and one prints all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any


def import_protocol_types() -> None:
    """Import ``lsprotocol.types``, unless it was; later imports get it as it is now."""
    if "lsprotocol.types" in sys.modules:
        return
    attrs: Any = import_module("attrs")
    define = attrs.define

    def define_quickly(cls: type) -> Any:  # noqa: ANN401 - the class that attrs makes of it
        compares_itself = "__eq__" in vars(cls)
        made = define(cls, repr=False, init=False, eq=None if compares_itself else False)
        made.__init__ = _init_first
        if not compares_itself:
            made.__eq__ = have_equal_fields
            made.__hash__ = None
        if made.__repr__ is object.__repr__:
            made.__repr__ = describe_fields
        return made

    attrs.define = define_quickly
    try:
        with _no_other_init():
            import_module("lsprotocol.types")
    finally:
        attrs.define = define


def describe_fields(value: Any) -> str:  # noqa: ANN401 - an object of any attrs class
    """Describe an object as attrs does: the name of its class, and its fields."""
    import attrs

    fields = ", ".join(f"{each.name}={getattr(value, each.name)!r}" for each in attrs.fields(type(value)))
    return f"{type(value).__qualname__}({fields})"


def have_equal_fields(one: Any, other: Any) -> bool:  # noqa: ANN401 - objects of any attrs classes
    """Whether both are of the same class and each field of one equals that of the other, as attrs compares them."""
    import attrs

    if type(one) is not type(other):
        return NotImplemented  # type: ignore[no-any-return]  # as every `__eq__` may
    return all(getattr(one, each.name) == getattr(other, each.name) for each in attrs.fields(type(one)))


def _init_first(self: Any, *values: object, **named: object) -> None:  # noqa: ANN401 - an object of any attrs class
    """Take the place of the ``__init__`` that attrs would have made, and make that."""
    cls = type(self)
    cls.__init__ = _make_init(cls)
    cls.__init__(self, *values, **named)


def _make_init(cls: type) -> Any:  # noqa: ANN401 - an `__init__`
    attrs: Any = import_module("attrs")
    fields = {
        each.name: attrs.field(
            default=each.default,
            validator=each.validator,
            type=each.type,
            kw_only=each.kw_only,
            alias=each.alias,
        )
        for each in attrs.fields(cls)
    }
    # Values are checked once here: without this they would be checked again by the `__setattr__` of the class.
    checks = [attrs.setters.convert, attrs.setters.validate]
    made = attrs.make_class(cls.__qualname__, fields, repr=False, eq=False, on_setattr=checks)
    return made.__init__


@contextmanager
def _no_other_init() -> Iterator[None]:
    """Keep attrs from compiling the other name that it gives an ``__init__`` which a class does not want.

    There is no option for that. Where a version of attrs does it in another way, the import takes longer.
    """
    builder = getattr(import_module("attr._make"), "_ClassBuilder", None)
    add = getattr(builder, "add_attrs_init", None)
    if builder is None or add is None:
        yield
        return
    builder.add_attrs_init = lambda self: self
    try:
        yield
    finally:
        builder.add_attrs_init = add
