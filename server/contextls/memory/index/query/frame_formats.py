"""The frames of stack traces: a row is one line of a trace as its runtime prints it."""

from __future__ import annotations

import re

from contextls.regex import compile_late

FRAMES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("python", compile_late(r'^\s*File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in (?P<name>[\w.<>]+))?')),
    ("csharp", compile_late(r"^\s*at (?P<name>[\w.<>`+\[\],]+)\(.*\) in (?P<path>.+):line (?P<line>\d+)")),
    # The console of JUnit leaves the "at" out.
    ("java", compile_late(
        r"^\s*(?:at )?(?P<name>[\w.$<>/@-]+)\((?P<path>\w+\.(?:java|kt|scala|groovy)):(?P<line>\d+)\)"
    )),
    ("js", compile_late(
        r"^\s*at (?:async |new )?(?P<name>[^\s(]+)? ?(?:\[as \w+\] )?\((?P<path>(?:[^()]|\([\w.-]+\)/)+):(?P<line>\d+):\d+\)"
    )),
    ("js", compile_late(r"^\s*at (?:async )?(?P<path>(?:[\w-]+://)?(?:[^\s():]|\([\w.-]+\)/)+):(?P<line>\d+):\d+\s*$")),
    ("js", compile_late(r"^\s*(?P<name>[\w.$<>/]*)@(?P<path>[\w-]+://[^\s:]++(?::\d++[^\s:]*+)?):(?P<line>\d+):\d+\s*$")),
    ("ruby to a terminal", compile_late(
        r"^\s*\d+: from (?P<path>[^\s:]+\.\w+):(?P<line>\d+):in [`'](?:[^`']*(?:in |[#.]))?(?P<name>[\w?!=]+)'"
    )),
    ("ruby", compile_late(
        r"(?:^|\s)(?P<path>[^\s:]+\.\w+):(?P<line>\d+):in [`'](?:[^`']*(?:in |[#.]))?(?P<name>[\w?!=]+)'"
    )),
    ("php", compile_late(r"^\s*#\d+ (?P<path>[^\s(]+\.\w+)\((?P<line>\d+)\): (?:[\w\\]+(?:->|::))?(?P<name>[\w{}]+)")),
    ("rust", compile_late(r"panicked at (?:'[^']*', |\"[^\"]*\", )?(?P<path>[^\s:']+\.rs):(?P<line>\d+)")),
    ("php", compile_late(r"\(code: [^\s)]{1,20}\): .*\bat (?P<path>/\S+\.php):(?P<line>\d+)\)")),
    ("php", compile_late(r"\bin (?P<path>\S+\.php)(?: on line |:)(?P<line>\d+)")),
    ("native", compile_late(
        r"^\s*#\d+\s(?:.*?[^\w:~<>])??[:~<>]*+(?P<name>\w[\w:~<>]*+)\s*+\([^)]{0,300}+\)"
        r" (?:at )?(?P<path>\S+\.\w+):(?P<line>\d+)"
    )),
    # Sanitizers and Valgrind.
    ("native", compile_late(
        r"^\s*#\d+ 0x[0-9a-f]+ in (?P<name>[\w:~<>]+)(?:\([^()]{0,300}\))?(?: const)? (?P<path>\S+\.\w+):(?P<line>\d+)"
    )),
    ("native", compile_late(
        r"^==\d+==\s+(?:at|by) 0x[0-9A-F]+: (?P<name>[\w:~<>]+)(?:\([^()]{0,300}\))?(?: const)?"
        r" \((?P<path>[^\s():]+\.\w+):(?P<line>\d+)\)"
    )),
    ("go", compile_late(r"^\s+(?P<path>\S+\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?\s*$")),
    ("elixir", compile_late(
        r"^\s+(?:\([^()]{1,80}\) )?(?P<path>[^\s:()]+\.(?:exs?|erl|heex)):(?P<line>\d+): "
        r"(?:(?:anonymous fn/\d+ in )?(?P<name>:?[\w.!?]+)[/(]|\(test\)$)"
    )),
    ("erlang", compile_late(
        r"^\s*(?:in (?:function|call from) )?(?P<name>[\w.:']+)/\d+ \((?P<path>[^\s(),]+\.erl), line (?P<line>\d+)\)"
    )),
    ("perl", compile_late(
        r"^(?:#?\s*(?P<name>[\w:]+)\([^()]{0,300}\) called )?.{0,300}?"
        r"\bat (?P<path>\S+\.(?:pl|pm|t|cgi)) line (?P<line>\d+)\b"
    )),
    ("bats", compile_late(
        r"^#\s+\(?(?:in|from) (?:function `(?P<name>\w+)' )?.{0,40}?\bfile (?P<path>[^\s,]+), line (?P<line>\d+)"
    )),
    ("zig", compile_late(
        r"^(?P<path>(?:[A-Za-z]:)?[^\s:]+\.zig):(?P<line>\d+):\d+: 0x[0-9a-f]+ in (?P<name>\w+)"
    )),
    ("dart", compile_late(
        r"^\s*#\d+\s+(?P<name>[\w.<> ]+) \((?:package:|file://)(?P<path>[^\s():]+):(?P<line>\d+)"
    )),
    ("haskell", compile_late(r"^\s*[\w.]+, called at (?P<path>[^\s:]+\.l?hs):(?P<line>\d+):\d+ in ")),
    ("ocaml", compile_late(
        r"^\s*(?:Raised|Called|Re-raised)[\w -]{1,40} (?P<name>[\w.]+)(?: \(inlined\))? in file "
        r"\"(?P<path>[^\"]+)\"(?: \(inlined\))?, line (?P<line>\d+)"
    )),
    ("julia", compile_late(r"^\s*@ (?:[\w.]+ )?(?P<path>[^\s:]+\.jl):(?P<line>\d+)")),
    ("python in a box", compile_late(
        r"^\s*[│|] (?P<path>(?:[A-Za-z]:)?[^\s:]+\.py):(?P<line>\d+) in (?P<name>[\w.<>]+)"
    )),
    # IPython and notebooks, the newer and the older way: the latter points at the line below.
    ("ipython", compile_late(
        r"^File (?P<path>[^\s:\"<>]+\.py):(?P<line>\d+)(?:, in (?P<name>[\w.<>]+)\(.*)?$"
    )),
    ("ipython", compile_late(r"^(?P<path>[^\s\"<>]+[\\/][^\s:\"<>]+\.py) in (?P<name>[\w.<>]+)\(.*\)$")),
    # The innermost frame tells what was raised in place of the function.
    ("pytest", compile_late(
        r"^(?P<path>[^\s:]+\.py):(?P<line>\d+): (?:in (?P<name>[\w.<>]+)|[A-Z]\w{0,80}(?:Error|Exception))$"
    )),
    # Reports of crashes on macOS, gdb without sources, and glibc tell the functions alone.
    ("function", compile_late(
        r"^\s*\d+\s+\S+\s+0x[0-9a-f]+ (?P<name>[A-Za-z_~][\w:~]*)(?:\([^()]{0,300}\))?(?: const)? \+ \d+"
    )),
    ("function", compile_late(
        r"^\s*#\d+\s+(?:0x[0-9a-f]+ in )?(?P<name>[A-Za-z_~][\w:~]*)\s*\((?:\w+=[^()]{0,300})?\)(?: from \S+)?\s*$"
    )),
    ("function", compile_late(r"^\s*\S*\((?P<name>[A-Za-z_]\w*)\+0x[0-9a-f]+\)\s?\[0x[0-9a-f]+\]")),
    # Where no symbols were at hand, .NET and the JVM tell classes alone.
    ("class", compile_late(r"^\s*at (?P<name>[\w.$<>/|`+\[\],@-]+\.[\w$<>|`\[\],]+)\(")),
)  # fmt: skip
# A line without any of these is no frame of those above.
FRAME_SIGN = compile_late(r"[\d(]")
# A line of a trace of which only the names were copied, of the program at most and of the function.
BARE = compile_late(r"^\s*(?:\d{1,3}\s+)?(?:(?P<program>[\w.-]{1,40})\s+)?(?P<name>[A-Za-z_]\w{1,100})\s*$")
# Everyone else prints the innermost frame first.
INNERMOST_LAST = ("python", "python in a box", "ipython", "pytest", "ruby to a terminal")
