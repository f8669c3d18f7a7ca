"""The layer rule: imports point down only, and what is heavy or foreign stays where it belongs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "server" / "contextls"

# Lower stands deeper. A module may import its own layer and every deeper one. The faces stand side by side.
LAYERS = {
    "regex": -1,
    "toml_text": -1,
    "batches": 0,
    "errors": 0,
    "made_once": 0,
    "cancellation": 1,
    "isolation": 1,
    "package_data": 0,
    "schema": 1.5,  # says of a text whether it is well-formed
    "text": 1,
    "code": 2,
    "workspace": 3,
    "store": 4,
    "models": 5,
    "settings": 4.5,  # known to models, which are chosen by them
    "settings_file": 7,
    "settings_merge": 6,
    "settings_rules": 4,
    "model": 5,
    "event_content": 6,
    "requests": 7,
    "memory": 7,
    "assembly": 8,
    "shared_index": 8,
    "packing": 8,
    "engine": 9,
    "recording": 9,
    "standalone": 9,
    "user_files": 9,
    "agents": 9.5,  # between: asks engines, and is asked by what lives and by a face
    "asking": 9.5,
    "wire": 9,
    "access": 10,
    "live": 10,
    "cli": 11,
    "lsp": 11,
    "mcp": 11,
    "__main__": 12,
}

# Starting a server is a command, and the only place where one face knows another.
FACE_TO_FACE = {("contextls.cli.serving", "lsp"), ("contextls.cli.commands.mcp", "mcp")}

# What `from contextls import …` gives; loaded when it is asked for.
OFFERED = {"engine", "model", "settings", "errors"}
# Whose types the public methods of the engine take and give.
BORDER = {"model", "settings", "errors", "engine", "recording"}
FACES = {"cli", "lsp", "mcp"}
# What faces may know: the engine and its neighbours, the live workspace, and plain data. Of what lies deeper, these alone.
FACES_KNOW = {
    "engine", "recording", "standalone", "live", "requests", "schema", "model", "settings", "errors", "wire", "access",
    "user_files", "settings_file", "settings_merge", "cancellation", "isolation", "regex",
    "agents", "asking",
}  # fmt: skip
FACES_USE = {
    "contextls.text.gate",  # a face is a way out: it looks through what it writes
    "contextls.text.gated_stream",  # and so is its log
    "contextls.text.surrogates",  # editors send halves of characters
    "contextls.text.kept_ends",  # the output of a command is kept as events are
    "contextls.text.own_words",  # a list shows what people said, not what was put before it
    "contextls.package_data",  # the scripts of `contextls hook` come with the package
}

OWNERS = {
    "pygls": {"lsp"},
    "lsprotocol": {"lsp"},
    "mcp": {"mcp"},
    "mcp_types": {"mcp"},
    "uvicorn": {"mcp"},
    "typer": {"cli"},
    "rich": {"cli"},
    "lancedb": {"store"},
    "pyarrow": {"store", "shared_index"},
    "obstore": {"shared_index"},
    "cryptography": {"shared_index"},
    "ray": {"shared_index"},
    "lance_ray": {"shared_index"},
    "sqlite3": {"store"},
    "tree_sitter": {"code"},
    "httpx": {"models"},
    "onnxruntime": {"models"},
    "tokenizers": {"models"},
    "watchfiles": {"workspace"},
    "pebble": {"code"},
    "ahocorasick_rs": {"text"},
    "bpe_openai": {"text"},
}

# Whoever starts a process takes program, flags and environment from ``contextls.isolation``; so these are few.
PROCESS_STARTERS = {
    "subprocess": {
        "contextls.workspace.git_process",
        "contextls.workspace.git_output",  # reads what the one before started
        "contextls.store.vector_process",
        "contextls.cli.client",
        "contextls.cli.clipboard",
        "contextls.cli.commands.run",
        "contextls.cli.terminal",  # for the command before
    },
    "multiprocessing": {
        "contextls.code.worker_process",
        "contextls.code.worker_setup",
        "contextls.code.pipe_lock",  # for the pipe alone
    },
}
# Nobody: they start programs in other ways, or find them where a workspace may have put them.
NEVER = re.compile(
    r"os\.(?:exec\w*|spawn\w*|posix_spawnp?|system|popen|fork|forkpty|startfile)|shutil\.which|pty\.\w+"
    r"|asyncio\.create_subprocess_\w+|asyncio\.subprocess\b.*|concurrent\.futures\.ProcessPoolExecutor"
    r"|(?:\w+\.)?ProcessPoolExecutor|distutils\..*|sysconfig\._.*"
)

# Who may open files. Whoever wrote a folder chose what lies in it: the reader takes regular files within a bound, the
# writer makes new ones; the rest opens the null device, its own streams, a draft of its own or what the user names on a
# command line, such as the file with the token of a port.
OPENERS = {
    "contextls.isolation",
    "contextls.workspace.regular_file",
    "contextls.workspace.whole_file",
    "contextls.package_data",
    "contextls.cli.arguments",
    "contextls.cli.output",
    "contextls.code.worker_setup",
    "contextls.lsp.transport",
    "contextls.access",
}
# Functions and methods that open a file by its path, whatever they belong to.
OPENING = {
    "read_text", "read_bytes", "write_text", "write_bytes", "fdopen", "open_code", "FileIO", "mkstemp", "NamedTemporaryFile",
    "memmap", "open_memmap", "fromfile", "genfromtxt", "loadtxt", "copyfile", "copyfileobj", "copytree",
}  # fmt: skip
OWN_OPEN = {"Engine", "Recording", "_documents", "row"}  # of ours, and no file
OWN_READERS = {"contextls.workspace.regular_file", "contextls.store.state_file"}  # ours, by the same names

# What loads a parser: for worker processes only, which ask for it through one module when they run.
PARSER = {
    f"contextls.code.{name}"
    for name in (
        "parse", "trees", "outline", "units", "node_text", "leading_comments", "chunks", "chunk_joining", "chunk_pieces",
        "statements", "symbols", "bodies", "comments", "definition_lists", "headings", "references", "line_outline",
    )
}  # fmt: skip
PARSER_DOOR = "contextls.code.worker_tasks"
PARSER_USERS = PARSER | {"contextls.code.languages"}

# Who may say that a text holds no secret without having it looked through: it was, or it is the client's own word.
VOUCHERS = {
    "contextls.asking",  # what a session has looked through, a command prints
    "contextls.text.gate",
    "contextls.assembly.compress_text",
    "contextls.assembly.selection.fit",
    "contextls.assembly.shapes.tagged",
    "contextls.cli.output",
    "contextls.lsp.commands",
    "contextls.lsp.progress",
    "contextls.memory.events.cleaning",
    "contextls.packing.known_texts",
    "contextls.packing.pack",
    "contextls.store.index_database",
}
# The ways out of the process that are no file and no database, and the one module that may use each.
WAYS_OUT = {
    "print": "",
    "typer.echo": "contextls.cli.output",
    "sys.stdout.write": "contextls.cli.output",
    "sys.__stderr__": "contextls.access",
    "sys.__stdout__": "",
    "logging.basicConfig": "contextls.text.gated_stream",
    "logging.StreamHandler": "",
    "logging.FileHandler": "",
}

# The rooms of memory: one may know those of lower ranks, and none of its own; what stands beside them knows them all.
ROOMS = {
    "events": 0,
    "feedback": 0,
    "index": 0,
    "tasks": 0,
    "activity": 1,
    "scope": 1,
    "vcs": 1,
    "working_set": 1,
    "conversations": 2,
    "knowledge": 2,
    "patterns": 2,
}

# The folders with most modules, from the ground up: what is in one line may know the lines before it. A package has a line
# to itself; loose modules of a line may know each other.
STACKS = {
    "contextls.memory.index": (
        {"file_rules", "hex_ids", "priors", "sides", "terms", "translated_files"},
        {"segments"},
        {"snapshot"},
        {"disk"},
        {"words"},
        {"query"},
        {"ranking"},
        {"content_index"},
        {"updating"},
        {"workspace_index"},
    ),
    "contextls.assembly": (
        {"wording"},
        {"usefulness"},
        {"pieces"},
        {"compress_text", "request", "steps", "strategies"},
        {"admission"},
        {"memory_snapshot"},
        {"overview"},
        {"targets"},
        {"other_words", "question", "source"},
        {"sources"},
        {"shapes"},
        {"selection"},
        {"answer"},
        {"assembler", "choose", "collect", "gather", "prompts", "reopening"},
        {"layers"},
        {"turns"},
    ),
}

# What is put together of parts that it hands itself to: these name it in annotations, and in nothing else.
CALLED_BACK = {"contextls.engine", "contextls.engine.engine", "contextls.lsp.server"}

# Who may write Markdown. Everything before a shape works on data.
MARKDOWN = {"contextls.text.fence.fence", "contextls.assembly.shapes.markdown"}
SHAPERS = {
    "contextls.assembly.shapes.markdown",
    "contextls.assembly.shapes.rooted",
    "contextls.assembly.shapes.structured",
    "contextls.assembly.shapes.tagged",
    "contextls.assembly.shapes.system_prompt",
    "contextls.assembly.shapes.messages",
    "contextls.assembly.assembler",
    "contextls.packing.forms.markdown",
}
# Live workspaces go by the clock that they are given: two modules know how time passes. No other layer sets timers.
TIME = re.compile(
    r"time\.(?:monotonic|monotonic_ns|perf_counter|sleep)|asyncio\.(?:sleep|wait_for|timeout)|.*\.call_later"
)
TIMEKEEPERS = {
    "contextls.live.clock",
    "contextls.live.executors",  # threads that rest while messages are read
}

# What answers tools, resources and prompts.
MCP_HANDLERS = tuple(
    f"contextls.mcp.{name}" for name in ("contexts", "lookups", "packs", "work", "resources", "prompts")
)

HEAVY = ("lancedb", "pyarrow", "pandas", "pygls", "lsprotocol", "torch", "mcp", "mcp_types", "uvicorn")


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("contextls", *path.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def parsed(source: str) -> ast.Module:
    """The tree of a source; many rules ask for it, and none changes it."""
    return ast.parse(source)


def compiled_at_import(source: str) -> int:
    """How many times the source calls ``re.compile`` outside of a function."""
    waiting: list[ast.AST] = [parsed(source)]
    count = 0
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
            count += isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"
    return count


@cache
def names_used(source: str) -> frozenset[str]:
    """Every name and every attribute that the source mentions, as it is written there."""
    nodes = ast.walk(parsed(source))
    return frozenset(ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute | ast.Name))


@cache
def imported(source: str, module: str, *, is_package: bool, annotations: bool = True) -> frozenset[str]:
    """Every module that the source imports, anywhere in it, relative imports resolved.

    Without ``annotations``, what only a type checker imports does not count.
    """
    names: set[str] = set()
    body = [node for node in parsed(source).body if annotations or not _only_for_types(node)]
    for node in ast.walk(ast.Module(body, [])):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = node.level - 1 if is_package else node.level
                anchor = ".".join(module.split(".")[: len(module.split(".")) - up])
                base = f"{anchor}.{base}".rstrip(".")
            names.add(base)
            names.update(f"{base}.{alias.name}" for alias in node.names)
    return frozenset(names)


def openings(source: str) -> list[str]:
    """Every call, reference and import in the source that opens a file by its path, as ``line: text``."""
    found = []
    tree = parsed(source)
    bounded = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in OWN_READERS
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            opens = node.id == "open" or (node.id in OPENING and node.id not in bounded)
        elif isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value).rpartition(".")[2]
            opens = node.attr in OPENING or (node.attr == "open" and owner not in OWN_OPEN)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in (
            "np.load",
            "numpy.load",
            "json.load",
            "tomllib.load",
        ):
            opens = not (node.args and ast.unparse(node.args[0]).startswith("io.BytesIO("))
        elif isinstance(node, ast.ImportFrom) and node.module not in OWN_READERS:
            opens = any(alias.name in OPENING | {"open"} for alias in node.names)
        else:
            continue
        if opens:
            found.append(f"{node.lineno}: {ast.unparse(node)}")
    return found


def _only_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def layer(module: str) -> str | None:
    """The layer of a module of ours; ``None`` for the package itself and for other people's modules."""
    parts = module.split(".")
    return parts[1] if parts[0] == "contextls" and len(parts) > 1 and parts[1] in LAYERS else None


