"""Definitions, their documentation and commented blocks of one source file, for the languages listed in ``RULES``.

One generic walk: a definition node, the docstring inside it or the comment right above it.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from mining_text import prose
from tree_sitter import Language, Node, Parser

MAX_BODY = 4000
MIN_BODY = 60


@dataclass(frozen=True)
class Rules:
    """How a grammar names things.

    ``values`` are variables that may hold a function; ``wrappers`` carry the comment of what they wrap.
    """

    module: str
    suffixes: str
    definitions: str
    wrappers: str = ""
    values: str = ""
    loader: str = "language"


_ECMA = "function_declaration generator_function_declaration method_definition class_declaration abstract_class_declaration"
_ECMA_VALUES = "variable_declarator pair assignment_expression public_field_definition field_definition"
_TYPES = " interface_declaration type_alias_declaration enum_declaration abstract_method_signature"
RULES = {
    "python": Rules("python", ".py", "function_definition class_definition", "decorated_definition"),
    "javascript": Rules(
        "javascript",
        ".js .mjs .cjs .jsx",
        _ECMA,
        "export_statement lexical_declaration variable_declaration expression_statement",
        _ECMA_VALUES,
    ),
    "typescript": Rules(
        "typescript",
        ".ts .mts",
        _ECMA + _TYPES,
        "export_statement lexical_declaration variable_declaration expression_statement",
        _ECMA_VALUES,
        "language_typescript",
    ),
    "tsx": Rules(
        "typescript",
        ".tsx",
        _ECMA + _TYPES,
        "export_statement lexical_declaration variable_declaration expression_statement",
        _ECMA_VALUES,
        "language_tsx",
    ),
    "go": Rules("go", ".go", "function_declaration method_declaration type_declaration"),
    "rust": Rules("rust", ".rs", "function_item struct_item enum_item trait_item macro_definition"),
    "java": Rules(
        "java",
        ".java",
        "method_declaration constructor_declaration class_declaration interface_declaration enum_declaration",
    ),
    "ruby": Rules("ruby", ".rb", "method singleton_method class module"),
    "php": Rules(
        "php",
        ".php",
        "method_declaration function_definition class_declaration interface_declaration trait_declaration",
        loader="language_php",
    ),
    "c": Rules("c", ".c .h", "function_definition struct_specifier", "type_definition declaration"),
    "cpp": Rules(
        "cpp",
        ".cc .cpp .cxx .hh .hpp .hxx .ipp",
        "function_definition class_specifier struct_specifier",
        "template_declaration declaration",
    ),
    "csharp": Rules(
        "c_sharp",
        ".cs",
        "method_declaration constructor_declaration class_declaration interface_declaration struct_declaration "
        "enum_declaration property_declaration",
    ),
    "haskell": Rules("haskell", ".hs", "signature data_type class newtype"),
    "lua": Rules("lua", ".lua", "function_declaration", "variable_declaration assignment_statement"),
    "kotlin": Rules("kotlin", ".kt", "function_declaration class_declaration object_declaration"),
    "scala": Rules(
        "scala", ".scala", "function_definition class_definition object_definition trait_definition"
    ),
    "elixir": Rules("elixir", ".ex .exs", "call"),
    "swift": Rules(
        "swift", ".swift", "function_declaration class_declaration protocol_declaration init_declaration"
    ),
    "zig": Rules("zig", ".zig", "function_declaration", "", "variable_declaration"),
    "shell": Rules("bash", ".sh .bash", "function_definition"),
}
_SUFFIX = {suffix: language for language, rules in RULES.items() for suffix in rules.suffixes.split()}
_ATTRIBUTES = frozenset(
    ["attribute_item", "annotation", "attribute_list", "marker_annotation", "decorator", "pragma"]
)


def language_of(suffix: str, *, cpp: bool) -> str | None:
    """The language of a file; ``cpp`` says whether the package's headers are C++."""
    return "cpp" if suffix == ".h" and cpp else _SUFFIX.get(suffix)


