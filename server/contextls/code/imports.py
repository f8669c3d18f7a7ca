"""Import texts: taking them apart, and finding the workspace files that they mean.

What differs between languages stands in the ``[imports]`` table of their ``language.toml``.
"""

from __future__ import annotations

import re

_ALIAS = re.compile(r"\s+(?:as|=>)\s+[\w*]+$|^[\w.]+\s*=\s*")


def expand_module(written: str, *, braces: bool = False) -> list[str]:
    """``a::{b, c::d as e}`` -> ``["a::b", "a::c::d"]``; without braces, the text itself.

    Aliases are dropped; a list of more than 200 modules is cut there.
    """
    if not braces or "{" not in written:
        return [_bare(written)] if written else []
    found: list[str] = []
    prefixes, word = [""], ""
    for char in written:
        if char == "{":
            prefixes.append(prefixes[-1] + word.lstrip())
            word = ""
        elif char in ",}":
            if word.strip():
                found.append(_bare(prefixes[-1] + word.strip()))
            word = ""
            if char == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            word += char
    if word.strip():
        found.append(_bare(prefixes[-1] + word.strip()))
    return found[:200]


def _bare(module: str) -> str:
    return _ALIAS.sub("", module.strip()).strip()