def violations(module: str, names: frozenset[str]) -> list[str]:
    own = layer(module)
    if own is None:  # the package itself, which offers the engine and its plain data
        ours = {name for name in names if name.startswith("contextls") and layer(name) not in OFFERED}
        return [] if not ours else [f"{module} imports {ours}"]
    wrong = []
    for name in sorted(names):
        target = layer(name)
        if target is not None and target != own and (module, target) not in FACE_TO_FACE:
            if LAYERS[target] >= LAYERS[own]:
                wrong.append(f"{module} imports {name}: {own} must not know {target}")
        elif own not in (owners := OWNERS.get(name.split(".")[0], {own})):
            wrong.append(f"{module} imports {name}: only {', '.join(sorted(owners))} may")
    return wrong


def all_imports() -> dict[str, frozenset[str]]:
    return {
        name: imported(path.read_text("utf-8"), name, is_package=path.name == "__init__.py")
        for name, path in modules().items()
    }


def test_every_module_belongs_to_a_layer() -> None:
    assert [name for name in modules() if name != "contextls" and layer(name) is None] == []


def test_imports_point_down_only() -> None:
    wrong = [line for name, names in all_imports().items() for line in violations(name, names)]
    assert wrong == []


def past_the_engine(module: str, names: frozenset[str]) -> list[str]:
    """What a module of a face imports and must not."""
    if layer(module) not in FACES:
        return []
    deep = (name for name in names if layer(name) is not None and layer(name) not in FACES | FACES_KNOW)
    return [name for name in deep if name not in FACES_USE and name.rpartition(".")[0] not in FACES_USE]


