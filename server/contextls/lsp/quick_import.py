"""Import the protocol's types in two thirds of the time.

``lsprotocol.types`` has more than 500 attrs classes, and attrs writes and compiles the methods of each while it is
imported, which is most of what starting a server costs. How an object is printed is needed in a few log lines only:
one function here does it for all classes.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any


def import_protocol_types() -> None:
    """Import ``lsprotocol.types``, unless it was; later imports get it as it is now."""
    if "lsprotocol.types" in sys.modules:
        return
    attrs: Any = import_module("attrs")
    define = attrs.define

    def define_without_repr(cls: type) -> Any:  # noqa: ANN401 - the class that attrs makes of it
        made = define(cls, repr=False)
        if made.__repr__ is object.__repr__:
            made.__repr__ = describe_fields
        return made

    attrs.define = define_without_repr
    try:
        import_module("lsprotocol.types")
    finally:
        attrs.define = define


def describe_fields(value: Any) -> str:  # noqa: ANN401 - an object of any attrs class
    """Describe an object as attrs does: the name of its class, and its fields."""
    import attrs

    fields = ", ".join(f"{each.name}={getattr(value, each.name)!r}" for each in attrs.fields(type(value)))
    return f"{type(value).__qualname__}({fields})"
