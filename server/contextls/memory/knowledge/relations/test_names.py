"""Names of tests, matched with the names of what they test."""

from __future__ import annotations

import re

from contextls.regex import compile_late

_MARKS = compile_late(r"^tests?(?=[-_.A-Z])|[-_.]?(?:tests?|specs?|unittest|testcase|it)$", re.IGNORECASE)
_CAMEL_MARK = compile_late(r"(?<=[a-z0-9])(?:Tests?|Spec|TestCase|IT)$")


def key_of(path: str) -> str:
    """The part that the names of a test and of its subject have in common, case and underscores left out.

    ``tests/test_cart.py``, ``CartTest.java``, ``cart.spec.ts`` -> ``cart``.
    """
    stem = path.rpartition("/")[2].partition(".")[0]
    full = path.rpartition("/")[2].rpartition(".")[0] or stem
    bare = _CAMEL_MARK.sub("", full)
    if bare == full:
        bare = _MARKS.sub("", full) if full.lower() not in ("test", "tests", "spec") else full
    return (bare.partition(".")[0] or full).strip("-_").replace("_", "").replace("-", "").lower()
