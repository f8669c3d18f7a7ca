"""What earlier packs found out about the same texts: how many tokens they have, and that they hold no secret.

Both are looked up by a digest of the text, so that nothing has to be told of changes: packing again costs what is new.
What is known of secrets counts only for the very rules that were asked.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from contextls.store.number_cache import DIGEST_BYTES, load_numbers, save_numbers
from contextls.text import redact as redact_module
from contextls.text.gate import CleanText, clean
from contextls.text.tokens import Tokenizer


class KnownTexts:
    """Counts tokens and takes out secrets, each once for a text; ``save`` keeps for the next pack what is new."""

    def __init__(self, path: Path, tokenizer: Tokenizer) -> None:
        self._path, self._tokenizer = path, tokenizer
        self._before = load_numbers(path)
        self._found: dict[bytes, int] = {}
        self._name = tokenizer.name.encode()
        self._rules = _stamp_of_rules()

    def count(self, text: str) -> int:
        """The tokens of ``text``."""
        key = blake2b(
            text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES, key=self._name
        ).digest()
        known = self._before.get(key)
        if known is None:
            known = self._tokenizer.count(text)
        self._found[key] = known
        return known

    def clean(self, text: str, digest: str) -> str:
        """``text`` without its secrets; ``digest`` is that of the bytes that it was read from."""
        key = blake2b(digest.encode(), digest_size=DIGEST_BYTES, key=self._rules).digest()
        if key in self._before:
            self._found[key] = 0
            return CleanText(text)
        cleaned = clean(text)
        if cleaned == text:
            self._found[key] = 0
        return cleaned

    def save(self) -> None:
        """Keep what was found out, and what was known before as long as there is room."""
        if self._found.keys() - self._before.keys():
            old = {key: number for key, number in self._before.items() if key not in self._found}
            save_numbers(self._path, old | self._found)


def _stamp_of_rules() -> bytes:
    """A stamp of the modules and tables that tell what a secret is: other rules, other stamp."""
    place = Path(redact_module.__file__)
    files = [place, place.with_name("gate.py"), *sorted((place.parent / "secrets").iterdir())]
    stamps = [(file.name, status.st_size, status.st_mtime_ns) for file in files if (status := file.stat())]
    return blake2b(repr(stamps).encode(), digest_size=32).digest()
