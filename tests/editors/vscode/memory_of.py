"""What the server remembers of a workspace, asked on the command line as a person would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WAIT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Remembered:
    """The events of ``root`` in the memory below ``home`` (``CONTEXTLS_HOME``)."""

    home: Path
    root: Path

    def events(self, kind: str = "", text: str = "") -> list[dict[str, Any]]:
        """Newest first: those of this type (of all when empty) whose content holds ``text``."""
        program = Path(sys.executable).parent / "contextls"
        done = subprocess.run(
            [str(program), "events", str(self.root), "--json", "--limit", "500"],
            env={**os.environ, "CONTEXTLS_HOME": str(self.home)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1), done.stderr
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return [
            event
            for event in found
            if kind in ("", event["type"]) and text in json.dumps(event["content"], ensure_ascii=False)
        ]

    def wait_for(self, kind: str, text: str = "") -> dict[str, Any]:
        """The newest such event, once there is one."""
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            found = self.events(kind, text)
            if found:
                return found[0]
            time.sleep(0.3)
        raise AssertionError(f"no {kind} with '{text}'; there are: {self.events()}")
