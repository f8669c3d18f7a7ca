"""The answer to ``initialize``: made once, by what the server registers, and kept next to this module as JSON.

``tools/update_protocol.py`` writes the file, and a test holds it equal to what pygls makes of the registered features.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contextls import __version__
from contextls.package_data import read_packaged

if TYPE_CHECKING:
    from contextls.lsp.client import Client

CAPABILITIES = Path(__file__).with_name("capabilities.json")
_FILE_OPERATIONS = "fileOperations"


def initialize_result(client: Client) -> dict[str, Any]:
    """The capabilities that the server announces to this client."""
    capabilities = json.loads(read_packaged(CAPABILITIES))
    capabilities["positionEncoding"] = client.encoding
    capabilities["experimental"]["contextls"]["version"] = __version__
    if not client.tells_renames:
        capabilities["workspace"][_FILE_OPERATIONS] = {}
    return {"capabilities": capabilities, "serverInfo": {"name": "contextls", "version": __version__}}
