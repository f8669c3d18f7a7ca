"""One schema for every setting; what it says of each one feeds the table in docs/settings.md.

Precedence, lowest first: the defaults here, the user's file (see ``settings_file``), what the client sends in
``initializationOptions`` or ``workspace/didChangeConfiguration`` under ``contextls``.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import force_setattr

from contextls import settings_rules
from contextls.schema.names import wire_name
from contextls.settings_rules import Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

# A budget below the first holds no heading and no item.
MIN_TOKENS = 32
MAX_TOKENS = 2_000_000
# Below this hardly any file of code is left to find.
MIN_FILE_BYTES = 1_000


class Settings(Struct, frozen=True):
    """All settings of a user. Wire names are the camelCase of the field names.

    Raises ``InvalidRequestError`` that names the setting when a value is of the wrong type or out of range.
    """

    tokenizer: Annotated[
        str,
        Setting(
            "Encoding or model name that counts tokens and holds the budget.",
            check=settings_rules.check_tokenizer,
        ),
    ] = "o200k_base"
    max_tokens: Annotated[
        int, Setting("Budget when a request names none.", live=True, bounds=(MIN_TOKENS, MAX_TOKENS))
    ] = 4000
    all_folders: Annotated[
        bool,
        Setting(
            "Where several folders are open, let all of them answer a question that names none.", live=True
        ),
    ] = False
    task_line: Annotated[bool, Setting("Begin each prompt with what is asked.", live=True)] = True
    max_file_bytes: Annotated[
        int,
        Setting(
            "Larger files are left out of the index; a notebook may be sixteen times as large.",
            bounds=(MIN_FILE_BYTES, None),
        ),
    ] = 1_000_000
    ignore: Annotated[
        tuple[str, ...],
        Setting("Further gitignore patterns, on top of the workspace's own.", safe=settings_rules.strings_in),
    ] = ()
    include_noise: Annotated[
        bool, Setting("Index lock files, minified, vendored and generated files too.")
    ] = False
    index_on_open: Annotated[bool, Setting("Index in the background when a workspace opens.", live=True)] = (
        True
    )
    index_uri: Annotated[
        str,
        Setting(
            "A shared index of a team to take files from instead of parsing them: `s3://bucket/prefix` or the path of a "
            "folder ([how](docs/scale.md))."
        ),
    ] = ""
    index_public_key: Annotated[
        str,
        Setting(
            "For `indexUri`: the public key (Ed25519, in base64) by which manifests must be signed; empty takes any.",
            safe=str,
        ),
    ] = ""
    watch: Annotated[
        bool, Setting("Follow changes on disk (through the client, or with the server's own watcher).")
    ] = True
    memory_paused: Annotated[
        bool,
        Setting(
            "Record nothing at all; what was recorded stays and still answers.",
            live=True,
            safe=settings_rules.anything_but_false,
        ),
    ] = False
    record: Annotated[
        tuple[str, ...],
        Setting(
            "Types of events to record; `file_*` stands for all that begin so ([types](docs/activity.md)).",
            live=True,
            safe=settings_rules.no_strings,
        ),
    ] = ("*",)
    unrecorded: Annotated[
        tuple[str, ...],
        Setting(
            "Types of events to leave out whatever `record` says; editors with switches of their own set it.",
            live=True,
            safe=settings_rules.every_string,
        ),
    ] = ()
    read_seconds: Annotated[
        float, Setting("How long a file stays in front before it counts as read.", live=True)
    ] = 2.5
    edit_seconds: Annotated[
        float, Setting("How long a file is left alone before its edits become one event.", live=True)
    ] = 3.0
    event_retention_days: Annotated[
        int,
        Setting(
            "Older events are deleted; the newest 500 stay whatever their age. 0 keeps all.",
            safe=settings_rules.no_bound,
        ),
    ] = 90
    event_max_count: Annotated[
        int,
        Setting("Above this the oldest events are deleted. 0 sets no bound.", safe=settings_rules.no_bound),
    ] = 100_000
    event_max_bytes: Annotated[
        int,
        Setting(
            "Above this size of their file the oldest events are deleted. 0 sets no bound.",
            safe=settings_rules.no_bound,
        ),
    ] = 64_000_000
    conversation_retention_days: Annotated[
        int,
        Setting(
            "Conversations in which nothing changed for longer are deleted; the newest 20 stay whatever their age. "
            "0 keeps all.",
            safe=settings_rules.no_bound,
        ),
    ] = 90
    conversation_max_bytes: Annotated[
        int,
        Setting(
            "Above this size of all conversations the one that changed longest ago is deleted, then the next. "
            "0 sets no bound.",
            safe=settings_rules.no_bound,
        ),
    ] = 256_000_000
    history_commits: Annotated[
        int, Setting("Newest git commits to learn from ([how](docs/history.md)); 0 leaves git alone.")
    ] = 50_000
    workers: Annotated[
        int,
        Setting(
            "Processes that parse, never more than there are cores; 0 takes up to 4, and half of many cores up to 8."
        ),
    ] = 0
    parse_timeout_seconds: Annotated[
        float,
        Setting(
            "Seconds of a processor; a file that takes more falls back to plain windows.", bounds=(0.1, 3_600)
        ),
    ] = 10.0
    embedder: Annotated[
        str,
        Setting(
            "What finds code by meaning: `static`, `onnx` or `openai` ([how](docs/embedders.md)).",
            choices=("static", "onnx", "openai"),
        ),
    ] = "static"
    embedder_path: Annotated[str, Setting("For `onnx`: the model's folder, or one `.onnx` file in it.")] = ""
    embedder_endpoint: Annotated[
        str, Setting("For `openai`: the base address, such as `http://127.0.0.1:11434/v1`.")
    ] = ""
    embedder_model: Annotated[str, Setting("For `openai`: the model's name at the endpoint.")] = ""
    embedder_key_variable: Annotated[
        str,
        Setting(
            "For `openai`: the name of the environment variable that holds the key; never the key itself."
        ),
    ] = ""
    embedder_consent: Annotated[
        bool,
        Setting("For `openai`: whether code and questions may be sent to a host other than this machine."),
    ] = False
    summarizer_endpoint: Annotated[
        str,
        Setting(
            "Base address of a chat model that summarises what does not fit ([how](docs/summarizer.md)); empty for none."
        ),
    ] = ""
    summarizer_model: Annotated[str, Setting("The chat model's name at the endpoint.")] = ""
    summarizer_key_variable: Annotated[
        str,
        Setting(
            "The name of the environment variable that holds the chat model's key; never the key itself."
        ),
    ] = ""
    summarizer_consent: Annotated[
        bool,
        Setting(
            "Whether pieces of code and questions may be sent to that model on a host other than this machine."
        ),
    ] = False
    summarizer_timeout_seconds: Annotated[
        float, Setting("How long one question may wait for all its summaries together.")
    ] = 8.0
    summarizer_other_words: Annotated[
        bool,
        Setting(
            "Ask that model before each question which words the code may have for it "
            "([how](docs/summarizer.md#other-words))."
        ),
    ] = False
    package_sources: Annotated[
        tuple[str, ...],
        Setting(
            "Sources of installed packages to ask, by name; `*` stands for all, an empty list for none "
            "([how](docs/library.md#a-source-of-your-own)).",
            live=True,
            safe=settings_rules.no_strings,
        ),
    ] = ("*",)
    truncation_strategy: Annotated[
        str,
        Setting(
            "What goes when a conversation is too long: `truncateMiddle`, `rollingWindow` or `stopAtLimit` "
            "([how](docs/conversations.md)).",
            choices=("truncateMiddle", "rollingWindow", "stopAtLimit"),
            live=True,
        ),
    ] = "truncateMiddle"
    minimum_recent_nodes: Annotated[
        int, Setting("So many newest nodes of a conversation `truncateMiddle` always keeps.", live=True)
    ] = 4
    token_buffer: Annotated[
        int, Setting("Tokens of a model's limit that are left for its answer.", live=True)
    ] = 1024
    compaction_keep_turns: Annotated[
        int,
        Setting(
            "So many newest turns of a conversation stay whole when older ones are summed up.", live=True
        ),
    ] = 3
    working_set_turns: Annotated[
        int,
        Setting(
            "In a conversation: a failed command's output is kept at hand, and what a model pinned keeps its weight, for so "
            "many turns without mention ([how](docs/working-set.md#what-the-server-does)). 0 leaves both alone.",
            live=True,
            bounds=(0, 100),
        ),
    ] = 5
    trusted_folders: Annotated[
        tuple[str, ...],
        Setting(
            "Folders whose rules files may instruct a model, with all below them; `*` for every folder "
            "([why](docs/messages.md#trust))."
        ),
    ] = ()
    model_limits: Annotated[
        tuple[str, ...],
        Setting(
            "Context windows of models in tokens, as `my-model=32000`; they win over those that come along.",
            check=settings_rules.check_model_limit,
        ),
    ] = ()
    default_model_limit: Annotated[
        int, Setting("The window that a model is taken to have whose own is not known.")
    ] = 128_000
    identity_permissions: Annotated[
        tuple[str, ...],
        Setting(
            "What may be shown to whom, as `reviewer=code:src/**`; a name without an entry sees everything "
            "([rows](docs/messages.md#permissions)).",
            safe=settings_rules.strings_or_text,
        ),
    ] = ()

    def __post_init__(self) -> None:
        for name, (kind, setting) in described_settings().items():
            settings_rules.check_value(wire_name(name), kind, setting, getattr(self, name))
        # The same file serves machines of all sizes, so more workers than this one has cores are no mistake.
        force_setattr(self, "workers", min(self.workers, os.cpu_count() or 1))

    @property
    def worker_count(self) -> int:
        """The processes that parse. More than eight bring next to nothing: all that they find goes through one process."""
        cores = os.cpu_count() or 1
        return self.workers or min(cores, max(4, min(8, cores // 2)))


@cache
def described_settings() -> Mapping[str, tuple[Any, Setting]]:
    """The type of each setting and what is said of it, by field, in the order of declaration."""
    hints = get_type_hints(Settings, include_extras=True)
    return {name: get_args(hints[name]) for name in Settings.__struct_fields__}


def needs_reopening(before: Settings, after: Settings) -> bool:
    """Whether an open workspace cannot simply take over the new settings."""
    return any(
        getattr(before, name) != getattr(after, name)
        for name, (_, setting) in described_settings().items()
        if not setting.live
    )


def check_identity_permissions(settings: Settings) -> None:
    """Raise ``InvalidRequestError`` for an entry of ``identity_permissions`` that cannot be read.

    Such an entry is no reason to refuse the settings: without them everybody would see everything. Questions are refused.
    """
    for entry in settings.identity_permissions:
        settings_rules.check_identity_permission("contextls.identityPermissions", entry)
