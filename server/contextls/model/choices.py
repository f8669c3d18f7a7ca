"""Choices that people make by name, also on a command line: every command loads them, so no class with fields is here."""

from __future__ import annotations

from enum import StrEnum

DEFAULT_ARCHETYPE = "code"


class Shape(StrEnum):
    """The form of an answer."""

    MARKDOWN = "markdown"
    MESSAGES = "messages"
    DOCUMENT = "document"
    TAGGED = "tagged"


class AgentRole(StrEnum):
    """The role of the model in this turn: it talks to people, works on one task for a manager, or does both."""

    MANAGER = "manager"
    WORKER = "worker"
    UNIFIED = "unified"


class InjectionPosition(StrEnum):
    """The place of retrieved pieces."""

    SYSTEM = "system"
    BEFORE_HISTORY = "before_history"
    AFTER_HISTORY = "after_history"


class InjectionFormat(StrEnum):
    """The form of retrieved pieces: one line each, in full, or JSON."""

    SUMMARY = "summary"
    RAW = "raw"
    STRUCTURED = "structured"


class Changes(StrEnum):
    """Uncommitted changes: from the newest commit to the index, from there to the files as they are, or all of them."""

    STAGED = "staged"
    UNSTAGED = "unstaged"
    ALL = "all"


class ChatFormat(StrEnum):
    """A form in which conversations come in."""

    MESSAGES = "messages"
    CLAUDE_CODE = "claudeCode"
    TREE = "tree"


class ExportFormat(StrEnum):
    """A form in which conversations go out."""

    MESSAGES = "messages"
    TREE = "tree"


class Role(StrEnum):
    """How a pinned file is read: as instructions of one kind or another, or as plain context."""

    SYSTEM = "system"
    DEVELOPER = "developer"
    USER = "user"
    CONTEXT = "context"


class Updater(StrEnum):
    """The author of an entry in the working set, or of its priority."""

    PERSON = "person"
    MODEL = "model"
    SERVER = "server"


class UpdateAction(StrEnum):
    """A change that a model makes to the working set."""

    ADD = "add_to_working_set"
    REMOVE = "remove_from_working_set"
    ADJUST = "adjust_priority"


class TruncateStrategy(StrEnum):
    """The part of a pinned file that goes when it does not fit: none, its start, its middle or its end."""

    NEVER = "never"
    START = "start"
    MIDDLE = "middle"
    END = "end"


class PackFormat(StrEnum):
    """The form of packed files."""

    MARKDOWN = "markdown"
    TAGGED = "tagged"
    JSON = "json"


class Detail(StrEnum):
    """The extent of a file in a prompt: all of it, its signatures, the beginning of either, or its name alone."""

    WHOLE = "whole"
    SKELETON = "skeleton"
    BEGINNING = "beginning"
    NAME = "name"
