"""Lets typer read plain texts, numbers, paths and words without pydantic, which takes a command a tenth of a second to load.

typer makes a pydantic adapter for each parameter of a command that runs, typed or not. Where a later version of it does that
in another way nothing is changed here, and commands only start later.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

MAX_DIGITS = 15


def read_plainly(command: Any, ctx: Any) -> None:  # noqa: ANN401 - private types
    """Give the parameters of a command, ``--help`` included, a conversion that loads nothing where none is needed."""
    for param in command.get_params(ctx):
        if getattr(param, "_runtime_param", ...) is None and hasattr(param, "type_descriptor"):
            param._runtime_param = _PlainValue()


class _PlainValue:
    """Stands for typer's own conversion until a value needs that."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - private types
        """The value as the command takes it; raises what typer raises."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        wanted, info = param.type_descriptor.annotation, param.type_descriptor.parameter_info
        is_checked = info.parser or param.type_descriptor.is_ranged
        if is_checked and value == param.default:
            return value
        if (wanted is Path and value == "") or (wanted == list[Path] and "" in value):
            # What a variable holds that nobody has set; pathlib takes it for the current folder.
            raise typer.BadParameter("expected a path, got ''", param=param, ctx=ctx)
        if isinstance(value, str) and not several:
            number = _read_number(value, wanted, info)
            if number is not None:
                return number
        plain = None if is_checked else _read_plain(value, wanted, info)
        if plain is not None:
            return plain
        param._runtime_param = None
        try:
            return param.get_runtime_param().coerce(value, param=param, ctx=ctx)
        except typer.BadParameter:
            expected = None if info.parser or several else _describe_expected(wanted, param.type_descriptor)
            if expected is None:
                raise
            # typer passes on what pydantic says, which speaks of inputs and of Python's errors.
            message = f"expected {expected}, got {value!r}"
            raise typer.BadParameter(message, param=param, ctx=ctx) from None


def _read_plain(value: Any, wanted: Any, info: Any) -> Any:  # noqa: ANN401 - private types
    """A text, several, a path or a word of an enum, as the command takes it; ``None`` leaves it to typer."""
    if (wanted, type(value)) in ((str, str), (list[str], list), (list[str], tuple)):
        return value
    if wanted is Path and isinstance(value, str | Path) and not (info.exists or info.resolve_path):
        return Path(value)
    if isinstance(wanted, type) and issubclass(wanted, StrEnum) and value in tuple(wanted):
        return wanted(value)
    return None


def _read_number(value: str, wanted: Any, info: Any) -> int | None:  # noqa: ANN401 - private types
    """The whole number that an option takes, by its own parser or within its range; ``None`` leaves it to typer."""
    if wanted not in (int, int | None):
        return None
    if info.parser:
        try:
            return int(info.parser(value))
        except (ValueError, typer.BadParameter):
            return None
    if not (value.isascii() and value.isdecimal()) or len(value) > MAX_DIGITS:
        return None
    number = int(value)
    low, high = info.min, info.max
    return number if (low is None or number >= low) and (high is None or number <= high) else None


def _describe_expected(wanted: Any, descriptor: Any) -> str | None:  # noqa: ANN401 - a private type
    """The values of an option in the words of the engine's own messages; ``None`` where it takes no words or numbers."""
    if descriptor.choices:
        return f"one of {', '.join(map(str, descriptor.choices))}"
    if wanted in (int, int | None):
        kind = "a whole number"
    elif wanted in (float, float | None):
        kind = "a number"
    else:
        return None
    low, high = descriptor.parameter_info.min, descriptor.parameter_info.max
    if high is not None:
        return f"{kind} up to {high}" if low is None else f"{kind} from {low} to {high}"
    return kind if low is None else f"{kind}, {low} or more"
