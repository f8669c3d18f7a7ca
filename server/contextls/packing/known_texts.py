"""A cache of what earlier packs found out about texts: how many tokens they have, and what they are without secrets.

Both are looked up by a digest of the text, so that nothing has to be told of changes: packing again costs what is new.
What is known of secrets counts only for the very rules that were asked. No secret is kept.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from contextls.store.digest_cache import DIGEST_BYTES, load_values, save_values
from contextls.text import redact as redact_module
from contextls.text.gate import CleanText, clean
from contextls.text.tokens import Tokenizer

_MAX_CHARS = 200_000  # characters of a text that is kept without its secrets
_SAME = b""


class KnownTexts:
    """Counts tokens and takes out secrets, each once for a text; ``save`` keeps for the next pack what is new."""

    def __init__(self, path: Path, tokenizer: Tokenizer) -> None:
        self._path, self._tokenizer = path, tokenizer
        self._before = load_values(path)
        self._found: dict[bytes, bytes] = {}
        self._name = tokenizer.name.encode()
        self._rules = _stamp_of_rules()

    def count(self, text: str) -> int:
        """The tokens of ``text``."""
        key = _digest(text.encode("utf-8", "surrogatepass"), self._name)
        known = self._before.get(key)
        if known is None:
            known = self._tokenizer.count(text).to_bytes(4, "little")
        self._found[key] = known
        return int.from_bytes(known, "little")

    def clean(self, text: str, digest: str) -> str:
        """``text`` without its secrets; ``digest`` is that of the bytes that it was read from."""
        key = _digest(digest.encode(), self._rules)
        known = self._before.get(key)
        if known is None:
            cleaned = clean(text)
            if cleaned == text:
                self._found[key] = _SAME
            elif len(cleaned) <= _MAX_CHARS:
                self._found[key] = cleaned.encode("utf-8", "surrogatepass")
            return cleaned
        self._found[key] = known
        return CleanText(text if known == _SAME else known.decode("utf-8", "surrogatepass"))

    def save(self) -> None:
        """Keep what was found out, and what was known before as long as there is room."""
        if self._found.keys() - self._before.keys():
            old = {key: value for key, value in self._before.items() if key not in self._found}
            save_values(self._path, old | self._found)


def _digest(content: bytes, purpose: bytes) -> bytes:
    return blake2b(content, digest_size=DIGEST_BYTES, key=purpose).digest()


def _stamp_of_rules() -> bytes:
    """A stamp of the modules and tables that tell what a secret is: other rules, other stamp."""
    place = Path(redact_module.__file__)
    files = [place, place.with_name("gate.py"), *sorted((place.parent / "secrets").iterdir())]
    stamps = [(file.name, status.st_size, status.st_mtime_ns) for file in files if (status := file.stat())]
    return blake2b(repr(stamps).encode(), digest_size=32).digest()
