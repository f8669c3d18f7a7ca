"""Checks, loading almost nothing, whether an agent works outside of all known workspaces, as most do."""

from __future__ import annotations

import json
import os

from contextls.workspace.regular_file import STATE_BYTES, read_text
from contextls.workspace.state_folders import state_folders


def is_elsewhere(given: bytes) -> bool:
    """Whether what an agent said is surely of no known workspace; where that is not clear, it is not."""
    try:
        payload = json.loads(given)
        roots = payload.get("workspace_roots")
        folder = payload.get("cwd") or (roots[0] if isinstance(roots, list) and roots else None)
        if not isinstance(folder, str) or not os.path.isabs(folder):  # noqa: PTH117
            return False
        known = read_text(state_folders().known_workspaces, STATE_BYTES).splitlines()
        inside = os.path.realpath(folder) + os.sep
    except FileNotFoundError:
        return True
    except (OSError, ValueError, AttributeError, RecursionError):
        return False
    return not any(inside.startswith(root.rstrip(os.sep) + os.sep) for root in known)
