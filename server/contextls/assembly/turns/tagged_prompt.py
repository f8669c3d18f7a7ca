"""A tagged prompt: its preface read, its pieces retrieved, and the rules for their files put before them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import asdict, replace

from contextls.assembly.admission.permissions import permissions_for
from contextls.assembly.layers.preface import PrefaceSource
from contextls.assembly.layers.system_layer import TurnPlace
from contextls.assembly.request import FollowUpRequest, TaggedRequest
from contextls.model import Context


def answer_tagged(
    request: FollowUpRequest, source: PrefaceSource, retrieve: Callable[[TaggedRequest], Context]
) -> Context:
    """The tagged prompt for ``request``. Raises ``InvalidRequestError`` naming the field that is wrong."""
    near = [request.position.path] if request.position else []
    asked = TaggedRequest(**asdict(request), preface=source.preface(near))
    context = retrieve(asked)
    # Which files the prompt is about shows only in its pieces; rules for them take room from some of these.
    preface = source.preface(one.path for one in context.components if one.path)
    return context if preface == asked.preface else retrieve(replace(asked, preface=preface))


def renew_preface(request: TaggedRequest, place: TurnPlace, own: Sequence[str]) -> TaggedRequest:
    """``request`` with what its preface says now: the rules that it had, as they are and as far as the folder is trusted.

    ``own`` are the user's settings for identities.
    """
    before = request.preface
    source = PrefaceSource(place, permissions_for(request, own), before.session, before.conversation)
    near = [request.position.path] if request.position else []
    return replace(request, preface=source.preface([*near, *before.paths]))
