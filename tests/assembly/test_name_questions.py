"""Questions about one name that are put in many ways: who uses it, what it uses itself, where a message is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.assembly.wording.name_questions import asks_for_users
from contextls.engine import Engine
from contextls.memory.index.query.search_query import identifiers_in
from contextls.model import AssembleRequest, Section

from ..memory.workspaces import opened, write
from .digest import TOPICS


def shown(engine: Engine, question: str) -> set[str]:
    found = engine.assemble(AssembleRequest(question)).components
    return {one.path for one in found if one.path and one.type is Section.SEMANTIC}


@pytest.mark.parametrize(
    ("question", "about_users"),
    [
        ("which layout does PressView use?", False),
        ("what else does the function `cut_margin` call?", False),
        ("which interfaces does Press implement?", False),
        ("what does shop.Press really depend on?", False),
        ("what uses PressView?", True),
        ("which classes implement Press?", True),
        ("who calls cut_margin?", True),
        ("which callers does cut_margin have?", True),
        ("what breaks if cut_margin does not use Press?", True),
        ("what does PressView use, and who uses it?", True),
    ],
)
def test_what_a_name_uses_is_another_question_than_who_uses_it(question: str, about_users: bool) -> None:
    assert asks_for_users(question) is about_users


MESSAGES = {
    "press/events.php": "<?php\nclass Events {\n    const SHEET_FOLDED = 'sheet_folded';\n"
    "    const SHEET_CUT = 'sheet_cut';\n}\n",
    "press/handlers.php": "<?php\nclass Handlers {\n    function load() {\n"
    "        $this->register(Events::SHEET_FOLDED, Mail::class);\n    }\n}\n",
    **{
        f"press/{topic}.php": f"<?php\nclass {topic.title()} {{\n    function handle($event) {{\n"
        f"        return $event->{topic};\n    }}\n}}\n"
        for topic in TOPICS
    },
}


@pytest.mark.parametrize(
    "question",
    [
        "where is SHEET_FOLDED handled?",
        "where is the event SHEET_FOLDED handled?",
        "where is the constant `SHEET_FOLDED` registered?",
        "who uses the event SHEET_FOLDED?",
    ],
)
def test_what_is_called_so_may_be_said_before_the_name(tmp_path: Path, question: str) -> None:
    with opened(write(tmp_path, MESSAGES)) as engine:
        assert shown(engine, question) == {"press/events.php", "press/handlers.php"}


def test_of_a_long_file_that_has_a_constant_in_lower_case_only_the_lines_around_it_are_shown(
    tmp_path: Path,
) -> None:
    said = "".join(f"    'said_{number}' => 'Said {number}',\n" for number in range(15))
    files = {
        **MESSAGES,
        "lang/en.php": f"<?php\nreturn [\n{said}    'sheet_folded' => 'Folded',\n{said.replace('said_', 'told_')}];\n",
    }
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest("where is SHEET_FOLDED handled?"))
    (catalog,) = (one for one in found.components if one.path == "lang/en.php")
    assert "'sheet_folded'" in catalog.content
    assert "'said_0'" not in catalog.content
    assert "'told_14'" not in catalog.content


LABELS = {
    "src/Settings.kt": "fun settings() {\n    title(R.string.pref_fold_sheets)\n}\n",
    "res/values/strings.xml": '<resources>\n    <string name="pref_fold_sheets">Fold the sheets</string>\n</resources>\n',
    **{
        f"res/values-{code}/strings.xml": f'<resources>\n    <string name="pref_fold_sheets">{said}</string>\n</resources>\n'
        for code, said in {"de": "Bogen falzen", "fr": "Plier", "es": "Doblar"}.items()
    },
}


@pytest.mark.parametrize(
    ("question", "languages"),
    [
        ("where is R.string.pref_fold_sheets used?", set()),
        ("who uses pref_fold_sheets?", set()),
        ("rename pref_fold_sheets", {"de", "fr", "es"}),
    ],
)
def test_a_message_is_used_by_code_and_by_translations_for_who_changes_it(
    tmp_path: Path, question: str, languages: set[str]
) -> None:
    with opened(write(tmp_path, LABELS)) as engine:
        found = shown(engine, question)
    assert {code for code in ("de", "fr", "es") if f"res/values-{code}/strings.xml" in found} == languages
    assert {"src/Settings.kt", "res/values/strings.xml"} <= found


CLASSES = {
    "press/SheetCutter.php": "<?php\nnamespace Shop\\Press;\n\nclass SheetCutter {\n    function cut($sheet) {\n"
    "        return $sheet;\n    }\n}\n",
    "hall/Hall.php": "<?php\nnamespace Shop\\Hall;\n\nuse Shop\\Press\\SheetCutter;\n\nclass Hall {\n"
    "    function open(SheetCutter $cutter) {\n        return $cutter->cut(1);\n    }\n}\n",
    **{
        f"shop/{topic}.php": f"<?php\nnamespace Shop\\Press;\n\nclass {topic.title()} {{\n}}\n"
        for topic in TOPICS
    },
}


@pytest.mark.parametrize(
    "question",
    [
        "who uses Shop\\Press\\SheetCutter?",
        "where is \\Shop\\Press\\SheetCutter used?",
        "who calls Shop\\Press\\SheetCutter::cut()?",
    ],
)
def test_a_class_of_php_that_is_named_with_its_namespace_is_one_name(tmp_path: Path, question: str) -> None:
    with opened(write(tmp_path, CLASSES)) as engine:
        assert shown(engine, question) == {"press/SheetCutter.php", "hall/Hall.php"}


@pytest.mark.parametrize(
    "text", ["C:\\Shop\\Press", "open Shop\\Press\\Sheet.cs", "says A\\nB", "shop\\press\\sheet"]
)
def test_paths_and_escapes_are_no_names_with_a_namespace(text: str) -> None:
    assert not any("\\" in name for name in identifiers_in(text))
