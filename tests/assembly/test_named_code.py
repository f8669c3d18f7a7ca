"""Code that a question names: its definition and, where they are asked for, its users enter the prompt."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.usefulness.name_users import weigh_named
from contextls.assembly.usefulness.receivers import Receivers
from contextls.engine import Engine
from contextls.model import AssembleRequest, Section

from ..memory.workspaces import opened, write
from .digest import FILES, TOPICS, paths

CALLERS = {
    "press/frame.py": "def cut_margin(width):\n    return width - 2\n",
    **{
        f"press/{topic}.py": "from press.frame import cut_margin\n\n\n"
        f"def set_{topic}(lamp):\n    return cut_margin(lamp.{topic}) * lamp.height\n"
        for topic in TOPICS[:4]
    },
    "tests/test_frame.py": "from press.frame import cut_margin\n\n\n"
    "def test_the_margin_is_cut():\n    assert cut_margin(7) == 5\n",
}


def weigh_names_of(engine: Engine, question: str) -> dict[str, float]:
    moment = take_snapshot(engine._memories, 0)
    ranking = moment.content.ranking(moment.snapshot, moment.content.read_query(question))
    spelled = {ref: name for ref, (_, name) in ranking.defined.items()}
    receivers_of = partial(Receivers, snapshot=moment.snapshot)
    found = weigh_named(spelled, ranking, moment.snapshot, moment.graph, receivers_of)
    return {moment.snapshot.view.path(ref): value for ref, value in found.items()}


@pytest.mark.parametrize(
    "question",
    [
        "cut_margin should take keyword arguments only. which callers break?",
        "who calls cut_margin?",
        "I want to rename cut_margin",
        "what would break if cut_margin() returned a float",
        "where is press.frame.cut_margin used?",
    ],
)
def test_who_asks_for_the_users_of_a_name_gets_its_definition_then_code_then_tests(
    tmp_path: Path, question: str
) -> None:
    with opened(write(tmp_path, CALLERS)) as engine:
        found = weigh_names_of(engine, question)
    assert set(found) == set(CALLERS)
    callers = {found[f"press/{topic}.py"] for topic in TOPICS[:4]}
    assert found["press/frame.py"] > max(callers) >= min(callers) > found["tests/test_frame.py"] > 0


MENTIONED = {
    "press/marks.py": 'FOLD_MARK = "~"\n\n\nclass PaperSize:\n    width = 210\n',
    "press/lines.py": "def split(text):\n    return text.split(marks.FOLD_MARK)\n",
    "press/sheets.py": "def lay(size: PaperSize) -> list[str]:\n    return [size.name]\n",
    "press/ink.py": "def mix(fold, mark, paper, size):\n    return fold + mark + paper + size\n",
}


@pytest.mark.parametrize(
    ("question", "user"),
    [
        ("what else breaks if I change FOLD_MARK?", "press/lines.py"),
        ("who uses PaperSize?", "press/sheets.py"),
    ],
)
def test_a_constant_or_a_type_is_used_without_being_called(tmp_path: Path, question: str, user: str) -> None:
    with opened(write(tmp_path, MENTIONED)) as engine:
        assert set(weigh_names_of(engine, question)) == {"press/marks.py", user}


@pytest.mark.parametrize("name", ["FOLD_MARK", "SEAM_MARK", "EDGE_MARK"])
def test_a_piece_that_defines_much_is_called_after_what_was_asked_for(tmp_path: Path, name: str) -> None:
    marks = 'FOLD_MARK = "~"\nSEAM_MARK = "-"\nEDGE_MARK = "#"\n'
    with opened(write(tmp_path, {**MENTIONED, "press/marks.py": marks})) as engine:
        first = engine.assemble(AssembleRequest(f"what is {name} for?")).components[0]
    assert (first.path, first.symbol) == ("press/marks.py", name)
    assert first.content.startswith(f"### `press/marks.py:1-3` `{name}`")


@pytest.mark.parametrize(
    ("question", "leads"),
    [
        ("which digest does a reader get who may POST letters?", False),
        ("which weekly digest does a reader get with LEVEL=INFO?", False),
        ("does info() send a digest to a reader?", True),
        ("is the weekly digest of a reader kept in the LRU?", True),
    ],
)
def test_a_word_in_capitals_is_the_name_of_a_type_and_not_of_a_function(
    tmp_path: Path, question: str, leads: bool
) -> None:
    client = "class Lru:\n    kept = {}\n\n\ndef post(body):\n    print(body)\n\n\ndef info(key):\n    print(key)\n"
    with opened(write(tmp_path, {**FILES, "things/client.py": client})) as engine:
        assert (paths(engine.assemble(AssembleRequest(question)))[0] == "things/client.py") is leads


SCRIPTS = {
    "press/Press.psm1": "function Get-PressSheet {\n    param([string] $Name)\n    Join-PressPath $Name\n}\n",
    "press/Lay.ps1": "function Show-Press {\n    foreach ($page in $Pages) { Get-PressSheet -Name $page }\n}\n",
    "press/Sheet.ps1": "# The sheet of a press, and how to get it.\nfunction New-Sheet { $Sheets += 1 }\n",
}


@pytest.mark.parametrize(
    "question", ["who calls Get-PressSheet?", "what breaks if Get-PressSheet is renamed?"]
)
def test_a_command_with_a_hyphen_is_a_name(tmp_path: Path, question: str) -> None:
    with opened(write(tmp_path, SCRIPTS)) as engine:
        context = engine.assemble(AssembleRequest(question))
    assert set(paths(context)) == {"press/Press.psm1", "press/Lay.ps1"}


MODULES = {
    "shop/main.tf": 'module "network" {\n  source = "../network"\n  region = var.home_region\n}\n',
    "shop/variables.tf": '# Where the shop runs.\nvariable "home_region" {\n  type = string\n}\n',
    "network/main.tf": 'resource "aws_vpc" "main_network" {\n  cidr_block = "10.0.0.0/16"\n}\n',
    "network/outputs.tf": 'output "network_id" {\n  value = aws_vpc.main_network.id\n}\n',
}


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("what breaks if home_region is removed?", {"shop/main.tf", "shop/variables.tf"}),
        ("who uses main_network?", {"network/main.tf", "network/outputs.tf"}),
    ],
)
def test_what_terraform_defines_is_used_by_its_name(tmp_path: Path, question: str, shown: set[str]) -> None:
    with opened(write(tmp_path, MODULES)) as engine:
        context = engine.assemble(AssembleRequest(question))
    assert {path for path in paths(context) if path} == shown


REMOTE = {
    "web/client.js": (
        "export class Api {\n  bookmarks() {\n    return fetch('/bookmarks');\n  }\n}\n\nexport const api = new Api();\n"
    ),
    "press/api/routes.py": "def api_routes():\n    return ['/api/bookmarks', '/api/tags']\n",
    "press/api/bookmarks.py": (
        "def share_by_default(bookmark):\n    bookmark.shared = True\n    return api_answer(bookmark)\n"
    ),
    "docs/api.md": "# REST API\n\nThe API has routes for bookmarks and tags.\n",
}


def test_initials_in_prose_are_no_class_that_happens_to_be_called_so(tmp_path: Path) -> None:
    with opened(write(tmp_path, REMOTE)) as engine:
        context = engine.assemble(
            AssembleRequest("a bookmark shared by default is not shared via the REST API")
        )
        alone = engine.assemble(AssembleRequest("API"))
    assert paths(context)[0] == "press/api/bookmarks.py"
    assert all("named in the question" not in one.why for one in context.components)
    assert all("defines `Api`" not in one.why for one in context.components)
    assert paths(alone)[0] == "web/client.js"


def test_of_many_names_in_a_question_none_is_taken_for_what_is_used(tmp_path: Path) -> None:
    question = "FOLD_MARK and PaperSize and cut_margin are off, what else breaks?"
    with opened(write(tmp_path, MENTIONED)) as engine:
        assert set(weigh_names_of(engine, question)) == {"press/marks.py"}


def test_who_asks_when_a_name_came_gets_what_changelogs_say_of_it(tmp_path: Path) -> None:
    sections = (
        f"## 1.{number}\n\n"
        + "".join(f"- Introduced another way to fix a {topic}, version {number}.\n" for topic in TOPICS * 3)
        + ("- A sheet has `cut_margin` on each side.\n" if number == 7 else "")
        for number in range(12)
    )
    changelog = "# Changelog\n\n" + "\n".join(sections)
    with opened(write(tmp_path, {**CALLERS, "CHANGELOG.md": changelog})) as engine:
        asked = engine.assemble(AssembleRequest("when was cut_margin introduced, and fixed since?"))
        unasked = engine.assemble(AssembleRequest("who calls cut_margin?"))
    assert "A sheet has `cut_margin`" in asked.content
    assert "A sheet has `cut_margin`" not in unasked.content


@pytest.mark.parametrize("question", ["how does cut_margin work?", "cut_margin is off by one"])
def test_who_asks_about_a_name_itself_gets_its_definition(tmp_path: Path, question: str) -> None:
    with opened(write(tmp_path, CALLERS)) as engine:
        assert set(weigh_names_of(engine, question)) == {"press/frame.py"}
        assert paths(engine.assemble(AssembleRequest(question)))[0] == "press/frame.py"


NEAR = {
    f"margins/{topic}.py": f"def cut_{topic}(margin):\n    return [margin] * {number}\n"
    for number, topic in enumerate(TOPICS)
}


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("who calls cut_margin?", set(CALLERS)),
        ("where is `cut_margin()` used?", set(CALLERS)),
        ("what breaks if I change the signature of cut_margin?", set(CALLERS)),
        ("rename cut_margin", set(CALLERS)),
        ("I want to rename `cut_margin` to `trim_margin`, what has to change?", set(CALLERS)),
        ("rename cut_margin to trim", set(CALLERS)),
        ("what has to be touched if cut_margin is renamed to trim_margin?", set(CALLERS)),
        ("what uses the setting cut_margin?", set(CALLERS)),
        ("where is the `cut_margin` environment variable used?", set(CALLERS)),
        ("where is cut_margin defined?", {"press/frame.py"}),
        ("where's the function `cut_margin`?", {"press/frame.py"}),
    ],
)
def test_who_asks_for_one_name_and_nothing_else_gets_no_more(
    tmp_path: Path, question: str, shown: set[str]
) -> None:
    with opened(write(tmp_path, {**CALLERS, **NEAR})) as engine:
        found = engine.assemble(AssembleRequest(question))
    assert {one.path for one in found.components if one.type is Section.SEMANTIC} == shown


@pytest.mark.parametrize(
    "question", ["who calls trim?", "what else calls the function trim?", "where is `trim` called?"]
)
def test_what_is_called_is_code_though_its_name_is_a_plain_word(tmp_path: Path, question: str) -> None:
    code = {name: text.replace("cut_margin", "trim") for name, text in CALLERS.items()}
    prose = {
        "docs/trim.md": "# Trim\n\nA trim makes a hat of felt.\n",
        "press/hat.py": "trim_of_a_hat = 'felt'\n",
    }
    with opened(write(tmp_path, {**code, **prose})) as engine:
        found = engine.assemble(AssembleRequest(question))
    assert {one.path for one in found.components if one.type is Section.SEMANTIC} == set(code)


TRIMMED = {
    "press/sheet.py": "class Sheet:\n    def trim(self, width):\n        return width - 2\n",
    "felt/hat.py": "class Hat:\n    def trim(self):\n        return 'felt'\n\n    def finish(self):\n        self.trim()\n",
    "shop/order.py": "def pack(sheet):\n    return [sheet.trim(2)]\n",
    "shop/label.py": "def label(sheet):\n    return sheet.name\n",
}


@pytest.mark.parametrize(
    "question", ["who calls Sheet.trim?", "what breaks if I add a parameter to Sheet.trim?"]
)
def test_a_call_on_a_value_of_unknown_type_may_be_one_of_what_is_asked_for(
    tmp_path: Path, question: str
) -> None:
    with opened(write(tmp_path, {**TRIMMED, **NEAR})) as engine:
        found = engine.assemble(AssembleRequest(question))
    shown = {one.path for one in found.components if one.type is Section.SEMANTIC}
    assert shown == {"press/sheet.py", "shop/order.py"}


def test_who_asks_for_the_users_of_a_name_gets_many_and_nothing_else(tmp_path: Path) -> None:
    users = {
        f"press/user{number}.py": f"def use_{number}(lamp):\n    return lamp.cut_margin(lamp.width, {number})\n"
        for number in range(60)
    }
    with opened(write(tmp_path, {**CALLERS, **NEAR, **users})) as engine:
        found = engine.assemble(AssembleRequest("who calls cut_margin?", 8_000))
    assert len(users.keys() & {one.path for one in found.components}) > 30
    assert not NEAR.keys() & {one.path for one in found.components}


STEPS = "".join(f"    lamp.step({number})\n" for number in range(20))
COMMENTED = {
    "press/half.py": f"def set_half(lamp):\n{STEPS}    # not cut_margin(1)\n{STEPS}{STEPS}    return cut_margin(2)\n",
    "press/old.py": "def set_old(lamp):\n    # return cut_margin(lamp.width)\n    return lamp.width\n",
    "press/.env.example": "# CUT_MARGIN=7\n",
}


@pytest.mark.parametrize(
    ("question", "shown"), [("who uses cut_margin?", False), ("rename cut_margin", True)]
)
def test_what_is_commented_out_uses_nothing(tmp_path: Path, question: str, shown: bool) -> None:
    with opened(write(tmp_path, {**CALLERS, **COMMENTED})) as engine:
        found = engine.assemble(AssembleRequest(question))
    users = {one.path for one in found.components}
    assert {"press/half.py", "press/.env.example"} <= users
    assert ("press/old.py" in users) is shown
    assert ("not cut_margin(1)" in found.content) is shown


@pytest.mark.parametrize(
    ("question", "shown"), [("who calls cutMargin?", False), ("rename cutMargin to trim", True)]
)
def test_an_import_uses_nothing_but_for_who_renames(tmp_path: Path, question: str, shown: bool) -> None:
    lines = "".join(f"  lamp.step({number});\n" for number in range(30))
    files = {
        "src/margin.ts": "export function cutMargin(width: number) {\n  return width - 1;\n}\n",
        "src/press.ts": "import { cutMargin } from './margin';\n\nexport type PressOptions = {\n  width: number;\n};\n\n"
        f"export function press(lamp: Lamp) {{\n{lines}  return cutMargin(lamp.width);\n}}\n",
    }
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest(question))
    assert "return cutMargin(lamp.width)" in found.content
    assert ("import { cutMargin }" in found.content) is shown


LONG = {
    f"press/long_{topic}.py": f"def print_{topic}(lamp):\n{STEPS}    lamp.cut_margin({number})\n{STEPS}"
    for number, topic in enumerate(TOPICS)
}


def test_a_long_user_is_shown_by_the_lines_around_each_use(tmp_path: Path) -> None:
    twice = f"class Press:\n    def print(self, lamp):\n{STEPS}        lamp.cut_margin(1)\n{STEPS}{STEPS}"
    twice = twice.replace("    lamp.step", "        lamp.step") + "        lamp.cut_margin(2)\n"
    with opened(write(tmp_path, {**CALLERS, "press/press.py": twice})) as engine:
        found = engine.assemble(AssembleRequest("who calls cut_margin?"))
    (first, second) = (one for one in found.components if one.path == "press/press.py")
    assert (first.symbol, first.start_line, first.end_line) == ("Press.print", 19, 27)
    assert first.content.count("lamp.step") == 8
    assert "    def print(self, lamp)" in first.content.replace("  def", "    def")
    assert "lamp.cut_margin(1)" in first.content
    assert (second.start_line, second.end_line) == (60, 64)
    assert "lamp.cut_margin(2)" in second.content


def test_users_of_each_file_come_before_further_ones_of_another(tmp_path: Path) -> None:
    crowd = "\n".join(
        f"def use_{number}(lamp):\n{STEPS}    lamp.cut_margin({number})\n" for number in range(40)
    )
    with opened(write(tmp_path, {**CALLERS, **LONG, "press/crowd.py": crowd})) as engine:
        found = engine.assemble(AssembleRequest("who calls cut_margin?", 2_000))
    assert LONG.keys() | {"press/crowd.py"} <= {one.path for one in found.components}


def test_who_asks_for_the_users_of_a_name_with_several_definitions_gets_all_of_these(tmp_path: Path) -> None:
    others = {
        f"press/{kind}.py": f"class {kind.title()}:\n    def cut_margin(self):\n        return self.width\n"
        for kind in ("sheet", "cover", "spine")
    }
    with opened(write(tmp_path, {**others, **LONG})) as engine:
        found = engine.assemble(AssembleRequest("who calls cut_margin?", 2_000))
    shown = {one.path: one.symbol for one in found.components}
    assert {shown[path] for path in others} == {"Sheet.cut_margin", "Cover.cut_margin", "Spine.cut_margin"}
    assert LONG.keys() <= shown.keys()


@pytest.mark.parametrize(
    "question", ["who calls cut_margin before the paper is folded?", "how does cut_margin round?"]
)
def test_who_asks_for_more_than_a_name_gets_what_speaks_of_it(tmp_path: Path, question: str) -> None:
    folding = {"press/folding.py": "def fold(paper):\n    return round(paper.folded)\n"}
    with opened(write(tmp_path, {**CALLERS, **folding})) as engine:
        assert "press/folding.py" in paths(engine.assemble(AssembleRequest(question)))


def test_a_name_that_is_nowhere_brings_those_like_it_and_no_more(tmp_path: Path) -> None:
    with opened(write(tmp_path, {**CALLERS, **NEAR})) as engine:
        found = engine.assemble(AssembleRequest("who calls trim_margin?"))
    assert "There is no `trim_margin` in this workspace. Similar names: " in found.content
    assert len([one for one in found.components if one.path]) <= 3


def test_words_that_are_the_name_of_several_things_bring_none_of_them(tmp_path: Path) -> None:
    polish = "".join(f"    def {topic}(self, count):\n        return [count] * count\n\n" for topic in TOPICS)
    members = f"    SOURCE_PROPERTY = register()\n    GEAR = register()\n\n{polish}"
    files = {f"painting/{topic}.py": f"class {topic.title()}:\n{members}" for topic in TOPICS}
    for number in range(12):
        files[f"binding/update{number}.py"] = (
            f"def update_target_{number}(binding, target):\n"
            '    """What makes a binding update its target: the source property changes."""\n'
            f"    return binding.update(target, {number})\n"
        )
    question = "what makes a binding update its target when the source property changes?"
    with opened(write(tmp_path / "window", files)) as engine:
        log = f"{question}\n\n[error] GEAR 404\n"
        for asked, is_named in ((question, False), (log, False), ("what is Violin.SOURCE_PROPERTY?", True)):
            shown = engine.assemble(AssembleRequest(asked)).components
            named = [one.path for one in shown if one.why.startswith(("named in", "defines"))]
            assert named == (["painting/violin.py"] if is_named else [])


JAVASCRIPT = {
    "notify/provider.js": "class MessageProvider {\n  send(message) {\n    throw new Error(message);\n  }\n}\n"
    "module.exports = MessageProvider;\n",
    **{
        f"notify/{topic}.js": 'const MessageProvider = require("./provider");\nconst { post } = require("axios");\n\n'
        f"class {topic.title()} extends MessageProvider {{\n  send(message) {{\n    return post('{topic}', message);\n"
        "  }\n}\n"
        for topic in TOPICS
    },
}
LUA = {
    "notify/provider.lua": "local MessageProvider = {}\n\nfunction MessageProvider.send(message)\n  error(message)\n"
    "end\n\nreturn MessageProvider\n",
    **{
        f"notify/{topic}.lua": 'local MessageProvider = require("notify.provider")\nlocal http = require "http"\n\n'
        f"local function send_{topic}(message)\n  return http.post('{topic}', message)\nend\n"
        for topic in TOPICS
    },
}


@pytest.mark.parametrize(
    ("files", "path"), [(JAVASCRIPT, "notify/provider.js"), (LUA, "notify/provider.lua")]
)
def test_what_requires_a_module_under_a_name_does_not_define_it(
    tmp_path: Path, files: dict[str, str], path: str
) -> None:
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest("where is MessageProvider defined?"))
    assert {one.path for one in found.components if one.type is Section.SEMANTIC} == {path}


SETTING = {
    "press/start.js": 'const paper = require("./paper");\n\nif (!process.env.PRESS_WIDTH) {\n'
    '  process.env.PRESS_WIDTH = "210";\n}\nconsole.log("the press begins", paper);\n',
    "press/cut.py": "import os\n\n\ndef cut(sheet):\n    return sheet[: int(os.environ['PRESS_WIDTH'])]\n",
    **{
        f"press/{topic}.py": f"def set_{topic}(press, width):\n    press.{topic} = width\n    return press.read(width)\n"
        for topic in TOPICS
    },
}


@pytest.mark.parametrize("deed", ["read", "set", "checked", "used"])
def test_who_asks_what_is_done_with_a_name_gets_each_place_that_has_it(tmp_path: Path, deed: str) -> None:
    with opened(write(tmp_path, SETTING)) as engine:
        found = engine.assemble(AssembleRequest(f"where is PRESS_WIDTH {deed}?"))
        word = engine.assemble(AssembleRequest(f"where is the width {deed}?"))
    assert {one.path for one in found.components if one.type is Section.SEMANTIC} == {
        "press/start.js",
        "press/cut.py",
    }
    assert f"press/{TOPICS[0]}.py" in paths(word)


def test_a_member_of_a_type_is_named_by_its_last_part(tmp_path: Path) -> None:
    files = {
        "errors.rs": "pub enum PressError {\n    WrongPaper,\n    NoInk,\n}\n",
        "feed.rs": "fn feed() -> Result<(), PressError> {\n    Err(PressError::WrongPaper)\n}\n",
        "fill.rs": "fn fill() -> Result<(), PressError> {\n    Err(PressError::NoInk)\n}\n",
    }
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest("where is PressError::WrongPaper returned?"))
    assert {one.path for one in found.components if one.type is Section.SEMANTIC} == {"errors.rs", "feed.rs"}


FORMS = {
    "press/frame.py": "def FoldSheet(sheet):\n    return sheet\n",
    "press/run.py": "from press.frame import FoldSheet\n\n\ndef run(sheet):\n    return FoldSheet(sheet)\n",
    "press/menu.py": 'LABELS = {"menu.fold_sheet": "Fold the sheet"}\n',
    "locale/de.json": '{\n  "menu.fold_sheet": "Bogen falzen"\n}\n',
}


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("who uses FoldSheet?", {"press/frame.py", "press/run.py"}),
        ("rename FoldSheet", set(FORMS)),
    ],
)
def test_a_name_in_another_form_is_what_something_else_is_called_but_for_who_changes_it(
    tmp_path: Path, question: str, shown: set[str]
) -> None:
    with opened(write(tmp_path, FORMS)) as engine:
        assert set(paths(engine.assemble(AssembleRequest(question)))) == shown


DECORATED = {
    ".py": (
        "def allow(view):\n    return view\n",
        "from press.rights import allow\n\n\n@allow\ndef show_sheets(request):\n    return request.sheets\n",
    ),
    ".ts": (
        "export function allow(target: unknown, name: string) {\n  return target\n}\n",
        'import { allow } from "./rights"\n\nexport class Sheets {\n  @allow\n  show(request) {\n    return request.sheets\n'
        "  }\n}\n",
    ),
}


@pytest.mark.parametrize("extension", DECORATED)
def test_what_decorates_with_a_function_calls_it(tmp_path: Path, extension: str) -> None:
    defining, using = DECORATED[extension]
    files = {f"press/rights{extension}": defining, f"press/views{extension}": using, **FILES}
    with opened(write(tmp_path, files)) as engine:
        context = engine.assemble(AssembleRequest("who calls allow?"))
    (user,) = (one for one in context.components if one.path == f"press/views{extension}")
    assert "calls `allow`" in user.why
