"""Puts the blocks of a document together, within its budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.model import Detail, PackedFile, PackRequest, UnpackedFile
from contextls.packing.blocks import Count, PackBlock, join_blocks
from contextls.packing.file_blocks import FileBlocks
from contextls.packing.forms.form import Form, PackFigures
from contextls.packing.selection import FileSelection
from contextls.packing.tree import deepest, draw_tree, grow_tree

# The divisors of the budget that bound the tree, and the list of what is not shown.
_TREE_SHARE, _LIST_SHARE = 5, 10
_ATTEMPTS = 8


class PackDocument(Struct, frozen=True):
    """The blocks in their order, and what they show of each file."""

    blocks: tuple[PackBlock, ...]
    files: tuple[PackedFile, ...]


class Extra(Struct, frozen=True):
    """A section after the files."""

    title: str
    text: str
    language: str


class DocumentBuilder:
    """Builds one document."""

    def __init__(
        self,
        request: PackRequest,
        form: Form,
        count: Count,
        tokenizer: str,
        selection: FileSelection,
        files: FileBlocks,
        extras: Sequence[Extra],
    ) -> None:
        self._request, self._form, self._count, self._tokenizer = request, form, count, tokenizer
        self._selection, self._files = selection, files
        self._beginnings: dict[str, PackBlock] = {}
        self._header = [self._block(form.header(request.header))] if request.header else []
        self._behind = [self._extra(extra) for extra in extras]
        if request.instructions:
            self._behind.append(self._block(form.instructions(request.instructions)))

    def build(self) -> PackDocument:
        """The document. Raises ``InvalidRequestError`` where the budget does not even hold what says so."""
        most = self._request.max_tokens
        details = self._first_details()
        if most is None:
            return self._compose(details, None, None)
        room = most
        for attempt in range(_ATTEMPTS):
            document = self._compose(self._fit(details, room), most // _TREE_SHARE, most // _LIST_SHARE)
            over = self._measure(document) - most
            if over <= 0:
                return document
            # Files seldom fill their room to the last token, and the tree grows where they give way: in the end more is
            # taken from what they take than would be enough.
            if (late := attempt - _ATTEMPTS // 2) >= 0:
                room = sum(file.tokens for file in document.files)
            room = max(0, room - over * 2 ** max(0, late))
        names = dict.fromkeys(details, Detail.NAME)
        for share in (_TREE_SHARE * 2, _TREE_SHARE * 4, 0):
            document = self._compose(
                names, most // share if share else 0, most // (2 * share) if share else 0
            )
            if self._measure(document) <= most:
                return document
        least = self._measure(document)
        raise InvalidRequestError("maxTokens", f"at least {least:,}, for what stands around the files", most)

    def _measure(self, document: PackDocument) -> int:
        return join_blocks(self._form, document.blocks, self._count).tokens

    def _first_details(self) -> dict[str, Detail]:
        """What is shown of each file where there is room for all."""
        if not self._request.texts:
            return dict.fromkeys(self._files.whole, Detail.NAME)
        details = dict.fromkeys(self._files.whole, Detail.WHOLE)
        if self._request.skeletons:
            details |= dict.fromkeys(self._files.skeletons(self._files.whole), Detail.SKELETON)
        return details

    def _fit(self, details: dict[str, Detail], room: int) -> dict[str, Detail]:
        """``details`` with files that gave way, so that the blocks of files have at most ``room`` tokens."""
        if sum(self._tokens(path, detail) for path, detail in details.items()) <= room:
            return details
        from contextls.packing.budget import Weighed, choose_details, share_beginnings

        named = {file.path for file in self._selection.files if file.named}
        weighed = [
            Weighed(path, self._tokens(path, detail), path in named) for path, detail in details.items()
        ]

        def shrink(paths: Sequence[str]) -> dict[str, int]:
            return {path: block.tokens for path, block in self._files.skeletons(paths).items()}

        chosen = choose_details(weighed, room, shrink)
        fitted = {
            path: details[path] if detail is Detail.WHOLE else detail for path, detail in chosen.items()
        }
        left = room - sum(self._tokens(path, detail) for path, detail in fitted.items())
        for path, share in share_beginnings(weighed, fitted, left):
            if (block := self._files.beginning(path, share)) is not None:
                self._beginnings[path] = block
                fitted[path] = Detail.BEGINNING
        return fitted

    def _tokens(self, path: str, detail: Detail) -> int:
        block = self._block_of(path, detail)
        return 0 if block is None else block.tokens

    def _block_of(self, path: str, detail: Detail) -> PackBlock | None:
        if detail is Detail.NAME:
            return None
        if detail is Detail.BEGINNING:
            return self._beginnings[path]
        return self._files.whole[path] if detail is Detail.WHOLE else self._files.skeletons([path])[path]

    def _compose(
        self, details: dict[str, Detail], tree_room: int | None, list_room: int | None
    ) -> PackDocument:
        """The document that shows files in these details; what is in no room is cut, None sets no bound."""
        files = tuple(
            PackedFile(path, detail, self._tokens(path, detail), self._files.whole[path].tokens)
            for path, detail in details.items()
        )
        shown = (self._block_of(path, detail) for path, detail in details.items())
        blocks = [*self._header]
        if self._request.summary:
            blocks.append(self._block(self._form.summary(self._facts(files))))
        if self._request.tree and files:
            blocks += self._tree(files, tree_room)
        if self._request.summary:
            blocks += self._not_shown(list_room)
        blocks += [block for block in shown if block is not None]
        return PackDocument((*blocks, *self._behind), files)

    def _facts(self, files: Iterable[PackedFile]) -> PackFigures:
        details = Counter(file.detail for file in files)
        tokens = sum(file.tokens if self._request.texts else file.whole_tokens for file in files)
        return PackFigures(details, tokens, self._tokenizer)

    def _tree(self, files: Sequence[PackedFile], room: int | None) -> list[PackBlock]:
        """The tree as deep as there is room for."""
        root = grow_tree(files, whole=not self._request.texts)
        block = self._cuttable(self._form.tree, draw_tree(root))
        depth = deepest(root)
        while room is not None and block.tokens > room:
            depth -= 1
            if depth < 1:
                return []
            block = self._cuttable(self._form.tree, draw_tree(root, depth))
        return [block]

    def _not_shown(self, room: int | None) -> list[PackBlock]:
        """The files that cannot be shown, as many as there is room for, and the number of the others."""
        files = sorted(self._selection.left_out, key=lambda file: file.path)
        kept = len(files)
        while kept:
            rest = len(files) - kept
            more = [UnpackedFile("…", f"{rest:,} more")] if rest else []
            block = self._block(self._form.left_out([*files[:kept], *more]))
            if room is None or block.tokens <= room:
                return [block]
            kept //= 2
        return []

    def _extra(self, extra: Extra) -> PackBlock:
        def write(text: str, lines: str = "") -> str:  # noqa: ARG001 - they are no lines of a file
            return self._form.section(extra.title, text, extra.language)

        text = write(extra.text)
        return PackBlock(text, self._count(text), extra.text, write)

    def _cuttable(self, write: Callable[[Sequence[str]], str], lines: Sequence[str]) -> PackBlock:
        def write_piece(text: str, lines: str = "") -> str:  # noqa: ARG001 - lines of a tree have no numbers
            return write(text.rstrip("\n").split("\n"))

        body = "\n".join(lines)
        text = write_piece(body)
        return PackBlock(text, self._count(text), body, write_piece)

    def _block(self, text: str) -> PackBlock:
        return PackBlock(text, self._count(text))