def test_faces_import_nothing_past_the_engine() -> None:
    wrong = {name: deep for name, names in all_imports().items() if (deep := past_the_engine(name, names))}
    assert wrong == {}


@pytest.mark.parametrize(
    "name", ["contextls.memory.events", "contextls.text.tokens.count", "contextls.store"]
)
def test_the_rule_sees_what_lies_past_the_engine(name: str) -> None:
    assert past_the_engine(
        "contextls.lsp.sync", frozenset({name, "contextls.engine", "contextls.text.gate.clean"})
    ) == [name]


def foreign_types(source: str, module: str) -> list[str]:
    """The types of ours in public signatures of the source's classes that must not cross the engine's border."""
    origins = {
        name.rpartition(".")[2]: name
        for name in imported(source, module, is_package=False)
        if name.startswith("contextls.")
    }
    wrong = []
    for each in (node for node in parsed(source).body if isinstance(node, ast.ClassDef)):
        for method in (node for node in each.body if isinstance(node, ast.FunctionDef)):
            if method.name.startswith("_"):
                continue
            annotations = [
                method.returns,
                *(node.annotation for node in ast.walk(method.args) if isinstance(node, ast.arg)),
            ]
            used = {
                node.id
                for part in annotations
                if part
                for node in ast.walk(part)
                if isinstance(node, ast.Name)
            }
            foreign = {origins[name] for name in used & origins.keys() if layer(origins[name]) not in BORDER}
            wrong += [f"{each.name}.{method.name}: {name}" for name in sorted(foreign)]
    return wrong


