"""``context/status``, ``context/fileStatus``, ``context/clear``, ``context/didChangeMemory``, and ``contextls.reindex``."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.model import MemoryPart
from contextls.requests.common import RootUri, TextDocument
from contextls.schema.rules import Doc, Expected


class FileStatusParams(Struct, frozen=True, kw_only=True):
    """The file that is asked about."""

    text_document: Annotated[TextDocument, Expected("an object with uri"), Doc("the document, open or not")]
    root_uri: RootUri = None


class ClearParams(Struct, frozen=True, kw_only=True):
    """Memories that are to be deleted."""

    index: Annotated[bool, Doc("the index; true when absent")] = True
    events: Annotated[bool, Doc("the events, for good; false when absent")] = False
    conversations: Annotated[bool, Doc("the conversations, for good; false when absent")] = False
    root_uri: RootUri = None

    def __post_init__(self) -> None:
        if not (self.index or self.events or self.conversations):
            raise InvalidRequestError(
                "index", "true, here or in events or conversations: something to delete", self.index
            )


class ScopeParams(Struct, frozen=True, kw_only=True):
    """The scope of a workspace: asked for or, where ``scope`` is given, saved."""

    scope: Annotated[
        tuple[str, ...] | None,
        Doc(
            "folders by their paths and packages by their names (`package:NAME` where a folder is called the same) that "
            "questions are limited to from now on; empty for the whole workspace"
        ),
    ] = None
    root_uri: RootUri = None


class ReindexParams(Struct, frozen=True, kw_only=True):
    """The argument of the command ``contextls.reindex``."""

    root_uri: RootUri = None
    rebuild: Annotated[bool, Doc("throw the old index away first")] = False


class MemoryChange(Struct, frozen=True):
    """The memories of a workspace that have changed."""

    root_uri: str
    changed: tuple[MemoryPart, ...]
