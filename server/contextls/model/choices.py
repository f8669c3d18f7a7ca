"""What people choose from by name, also on a command line: every command loads it, so no class with fields stands here."""

from __future__ import annotations

from enum import StrEnum


class Shape(StrEnum):
    """The form of an answer."""

    MARKDOWN = "markdown"
    MESSAGES = "messages"
    DOCUMENT = "document"
    TAGGED = "tagged"


class AgentRole(StrEnum):
    """What the model is in this turn: it talks to people, works on one task for a manager, or does both."""

    MANAGER = "manager"
    WORKER = "worker"
    UNIFIED = "unified"


class InjectionPosition(StrEnum):
    """Where retrieved pieces stand."""

    SYSTEM = "system"
    BEFORE_HISTORY = "before_history"
    AFTER_HISTORY = "after_history"


class InjectionFormat(StrEnum):
    """How retrieved pieces are written: one line each, in full, or as JSON."""

    SUMMARY = "summary"
    RAW = "raw"
    STRUCTURED = "structured"


class Changes(StrEnum):
    """Which uncommitted changes: from the newest commit to the index, from there to the files as they are, or all of it."""

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
    """As what a pinned file is read: instructions of one kind or another, or plain context."""

    SYSTEM = "system"
    DEVELOPER = "developer"
    USER = "user"
    CONTEXT = "context"


class Updater(StrEnum):
    """Who put a file into the working set, or weighs it otherwise."""

    PERSON = "person"
    MODEL = "model"
    SERVER = "server"


class UpdateAction(StrEnum):
    """What a model does to the working set."""

    ADD = "add_to_working_set"
    REMOVE = "remove_from_working_set"
    ADJUST = "adjust_priority"


class TruncateStrategy(StrEnum):
    """Where a pinned file is cut when it does not fit: not at all, its start, its middle or its end."""

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
    """How much of a file is shown: all of it, its signatures, the beginning of either, or that it is there."""

    WHOLE = "whole"
    SKELETON = "skeleton"
    BEGINNING = "beginning"
    NAME = "name"