def test_only_plain_data_crosses_the_border_of_the_engine() -> None:
    wrong = [
        line
        for name, path in modules().items()
        if layer(name) in {"engine", "recording"}
        for line in foreign_types(path.read_text("utf-8"), name)
    ]
    assert wrong == []


def test_the_rule_sees_what_crosses_the_border() -> None:
    source = """
from contextls.memory.vcs.hunks import Hunk
from contextls.model import Event
class Engine:
    def events(self, since: int) -> tuple[Event, ...]: ...
    def changes(self, wanted: Callable[[Hunk], bool]) -> list[Event]: ...
    def _hunks(self) -> tuple[Hunk, ...]: ...
"""
    assert foreign_types(source, "contextls.engine.engine") == [
        "Engine.changes: contextls.memory.vcs.hunks.Hunk"
    ]


def test_requests_are_read_in_one_place() -> None:
    """In one of each server, that is, and between a command and a session; handlers take what was read."""
    readers = {name for name, names in all_imports().items() if "contextls.schema.reader" in names}
    assert readers == {"contextls.asking", "contextls.lsp.serving", "contextls.mcp.serving"}


def test_handlers_do_not_know_json() -> None:
    """An answer is written where the request was read."""
    faces = ("contextls.lsp.requests.", "contextls.lsp.commands", *MCP_HANDLERS)
    writers = {name for name, names in all_imports().items() if "contextls.wire.to_wire" in names}
    assert [name for name in writers if name.startswith(faces)] == []


