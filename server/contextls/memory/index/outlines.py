"""The outline of a file: its definitions, references and imports, as the index keeps them."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from operator import attrgetter

from contextls.code.model import Definition, Import

# ``dataclasses.astuple`` copies deeply and took a twelfth of a cold index.
_definition_values = attrgetter(*(field.name for field in fields(Definition)))
_import_values = attrgetter(*(field.name for field in fields(Import)))


@dataclass(frozen=True, slots=True)
class Outline:
    """The definitions, uses and imports of one file.

    ``references`` are distinct names in ascending order; ``calls`` says which of them are called where, packed as
    ``memory.calls`` describes; ``bodies`` where function bodies are, packed as ``code.skeleton`` describes.
    """

    path: str
    language: str
    definitions: tuple[Definition, ...]
    references: tuple[str, ...]
    imports: tuple[Import, ...]
    calls: str = ""
    bodies: str = ""


def dumps(outline: Outline) -> str:
    """JSON that ``loads`` reads back."""
    return json.dumps(
        [
            [_definition_values(definition) for definition in outline.definitions],
            outline.references,
            [_import_values(item) for item in outline.imports],
            outline.calls,
            outline.bodies,
        ],
        separators=(",", ":"),
    )


def loads(path: str, language: str, text: str) -> Outline:
    """The outline of ``path`` from what ``dumps`` wrote; an empty text is an empty outline."""
    definitions, references, imports, calls, bodies = json.loads(text) if text else ((), (), (), "", "")
    return Outline(
        path=path,
        language=language,
        definitions=tuple(Definition(*values) for values in definitions),
        references=tuple(references),
        imports=tuple(Import(module, tuple(names), line) for module, names, line in imports),
        calls=calls,
        bodies=bodies,
    )