@functools.cache
def _parser(language: str) -> Parser:
    rules = RULES[language]
    module = importlib.import_module(f"tree_sitter_{rules.module}")
    return Parser(Language(getattr(module, rules.loader)()))


@functools.cache
def _node_sets(language: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    rules = RULES[language]
    return (
        frozenset(rules.definitions.split()),
        frozenset(rules.wrappers.split()),
        frozenset(rules.values.split()),
    )


def code_pairs(language: str, source: str) -> Iterator[dict[str, str]]:
    """The pairs of one file, every ``path`` left empty."""
    data = source.encode()
    tree = _parser(language).parse(data)
    shown = "typescript" if language == "tsx" else language
    definitions, _, values = _node_sets(language)
    stack: list[tuple[Node, str]] = [(tree.root_node, "")]
    while stack:
        node, scope = stack.pop()
        inner = scope
        if node.type in definitions or (node.type in values and _holds_function(node)):
            name = _name_of(node, language)
            if name:
                inner = f"{scope}.{name}" if scope else name
                pair = _definition_pair(node, language, data)
                if pair is not None:
                    yield {"kind": "definition", "language": shown, "path": "", "name": inner, **pair}
        elif "comment" in node.type:
            pair = _block_pair(node, language, data)
            if pair is not None:
                yield {"kind": "block", "language": shown, "path": "", "name": scope, **pair}
        stack.extend((child, inner) for child in reversed(node.named_children))


def _holds_function(node: Node) -> bool:
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    return value is not None and value.type in {
        "arrow_function",
        "function_expression",
        "function",
        "generator_function",
        "class",
    }


def _name_of(node: Node, language: str) -> str:
    if language == "elixir":
        return _elixir_name(node)
    named = (
        node.child_by_field_name("name")
        or node.child_by_field_name("left")
        or node.child_by_field_name("key")
    )
    if named is None and node.type == "type_declaration" and node.named_children:
        named = node.named_children[0].child_by_field_name("name")
    if named is None:
        inner = node.child_by_field_name("declarator")
        while inner is not None and inner.child_by_field_name("declarator") is not None:
            inner = inner.child_by_field_name("declarator")
        named = inner
    if named is None:
        named = next(
            (
                child
                for child in node.named_children
                if child.type in {"simple_identifier", "type_identifier", "identifier", "name"}
            ),
            None,
        )
    text = (named.text or b"").decode("utf-8", "replace") if named is not None else ""
    text = text.replace("::", ".").replace(":", ".").replace("prototype.", "").strip("'\"")
    return text if len(text) < 80 and re.fullmatch(r"[\w.$#~'!?=]+", text) else ""


def _elixir_name(node: Node) -> str:
    target = node.child_by_field_name("target")
    if target is None or target.text not in {b"def", b"defp", b"defmacro", b"defmodule"}:
        return ""
    found = re.match(rb"\w+\s+([\w.?!]+)", node.text or b"")
    return found.group(1).decode() if found else ""


def _definition_pair(node: Node, language: str, data: bytes) -> dict[str, str] | None:
    outer = _outermost(node, language)
    end = outer.end_byte
    doc = ""
    cut = (0, 0)
    if language == "python":
        doc, cut = _python_docstring(node)
        if end - outer.start_byte > 2 * MAX_BODY and node.type == "class_definition":
            end = outer.start_byte + 2 * MAX_BODY
    elif language == "haskell" and node.type == "signature":
        end = _haskell_end(node)
    if not doc:
        doc = prose(_comment_above(outer, language))
    start = outer.start_byte
    body = data[start : cut[0]] + data[cut[1] : end] if cut[1] else data[start:end]
    text = body[: 2 * MAX_BODY].decode("utf-8", "replace")[:MAX_BODY]
    return {"doc": doc, "body": text} if len(text) >= MIN_BODY else None


def _outermost(node: Node, language: str) -> Node:
    _, wrappers, _ = _node_sets(language)
    while node.parent is not None and node.parent.type in wrappers:
        node = node.parent
    return node


def _python_docstring(node: Node) -> tuple[str, tuple[int, int]]:
    block = node.child_by_field_name("body")
    first = block.named_children[0] if block is not None and block.named_children else None
    if first is not None and first.type == "expression_statement":
        first = first.named_children[0] if first.named_children else first
    if first is None or first.type != "string":
        return "", (0, 0)
    raw = re.sub(r"^\w*(\"\"\"|'''|\"|')", "", (first.text or b"").decode("utf-8", "replace"))
    return prose(raw), (first.start_byte, first.end_byte)


def _haskell_end(node: Node) -> int:
    name, end = _name_of(node, "haskell"), node.end_byte
    following = node.next_named_sibling
    while (
        following is not None
        and following.type in {"function", "bind"}
        and _name_of(following, "haskell") == name
    ):
        end = following.end_byte
        following = following.next_named_sibling
    return end


def _comment_above(node: Node, language: str) -> str:
    if language == "elixir":
        return _elixir_doc(node)
    pieces: list[str] = []
    below, above = node, node.prev_named_sibling
    while above is not None and below.start_point.row - above.end_point.row <= 1:
        if above.type not in _ATTRIBUTES:
            if "comment" not in above.type and above.type != "haddock":
                break
            if _trails(above):
                break
            pieces.append((above.text or b"").decode("utf-8", "replace").rstrip("\n"))
        below, above = above, above.prev_named_sibling
    return "\n".join(reversed(pieces))


def _trails(comment: Node) -> bool:
    """Whether the comment stands at the end of a line of code."""
    before = comment.prev_named_sibling
    return (
        before is not None
        and "comment" not in before.type
        and before.end_point.row == comment.start_point.row
        and before.end_point.column > 0
    )


def _last_row(comment: Node) -> int:
    """The row of the comment's last character: in some grammars a line comment includes its line end."""
    return comment.end_point.row - (comment.end_point.column == 0)


def _elixir_doc(node: Node) -> str:
    above = node.prev_named_sibling
    while above is not None and above.type == "unary_operator":
        text = (above.text or b"").decode("utf-8", "replace")
        found = re.match(r'@doc\s+(?:~[sS])?"""(.*?)"""', text, re.DOTALL)
        if found:
            return found.group(1)
        above = above.prev_named_sibling
    return ""


def _block_pair(node: Node, language: str, data: bytes) -> dict[str, str] | None:
    """A comment inside a body and the statements that follow it up to a blank line, at most 15 lines."""
    parent = node.parent
    if (
        parent is None
        or parent.parent is None
        or _trails(node)
        or "comment" in (node.prev_named_sibling.type if node.prev_named_sibling else "")
    ):
        return None
    pieces, last = [node], node
    while (
        last.next_named_sibling is not None
        and "comment" in last.next_named_sibling.type
        and last.next_named_sibling.start_point.row == _last_row(last) + 1
    ):
        last = last.next_named_sibling
        pieces.append(last)
    first = last.next_named_sibling
    definitions, wrappers, _ = _node_sets(language)
    if (
        first is None
        or first.start_point.row - _last_row(last) != 1
        or first.type
        in definitions
        | _ATTRIBUTES
        | wrappers & {"export_statement", "decorated_definition", "template_declaration"}
    ):
        return None
    end = first
    while (
        end.next_named_sibling is not None
        and end.next_named_sibling.start_point.row - end.end_point.row == 1
        and "comment" not in end.next_named_sibling.type
        and end.next_named_sibling.end_point.row - first.start_point.row < 15
    ):
        end = end.next_named_sibling
    doc = prose("\n".join((piece.text or b"").decode("utf-8", "replace") for piece in pieces))
    body = data[first.start_byte : end.end_byte].decode("utf-8", "replace")[:MAX_BODY]
    return {"doc": doc, "body": body} if len(doc.split()) >= 4 and len(body) >= MIN_BODY else None