def test_modules_do_not_import_each_other_in_circles() -> None:
    """Only annotations may name what hands a part of itself to others and is called back by them."""
    known = modules().keys()
    edges = {}
    for name, path in modules().items():
        source, is_package = path.read_text("utf-8"), path.name == "__init__.py"
        running = imported(source, name, is_package=is_package, annotations=False)
        told = imported(source, name, is_package=is_package) - CALLED_BACK if name != "contextls" else set()
        edges[name] = set(running | told) & known - {name}
    for targets in edges.values():
        targets -= {name for name in targets if any(other.startswith(f"{name}.") for other in targets)}
    assert _cycle(edges) == []


def started_processes(module: str, source: str) -> list[str]:
    """What ``module`` uses to start processes and may not."""
    names = imported(source, module, is_package=False)
    wrong = [name for name in names if module not in PROCESS_STARTERS.get(name.split(".")[0], {module})]
    wrong += [name for name in names_used(source) | names if NEVER.fullmatch(name)]
    return [f"{module} uses {name}: see contextls.isolation" for name in sorted(set(wrong))]


def test_processes_are_started_in_few_places() -> None:
    wrong = [
        line
        for module, path in modules().items()
        for line in started_processes(module, path.read_text("utf-8"))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess",
        "from subprocess import run",
        "import multiprocessing.connection",
        "import shutil\nshutil.which('git')",
        "from shutil import which",
        "import os\nos.execv('/bin/sh', [])",
        "from os import posix_spawn",
        "from concurrent.futures import ProcessPoolExecutor",
        "import asyncio\nasyncio.create_subprocess_exec('git')",
    ],
)
def test_the_rule_sees_processes(source: str) -> None:
    assert started_processes("contextls.memory.anything", source)


def test_only_worker_processes_load_a_parser() -> None:
    """No other process does, as a parser may end it: see also tests/hardening/test_parsers.py."""
    imports = all_imports()
    assert {name for name, names in imports.items() if names & PARSER} - PARSER == {PARSER_DOOR}
    users = {name for name, names in imports.items() if any(each.startswith("tree_sitter") for each in names)}
    assert users <= PARSER_USERS
    at_once = {
        name
        for name, path in modules().items()
        if name not in PARSER and imports_at_once(path.read_text("utf-8"), name) & (PARSER | {"tree_sitter"})
    }
    assert at_once == set(), "import it inside the function that runs in the worker"


def imports_at_once(source: str, module: str) -> frozenset[str]:
    """What a module imports when it is imported itself."""
    body: list[ast.stmt] = [
        node for node in parsed(source).body if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    return imported(ast.unparse(ast.Module(body, [])), module, is_package=False)


def test_the_rule_sees_what_it_forbids() -> None:
    source = "from contextls.engine import Engine\nimport pygls.server\nfrom ..memory import events\n"
    names = imported(source, "contextls.code.parse", is_package=False)
    assert "contextls.memory.events" in names
    found = "\n".join(violations("contextls.code.parse", names))
    assert "must not know engine" in found
    assert "must not know memory" in found
    assert "only lsp may" in found
    assert _cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]


