"""The blocks of the chosen files, whole and as skeletons, made when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from contextls import cancellation
from contextls.code.source import SourceText
from contextls.model import Detail, PackRequest, UnpackedFile
from contextls.packing.blocks import PackBlock
from contextls.packing.forms.form import Form
from contextls.packing.known_texts import KnownTexts
from contextls.packing.reading import FileText, present, read_file
from contextls.packing.selection import FileSelection
from contextls.text.largest_fit import find_largest_fit

if TYPE_CHECKING:
    from contextls.packing.parsing import Parser


# The beginning of a file in fewer lines says nothing that its name does not.
_MIN_LINES = 3


class FileBlocks:
    """The files of a selection as blocks of a form. What cannot be shown is added to the selection's ``left_out``."""

    def __init__(
        self,
        root: Path,
        request: PackRequest,
        form: Form,
        known: KnownTexts,
        open_parser: Callable[[], Parser],
    ) -> None:
        self._root, self._request, self._form, self._known = root, request, form, known
        self._parser = open_parser
        self._texts: dict[str, FileText] = {}
        self._skeletons: dict[str, PackBlock | None] = {}
        self.whole: dict[str, PackBlock] = {}

    def read(self, selection: FileSelection, *, include_noise: bool) -> None:
        """Read every chosen file."""
        for file in selection.files:
            cancellation.check()
            found = read_file(self._root, file.path, self._known, include_noise=include_noise)
            if isinstance(found, FileText) and (symbols := selection.exclusions.symbols.get(file.path)):
                found = self._parser().hide_symbols(found, symbols)
            if isinstance(found, FileText):
                self._texts[file.path] = found
            else:
                selection.left_out.append(UnpackedFile(file.path, found))
        if self._request.drop_comments and self._texts:
            stripped = self._parser().strip_comments(list(self._texts.values()))
            self._texts = {file.path: file for file in stripped}
        for path, text in self._texts.items():
            cancellation.check()
            self.whole[path] = self._block(text, Detail.WHOLE)

    def skeletons(self, paths: Iterable[str]) -> Mapping[str, PackBlock]:
        """The skeletons of those files that have one."""
        wanted = list(paths)
        missing = [self._texts[path] for path in wanted if path not in self._skeletons]
        if missing:
            made = self._parser().make_skeletons(missing)
            for file in missing:
                short = made.get(file.path)
                self._skeletons[file.path] = None if short is None else self._block(short, Detail.SKELETON)
        return {path: block for path in wanted if (block := self._skeletons[path]) is not None}

    def beginning(self, path: str, room: int) -> PackBlock | None:
        """The first lines of the skeleton, else of the file, that fit ``room``; None where those are next to nothing."""
        skeleton = self.skeletons([path]).get(path)
        lines = SourceText((skeleton or self.whole[path]).body).lines

        def body(number: int) -> str:
            left_out = (
                f"{len(lines) - number:,} of {len(lines):,} lines{' of the skeleton' if skeleton else ''}"
            )
            return f"{''.join(lines[:number])}… ({left_out} left out)\n"

        def write(text: str, place: str) -> str:
            return self._form.file(path, text, Detail.BEGINNING, "" if skeleton else place)

        def block(number: int) -> PackBlock:
            text = write(body(number), f"1-{number}")
            return PackBlock(
                text, self._known.count(text), body(number), lambda part, lines="": write(part, lines)
            )

        number = find_largest_fit(len(lines) - 1, lambda tried: block(tried).tokens <= room)
        return block(number) if number >= _MIN_LINES else None

    def _block(self, file: FileText, detail: Detail) -> PackBlock:
        numbered = self._request.line_numbers and detail is Detail.WHOLE
        body = present(file, self._request, numbered=numbered)

        def write(text: str, lines: str = "") -> str:
            return self._form.file(file.path, text, detail, lines)

        text = write(body)
        return PackBlock(text, self._known.count(text), body, write)
