"""Words for actions on code of any kind ("rename", "explain"): alone, they do not say what to search for."""

from __future__ import annotations

from contextls.memory.index.terms import STOP_WORDS
from contextls.regex import compile_late
from contextls.text.word_set import word_set

_ACTIONS = word_set(
    "accepts adapt adapted add additional adjust adjusted affect affected affects again another argument "
    "arguments async await awaited bad be become becomes better bit block bottom break breaking breaks bug bugs "
    "call called caller callers calls can change changing check class classes clean cleaner cleanup clear clearer "
    "code comment comments component constant convert correct correctly current cursor debug declared define "
    "defined defines definition delete deleting deprecate deprecating derive derives describe detail details docs "
    "docstring document documentation edge efficient else example explain expression extend extends extra extract "
    "fail failing fails fast faster field file fix fixed function functions generate gets give good got happen "
    "happening happens help helper here highlighted idiomatic impact impacted implement implementation "
    "implementations implemented implementers implementors implements imported improve inherit inherits "
    "instantiated instead interface invoked line lines loses make making mandatory maybe mean means method "
    "methods missing mistake mistakes modern module move name names naming need needed never not now nullable ok "
    "optimise optimize optional out over override overrides parameter parameters part parts places please "
    "possible private problem problems property protected public purpose raises read readable really reduce "
    "redundant refactor reference referenced references remove removing rename renamed renaming reorganise "
    "replace required restructure return returned returns review rewrite right safe same script section selected "
    "selection short shorten show shows signature simple simpler simplify slow slower smell snippet spec speed "
    "split statement static subclasses subtypes summarise summarize take takes tell test tested testing tests "
    "thing threw throw throws tidy together touch touched trait translate try twice type typed types understand "
    "unit up update updated usage usages value values variable walk want way well work working works write wrong"
)
_WORD = compile_late(r"[^\W\d_]{2,}")


def subject_words(text: str) -> set[str]:
    """The words of a question, in lower case, that say what the code is about, and not what is done with it."""
    return {word.lower() for word in _WORD.findall(text)} - STOP_WORDS - _ACTIONS
