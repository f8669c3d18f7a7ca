"""Which tests begin first when several processes share them, and which stay together in one.

The tests with real windows take longest and use the processor least: they begin. What computes in its own process fills
the time in which they wait. What starts servers comes after that. Last come files of a second or two each: a run ends
soon after its first process has nothing left to do.
"""

from __future__ import annotations

from xdist.scheduler import LoadFileScheduling

# The suites inside of one extension host have a server of their own; all other windows share theirs, one after the other.
HOST = "tests/editors/vscode/test_in_host.py"
WINDOWS = "tests/editors/vscode/"
# Files and folders in the order in which they begin; all that is not named here comes last, as it was collected.
ORDER = (
    WINDOWS,
    "tests/test_answer_quality.py",
    *(f"tests/{folder}/" for folder in ("assembly", "code", "golden", "memory", "models", "store", "text")),
    *(
        f"tests/{folder}/"
        for folder in ("neovim", "emacs", "hardening", "protocol", "shared_index", "cli", "mcp")
    ),
    "tests/packing/",
    "tests/test_",
)


class Schedule(LoadFileScheduling):  # type: ignore[misc]  # xdist ships no types
    """The tests of a file stay together, and so do all those that share a window."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        return WINDOWS if path.startswith(WINDOWS) and path != HOST else path


def place_of(nodeid: str) -> int:
    """When a test begins: less is earlier."""
    return next((number for number, start in enumerate(ORDER) if nodeid.startswith(start)), len(ORDER))
