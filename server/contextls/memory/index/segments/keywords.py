"""Keywords of statements, left out of the words of code: ``export`` before a function says nothing of exports."""

from __future__ import annotations

from contextls.regex import compile_late
from contextls.text.word_set import word_set

_PROGRAMS = word_set(
    """
    astro c cc cjs clj cpp cs cts cu cxx d dart ex exs fs go groovy h hh hpp hs hxx java jl js jsx kt kts lua m mjs mm mts
    nim php pl pm py pyi pyx r rake rb rs scala sol svelte swift ts tsx vb vue zig
    """
)
# Words that people ask for as well: exports, imports, a public link, static files, the default, open orders.
_MODIFIER = (
    r"(?:abstract|async|companion|data|declare|default|export|extern|fileprivate|final|inline|inner|internal|lateinit"
    r"|mutating|native|open|override|partial|private|protected|pub(?:\([a-z ]{1,20}\))?|public|readonly|sealed|static"
    r"|suspend|synchronized|transient|unsafe|virtual|volatile)"
)
_DEFINES = "(?:class|const|enum|function|impl|interface|mod|module|namespace|object|package|record|struct|trait|type)"
# Each may be a name as well: "type = 3".
_OPENS = f"(?:{_DEFINES}|case|export|from|import|match|require|switch|use|using)"
# Found by their first letter, in a tenth of the time that a search from the beginning of each line takes.
_AT_LINE_START = compile_late(
    rf"\n[ \t]*+(?:(?>(?:{_MODIFIER}[ \t]++(?=[\w$@*{{\[]))+)(?>(?:{_DEFINES}[ \t]++)?)"
    rf"|{_OPENS}(?=[ \t]++[\w$*{{(\[<'\"@&\\])"
    r"|default[ \t]*+[:=-]|#[ \t]*+include\b|(?:public|private|protected)[ \t]*+:?[ \t]*+(?=\r?\n))"
)
# Keys that every workflow of GitHub has, and that begin the names of its parts: "jobs > build".
_WORKFLOW_KEY = compile_late(
    r"(?:^|\n)[ \t-]*+(?:concurrency|defaults|env|jobs|needs|on|permissions|run|runs-on|steps|strategy|uses|with)"
    r"(?=:|[ \t]>|[ \t]*(?:\n|$))"
)
_NEW = compile_late(r"[ \t(=]new[ \t]++(?=[A-Z$\\])")


def without_keywords(path: str, text: str) -> str:
    """``text`` of the file at ``path`` without the keywords that begin statements or make objects, if it is code."""
    if path.rpartition(".")[2].lower() not in _PROGRAMS:
        return without_keys(path, text)
    return _NEW.sub(" ", _AT_LINE_START.sub("\n", f"\n{text}"))


def without_keys(path: str, text: str) -> str:
    """``text``, of or about a part of the file at ``path``, without the keys that every workflow has, if it is one."""
    return _WORKFLOW_KEY.sub("\n", text) if path.startswith(".github/workflows/") else text
