"""``python -I -m contextls.lsp``: the server alone, over the standard streams or over TCP."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from contextls.access import WHAT_REMOTE_MEANS, open_door
from contextls.errors import ContextlsError
from contextls.isolation import isolate
from contextls.text.gated_stream import start_log


def main() -> int:
    """Serve until the client leaves; the exit status."""
    isolate()
    parser = argparse.ArgumentParser(prog="contextls.lsp", description="The contextls language server.")
    parser.add_argument(
        "--stdio", action="store_true", help="speak over standard input and output, the default"
    )
    parser.add_argument(
        "--tcp", type=int, metavar="PORT", help="listen on this port of --host instead, for one client"
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument(
        "--token-file",
        type=Path,
        help="for --tcp: holds the token that the client must send, or gets a new one",
    )
    parser.add_argument(
        "--allow-remote",
        action="store_true",
        help=f"for --tcp: any address may be listened on; {WHAT_REMOTE_MEANS}",
    )
    given = parser.parse_args()
    start_log(os.environ.get("CONTEXTLS_LOG", "INFO"))

    from contextls.lsp.start import serve_stdio, serve_tcp

    try:
        if given.tcp is None:
            return serve_stdio()
        return serve_tcp(
            given.host, given.tcp, open_door(given.host, given.token_file, allow_remote=given.allow_remote)
        )
    except ContextlsError as error:
        parser.exit(error.exit_status, f"contextls: {error}\n")


if __name__ == "__main__":
    raise SystemExit(main())
