"""Retrieved pieces as JSON, one object a line in a fence: for models and programs that want fields, not headings."""

from __future__ import annotations

import json
from collections.abc import Sequence

from contextls.assembly.pieces.bodies import Body
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.shapes.piece_fields import describe_piece
from contextls.assembly.shapes.shape import PromptShape
from contextls.model import Section
from contextls.text.fence import fence


class Structured(PromptShape):
    """Objects with ``path``, ``lines``, ``symbol``, ``title`` and ``text``, as far as a piece has them."""

    def compose(self, body: Body) -> str:
        """One object."""
        fields = describe_piece(body)
        lines = [fields.start_line, fields.end_line] if fields.start_line else None
        values = {
            "path": fields.path,
            "lines": lines,
            "symbol": fields.symbol,
            "title": fields.title,
            "text": fields.body,
        }
        return json.dumps({name: value for name, value in values.items() if value}, ensure_ascii=False)

    def heading(self, section: Section) -> str:  # noqa: ARG002 - the base's signature
        """None: an object says by itself what it is."""
        return ""

    def render(self, pieces: Sequence[Candidate]) -> str:
        """All objects, a line each; what ends a fence cannot begin a line of JSON."""
        lines = [self.write(piece.body) for piece in pieces]
        return fence("\n".join(lines), "jsonl") if lines else ""
