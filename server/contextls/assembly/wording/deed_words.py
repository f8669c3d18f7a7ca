"""Words for what is done with code, whatever it does: a question of these alone says nothing of what to look for."""

from __future__ import annotations

from contextls.memory.index.terms import STOP_WORDS
from contextls.regex import compile_late
from contextls.text.word_set import word_set

_DEEDS = word_set(
    "adapt adapted add adjust adjusted affect affected affects again another argument arguments async bad be become "
    "becomes better bit block bottom break breaking breaks bug bugs call called caller callers calls can change "
    "changing check class classes clean cleaner cleanup clear clearer code comment comments component constant "
    "convert correct correctly current cursor debug declared define defined defines definition delete deleting "
    "deprecate deprecating describe detail details docs docstring document documentation edge efficient else example "
    "explain expression extract fail failing fails fast faster field file fix fixed function functions generate give "
    "good happen happening happens help helper here highlighted idiomatic impact implement implemented imported "
    "improve instantiated instead interface invoked line lines make making maybe mean means method methods missing "
    "mistake mistakes modern module move name names naming need needed never not now ok optimise optimize out over "
    "parameter parameters part parts places please possible problem problems property purpose raises read readable "
    "really reduce redundant refactor reference referenced references remove removing rename renaming reorganise "
    "replace restructure return returned returns review rewrite right safe same script section selected selection "
    "short shorten show shows signature simple simpler simplify slow slower smell snippet spec speed split statement "
    "summarise summarize take tell test tested testing tests thing threw throw throws tidy together touch touched "
    "translate try twice type typed types understand unit up update updated usage usages value values variable walk "
    "want way well work working works write wrong"
)
_WORD = compile_late(r"[^\W\d_]{2,}")


def subject_words(text: str) -> set[str]:
    """The words of a question, in lower case, that say what the code is about, and not what is done with it."""
    return {word.lower() for word in _WORD.findall(text)} - STOP_WORDS - _DEEDS
