"""Services for faces that need no open workspace: short texts, token counts, events in words, and known workspaces.

Each loads what it needs when it is called: a command uses one or two of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from contextls.model import (
        Archetype,
        CompressedText,
        Event,
        GivenMessage,
        Pack,
        PackageSource,
        PackRequest,
        TokenCounts,
    )
    from contextls.settings import Settings


def compress_file(
    text: str, max_tokens: int, tokenizer: str, *, name: str, language: str | None, parse_seconds: float
) -> CompressedText:
    """The text of the file called ``name`` in at most ``max_tokens``. Raises ``InvalidRequestError``.

    Without ``language``, the name tells whether it is code; a parser gets ``parse_seconds``.
    """
    from contextls.assembly.compress_text import compress_text
    from contextls.code.pool import WorkerPool

    with WorkerPool(1, parse_seconds) as pool:  # starts when something must be parsed
        return compress_text(text, max_tokens, tokenizer, language or _code_language(name), pool)


def pack_files(root: Path, request: PackRequest, settings: Settings) -> Pack:
    """Chosen files of ``root`` as one document. Raises ``WorkspaceError`` and ``InvalidRequestError``."""
    from contextls.packing.pack import pack_files

    return pack_files(root, request, settings)


def count_tokens(texts: tuple[str, ...], tokenizer: str) -> TokenCounts:
    """The tokens of each text and of all. Raises ``InvalidRequestError``."""
    from contextls.assembly.compress_text import count_tokens

    return count_tokens(texts, tokenizer)


def check_tokenizer(name: str) -> None:
    """Raise ``InvalidRequestError`` that names the nearest when ``name`` is no encoding and no model that is known."""
    from contextls.text.tokenizer_names import check_known

    check_known(name)


def list_package_sources() -> tuple[PackageSource, ...]:
    """The sources that installed packages add, each loaded to see whether it can be."""
    from contextls.assembly.sources.package_calls import list_package_sources

    return list_package_sources()


def read_messages(text: str) -> tuple[GivenMessage, ...]:
    """OpenAI-style messages as the history of a turn. Raises ``InvalidRequestError``."""
    from contextls.memory.conversations.imports.messages_json import read_messages

    return read_messages(text)


def decode_text(raw: bytes, name: str = "") -> str | None:
    """The text of a file's content, without its byte order mark; ``None`` for binary content.

    With the ``name`` of a notebook, its cells.
    """
    from contextls.text.notebook import close_gaps, text_of_file
    from contextls.workspace.read import decode

    found = decode(raw)
    return None if found is None else close_gaps(name, text_of_file(name, found[0]))


def plain_text(output: str) -> str:
    """The text that a terminal would show at the end: without colours, and of an overwritten line only its last state."""
    from contextls.text.terminal_text import plain_text

    return plain_text(output)


def list_archetypes() -> tuple[Archetype, ...]:
    """The named strategies with what each is good for, in the order in which to offer them."""
    from contextls.assembly.strategies import describe_archetypes

    return describe_archetypes()


def describe_event(event: Event) -> str:
    """Describe an event in one line; names, paths and commands are quoted."""
    from contextls.memory.events import describe_event

    return describe_event(event)


def summarize_event(event: Event) -> str:
    """Describe an event in one plain line of at most 200 characters."""
    from contextls.memory.events import plainly

    return plainly(event)


def was_stopped(exit_code: int) -> bool:
    """Whether an exit code says that the user stopped the command."""
    from contextls.memory.events.exit_status import is_stopped

    return is_stopped(exit_code)


def workspace_list() -> Path:
    """The file that lists the known workspaces, one absolute path a line. It need not exist."""
    from contextls.workspace.state_folders import state_folders

    return state_folders().known_workspaces


def find_workspace(folder: Path) -> Path | None:
    """The innermost known workspace that holds ``folder``; ``None`` where there is none."""
    from contextls.memory.activity.workspace_list import find_known

    return find_known(folder)


def delete_index(root: Path) -> None:
    """Delete the index of the workspace at ``root`` unopened, with all that can be built again.

    Raises ``WorkspaceError``.
    """
    import shutil

    from contextls.store.locations import locate
    from contextls.workspace.roots import open_root

    shutil.rmtree(locate(open_root(root)).cache, ignore_errors=True)


def manifest_schema() -> Mapping[str, Any]:
    """The JSON schema of a working set's file."""
    from contextls.memory.working_set.manifest_schema import manifest_schema as make

    return make()


def _code_language(name: str) -> str:
    """The language when it is code: logs and prose are better told by their text."""
    from contextls.code.languages import TEXT, default_languages

    language = default_languages().language_of(name)
    return "" if language in (TEXT, "markdown") else language
