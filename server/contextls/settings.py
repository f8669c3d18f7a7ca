"""One schema for every setting; each field's ``doc`` metadata feeds the table in the README.

Precedence, lowest first: the defaults here, the user's file (``settings.toml`` in the platform's configuration folder or
in ``CONTEXTLS_HOME``; its keys are the wire names), what the client sends in ``initializationOptions`` or
``workspace/didChangeConfiguration`` under ``contextls``.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from contextls import settings_rules
from contextls.errors import InvalidRequestError
from contextls.schema.names import wire_name
from contextls.workspace.regular_file import SETTINGS_BYTES, read_text
from contextls.workspace.state_folders import chosen_home

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contextls.settings_rules import Check

# A budget below the first holds no heading and no item.
MIN_TOKENS = 32
MAX_TOKENS = 2_000_000
# Below this hardly any file of code is left to find.
MIN_FILE_BYTES = 1_000


def _setting(
    default: Any,  # noqa: ANN401
    doc: str,
    choices: tuple[str, ...] = (),
    *,
    live: bool = False,
    bounds: tuple[float, float | None] = (0, None),
    check: Check | None = None,
) -> Any:  # noqa: ANN401 - the field's own annotation carries the type
    """``live`` settings are taken over by an open workspace; another value of any other one opens it again.

    ``check`` raises ``InvalidRequestError`` for a string, or for one in a list, that says nothing.
    """
    metadata = {"doc": doc, "choices": choices, "live": live, "bounds": bounds, "check": check}
    if isinstance(default, list):
        return field(default_factory=lambda: tuple(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a user. Wire names are the camelCase of the field names.

    Raises ``InvalidRequestError`` that names the setting when a value is of the wrong type or out of range.
    """

    tokenizer: str = _setting(
        "o200k_base",
        "Encoding or model name that counts tokens and holds the budget.",
        check=settings_rules.check_tokenizer,
    )
    max_tokens: int = _setting(
        4000, "Budget when a request names none.", live=True, bounds=(MIN_TOKENS, MAX_TOKENS)
    )
    all_folders: bool = _setting(
        False, "Where several folders are open, let all of them answer a question that names none.", live=True
    )
    task_line: bool = _setting(True, "Begin each prompt with what is asked.", live=True)
    max_file_bytes: int = _setting(
        1_000_000, "Larger files are left out of the index.", bounds=(MIN_FILE_BYTES, None)
    )
    ignore: tuple[str, ...] = _setting([], "Further gitignore patterns, on top of the workspace's own.")
    include_noise: bool = _setting(False, "Index lock files, minified, vendored and generated files too.")
    index_on_open: bool = _setting(True, "Index in the background when a workspace opens.", live=True)
    index_uri: str = _setting(
        "",
        "A shared index of a team to take files from instead of parsing them: `s3://bucket/prefix` or the path of a folder "
        "([how](docs/scale.md)).",
    )
    index_public_key: str = _setting(
        "",
        "For `indexUri`: the public key (Ed25519, in base64) by which manifests must be signed; empty takes any.",
    )
    watch: bool = _setting(
        True, "Follow changes on disk (through the client, or with the server's own watcher)."
    )
    memory_paused: bool = _setting(
        False, "Record nothing at all; what was recorded stays and still answers.", live=True
    )
    record: tuple[str, ...] = _setting(
        ["*"],
        "Types of events to record; `file_*` stands for all that begin so ([types](docs/activity.md)).",
        live=True,
    )
    unrecorded: tuple[str, ...] = _setting(
        [],
        "Types of events to leave out whatever `record` says; editors with switches of their own set it.",
        live=True,
    )
    read_seconds: float = _setting(2.5, "How long a file stays in front before it counts as read.", live=True)
    edit_seconds: float = _setting(
        3.0, "How long a file is left alone before its edits become one event.", live=True
    )
    event_retention_days: int = _setting(
        90, "Older events are deleted; the newest 500 stay whatever their age. 0 keeps all."
    )
    event_max_count: int = _setting(100_000, "Above this the oldest events are deleted. 0 sets no bound.")
    event_max_bytes: int = _setting(
        64_000_000, "Above this size of their file the oldest events are deleted. 0 sets no bound."
    )
    conversation_retention_days: int = _setting(
        90,
        "Conversations in which nothing changed for longer are deleted; the newest 20 stay whatever their age. 0 keeps all.",
    )
    conversation_max_bytes: int = _setting(
        256_000_000,
        "Above this size of all conversations the one that changed longest ago is deleted, then the next. 0 sets no bound.",
    )
    history_commits: int = _setting(
        50_000, "Newest git commits to learn from ([how](docs/history.md)); 0 leaves git alone."
    )
    workers: int = _setting(
        0, "Processes that parse, never more than there are cores; 0 takes the number of cores, at most 4."
    )
    parse_timeout_seconds: float = _setting(
        10.0,
        "Seconds of a processor; a file that takes more falls back to plain windows.",
        bounds=(0.1, 3_600),
    )
    embedder: str = _setting(
        "static",
        "What finds code by meaning: `static`, `onnx` or `openai` ([how](docs/embedders.md)).",
        ("static", "onnx", "openai"),
    )
    embedder_path: str = _setting("", "For `onnx`: the model's folder, or one `.onnx` file in it.")
    embedder_endpoint: str = _setting(
        "", "For `openai`: the base address, such as `http://127.0.0.1:11434/v1`."
    )
    embedder_model: str = _setting("", "For `openai`: the model's name at the endpoint.")
    embedder_key_variable: str = _setting(
        "", "For `openai`: the name of the environment variable that holds the key; never the key itself."
    )
    embedder_consent: bool = _setting(
        False, "For `openai`: whether code and questions may be sent to a host other than this machine."
    )
    summarizer_endpoint: str = _setting(
        "",
        "Base address of a chat model that summarises what does not fit ([how](docs/summarizer.md)); empty for none.",
    )
    summarizer_model: str = _setting("", "The chat model's name at the endpoint.")
    summarizer_key_variable: str = _setting(
        "", "The name of the environment variable that holds the chat model's key; never the key itself."
    )
    summarizer_consent: bool = _setting(
        False, "Whether pieces of code may be sent for a summary to a host other than this machine."
    )
    summarizer_timeout_seconds: float = _setting(
        8.0, "How long one question may wait for all its summaries together."
    )
    package_sources: tuple[str, ...] = _setting(
        ["*"],
        "Sources of installed packages to ask, by name; `*` stands for all, an empty list for none "
        "([how](docs/library.md#a-source-of-your-own)).",
        live=True,
    )
    truncation_strategy: str = _setting(
        "truncateMiddle",
        "What goes when a conversation is too long: `truncateMiddle`, `rollingWindow` or `stopAtLimit` "
        "([how](docs/conversations.md)).",
        ("truncateMiddle", "rollingWindow", "stopAtLimit"),
        live=True,
    )
    minimum_recent_nodes: int = _setting(
        4, "So many newest nodes of a conversation `truncateMiddle` always keeps.", live=True
    )
    token_buffer: int = _setting(1024, "Tokens of a model's limit that are left for its answer.", live=True)
    compaction_keep_turns: int = _setting(
        3, "So many newest turns of a conversation stay whole when older ones are summed up.", live=True
    )
    working_set_turns: int = _setting(
        5,
        "In a conversation: a failed command's output is kept at hand, and what a model pinned keeps its weight, for so "
        "many turns without mention ([how](docs/working-set.md#what-the-server-does)). 0 leaves both alone.",
        live=True,
        bounds=(0, 100),
    )
    trusted_folders: tuple[str, ...] = _setting(
        [],
        "Folders whose rules files may instruct a model, with all below them; `*` for every folder "
        "([why](docs/messages.md#trust)).",
    )
    model_limits: tuple[str, ...] = _setting(
        [],
        "Context windows of models in tokens, as `my-model=32000`; they win over those that come along.",
        check=settings_rules.check_model_limit,
    )
    default_model_limit: int = _setting(
        128_000, "The window that a model is taken to have whose own is not known."
    )
    identity_permissions: tuple[str, ...] = _setting(
        [],
        "What may be shown to whom, as `reviewer=code:src/**`; a name without an entry sees everything "
        "([rows](docs/messages.md#permissions)).",
    )

    def __post_init__(self) -> None:
        types = _types()
        for each in fields(self):
            settings_rules.check_value(each, types[each.name], getattr(self, each.name))
        # The same file serves machines of all sizes, so more workers than this one has cores are no mistake.
        object.__setattr__(self, "workers", min(self.workers, os.cpu_count() or 1))


