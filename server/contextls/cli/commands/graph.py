"""``contextls graph``: what is connected with a file, a symbol, a package, a person, a command or an error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct, field

from contextls.cli.commands.entities import place
from contextls.cli.indexing import refresh
from contextls.cli.options import Json, NoIndex, Root
from contextls.cli.output import emit, emit_json, emit_rich, note, one_line
from contextls.cli.session import open_engine
from contextls.model import DEFAULT_RELATIONS, MAX_LISTED
from contextls.regex import compile_late

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree

    from contextls.model import EntityView, GraphView, RelationView

EXAMPLES = (
    "contextls graph Cart.total",
    "contextls graph src/cart.py --depth 2",
    "contextls graph Cart.total --limit 100",
    "contextls graph src/cart.py --mermaid > docs/cart.mmd",
)
# How an edge reads from its source, and from its target.
_WORDS: Mapping[str, tuple[str, str]] = {
    "imports": ("imports", "imported by"),
    "defines": ("defines", "defined in"),
    "calls": ("calls", "called by"),
    "references": ("uses", "used in"),
    "tests": ("tests", "tested by"),
    "co_changes": ("changes together with", "changes together with"),
    "authored": ("wrote much of", "written by"),
    "raised_in": ("raised in", "raised"),
    "fixed_by": ("fixed by a change to", "was changed to fix"),
    "subtask": ("has the part", "is part of"),
}
_UNSAFE = compile_late(r"[^\w ./:@$(),=+*~-]")


def graph(
    symbol: Annotated[
        str,
        typer.Argument(metavar="SYMBOL", help="A name, Class.method, path, path:line, or an entity's id."),
    ],
    root: Root = Path(),
    depth: Annotated[int, typer.Option(min=1, max=5, help="How many steps to go.")] = 1,
    limit: Annotated[
        int, typer.Option(min=1, max=MAX_LISTED, help="So many relations of a kind; the others are counted.")
    ] = DEFAULT_RELATIONS,
    as_json: Json = False,
    mermaid: Annotated[
        bool, typer.Option("--mermaid", help="Print a Mermaid flowchart, for documents.")
    ] = False,
    no_index: NoIndex = False,
) -> None:
    """Show what hangs together with something.

    Imports, definitions, calls, tests, what changes with it, who wrote it, which errors it raised and what fixed them.
    Of each kind the likeliest are shown, and how many more there are.
    """
    if as_json and mermaid:
        raise typer.BadParameter("either this or --json", param_hint="--mermaid")
    with open_engine(root) as engine:
        if not no_index:
            refresh(engine)
            engine.read_history()
        found = engine.graph(symbol, depth, limit)
    if found is None:
        note(f"nothing here is called {symbol!r}; see contextls entities")
        raise typer.Exit(1)
    if as_json:
        emit_json(found)
    elif mermaid:
        emit(mermaid_text(found))
    else:
        emit_rich(_tree(found))
        if found.alternatives:
            note("also called so: " + ", ".join(found.alternatives))
        if found.omitted:
            note("there are more relations than are shown; see --limit")


def mermaid_text(found: GraphView) -> str:
    """The graph as a Mermaid flowchart. What could end a label early or begin another statement is left out of labels."""
    number = {entity.id: f"n{at}" for at, entity in enumerate((found.start, *found.entities))}
    lines = ["flowchart LR"]
    lines += [
        f'  {number[one.id]}["{_spelt(one.name)}<br/>{one.type}"]' for one in (found.start, *found.entities)
    ]
    for relation in found.relations:
        label = relation.type.replace("_", " ")
        lines.append(f"  {number[relation.source]} -->|{label}| {number[relation.target]}")
    for at, left_out in enumerate(found.omitted):
        label = left_out.type.replace("_", " ")
        source, target = (number[end] if end else f"m{at}" for end in (left_out.source, left_out.target))
        lines += [f'  m{at}["{_more(left_out.count)}"]', f"  {source} -->|{label}| {target}"]
    return "\n".join(lines)


def _more(count: int) -> str:
    return f"and {count} more"


def _spelt(name: str) -> str:
    return _UNSAFE.sub(" ", name)[:80].strip()


class _Branch(Struct):
    """An entity in the tree, the relations that lead on from it, and how many of them are left out."""

    entity: EntityView
    relation: RelationView | None = None
    below: dict[str, list[_Branch]] = field(default_factory=dict)
    more: dict[str, int] = field(default_factory=dict)


def _tree(found: GraphView) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    root = _grow_tree(found)
    tree = Tree(_label(root), guide_style="dim")
    stack = [(root, tree)]
    while stack:
        branch, drawn = stack.pop()
        for words in branch.below | branch.more:
            group = drawn.add(Text(words, "italic"))
            stack.extend((each, group.add(_label(each))) for each in branch.below.get(words, ()))
            if count := branch.more.get(words):
                group.add(Text(_more(count), "dim"))
    return tree


def _grow_tree(found: GraphView) -> _Branch:
    """Every relation once, below the end that was met first."""
    entities = {entity.id: entity for entity in (found.start, *found.entities)}
    met = {found.start.id: _Branch(found.start)}
    for relation in found.relations:
        for words, end, far in _directions(relation):
            if end in met and (far not in met or far != found.start.id):
                branch = _Branch(entities[far], relation)
                met[end].below.setdefault(words, []).append(branch)
                met.setdefault(far, branch)
                break
    for left_out in found.omitted:
        forwards, backwards = _words(left_out.type)
        words = forwards if left_out.source else backwards
        near = met.get(left_out.source or left_out.target or "")
        if near is not None:
            near.more[words] = near.more.get(words, 0) + left_out.count
    return met[found.start.id]


def _words(kind: str) -> tuple[str, str]:
    return _WORDS.get(kind, (kind, kind))


def _directions(relation: RelationView) -> Iterator[tuple[str, str, str]]:
    forwards, backwards = _words(relation.type)
    yield forwards, relation.source, relation.target
    yield backwards, relation.target, relation.source


def _label(branch: _Branch) -> Text:
    from rich.text import Text

    entity, relation = branch.entity, branch.relation
    text = Text.assemble((one_line(entity.name), "bold"), "  ", (entity.type, "dim"))
    if (where := place(entity)) and where != entity.name:
        text.append(f"  {one_line(where)}", "cyan")
    if relation is not None and relation.applications:
        text.append(f"  {relation.support} of {relation.applications}", "green")
    return text