def test_only_the_reader_and_the_writer_open_files() -> None:
    wrong = [
        f"{name}:{place}"
        for name, path in modules().items()
        if name not in OPENERS
        for place in openings(path.read_text("utf-8"))
    ]
    assert wrong == [], "read with workspace/regular_file.py, write with workspace/whole_file.py"


@pytest.mark.parametrize(
    "line",
    [
        "open('x')", "with open(path, 'rb') as file: pass", "path.open()", "Path('x').open('rb')", "path.read_text()",
        "(root / 'x').read_bytes()", "path.write_text('x')", "os.open(path, os.O_RDONLY)", "io.open('x')",
        "codecs.open('x')",
        "gzip.open('x')", "np.memmap(path, np.uint8)", "np.load(path)", "np.fromfile(path)", "numpy.load(path)",
        "read = path.read_text", "map(Path.read_bytes, paths)", "from io import open", "from os import fdopen",
        "from io import FileIO", "os.fdopen(3)", "shutil.copyfile(a, b)", "json.load(file)",
    ],
)  # fmt: skip
def test_the_rule_sees_every_way_to_open_a_file(line: str) -> None:
    assert openings(line)


@pytest.mark.parametrize(
    "line",
    [
        "from contextls.workspace.regular_file import read_text\nread_text(path, 10)",
        "np.load(io.BytesIO(raw), allow_pickle=False)",
        "Engine.open(root)",
        "self._documents.open(uri, 1, text)",
        "with open_regular(path) as file: pass",
    ],
)
def test_the_rule_lets_other_lines_pass(line: str) -> None:
    assert openings(line) == []


def test_texts_leave_through_the_gate_alone() -> None:
    """Each writer looks through what it writes; see text/gate."""
    wrong = []
    for name, path in modules().items():
        used = names_used(path.read_text("utf-8"))
        if "CleanText" in used and name not in VOUCHERS:
            wrong.append(f"{name} vouches for a text")
        for way, owner in WAYS_OUT.items():
            version = (name, way) == ("contextls.cli.app", "typer.echo")
            if way in used and name != owner and not version:
                wrong.append(f"{name} uses {way}")
    assert wrong == []


def test_a_room_of_memory_knows_only_what_lies_below_it() -> None:
    wrong = [
        f"{name} imports {target}"
        for name, names in all_imports().items()
        for target in sorted(names)
        if (room := _room(name))
        and (other := _room(target)) not in (None, room)
        and ROOMS[other] >= ROOMS[room]
    ]
    assert wrong == []


def test_everything_in_memory_has_a_room_but_what_joins_them() -> None:
    inside = {name.split(".")[2] for name in modules() if name.startswith("contextls.memory.")}
    assert inside - ROOMS.keys() == {"file_status", "memories", "memory", "open_memories"}


def _room(module: str) -> str | None:
    parts = module.split(".")
    return parts[2] if parts[:2] == ["contextls", "memory"] and len(parts) > 2 and parts[2] in ROOMS else None


def above_itself(module: str, names: frozenset[str]) -> list[str]:
    """The imports of a module in a folder of ``STACKS`` that stand above it there."""
    wrong = []
    for folder, lines in STACKS.items():
        heights = {entry: height for height, line in enumerate(lines) for entry in line}
        own = heights.get(_entry(folder, module))
        if own is not None:
            wrong += [name for name in sorted(names) if heights.get(_entry(folder, name), own) > own]
    return wrong


def _entry(folder: str, module: str) -> str:
    """The package or loose module of ``folder`` that a module belongs to; empty where it lies elsewhere."""
    inside = module.removeprefix(f"{folder}.")
    return "" if inside == module else inside.partition(".")[0]


def test_packages_of_large_folders_know_only_those_before_them() -> None:
    wrong = {name: above for name, names in all_imports().items() if (above := above_itself(name, names))}
    assert wrong == {}


