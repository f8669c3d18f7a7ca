"""What a request may ask for."""

from __future__ import annotations

from contextls.errors import InvalidRequestError
from contextls.model import AssembleRequest

# A budget below this holds no heading and no item.
LEAST_TOKENS = 32
MOST_TOKENS = 2_000_000
LONGEST_QUERY = 100_000


def check_request(request: AssembleRequest) -> None:
    """Raise ``InvalidRequestError`` naming the field when the query or the budget is out of bounds."""
    if not request.query.strip():
        raise InvalidRequestError("query", "a question of at least one word", request.query)
    if len(request.query) > LONGEST_QUERY:
        raise InvalidRequestError(
            "query", f"at most {LONGEST_QUERY} characters; put long texts into additionalContext"
        )
    check_budget(request.max_tokens)


def check_budget(max_tokens: int, least: int = LEAST_TOKENS) -> None:
    """Raise ``InvalidRequestError`` unless ``max_tokens`` is a budget."""
    if not least <= max_tokens <= MOST_TOKENS:
        raise InvalidRequestError("maxTokens", f"a whole number from {least} to {MOST_TOKENS}", max_tokens)
