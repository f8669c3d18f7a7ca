"""Between the wire and the handlers of our own methods: JSON becomes a request, and an answer becomes JSON.

The classes of requests and answers are loaded after ``initialize`` was answered, which does not need them.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from contextls.errors import InvalidRequestError
from contextls.lsp.structure import as_plain
from contextls.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.lsp.server import ContextServer


def serve(method: str, handler: Callable[..., Any]) -> Callable[..., Any]:
    """Make the function that pygls calls for ``method``: ``handler`` takes a request and returns an answer.

    A handler that is no coroutine keeps the order of messages: it is done before the next one is read.
    """

    async def answer(ls: ContextServer, params: Any) -> Any:  # noqa: ANN401 - JSON
        return as_plain(to_wire(await handler(ls, _read(method, params))))

    def answer_at_once(ls: ContextServer, params: Any) -> Any:  # noqa: ANN401 - JSON
        return as_plain(to_wire(handler(ls, _read(method, params))))

    return answer if inspect.iscoroutinefunction(handler) else answer_at_once


def serve_command(command: str, run: Callable[..., Any]) -> Callable[..., Any]:
    """Make the function that is called with the arguments of ``command``: ``run`` takes its one argument, read."""

    async def answer(ls: ContextServer, arguments: Any) -> Any:  # noqa: ANN401 - JSON
        return to_wire(await run(ls, read_argument(command, arguments)))

    return answer


def load() -> None:
    """Load the classes of requests and answers, for the first request not to wait for them."""
    import contextls.requests.methods  # noqa: F401 - for its effect


def read_argument(command: str, arguments: object) -> object:
    """The one argument of a command, read; none stands for an empty object. Raises ``InvalidRequestError``."""
    from contextls.requests.methods import COMMANDS
    from contextls.schema.reader import read

    if arguments is None:
        arguments = []
    if not isinstance(arguments, list | tuple) or len(arguments) > 1:
        raise InvalidRequestError("arguments", "a list with one object", arguments)
    return read(COMMANDS[command].params, arguments[0] if arguments else {}, "arguments[0]")


def _read(method: str, params: object) -> object:
    from contextls.requests.methods import METHODS
    from contextls.schema.reader import read

    return read(METHODS[method].params, params)
