"""Markdown of one workspace among several: each place begins with the name of its root."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from msgspec.structs import replace

from contextls.assembly.pieces.bodies import Body, CodeSpan, DiffHunk, PinnedSpan, Summary
from contextls.assembly.shapes.markdown import Markdown
from contextls.text.tokens import Tokenizer


class RootedMarkdown(Markdown):
    """Like ``Markdown``, with ``root`` before the paths in headings, unless it is empty."""

    def __init__(self, tokenizer: Tokenizer, root: str) -> None:
        super().__init__(tokenizer)
        self._root = root

    def for_budget(self, max_tokens: int) -> Self:  # noqa: ARG002 - it has no frame to cut
        """A copy of the shape with nothing remembered."""
        return type(self)(self.tokenizer, self._root)

    def compose(self, body: Body) -> str:
        """One piece by itself."""
        return super().compose(self._place_body(body))

    def _place_body(self, body: Body) -> Body:
        match body:
            case CodeSpan() | PinnedSpan():
                return replace(body, path=self._below(body.path))
            case DiffHunk(hunk):
                came_from = hunk.came_from and self._below(hunk.came_from)
                return replace(body, hunk=replace(hunk, path=self._below(hunk.path), came_from=came_from))
            case Summary(of=CodeSpan()):
                return replace(body, place=self._below(body.place))
            case _:
                return body

    def _below(self, path: str) -> str:
        return f"{self._root}/{path}" if self._root else path


def join_roots(prompts: Sequence[tuple[str, str]]) -> str:
    """Prompts below the names of their roots, one of which may have none; the question comes before all of them."""
    texts = []
    for name, content in prompts:
        asked, mark, rest = ("", "## ", content[3:]) if content.startswith("## ") else _after_asked(content)
        heading = f"# {name}" if name and rest else ""
        texts += [text for text in (asked, heading, f"{mark}{rest}") if text]
    return "\n\n".join(texts)


def _after_asked(content: str) -> tuple[str, str, str]:
    asked, mark, rest = content.partition("\n\n## ")
    return asked, mark.lstrip("\n"), rest
