"""The parameters of ``context/workingSet/*``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError
from contextls.lsp.fields import Fields
from contextls.lsp.params import read_position
from contextls.lsp.uris import to_path
from contextls.model import Role, TruncateStrategy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contextls.engine import Engine
    from contextls.memory.working_set.target import Target

_TARGET = ("path", "uri", "symbol", "position", "rootUri")


@dataclass(frozen=True, slots=True)
class TargetParams:
    """Which file, folder or symbol is meant. ``line`` is 1-based."""

    path: str | None
    uri: str | None
    symbol: str | None
    line: int | None
    root_uri: str | None

    def target(self, engine: Engine) -> Target:
        """The same in the words of the workspace. Raises ``InvalidRequestError``."""
        path = self.path
        if self.uri is not None:
            file = to_path(self.uri)
            path = engine.relative(file) if file else None
            if path is None:
                raise InvalidRequestError("uri", "a file or folder inside the workspace", self.uri)
            # The name may hold a # of its own, which begins no symbol here.
            return engine.working_set.target_of(path, self.symbol, self.line)
        return engine.working_set.target(path or "", self.symbol, self.line)


@dataclass(frozen=True, slots=True)
class PinParams:
    """What ``context/workingSet/pin`` was asked; ``None`` leaves a field as it is."""

    target: TargetParams
    priority: float | None
    role: Role | None
    truncate_strategy: TruncateStrategy | None
    max_lines: int | None


def target_params(params: object) -> TargetParams:
    """Read the parameters that only name something."""
    return _target(Fields(params, _TARGET))


def pin_params(params: object) -> PinParams:
    """Read ``context/workingSet/pin``."""
    fields = Fields(params, (*_TARGET, "priority", "role", "truncateStrategy", "maxLines"))
    priority = fields.number("priority")
    if priority is not None and priority > 1:
        raise InvalidRequestError("priority", "a number from 0 to 1", priority)
    role = fields.choice("role", _words(Role))
    strategy = fields.choice("truncateStrategy", _words(TruncateStrategy))
    return PinParams(
        target=_target(fields),
        priority=priority,
        role=Role(role) if role else None,
        truncate_strategy=TruncateStrategy(strategy) if strategy else None,
        max_lines=fields.whole("maxLines", least=1),
    )


def _target(fields: Fields) -> TargetParams:
    if fields.has("path") == fields.has("uri"):
        raise InvalidRequestError("path", "either path or uri")
    if fields.has("symbol") and fields.has("position"):
        raise InvalidRequestError("position", "either symbol or position, not both")
    return TargetParams(
        path=fields.needed_text("path") if fields.has("path") else None,
        uri=fields.file_uri("uri"),
        symbol=fields.text("symbol"),
        line=read_position(fields, "position")[0] + 1 if fields.has("position") else None,
        root_uri=fields.file_uri("rootUri"),
    )


def _words(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(str, values))
