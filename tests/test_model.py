"""``contextls.model`` gives every name, and loads for it no more than it needs."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from contextls import model

IMPORTS = {
    name.name: str(node.module)
    for node in ast.walk(ast.parse(Path(model.__file__).read_text("utf-8")))
    if isinstance(node, ast.ImportFrom) and str(node.module).startswith("contextls.model.")
    for name in node.names
}


def test_every_name_is_the_one_that_type_checkers_see() -> None:
    assert sorted(IMPORTS) == sorted(model.__all__)
    for name, module in IMPORTS.items():
        assert getattr(model, name) is getattr(importlib.import_module(module), name)


def test_a_name_that_is_not_there_is_an_ordinary_error() -> None:
    with pytest.raises(AttributeError, match=r"'contextls\.model' has no attribute 'Nothing'"):
        getattr(model, "Nothing")  # noqa: B009 - type checkers would refuse the attribute
