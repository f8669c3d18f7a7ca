"""Texts that parsers crash on, take minutes for or need much memory for: for each language, what it nests."""

from __future__ import annotations

from dataclasses import dataclass

SHALLOW, DEEP = 300, 12_000
ROW = 20


@dataclass(frozen=True, slots=True)
class Nesting:
    """Something that goes into itself, such as brackets; ``closing`` is empty for what only begins."""

    before: str
    opening: str
    closing: str = ""
    core: str = "a"

    def text(self, depth: int, *, closed: bool) -> str:
        """Nested so deep. Left open, it is one syntax error with as many siblings."""
        end = _rows(self.closing, depth) if closed else ""
        return f"{self.before}{_rows(self.opening, depth)}{self.core}{end}\n"


def _rows(piece: str, times: int) -> str:
    """The piece so often, in lines that no program seems to have written, as those are never parsed."""
    if times <= SHALLOW:
        return piece * times
    return (piece * ROW + "\n") * (times // ROW)


# What is TypeScript there, and what a component's other parts may look like.
_COMPONENT = (
    Nesting("<script>\ntype A=A", "<A", ">"),
    Nesting("", "<script "),
    Nesting("", "</script>"),
    Nesting("", "<script><template>"),
)

# By language: the ending of its files, and what it nests, the worst that is known first.
ATTACKS: dict[str, tuple[str, tuple[Nesting, ...]]] = {
    "bash": ("sh", (Nesting("", "<<A\n"), Nesting("", "$(", ")"), Nesting("", "if true; then\n", "fi\n"))),
    "c": (
        "c",
        (Nesting("int a=", "(", ")"), Nesting("", "struct{", "}"), Nesting("", "#if 1\n", "#endif\n")),
    ),
    "cpp": ("cpp", (Nesting("a", "<a", ">"), Nesting("auto a=", "[]{return ", "}"), Nesting("int a=", "a<"))),
    "csharp": (
        "cs",
        (Nesting("A", "<A", ">"), Nesting("class A{int a=", "a<"), Nesting("class A{int a=", "(a)(", ")")),
    ),
    "css": ("css", (Nesting("a", ":not(", ")"), Nesting("", "a{", "}"), Nesting("a{b:", "calc(", ")"))),
    "dart": ("dart", (Nesting("var a=", "(", ")"), Nesting("var a=", "a<"), Nesting("var a=", "'${", "}'"))),
    "elixir": ("ex", (Nesting("", "a "), Nesting("", "fn -> ", " end"), Nesting("", '"#{', '}"'))),
    "go": ("go", (Nesting("package a\nvar a=", "(", ")"), Nesting("package a\ntype A ", "struct{a ", "}"))),
    "haskell": (
        "hs",
        (Nesting("a :: ", "(", ")"), Nesting("a=", "if a then ", "else b"), Nesting("a=", "do\n ")),
    ),
    "hcl": ("tf", (Nesting("a=", "(", ")"), Nesting("a=", '"${', '}"'), Nesting("", "a {\n", "}\n"))),
    "html": ("html", (Nesting("", "<ul><li>"), Nesting("", "<!--"), Nesting("", "<div>", "</div>"))),
    "java": (
        "java",
        (Nesting("class A{int a=", "a<"), Nesting("", "class A{", "}"), Nesting("class A{A", "<A", ">")),
    ),
    "javascript": ("js", (Nesting("", "({a:", "})"), Nesting("", "(", ")"), Nesting("", "`${", "}`"))),
    "json": ("json", (Nesting("", "[\n", "]\n", "1"), Nesting("", '{"a":', "}", "1"))),
    "kotlin": (
        "kt",
        (Nesting("val a:A", "<A", ">"), Nesting("val a=", '"${', '}"'), Nesting("val a=", "{", "}")),
    ),
    "lua": ("lua", (Nesting("a=", "{", "}"), Nesting("a=", "function() ", " end"), Nesting("a=", "(", ")"))),
    "markdown": ("md", (Nesting("", "> "), Nesting("", "[", "]"), Nesting("", "- "), Nesting("", "*"))),
    "php": (
        "php",
        (Nesting("<?php $a=", "(", ")"), Nesting("<?php $a=", "[", "]"), Nesting("<?php ", "<<<A\n")),
    ),
    "powershell": (
        "ps1",
        (Nesting("$a=", "(", ")"), Nesting("$a=", '"$(', ')"'), Nesting("", "if($a){\n", "}\n")),
    ),
    "python": ("py", (Nesting("a=", "(", ")"), Nesting("a=", 'f"{', '}"'), Nesting("a=", "lambda:"))),
    "ruby": ("rb", (Nesting("", "<<A\n"), Nesting("a=", '"#{', '}"'), Nesting("", "begin\n", "end\n"))),
    "rust": ("rs", (Nesting("type A=A", "<A", ">"), Nesting("", "/*", "*/"), Nesting("", "a!(", ")"))),
    "scala": (
        "scala",
        (Nesting("val a:A", "[A", "]"), Nesting("val a=", "(", ")"), Nesting("val a=", 's"${', '}"')),
    ),
    "sql": ("sql", (Nesting("SELECT ", "(SELECT ", ")"), Nesting("SELECT ", "CASE WHEN a THEN ", " END"))),
    "starlark": ("bzl", (Nesting("a=", "(", ")"), Nesting("a=", "["), Nesting("a=", "lambda:"))),
    "svelte": ("svelte", _COMPONENT),
    "swift": (
        "swift",
        (Nesting("let a:A", "<A", ">"), Nesting("let a=", '"\\(', ')"'), Nesting("", "/*", "*/")),
    ),
    "toml": ("toml", (Nesting("a=", "[", "]", "1"), Nesting("a=", "{a=", "}", "1"))),
    "tsx": ("tsx", (Nesting("", "<A>", "</A>"), Nesting("type A=A", "<A", ">"), Nesting("", "a<"))),
    "typescript": (
        "ts",
        (Nesting("type A=A", "<A", ">"), Nesting("let a=", "(a:", ")"), Nesting("let a=", "a<")),
    ),
    "vue": ("vue", _COMPONENT),
    "yaml": (
        "yaml",
        (Nesting("", "- "), Nesting("", "- - [", "]"), Nesting("", "? "), Nesting("", "{a: ", "}")),
    ),
    "zig": (
        "zig",
        (Nesting("const a=", "(", ");"), Nesting("const a=", ".{", "}"), Nesting("const a=", "if(a)")),
    ),
}


def worst_text(language: str) -> str:
    """The text that is known to hurt the parser of a language most."""
    nesting = ATTACKS[language][1][0]
    return nesting.text(SHALLOW if language == "yaml" else DEEP, closed=bool(nesting.closing))


def all_texts(language: str) -> list[str]:
    """Every nesting of a language, deep and shallow, closed and open."""
    return [
        nesting.text(depth, closed=closed)
        for nesting in ATTACKS[language][1]
        for depth in (SHALLOW, DEEP)
        for closed in ((True, False) if nesting.closing else (False,))
    ]
