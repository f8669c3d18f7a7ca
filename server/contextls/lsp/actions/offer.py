"""The offer of an action, before it takes the form that the client understands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from lsprotocol import types


class ActionOffer(Struct, frozen=True):
    """One entry of the editor's menu: its title, the question that it asks about a range, and how a prompt puts it."""

    title: str
    kind: str
    query: str
    task: str
    range: types.Range
    diagnostics: tuple[types.Diagnostic, ...] = ()
