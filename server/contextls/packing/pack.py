"""Chosen files as one document: read, counted, made to fit, written."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from contextls.errors import InvalidRequestError
from contextls.model import Pack, PackFormat, PackRequest
from contextls.packing.blocks import Part, join_blocks, split_blocks
from contextls.packing.document import DocumentBuilder, Extra, PackDocument
from contextls.packing.file_blocks import FileBlocks
from contextls.packing.forms.form import Form
from contextls.packing.forms.json_form import JsonForm
from contextls.packing.forms.markdown import MarkdownForm
from contextls.packing.forms.tagged import TaggedForm
from contextls.packing.known_texts import KnownTexts
from contextls.packing.selection import FileSelection, select_files
from contextls.settings import Settings
from contextls.store.locations import locate
from contextls.text.gate import CleanText, clean
from contextls.text.tokens import Tokenizer, get_tokenizer
from contextls.workspace.git_head import obstacle
from contextls.workspace.roots import open_project

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.packing.parsing import Parser

MIN_TOKENS = 200
# So often a document is made again, smaller, where its parts have more tokens than all may have.
_MAX_TRIES = 5
_FORMS: Mapping[PackFormat, type[Form]] = {
    PackFormat.MARKDOWN: MarkdownForm,
    PackFormat.TAGGED: TaggedForm,
    PackFormat.JSON: JsonForm,
}


def pack_files(folder: Path, request: PackRequest, settings: Settings) -> Pack:
    """The files that ``request`` chooses as a document, the same for the same files byte for byte.

    Raises ``WorkspaceError``, and ``InvalidRequestError`` that names the field.
    """
    for name, tokens in (("maxTokens", request.max_tokens), ("splitTokens", request.split_tokens)):
        if tokens is not None and tokens < MIN_TOKENS:
            raise InvalidRequestError(name, f"a whole number, {MIN_TOKENS} or more", tokens)
    request = replace(request, header=clean(request.header), instructions=clean(request.instructions))
    root = open_project(folder)
    tokenizer = get_tokenizer(request.tokenizer or settings.tokenizer)
    form = _FORMS[request.format]()
    selection = select_files(root, request, settings)
    with ExitStack() as opened:

        @cache
        def parser() -> Parser:
            from contextls.packing.parsing import Parser

            return opened.enter_context(closing(Parser(settings)))

        known = KnownTexts(locate(root).packed_texts, tokenizer)
        opened.callback(known.save)
        files = FileBlocks(root, request, form, known, parser)
        files.read(selection, include_noise=request.include_noise or settings.include_noise)
        extras = _extras(root, request, selection)

        def build(most: int | None) -> tuple[PackDocument, list[Part]]:
            bounded = replace(request, max_tokens=most)
            document = DocumentBuilder(
                bounded, form, known.count, tokenizer.name, selection, files, extras
            ).build()
            if request.split_tokens is None:
                return document, [join_blocks(form, document.blocks, known.count)]
            return document, split_blocks(form, document.blocks, request.split_tokens, known.count)

        document, parts = _build_within(build, request.max_tokens, tokenizer)
    return Pack(
        parts=tuple(CleanText(part.text) for part in parts),  # made of texts that passed the gate
        token_count=sum(_tokens_of(part, tokenizer) for part in parts),
        tokenizer=tokenizer.name,
        tokenizer_exact=tokenizer.exact,
        files=document.files,
        left_out=tuple(selection.left_out),
        ignored=dict(selection.ignored),
        warnings=tuple(selection.warnings),
    )


def _build_within(
    build: Callable[[int | None], tuple[PackDocument, list[Part]]], most: int | None, tokenizer: Tokenizer
) -> tuple[PackDocument, list[Part]]:
    """The document and its parts, of ``most`` tokens together: each part has a beginning and an end of its own."""
    document, parts = build(most)
    room = most or 0
    for _ in range(_MAX_TRIES):
        excess = sum(_tokens_of(part, tokenizer) for part in parts) - (most or 0)
        if most is None or excess <= 0 or room - excess < MIN_TOKENS:
            break
        room -= excess
        document, parts = build(room)
    return document, parts


def _extras(root: Path, request: PackRequest, selection: FileSelection) -> list[Extra]:
    """The diffs and commits that the request asks for in addition to the files."""
    extras = []
    if (request.diffs or request.commits) and (found := obstacle(root)) is not None:
        selection.warnings.append(f"there are no changes and no commits to tell: {found.text}")
        return []
    if request.diffs:
        from contextls.packing.extras import write_changes

        extras.append(Extra("Uncommitted changes", write_changes(root, selection.accepts), "diff"))
    if request.commits:
        from contextls.packing.extras import write_commits

        extras.append(
            Extra("Newest commits", write_commits(root, request.commits, selection.accepts), "text")
        )
    return [extra for extra in extras if extra.text]


def _tokens_of(part: Part, tokenizer: Tokenizer) -> int:
    """The tokens of a part; an estimate of the whole is lower than those of its blocks."""
    return part.tokens if tokenizer.exact else tokenizer.count(part.text)
