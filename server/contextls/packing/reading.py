"""The text of a packed file: read within bounds, without secrets and encoded data, its lines as they are wanted."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from contextls.code.source import SourceText
from contextls.model import PackRequest
from contextls.packing.known_texts import KnownTexts
from contextls.text.encoded import leave_out_encoded
from contextls.text.notebook import close_gaps, is_notebook
from contextls.workspace.read import Unreadable, read_source


class FileText(Struct, frozen=True):
    """The text of the file at ``path``, without secrets and encoded data."""

    path: str
    text: str


def read_file(root: Path, path: str, known: KnownTexts, *, include_noise: bool) -> FileText | str:
    """The text of the file at ``path``, or why it is not shown."""
    source = read_source(root / path, within=root)
    if isinstance(source, Unreadable):
        return source.reason
    if source.noise and not include_noise:
        return source.noise
    return FileText(path, leave_out_encoded(known.clean(source.text, source.digest)))


def present(file: FileText, request: PackRequest, *, numbered: bool) -> str:
    """A file as it is shown: numbers before its lines where they are wanted, without empty lines where they are not.

    The numbers are those of the file, whatever is left out.
    """
    if not (numbered or request.drop_empty_lines):
        return close_gaps(file.path, file.text)
    lines = SourceText(file.text).lines
    width = len(str(len(lines)))
    shown = []
    for number, line in enumerate(lines, start=1):
        if line.strip() or not (request.drop_empty_lines or is_notebook(file.path)):
            shown.append(f"{number:>{width}}: {line}" if numbered else line)
    return "".join(shown)
