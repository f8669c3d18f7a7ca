"""A question in a conversation that is answered with one text: what the messages show already is only pointed to."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import asdict

from contextls.assembly.admission.permissions import PermissionKind, permissions_for
from contextls.assembly.layers.history import open_history, sent_messages
from contextls.assembly.layers.preface import PrefaceSource
from contextls.assembly.layers.system_layer import TurnPlace
from contextls.assembly.pieces.sent import NOTHING_SENT
from contextls.assembly.request import FollowUpRequest
from contextls.assembly.turns.tagged_prompt import answer_tagged
from contextls.memory.conversations.store import Conversations
from contextls.model import Context, Shape, TurnRequest
from contextls.settings import Settings
from contextls.text.tokens import get_tokenizer


def follow_up(
    request: TurnRequest,
    settings: Settings,
    conversations: Conversations,
    place: TurnPlace,
    retrieve: Callable[[FollowUpRequest], Context],
) -> Context:
    """The prompt for a question after the messages that its options name, none of which is cut here.

    Raises ``InvalidRequestError`` naming the field that is wrong, ``StoreError``.
    """
    request.options.check()
    tokenizer = get_tokenizer(request.question.tokenizer or settings.tokenizer)
    permissions = permissions_for(request.question, settings.identity_permissions)
    source = open_history(request.options, tokenizer, settings, conversations, None)
    history = source.read()
    sent = NOTHING_SENT
    if permissions.allow(PermissionKind.HISTORY):
        sent = sent_messages(history.messages, source.number_turns(history))
    asked = FollowUpRequest(**asdict(request.question), sent=sent)
    if request.options.shape is not Shape.TAGGED:
        return retrieve(asked)
    preface = PrefaceSource(place, permissions, asked.session_id or "", request.options.conversation_id or "")
    return answer_tagged(asked, preface, retrieve)
