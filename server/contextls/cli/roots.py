"""ROOT and ``--root`` alike: a command that takes the workspace in one way takes it in the other as well."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

_OTHER_WAY = "root_given_otherwise"
_AS_OPTION = Annotated[
    Path | None, typer.Option("--root", metavar="DIR", help="The same as ROOT.", show_default=False)
]
_AS_ARGUMENT = Annotated[
    Path | None, typer.Argument(metavar="ROOT", help="The same as --root.", show_default=False)
]


def take_root_both_ways(command: Callable[..., Any]) -> Callable[..., Any]:
    """``command``, whose ``root`` can be the last argument as well as ``--root``.

    Unchanged where it has no root, or both ways already, and where an argument may be left out: what stands there would be
    that one.
    """
    hints = get_type_hints(command, include_extras=True)
    kind, *said = get_args(hints.get("root")) or (None,)
    if kind is not Path or _OTHER_WAY in hints:
        return command
    if isinstance(said[0], ArgumentInfo):
        other = _AS_OPTION
    elif all(_is_one_needed(each, hints) for each in inspect.signature(command).parameters.values()):
        other = _AS_ARGUMENT
    else:
        return command

    @wraps(command)
    def run(**given: Any) -> Any:  # noqa: ANN401 - what a command takes and gives
        otherwise = given.pop(_OTHER_WAY)
        if otherwise is not None:
            if given["root"] != Path():
                raise typer.BadParameter("name the workspace once", param_hint="ROOT/--root")
            given["root"] = otherwise
        return command(**given)

    _declare(run, command, hints | {_OTHER_WAY: other})
    return run


def _is_one_needed(parameter: inspect.Parameter, hints: dict[str, Any]) -> bool:
    """Whether a parameter is an option, or an argument that is one word and must be there."""
    kind, *said = get_args(hints[parameter.name]) or (None,)
    if not said or isinstance(said[0], OptionInfo):
        return True
    return parameter.default is parameter.empty and kind in (str, Path)


def _declare(run: Any, command: Callable[..., Any], hints: dict[str, Any]) -> None:  # noqa: ANN401 - a function
    """Let ``run`` take what ``command`` does, and the root in the other way."""
    known = list(_resolve(inspect.signature(command).parameters.values(), hints))
    other = inspect.Parameter(
        _OTHER_WAY, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hints[_OTHER_WAY]
    )
    run.__signature__ = inspect.Signature([*known, other])
    run.__annotations__ = hints


def _resolve(parameters: Iterable[inspect.Parameter], hints: dict[str, Any]) -> Iterable[inspect.Parameter]:
    for each in parameters:
        yield each.replace(annotation=hints[each.name], kind=inspect.Parameter.KEYWORD_ONLY)
