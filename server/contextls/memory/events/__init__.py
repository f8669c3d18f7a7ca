"""Events: what happened in the workspace, appended by any process and never lost once acknowledged."""

from contextls.memory.events.cleaning import MAX_TEXT_CHARS
from contextls.memory.events.log import EventLog
from contextls.memory.events.retention import Retention
from contextls.memory.events.validation import validate_event
from contextls.memory.events.wording import describe_event, plainly

__all__ = [
    "MAX_TEXT_CHARS",
    "EventLog",
    "Retention",
    "describe_event",
    "plainly",
    "validate_event",
]