@pytest.mark.parametrize("folder", STACKS)
def test_everything_in_a_large_folder_has_its_place(folder: str) -> None:
    inside = {entry for name in modules() if (entry := _entry(folder, name))}
    places = [entry for line in STACKS[folder] for entry in line]
    assert sorted(inside) == sorted(places)


@pytest.mark.parametrize("folder", STACKS)
def test_a_package_of_a_large_folder_has_a_line_to_itself(folder: str) -> None:
    for line in STACKS[folder]:
        assert len(line) == 1 or not any(
            PACKAGE.joinpath(*folder.split(".")[1:], each).is_dir() for each in line
        )


def test_the_rule_sees_what_stands_above() -> None:
    names = frozenset({"contextls.memory.index.terms", "contextls.memory.index.ranking.lexical"})
    assert above_itself("contextls.memory.index.query.clauses", names) == [
        "contextls.memory.index.ranking.lexical"
    ]
    assert above_itself("contextls.memory.index.ranking.evidence", names) == []
    assert above_itself("contextls.memory.vcs.tables", names) == []


def test_nothing_but_the_shape_writes_markdown() -> None:
    assert {name for name, names in all_imports().items() if names & MARKDOWN} <= SHAPERS


def test_a_shape_reads_no_memory_and_a_source_knows_no_shape() -> None:
    """Sources offer data, shapes write it; nothing goes back."""
    for name, names in all_imports().items():
        if name.startswith("contextls.assembly.sources"):
            assert not {each for each in names if each.startswith("contextls.assembly.shapes")}, name
        if name.startswith("contextls.assembly.shapes"):
            assert not {each for each in names if each.startswith("contextls.assembly.sources")}, name


def uses_of_time(source: str) -> list[str]:
    """Every reference in the source to time as it passes by itself."""
    return sorted(
        name for name in names_used(source) if TIME.fullmatch(name) and name != "self._clock.call_later"
    )


def test_live_workspaces_go_by_their_clock() -> None:
    wrong = {
        name: used
        for name, path in modules().items()
        if layer(name) == "live"
        and name not in TIMEKEEPERS
        and (used := uses_of_time(path.read_text("utf-8")))
    }
    assert wrong == {}, "use contextls.live.clock"
    timers = {
        name
        for name, path in modules().items()
        if any(used.endswith(".call_later") for used in uses_of_time(path.read_text("utf-8")))
    }
    assert timers == {"contextls.live.clock"}


@pytest.mark.parametrize(
    "line", ["time.monotonic()", "asyncio.sleep(1)", "time.sleep(1)", "loop.call_later(1, act)"]
)
def test_the_rule_sees_time(line: str) -> None:
    assert uses_of_time(line)


def test_no_module_compiles_a_regular_expression_when_it_is_imported() -> None:
    assert [name for name, path in modules().items() if compiled_at_import(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("A = re.compile('a')", 1),
        ("A = {'a': (re.compile('a'), re.compile('b'))}", 2),
        ("class A:\n    b = re.compile('a')", 1),
        ("def a():\n    return re.compile('a')", 0),
        ("A = compile_late('a')", 0),
    ],
)
def test_the_rule_sees_what_is_compiled(source: str, count: int) -> None:
    assert compiled_at_import(source) == count


@pytest.mark.parametrize(
    "module", ["contextls.engine", "contextls.cli.main", "contextls.live.live_workspaces"]
)
def test_heavy_modules_wait_until_they_are_needed(module: str) -> None:
    code = f"import sys, {module}; print(' '.join(sorted(set(sys.modules) & set({HEAVY!r}))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def _cycle(edges: dict[str, set[str]]) -> list[str]:
    """One cycle as the names along it, first name last again; empty when there is none."""
    done: set[str] = set()

    def walk(node: str, path: list[str]) -> list[str]:
        if node in path:
            return [*path[path.index(node) :], node]
        if node in done:
            return []
        for target in sorted(edges.get(node, ())):
            if found := walk(target, [*path, node]):
                return found
        done.add(node)
        return []

    for start in sorted(edges):
        if found := walk(start, []):
            return found
    return []
