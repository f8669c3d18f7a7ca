"""The methods of the protocol that this server answers itself, where pygls would do it in another way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.protocol.language_server import lsp_method
from pygls.workspace import Workspace

from contextls.errors import InvalidRequestError
from contextls.lsp import editor_process
from contextls.lsp.client import Client
from contextls.lsp.initialize_result import initialize_result
from contextls.lsp.strict_protocol import StrictProtocol
from contextls.lsp.structure import PlainObject

if TYPE_CHECKING:
    from collections.abc import Generator


class ContextProtocol(StrictProtocol):
    """The life of a connection, its documents, and its commands; requests for contexts are in ``requests``."""

    def begin(self, client: Client) -> None:
        """Serve this client, whose ``initialize`` is answered by the caller."""
        self._workspace = Workspace(None)  # pygls keeps folders in it; documents are kept by ``sync``
        self._server.initialize(client)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, client: Client) -> dict[str, Any]:  # type: ignore[override]
        """Serve the client, and end when its process does."""
        self.begin(client)
        self._server.end_with(editor_process.find(client.process_id))
        return PlainObject(initialize_result(client))

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:  # noqa: ANN401 - no parameters
        """Cancel what waits, as pygls does, but over a copy of the table: a cancelled request removes itself from it."""
        if (handler := self.fm.features.get(types.SHUTDOWN)) is not None:
            yield handler, args, None
        own = self.msg_id
        for msg_id, future in list(self._request_futures.items()):
            if msg_id != own:
                future.cancel()
        self._shutdown = True

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_args: Any) -> Generator[Any, Any, None]:  # noqa: ANN401 - no parameters
        """End the main loop: status 0 after ``shutdown``, else 1."""
        yield self._server.stop, (), None

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Documents are kept by ``sync`` alone."""
        self._server.sync.did_open(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Documents are kept by ``sync`` alone."""
        self._server.sync.did_change(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Documents are kept by ``sync`` alone."""
        self._server.sync.did_close(params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, _params: types.DidOpenNotebookDocumentParams) -> None:
        """Notebooks are not followed: nothing is announced, and nothing kept of what is sent all the same."""

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(self, _params: types.DidChangeNotebookDocumentParams) -> None:
        """Notebooks are not followed."""

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(self, _params: types.DidCloseNotebookDocumentParams) -> None:
        """Notebooks are not followed."""

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        """Jobs are kept by ``progress`` alone."""
        self._server.jobs.cancel(params.token)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: types.ExecuteCommandParams
    ) -> Any:  # noqa: ANN401 - each command's own answer
        """Give a command its arguments as they came; it checks them itself.

        A coroutine, where pygls has a generator: cancelling the request has to reach the command.
        """
        handler = self.fm.commands.get(params.command)
        if handler is None:
            known = ", ".join(sorted(self.fm.commands))
            raise InvalidRequestError("command", f"one of {known}", params.command)
        return await handler(params.arguments)
