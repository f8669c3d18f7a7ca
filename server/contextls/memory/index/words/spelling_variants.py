"""British and American spellings of one word: ``colour`` and ``color``, ``organise`` and ``organize``."""

from __future__ import annotations

from contextls.memory.index.words.known_words import KnownWords
from contextls.regex import compile_late

# Where two spellings part, and what each has there. What the workspace does not hold spells nothing: "promise" has no z.
_FORKS = (
    (compile_late(r"\w{2,40}[iy]([sz])(?:e[drs]?|ers|ing|able|ations?|ational)"), "s", "z"),
    (compile_late(r"(?:arm|behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|rum|vap)(ou?)r\w*"), "ou", "o"),
    (compile_late(r"(?:cent|fib|lit|met|theat|kilomet|millimet|calib)(re|er)s?"), "re", "er"),
    (compile_late(r"(?:defen|licen|offen|preten)([cs])e[ds]?"), "c", "s"),
    (compile_late(r"(?:analog|catalog|dialog)(ue|)s?"), "ue", ""),
    (compile_late(r"gr([ae])y(?:ed|ing|s|scale)?"), "e", "a"),
    (compile_late(r"art([ei])facts?"), "e", "i"),
    (compile_late(r"program(me|)s?"), "me", ""),
)


def other_spelling(word: str, words: KnownWords) -> str | None:
    """``word``, in lower case, as it is spelled across the ocean, where the workspace spells it so."""
    for fork, british, american in _FORKS:
        found = fork.fullmatch(word)
        if found:
            other = american if found[1] == british else british
            respelled = word[: found.start(1)] + other + word[found.end(1) :]
            return respelled if words.hold(respelled) else None
    return None
