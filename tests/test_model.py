"""``contextls.model`` gives every name, and loads for it no more than it needs."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls import model

FOLDER = Path(model.__file__).parent


def defined_in(module: Path) -> Iterator[str]:
    """The public names that a module defines: what its star gives to type checkers."""
    for node in ast.parse(module.read_text("utf-8")).body:
        names: list[str] = []
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        yield from (name for name in names if not name.startswith("_"))


def test_every_name_is_the_one_that_type_checkers_see() -> None:
    modules = {path.stem: set(defined_in(path)) for path in FOLDER.glob("*.py") if path.stem != "__init__"}
    assert {name: set(names.split()) for name, names in model._NAMES.items()} == modules
    for module, names in modules.items():
        for name in names:
            home = importlib.import_module(f"contextls.model.{module}")
            assert getattr(model, name) is getattr(home, name)
    assert sorted(model.__all__) == sorted(name for names in modules.values() for name in names)


def test_type_checkers_see_every_module() -> None:
    stars = {
        node.module
        for node in ast.walk(ast.parse((FOLDER / "__init__.py").read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    }
    assert stars == {f"contextls.model.{module}" for module in model._NAMES}


def test_a_name_that_is_not_there_is_an_ordinary_error() -> None:
    with pytest.raises(AttributeError, match=r"'contextls\.model' has no attribute 'Nothing'"):
        getattr(model, "Nothing")  # noqa: B009 - type checkers would refuse the attribute
