"""Chosen files as one document: made to fit one answer, or whole on as many pages as it takes."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from contextls.errors import InvalidRequestError
from contextls.mcp.answers import PackAnswer
from contextls.model import PackRequest
from contextls.regex import compile_late
from contextls.standalone import pack_files

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.mcp.budget import Budget
    from contextls.mcp.call import Call
    from contextls.mcp.params import PackFiles
    from contextls.model import Pack
    from contextls.settings import Settings

_MIN_TOKENS = 200
_CURSOR = compile_late(r"(?P<part>[0-9]{1,6})-(?P<size>[0-9]{3,7})-(?P<digest>[0-9a-f]{16})")


async def pack(call: Call, params: PackFiles) -> PackAnswer:
    """The files that are asked for."""
    workspace = await call.workspace(params.root)
    request = PackRequest(
        what=params.paths, changed=params.changed, working_set=params.pinned, skeletons=params.skeletons
    )
    packing = _Packing(workspace.root, call.live.settings, request, call.budget)
    if params.all_pages:
        return await call.live.executors.question(lambda: packing.page(params.cursor))
    return await call.live.executors.question(packing.fit)


class _Pages(Struct, frozen=True):
    """A document in parts of ``size`` tokens, and the ``digest`` that tells whether it is still the same."""

    packed: Pack
    size: int
    digest: str

    def answer(self, part: int) -> PackAnswer:
        """The answer with this part."""
        more = part + 1 < len(self.packed.parts)
        return PackAnswer(
            self.packed.parts[part],
            self.packed.warnings if part == 0 else (),
            f"{part + 1}-{self.size}-{self.digest}" if more else None,
        )

    def all(self) -> list[PackAnswer]:
        """The answers with all parts."""
        return [self.answer(part) for part in range(len(self.packed.parts))]


class _Packing(Struct, frozen=True):
    """A request, and the budget of its answer."""

    root: Path
    settings: Settings
    request: PackRequest
    budget: Budget

    def fit(self) -> PackAnswer:
        """Pack all files into one answer: those without room become skeletons or names."""
        return self.budget.ask_within(self._fit, lambda answer: [answer], _MIN_TOKENS)

    def page(self, cursor: str | None) -> PackAnswer:
        """Pack all files whole, a part of them in each answer."""
        if cursor is None:
            return self.budget.ask_within(self._split, _Pages.all, _MIN_TOKENS).answer(0)
        part, size, digest = _read_cursor(cursor)
        pages = self._split(size)
        if pages.digest != digest or part >= len(pages.packed.parts):
            raise InvalidRequestError(
                "cursor", "the nextCursor of an answer about the files as they are; begin again"
            )
        return pages.answer(part)

    def _fit(self, tokens: int) -> PackAnswer:
        packed = self._pack(replace(self.request, max_tokens=tokens))
        return PackAnswer(packed.parts[0], packed.warnings, None)

    def _split(self, tokens: int) -> _Pages:
        packed = self._pack(replace(self.request, split_tokens=tokens))
        return _Pages(packed, tokens, blake2b("".join(packed.parts).encode(), digest_size=8).hexdigest())

    def _pack(self, request: PackRequest) -> Pack:
        try:
            return pack_files(self.root, request, self.settings)
        except InvalidRequestError as error:
            if error.field != "what":
                raise
            raise InvalidRequestError("paths", error.expected, error.got) from None


def _read_cursor(cursor: str) -> tuple[int, int, str]:
    """Which part is meant, the size of all parts, and what tells that they are the same still."""
    found = _CURSOR.fullmatch(cursor)
    if found is None or int(found["size"]) < _MIN_TOKENS:
        raise InvalidRequestError("cursor", "the nextCursor of the answer before", cursor)
    return int(found["part"]), int(found["size"]), found["digest"]
