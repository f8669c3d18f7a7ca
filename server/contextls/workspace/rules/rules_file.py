"""One rules file: read within a bound, without what hides in it, and whom it concerns."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.regex import compile_late
from contextls.text.hidden import take_out_hidden
from contextls.workspace.globs import Globs
from contextls.workspace.read import decode, digest
from contextls.workspace.regular_file import read_bytes
from contextls.workspace.rules.front_matter import read_globs, split_front_matter

# About 30,000 tokens: more than is written by hand, and less than any current model's window.
RULES_BYTES = 131_072
_FENCE = compile_late(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_EVERYWHERE = frozenset({"*", "**", "**/*", "/**", "."})


class RulesScope(Enum):
    """The occasion on which a rules file is sent."""

    ALWAYS = "always"
    FILES = "files"
    ON_REQUEST = "on request"


class RulesFile(Struct, frozen=True):
    """``path`` is relative to the workspace. ``globs`` says which files it is for, where ``scope`` is ``FILES``."""

    path: str
    text: str
    digest: str
    scope: RulesScope = RulesScope.ALWAYS
    globs: Globs | None = None
    description: str = ""

    def concerns(self, path: str) -> bool:
        """Whether the file at this path is one that these rules name."""
        return self.globs is not None and self.globs.match(path)


class UnsentRules(Struct, frozen=True):
    """A file that was found and is not sent, and why."""

    path: str
    reason: str


def read_rules_file(root: Path, path: str) -> tuple[RulesFile | UnsentRules, list[str]]:
    """The rules file at ``path``, and warnings about it. Raises ``FileNotFoundError`` when there is none."""
    try:
        raw = read_bytes(root / path, RULES_BYTES, within=root)
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(path) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return UnsentRules(path, reason), [f"{path}: {reason}; it was left out"]
    decoded = decode(raw)
    if decoded is None:
        return UnsentRules(path, "binary"), [f"{path}: binary, not text; it was left out"]
    shown, hidden = take_out_hidden(decoded[0].replace("\r\n", "\n"))
    warnings = []
    if hidden is not None:
        noun = "hidden character" if hidden.count == 1 else "hidden characters"
        warnings.append(f"{path}: {hidden.count:,} {noun} taken out, the first in line {hidden.line:,}")
    fields, body = split_front_matter(shown)
    if _leaves_fence_open(body):
        warnings.append(f"{path}: a code fence is not closed; the file stands in a longer one")
    if not body.strip():
        return UnsentRules(path, "empty"), warnings
    try:
        scope, globs = _scope(path, fields.get("applyTo") or fields.get("globs") or "", fields)
    except InvalidRequestError as error:
        return UnsentRules(path, "a pattern that cannot be read"), [*warnings, f"{error}; it was left out"]
    text = body.strip("\n")
    return RulesFile(path, text, digest(raw), scope, globs, fields.get("description", "")), warnings


def _scope(path: str, patterns: str, fields: object) -> tuple[RulesScope, Globs | None]:
    given = fields if isinstance(fields, dict) else {}
    if not path.endswith((".mdc", ".instructions.md")):
        return RulesScope.ALWAYS, None
    if str(given.get("alwaysApply", "")).lower() == "true":
        return RulesScope.ALWAYS, None
    globs = read_globs(patterns)
    if _EVERYWHERE.intersection(globs):
        return RulesScope.ALWAYS, None
    return (RulesScope.FILES, Globs(globs, path)) if globs else (RulesScope.ON_REQUEST, None)


def _leaves_fence_open(text: str) -> bool:
    """Whether the text would swallow what stands after it."""
    opened = ""
    for match in _FENCE.finditer(text):
        ticks = match[1]
        if not opened:
            opened = ticks
        elif ticks[0] == opened[0] and len(ticks) >= len(opened):
            opened = ""
    return bool(opened)
