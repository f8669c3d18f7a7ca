"""A pack as Markdown: each file under its path, in a fence that it cannot close."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.model import Detail, UnpackedFile
from contextls.packing.forms.form import PackFigures
from contextls.text.fence import fence, inline


class MarkdownForm:
    """Headings and fences."""

    def opening(self, part: int) -> str:
        """A title."""
        return "# Files\n\n" if part == 1 else f"# Files, part {part}\n\n"

    def header(self, text: str) -> str:
        """The text in a fence of its own, so that nothing in it goes on after it."""
        return f"## Note\n\n{fence(text, 'text')}\n\n"

    def summary(self, facts: PackFigures) -> str:
        """A sentence."""
        return f"{facts.sentence()}\n\n"

    def tree(self, lines: Sequence[str]) -> str:
        """A fence, in which names mean nothing but themselves."""
        return f"## Tree\n\n{fence(chr(10).join(lines), 'text')}\n\n"

    def left_out(self, files: Sequence[UnpackedFile]) -> str:
        """A list."""
        rows = "\n".join(f"- {inline(file.path)}: {file.reason}" for file in files)
        return f"## Not shown\n\n{rows}\n\n"

    def file(self, path: str, text: str, detail: Detail, lines: str = "") -> str:
        """Path and text."""
        place = inline(f"{path}:{lines}" if lines else path)
        kinds = {
            Detail.SKELETON: " (skeleton)",
            Detail.BEGINNING: "" if lines else " (beginning of the skeleton)",
        }
        return f"## {place}{kinds.get(detail, '')}\n\n{fence(text, _extension(path))}\n\n"

    def section(self, title: str, text: str, language: str) -> str:
        """Title and text."""
        return f"## {title}\n\n{fence(text, language)}\n\n"

    def instructions(self, text: str) -> str:
        """The instructions in a fence of their own, as the header."""
        return f"## Instructions\n\n{fence(text, 'text')}\n\n"

    def last(self, block: str) -> str:
        """Without the empty line."""
        return block.rstrip("\n") + "\n"

    def closing(self, *, more: bool) -> str:
        """A hint, where something follows."""
        return "More files follow in the next part.\n" if more else ""


def _extension(path: str) -> str:
    """What editors go by to colour a fence."""
    name = path[path.rfind("/") + 1 :]
    dot = name.rfind(".")
    return name[dot + 1 :] if dot > 0 else ""
