"""A pack as one JSON object, a file on each line; every part is an object of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence

from contextls.model import Detail, UnpackedFile
from contextls.packing.forms.form import PackFigures


class JsonForm:
    """``{"part": 1, "summary": …, "tree": […], "entries": [{"path": …, "text": …}, …]}``."""

    def opening(self, part: int) -> str:
        """The object, its part, and the list that everything else stands in."""
        return f'{{"part": {part}, "entries": [\n'

    def header(self, text: str) -> str:
        """The user's words."""
        return _entry(header=text)

    def summary(self, facts: PackFigures) -> str:
        """The figures as fields."""
        return _entry(
            summary={
                "files": dict(sorted(facts.details.items())),
                "tokens": facts.tokens,
                "tokenizer": facts.tokenizer,
            }
        )

    def tree(self, lines: Sequence[str]) -> str:
        """A line of the tree each."""
        return _entry(tree=list(lines))

    def left_out(self, files: Sequence[UnpackedFile]) -> str:
        """Reasons by path."""
        return _entry(notShown={file.path: file.reason for file in files})

    def file(self, path: str, text: str, detail: Detail, lines: str = "") -> str:
        """Path and text."""
        return _entry(path=path, **({"lines": lines} if lines else {}), detail=detail, text=text)

    def section(self, title: str, text: str, language: str) -> str:  # noqa: ARG002 - see Form
        """Title and text."""
        return _entry(title=title, text=text)

    def instructions(self, text: str) -> str:
        """The user's words."""
        return _entry(instructions=text)

    def last(self, block: str) -> str:
        """Without the comma."""
        return block.removesuffix(",\n") + "\n"

    def closing(self, *, more: bool) -> str:
        """The end of the list and of the object."""
        return f'], "more": {json.dumps(more)}}}\n'


def _entry(**fields: object) -> str:
    return f"{json.dumps(fields, ensure_ascii=False)},\n"
