"""Products in a question that are called like files: Node.js, Vue.js. Code writes ``node`` and ``vue``."""

from __future__ import annotations

import re

from contextls.memory.index.snapshot.segment_set import SegmentSet
from contextls.regex import compile_late

_PRODUCT = compile_late(r"(?<![\w./\\-])(?P<name>[A-Z][A-Za-z]{1,30})\.js(?![\w./\\:(-])")


def shorten_products(question: str, files: SegmentSet) -> str:
    """``question`` with ``Node`` for "Node.js", unless one of ``files`` is called so."""

    def shorten(found: re.Match[str]) -> str:
        name = found[0].lower()
        called = files.find_stem(found["name"])
        is_file = any(path.lower().rpartition("/")[2] == name for path in called)
        return found[0] if is_file else found["name"]

    return _PRODUCT.sub(shorten, question)
