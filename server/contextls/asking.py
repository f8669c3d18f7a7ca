"""Questions of the command line as plain data: an engine answers them, in this process or in a running session.

What a running session answers is what this process would answer itself: it brings its index up to date in the same way,
goes by the same settings, and leaves the question alone where it knows more or other things (an editor's unsaved text).
"""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict

from contextls import __version__
from contextls.errors import InvalidRequestError
from contextls.model import DEFAULT_ARCHETYPE
from contextls.text.gate import CleanText, clean_json
from contextls.wire import to_wire
from contextls.workspace.stamps import explain_missing, stamp_at

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from contextls.engine import Engine
    from contextls.model import AssembleRequest, Context, EditorPosition, IndexReport, SearchResult
    from contextls.recording import Recording
    from contextls.settings import Settings

T = TypeVar("T", bound=Struct)
# Settings that say what a process notices and stores, never what it answers: editors have their own.
_UNHEARD = frozenset(
    (
        "all_folders",
        "index_on_open",
        "watch",
        "memory_paused",
        "record",
        "unrecorded",
        "read_seconds",
        "edit_seconds",
    )
)


class PromptQuestion(Struct, frozen=True, kw_only=True):
    """What ``contextls assemble`` asks. Paths and scopes are as typed in the folder ``here``."""

    query: str
    here: str
    other_words: tuple[str, ...] = ()
    max_tokens: int | None = None
    archetype: str = DEFAULT_ARCHETYPE
    tokenizer: str | None = None
    file: str | None = None
    line: int | None = None
    paths: tuple[str, ...] = ()
    changes: str | None = None
    dependencies: bool = False
    scope: tuple[str, ...] | None = None

    def answer(self, engine: Engine, settings: Settings) -> Context:
        """The prompt. Raises ``InvalidRequestError``."""
        return engine.assemble(self.request(engine, settings))

    def request(self, engine: Engine, settings: Settings) -> AssembleRequest:
        """What the engine is asked. Raises ``InvalidRequestError``."""
        from contextls.model import AssembleRequest, Filters

        usual = engine.working_set.usual_budget(settings.max_tokens)
        return AssembleRequest(
            query=self.query,
            other_words=self.other_words,
            max_tokens=usual if self.max_tokens is None else self.max_tokens,
            task_line=settings.task_line,
            archetype=self.archetype,
            tokenizer=self.tokenizer,
            filters=Filters(paths=self.paths),
            position=self._position(engine),
            changes=self.changes,
            dependencies=self.dependencies,
            scope=scope_from(engine, Path(self.here), self.scope),
        )

    def _position(self, engine: Engine) -> EditorPosition | None:
        from contextls.model import EditorPosition

        if self.file is None:
            return None
        path = file_from(engine, Path(self.here), Path(self.file))
        return EditorPosition(path, self.line, self.line)


class SearchQuestion(Struct, frozen=True, kw_only=True):
    """What ``contextls search`` asks. Scopes are as typed in the folder ``here``."""

    query: str
    here: str
    limit: int = 10
    scope: tuple[str, ...] | None = None

    def answer(self, engine: Engine, _settings: Settings) -> SearchResult:
        """The hits. Raises ``InvalidRequestError``."""
        return engine.search(self.query, self.limit, scope_from(engine, Path(self.here), self.scope))


Question = PromptQuestion | SearchQuestion
_KINDS: dict[str, type[Question]] = {"assemble": PromptQuestion, "search": SearchQuestion}


def encode_question(question: Question) -> tuple[str, bytes]:
    """The name of a question's kind, and the question as JSON."""
    name = next(name for name, kind in _KINDS.items() if isinstance(question, kind))
    return name, json.dumps(to_wire(question)).encode()


def decode_question(name: object, given: bytes) -> Question:
    """The question that was encoded. Raises ``ValueError`` and ``InvalidRequestError``."""
    from contextls.schema.reader import read

    kind = _KINDS.get(str(name))
    if kind is None:
        raise ValueError(f"no question is called {name!r}")
    return read(kind, json.loads(given))


def encode_answer(result: Context | SearchResult, refreshed: IndexReport | None) -> dict[str, Any]:
    """An answer as JSON without secrets; ``refreshed`` tells what was new in the index before it, if anything."""
    answer: dict[str, Any] = clean_json({"result": to_wire(result), "refreshed": to_wire(refreshed)})
    return answer


def decode_answer(kind: type[T], answer: Mapping[str, Any]) -> tuple[T, IndexReport | None]:
    """The answer that was encoded, a ``kind``. Raises ``InvalidRequestError``."""
    from contextls.schema.reader import read

    refreshed = answer.get("refreshed")
    result = read(kind, _as_passed(answer.get("result")), "result")
    if refreshed is None:
        return result, None
    from contextls.model import IndexReport

    return result, read(IndexReport, refreshed, "refreshed")


def _as_passed(value: Any) -> Any:  # noqa: ANN401 - JSON
    """JSON whose texts have passed the gate in the process that wrote them."""
    if isinstance(value, str):
        return CleanText(value)
    if isinstance(value, dict):
        return {name: _as_passed(item) for name, item in value.items()}
    return [_as_passed(item) for item in value] if isinstance(value, list) else value


def path_from(workspace: Engine | Recording, here: Path, given: Path, option: str) -> str:
    """Turn ``given`` into a path relative to the workspace.

    A relative path counts from the folder ``here`` or, when that lies outside the workspace, from its root.

    Raises ``InvalidRequestError`` naming ``option`` when the file lies outside the workspace.
    """
    inside = workspace.relative(here / given)
    if inside is None and not given.is_absolute():
        inside = workspace.relative(workspace.root / given)
    if inside is None:
        raise InvalidRequestError(option, "a file inside the workspace", str(given))
    return inside


def file_from(engine: Engine, here: Path, given: Path) -> str:
    """The path that ``--file`` gives, of a file that is there. Raises ``InvalidRequestError``."""
    path = path_from(engine, here, given, "--file")
    stamp = stamp_at(engine.root / path)
    problem = None
    if stamp is None:
        problem = explain_missing(engine.root / path)
    elif stat.S_ISDIR(stamp.mode):
        problem = "this is a folder"
    if problem is not None:
        raise InvalidRequestError("--file", f"a file of the workspace ({problem})", str(given))
    return path


def scope_from(engine: Engine, here: Path, given: Sequence[str] | None) -> tuple[str, ...] | None:
    """Entries of a scope as typed: paths that exist below ``here`` count from there, all else from the root."""
    if given is None:
        return None
    there = (one for one in given if stamp_at(here / one) is not None)
    inside = {one: engine.relative(here / one) for one in there}
    return tuple(inside.get(one) or one for one in given)


def answer_key(settings: Settings) -> dict[str, Any]:
    """What has to be equal for two processes to give the same answer, as JSON."""
    heard = {name: value for name, value in asdict(settings).items() if name not in _UNHEARD}
    return {"version": __version__} | {
        name: list(value) if isinstance(value, tuple) else value for name, value in heard.items()
    }
