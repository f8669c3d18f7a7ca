"""The workspace of a command: ROOT and ``--root`` alike, else the known one that the current folder is a part of."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption

from contextls.cli.output import note
from contextls.errors import WorkspaceError

_OTHER_WAY = "root_given_otherwise"
_given: ContextVar[bool] = ContextVar("root_given", default=False)


class CommandWithRoot(TyperCommand):
    """A command whose ``root`` can be its last argument as well as ``--root``.

    It stays as it is without a ``root`` that is the current folder by default, and where another argument may be left
    out: what stands there would be that one. ``looks_around`` says whether it may mean the workspace around that folder.
    """

    looks_around = True

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
        is_left_out = ctx.params.get("root") == Path() and ctx.get_parameter_source("root").name == "DEFAULT"
        _given.set(otherwise is not None or not is_left_out)
        if otherwise is not None:
            if not is_left_out:
                raise typer.BadParameter("name the workspace once", param_hint="ROOT/--root")
            ctx.params["root"] = otherwise
        elif is_left_out and self.looks_around:
            around = self.find_around_here()
            if around is not None:
                note(f"in {around}, the known workspace around this folder")
                ctx.params["root"] = around
        self._refuse_other_order(ctx.params)
        return super().invoke(ctx)

    def find_around_here(self) -> Path | None:
        """The known workspace around the current folder. Raises ``FileNotFoundError`` where that was deleted."""
        return find_around(Path.cwd())

    def _refuse_other_order(self, given: Mapping[str, Any]) -> None:
        """Raise ``WorkspaceError`` where the folder stands before the words that go with it, and these in its place."""
        root = given.get("root")
        if not is_root_given() or not isinstance(root, Path) or os.path.lexists(root):
            return
        for each in self.params:
            name = each.name or ""
            folder = given.get(name)
            if isinstance(each, TyperArgument) and isinstance(folder, str) and Path(folder).is_dir():
                wanted = f"give the path of an existing workspace, after {name.upper()}"
                raise WorkspaceError(f"{root}: no such folder; {wanted}")


class RunningCommand(CommandWithRoot):
    """One that runs another command, in a folder that was deleted too."""

    def find_around_here(self) -> Path | None:
        """The known workspace around the current folder, if that is there."""
        try:
            return super().find_around_here()
        except FileNotFoundError:
            return None


class DeletingCommand(CommandWithRoot):
    """One that deletes what cannot be brought back: in a sub-folder it means that folder."""

    looks_around = False


def find_folder(path: Path) -> Path:
    """The folder at ``path``, absolute. Raises ``WorkspaceError`` as the engine does where there is none."""
    folder = Path(os.path.expanduser(path)).resolve()  # noqa: PTH111 - an unknown user is no error
    if not folder.exists():
        raise WorkspaceError(f"{path}: no such folder; give the path of an existing workspace")
    if not folder.is_dir():
        raise WorkspaceError(f"{path}: not a folder; give the folder that holds this file")
    return folder


def is_root_given() -> bool:
    """Whether the command that runs was given a root, and did not find one by itself."""
    return _given.get()


def find_around(here: Path) -> Path | None:
    """The known workspace that the folder ``here`` is a part of; ``None`` where it is one itself, or part of none."""
    from contextls.standalone import find_workspace

    known = find_workspace(here)
    return known if known is not None and known != here and _is_part(here, known) else None


def _is_part(folder: Path, workspace: Path) -> bool:
    """Whether ``folder``, which lies below ``workspace``, is no project of its own there."""
    home = Path.home()
    between = (
        each for each in (folder, *folder.parents) if each.is_relative_to(workspace) and each != workspace
    )
    return workspace not in (home, *home.parents) and not any((each / ".git").exists() for each in between)


def _is_always_one_word(param: Any) -> bool:  # noqa: ANN401 - a private type
    """Whether a parameter is an option, or an argument that is one word and must be there."""
    return not isinstance(param, TyperArgument) or (param.required and param.nargs == 1)
