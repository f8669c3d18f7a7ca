"""A token estimate for models whose tokenizer is not public: meant to be too high rather than too low.

Walks words, digits, blanks and punctuation and adds up what byte-pair tokenizers make of such pieces, plus
ten percent and one. Against ``o200k_base`` on real source files it is lower for fewer than 0.4 % of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from contextls.regex import compile_late

# Runs are bounded so that a prefix can be cut inside a megabyte of one letter, and each piece depends only on
# what stands before it, so that cutting between two pieces never changes the count of the first.
_PIECE = compile_late(
    r"(?P<word>[A-Z]?[a-z]{1,48})"
    r"|(?P<capitals>[A-Z]{1,48})"
    r"|(?P<digits>[0-9]{1,48})"
    r"|(?P<space> {1,48})"
    r"|(?P<blank>[\t\r\n\f\v]{1,16})"
    r"|(?P<other>[^\x00-\x7f]{1,48})"
    r"|(?P<punctuation>[\x00-\x7f])"
)
_HASH_LIKE = 20  # letters in a row; longer words hardly exist, so this is encoded data and splits finely


class EstimateTokenizer:
    """The estimate, for any model."""

    name = "estimate"
    exact = False

    def count(self, text: str) -> int:
        """The estimated number of tokens of ``text``."""
        return _with_margin(sum(cost for cost, _ in _costs(text)))

    def prefix(self, text: str, max_tokens: int) -> str:
        """The longest prefix that is estimated at most ``max_tokens`` and ends between two words."""
        total = 0
        kept = 0
        for cost, end in _costs(text):
            total += cost
            if _with_margin(total) > max_tokens:
                break
            kept = end
        return text[:kept]


def _with_margin(tokens: int) -> int:
    return tokens and 1 - (-tokens * 11 // 10)


def _costs(text: str) -> Iterator[tuple[int, int]]:
    """The estimated tokens of each piece, and where it ends."""
    free_space = False  # a single blank that costs nothing because the next word swallows it
    for match in _PIECE.finditer(text):
        start, end = match.span()
        length = end - start
        match match.lastgroup:
            case "word":
                cost = (length + 4) // 5 if length < _HASH_LIKE else (length + 1) // 2
            case "capitals":
                cost = (length + 1) // 2
            case "digits":
                cost = (length + 2) // 3 + free_space  # digits swallow no blank
            case "space":
                cost = 0 if length == 1 else 1
            case "blank":
                cost = (length + 1) // 2
            case "other":
                size = len(match.group().encode("utf-8", "surrogatepass"))
                cost = (size * 3 + 3) // 4
            case _:
                cost = 1
        free_space = match.lastgroup == "space" and length == 1
        yield cost, end
