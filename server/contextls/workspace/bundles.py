"""The wrappers that bundlers of JavaScript put around what they join: the modules in it are others', or stand beside it."""

from __future__ import annotations

import re

from contextls.regex import compile_late

# Browserify, which writes its loader on one line: (function e(t,n,r){function s(o,u){if(!n[o]){if(!t[o]){var a=typeof …
# A bundle that has a name begins with (function(f){if(typeof exports==="object"&&typeof module!=="undefined"){module.…
_BROWSERIFY = compile_late(
    r"^[;!(]{0,3}(?:require=\()?function[^\n]{1,80}?\{if\(![a-z]\[[a-z]\]\)\{if\(![a-z]\[[a-z]\]\)\{var "
    r"|^[;!(]{0,3}function\(f\)\{if\(typeof exports===?\"object\"&&typeof module!==?\"undefined\"\)\{module\.exports=f\(\)",
    re.MULTILINE,
)
_WEBPACK = compile_late(
    r"^[;!(]{0,3}function webpackUniversalModuleDefinition\("
    r"|^(?:/\*{6}/)?[ \t(]{0,4}[^\n/\"'`]{1,40}\{[ \t]?// webpackBootstrap$",
    re.MULTILINE,
)
_ESBUILD = compile_late(
    r"^[ \t]{0,4}var __(?:create = Object\.create|defProp = Object\.defineProperty|commonJS = \(cb, mod\) =>"
    r"|getOwnPropNames = Object\.getOwnPropertyNames)\b",
    re.MULTILINE,
)
_ROLLUP = compile_late(
    r"^[;!(]{0,3}function \(global, factory\) \{\n?[ \t]*typeof exports === 'object' && typeof module !== 'undefined' \?"
    r"[^\n]{1,400}\n?[ \t]*typeof define === 'function' && define\.amd \?",
    re.MULTILINE,
)
# Each with words that it holds: looking for them takes a tenth of what the expressions take.
_HEADS = (("]){if(!", _BROWSERIFY), ("(f){if(", _BROWSERIFY), ("webpack", _WEBPACK), ("var __", _ESBUILD))
# Rollup's condition is one expression, by hand it is an ``if`` as a rule. As some copied it from a bundle, the end has to be
# Rollup's too: a blank line, and the brackets that it puts around a factory.
_ROLLUP_END = compile_late(r"\n\n\}\)\)\);\s*(?://# sourceMappingURL=\S+\s*)?\Z")
_ROLLUP_TAIL = 300


def is_bundle(head: str, text: str) -> bool:
    """Whether a bundler wrote ``text``, which begins with ``head``."""
    if any(words in head and wrapper.search(head) for words, wrapper in _HEADS):
        return True
    is_like_rollup = "define.amd ?" in head and _ROLLUP.search(head) is not None
    return is_like_rollup and _ROLLUP_END.search(text[-_ROLLUP_TAIL:]) is not None