def user_file() -> Path:
    """The path of the user's settings; the file need not exist. Raises ``InvalidRequestError``."""
    home = chosen_home()
    if home is not None:
        return home / "settings.toml"
    import platformdirs

    return platformdirs.user_config_path("contextls", appauthor=False) / "settings.toml"


def user_settings() -> Settings:
    """The defaults with the user's file on top; the defaults alone when there is none.

    Raises ``InvalidRequestError`` naming the file and what is wrong in it.
    """
    file = user_file()
    try:
        given = tomllib.loads(read_text(file, SETTINGS_BYTES))
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except OSError as error:
        raise InvalidRequestError(str(file), f"a file that can be read ({error.strerror})") from None
    except ValueError as error:
        raise InvalidRequestError(str(file), f"TOML ({error})") from None
    if isinstance(given.get("contextls"), dict):
        raise InvalidRequestError(f"{file}: contextls", "the settings without a table around them")
    try:
        return merge_settings(Settings(), given)
    except InvalidRequestError as error:
        raise InvalidRequestError(
            f"{file}: {error.field.removeprefix('contextls.')}", error.expected, error.got
        ) from None


def needs_reopening(before: Settings, after: Settings) -> bool:
    """Whether an open workspace cannot simply take over the new settings."""
    return any(
        getattr(before, each.name) != getattr(after, each.name)
        for each in fields(Settings)
        if not each.metadata["live"]
    )


def merge_settings(base: Settings, given: Mapping[str, Any]) -> Settings:
    """``base`` with the camelCase values of ``given`` on top.

    Raises ``InvalidRequestError`` that names the setting when it is unknown or of the wrong type.
    """
    known = {wire_name(each.name): each.name for each in fields(Settings)}
    for key in given:
        if key not in known:
            raise InvalidRequestError(f"contextls.{key}", settings_rules.describe_unknown(key, known))
    changes: dict[str, Any] = {known[key]: _from_json(value) for key, value in given.items()}
    try:
        return replace(base, **changes)
    except InvalidRequestError as error:
        got = list(error.got) if isinstance(error.got, tuple) else error.got
        raise InvalidRequestError(f"contextls.{error.field}", error.expected, got) from None


def check_identity_permissions(settings: Settings) -> None:
    """Raise ``InvalidRequestError`` for an entry of ``identity_permissions`` that cannot be read.

    Such an entry is no reason to refuse the settings: without them everybody would see everything. Questions are refused.
    """
    for entry in settings.identity_permissions:
        settings_rules.check_identity_permission("contextls.identityPermissions", entry)


def _from_json(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


@cache
def _types() -> dict[str, Any]:
    return get_type_hints(Settings)
