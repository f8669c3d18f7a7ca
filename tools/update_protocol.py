"""Bring what is made of the protocol's structs up to date: documentation, JSON schema, types for TypeScript.

usage: python tools/update_protocol.py [--check]

Writes the tables of docs/protocol.md, docs/protocol.schema.json and editors/vscode/src/protocol.ts, the JSON schema of the
working set, and the capabilities that ``initialize`` is answered with. With ``--check`` nothing is written:
the names of files that are out of date are printed, and the exit status is 1 when there are any.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from protocol_capabilities import capabilities_file
from protocol_json_schema import json_schema
from protocol_tables import with_tables
from protocol_typescript import typescript

from contextls.lsp.initialize_result import CAPABILITIES
from contextls.standalone import manifest_schema

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "protocol.md"
SCHEMA = ROOT / "docs" / "protocol.schema.json"
MANIFEST = ROOT / "docs" / "working-set.schema.json"
MANIFEST_IN_VSCODE = ROOT / "editors" / "vscode" / "media" / "working-set.schema.json"
TYPES = ROOT / "editors" / "vscode" / "src" / "protocol.ts"


def main() -> None:
    """Write what has changed, or only tell with ``--check``."""
    manifest = json.dumps(manifest_schema(), indent=2) + "\n"
    made = {
        DOCUMENT: with_tables(DOCUMENT.read_text(encoding="utf-8")),
        SCHEMA: json_schema(),
        TYPES: typescript(),
        CAPABILITIES: capabilities_file(),
        MANIFEST: manifest,
        MANIFEST_IN_VSCODE: manifest,
    }
    stale = [file for file, text in made.items() if not file.exists() or file.read_text("utf-8") != text]
    check = "--check" in sys.argv[1:]
    for file in stale:
        if not check:
            file.write_text(made[file], encoding="utf-8")
        print(f"{file.relative_to(ROOT)} {'is out of date' if check else 'was written'}")
    sys.exit(1 if check and stale else 0)


if __name__ == "__main__":
    main()
