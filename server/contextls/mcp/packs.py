"""Chosen files as one document: made to fit one answer, or whole on as many pages as it takes."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from contextls.errors import InvalidRequestError
from contextls.mcp.answers import PackAnswer
from contextls.mcp.budget import to_json, write_json
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

# Of the limit, what the document gets at first: what JSON adds to code is only known afterwards.
_FIRST_SHARE = 0.8
_ATTEMPTS = 5
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


class _Packing(Struct, frozen=True):
    """A request, and the budget of its answer."""

    root: Path
    settings: Settings
    request: PackRequest
    budget: Budget

    def fit(self) -> PackAnswer:
        """Pack all files into one answer: those without room become skeletons or names."""
        tokens = max(_MIN_TOKENS, int(self.budget.limit * _FIRST_SHARE))
        for _ in range(_ATTEMPTS):
            packed = self._pack(replace(self.request, max_tokens=tokens))
            answer = PackAnswer(packed.parts[0], packed.warnings, None)
            used = self._measure(answer)
            if used <= self.budget.limit:
                break
            tokens = max(_MIN_TOKENS, tokens * self.budget.limit // used * 97 // 100)
        return answer

    def page(self, cursor: str | None) -> PackAnswer:
        """Pack all files whole, a part of them in each answer."""
        part, size, digest = self._read(cursor)
        for _ in range(_ATTEMPTS):
            packed = self._pack(replace(self.request, split_tokens=size))
            found = blake2b("".join(packed.parts).encode(), digest_size=8).hexdigest()
            if cursor is not None:
                break
            used = max(
                self._measure(self._answer(packed, number, size, found))
                for number in range(len(packed.parts))
            )
            if used <= self.budget.limit:
                break
            size = max(_MIN_TOKENS, size * self.budget.limit // used * 97 // 100)
        if cursor is not None and (found != digest or part >= len(packed.parts)):
            raise InvalidRequestError(
                "cursor", "the nextCursor of an answer about the files as they are; begin again"
            )
        return self._answer(packed, part, size, found)

    def _read(self, cursor: str | None) -> tuple[int, int, str]:
        """Which part is meant, the size of all parts, and what tells that they are the same still."""
        if cursor is None:
            return 0, max(_MIN_TOKENS, int(self.budget.limit * _FIRST_SHARE)), ""
        found = _CURSOR.fullmatch(cursor)
        if found is None or int(found["size"]) < _MIN_TOKENS:
            raise InvalidRequestError("cursor", "the nextCursor of the answer before", cursor)
        return int(found["part"]), int(found["size"]), found["digest"]

    def _answer(self, packed: Pack, part: int, size: int, digest: str) -> PackAnswer:
        more = part + 1 < len(packed.parts)
        return PackAnswer(
            packed.parts[part],
            packed.warnings if part == 0 else (),
            f"{part + 1}-{size}-{digest}" if more else None,
        )

    def _pack(self, request: PackRequest) -> Pack:
        try:
            return pack_files(self.root, request, self.settings)
        except InvalidRequestError as error:
            if error.field != "what":
                raise
            raise InvalidRequestError("paths", error.expected, error.got) from None

    def _measure(self, answer: PackAnswer) -> int:
        return self.budget.count(write_json(to_json(answer)))
