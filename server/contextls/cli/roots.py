"""ROOT and ``--root`` alike: a command that takes the workspace in one way takes it in the other as well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption

_OTHER_WAY = "root_given_otherwise"


class CommandWithRoot(TyperCommand):
    """A command whose ``root`` can be its last argument as well as ``--root``.

    It stays as it is without a ``root`` that is the current folder by default, and where another argument may be left
    out: what stands there would be that one.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:  # noqa: ANN401 - what typer gives
        super().__init__(*args, **settings)
        root = next((each for each in self.params if each.name == "root" and each.default == Path()), None)
        if isinstance(root, TyperArgument):
            self.params.append(
                TyperOption(
                    param_decls=[_OTHER_WAY, "--root"],
                    metavar="DIR",
                    help="The same as ROOT.",
                    type_descriptor=root.type_descriptor,
                )
            )
        elif isinstance(root, TyperOption) and all(map(_is_always_one_word, self.params)):
            self.params.append(
                TyperArgument(
                    param_decls=[_OTHER_WAY],
                    metavar="ROOT",
                    help="The same as --root.",
                    show_default=False,
                    type_descriptor=root.type_descriptor,
                )
            )

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - private types
        """Run the command with the root, in whichever way it was given."""
        otherwise = ctx.params.pop(_OTHER_WAY, None)
        if otherwise is not None:
            if ctx.params["root"] != Path():
                raise typer.BadParameter("name the workspace once", param_hint="ROOT/--root")
            ctx.params["root"] = otherwise
        return super().invoke(ctx)


def _is_always_one_word(param: Any) -> bool:  # noqa: ANN401 - a private type
    """Whether a parameter is an option, or an argument that is one word and must be there."""
    return not isinstance(param, TyperArgument) or (param.required and param.nargs == 1)
