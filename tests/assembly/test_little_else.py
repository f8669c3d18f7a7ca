"""Little else than what answers: nothing that a program wrote, and of one name its users and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.usefulness.worth import weigh_chunks
from contextls.model import AssembleRequest, Section

from ..memory.workspaces import opened, write
from .digest import TOPICS


def test_a_line_that_a_program_wrote_is_worth_less_than_what_people_did(tmp_path: Path) -> None:
    page = "".join(f"<p>{topic} shelf of honey jars {at}</p>" for at in range(20) for topic in TOPICS)
    plain = "".join(f"<p>line {at}</p>\n" for at in range(400))
    files = {
        "docs/site.html": f"<html>\n{plain}{page}\n</html>\n",
        "kitchen/shelf.py": "def stand(jars):\n    return jars\n",
    }
    with opened(write(tmp_path, files)) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        inside = view.chunks_of("docs/site.html")[5]
        (code,) = view.chunks_of("kitchen/shelf.py")
        assert list(weigh_chunks({inside: 0.9, code: 0.5}, view, 0.1)) == [code, inside]


def test_who_asks_what_another_argument_breaks_gets_the_users_and_no_more(tmp_path: Path) -> None:
    near = {f"kitchen/{topic}.py": f"def wipe_{topic}(shelf):\n    return [shelf]\n" for topic in TOPICS}
    users = {f"press/{topic}.py": f"def print_{topic}(jar):\n    return seal_jar(jar)\n" for topic in TOPICS}
    files = {**near, **users, "press/seal.py": "def seal_jar(jar):\n    return jar + 'wax'\n"}
    with opened(write(tmp_path, files)) as engine:
        for question in (
            "what breaks if I add an argument to seal_jar?",
            "what breaks if I add a return value to seal_jar?",
            "what do I have to touch if seal_jar becomes async?",
            "what breaks if seal_jar wipes the shelf of the kitchen first?",
            "what would be affected if seal_jar() raised for a wiped shelf? who calls it?",
            "if seal_jar gets an optional parameter, which callers do I have to change?",
            "which places need to be adapted when seal_jar returns another value?",
        ):
            found = engine.assemble(AssembleRequest(question, 8_000))
            assert {one.path for one in found.components} == {*users, "press/seal.py"}


@pytest.mark.parametrize(
    "question",
    [
        "remove sealJar from JarPress",
        "what breaks if I delete `sealJar` from the class `JarPress`?",
        "who calls JarPress's sealJar?",
    ],
)
def test_a_member_of_a_type_that_is_named_is_one_subject(tmp_path: Path, question: str) -> None:
    users = {
        f"shop/{topic}.ts": f"export const {topic} = (press) => press.sealJar('{topic}');\n"
        for topic in TOPICS
    }
    owners = {
        f"jars/{topic}.ts": f"export const keep_{topic} = new JarPress('{topic}');\n" for topic in TOPICS
    }
    press = "export class JarPress {\n  sealJar(jar) {\n    return jar + 'wax';\n  }\n}\n"
    with opened(write(tmp_path, {**users, **owners, "press.ts": press})) as engine:
        found = engine.assemble(AssembleRequest(question, 8_000))
        assert {one.path for one in found.components if one.type == "semantic"} == {*users, "press.ts"}


def test_who_asks_for_users_of_a_name_gets_no_entity_that_is_called_by_a_part_of_it(tmp_path: Path) -> None:
    others = "".join(f"int note_{at}(int times)\n{{\n    return times * {at};\n}}\n\n" for at in range(40))
    files = {
        "press/roll.c": "void press_roll_turn(int times)\n{\n    turn(times);\n}\n",
        "press/main.c": (
            f"struct press_roll {{\n    int width;\n    int speed;\n}};\n\n{others}"
            "int main(void)\n{\n    press_roll_turn(4);\n}\n"
        ),
    }
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest("who calls press_roll_turn?"))
    assert {one.path for one in found.components} == {"press/roll.c", "press/main.c"}
    assert not [one for one in found.components if one.type is Section.ENTITY]


def test_what_is_called_like_words_of_the_question_is_no_entity_beside_the_code(tmp_path: Path) -> None:
    others = "".join(f"def note_{at}(times):\n    return times * {at}\n\n\n" for at in range(60))
    turn = 'def turn(times):\n    """Turn the roll of the press so many times."""\n    motor.run(times)\n'
    files = {"press/run.py": f"{others}press_roll = 4\n\n\n{others}{turn}"}
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest("where is the press roll turned?", 300))
    assert "motor.run(times)" in found.content
    assert not [one for one in found.components if one.type is Section.ENTITY]


def test_what_a_report_names_is_shown_as_code_or_not_at_all(tmp_path: Path) -> None:
    others = "".join(f"def note_{at}(times):\n    return times * {at}\n\n\n" for at in range(60))
    fold = "def fold_sheet(sheet):\n    return sheet.{}\n\n\n"
    files = {f"press/{topic}/fold.py": others + fold.format(topic) + others for topic in TOPICS[:9]}
    report = "Sheets come out blank\n\nSince yesterday `fold_sheet` does nothing.\nThe log says:\nWARN no sheet at all\n"
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest(report))
    assert {one.type for one in found.components} == {Section.SEMANTIC}


@pytest.mark.parametrize("question", ["who calls $jarPress->sealJar()?", "who calls sealJar?"])
def test_who_asks_for_users_of_one_name_is_not_told_which_tests_its_files_have(
    tmp_path: Path, question: str
) -> None:
    files = {
        "jars/JarPress.php": "<?php\nnamespace Jars;\n\nclass JarPress {\n    function sealJar($jar) {\n"
        "        return $jar;\n    }\n}\n",
        "jars/Shop.php": "<?php\nnamespace Jars;\n\nuse Jars\\JarPress;\n\nclass Shop {\n    function sell($jar) {\n"
        "        return $this->jarPress->sealJar($jar);\n    }\n}\n",
        "tests/ShopTest.php": "<?php\nnamespace Tests;\n\nuse Jars\\Shop;\n\nclass ShopTest {\n"
        "    function testSelling() {\n        return new Shop();\n    }\n}\n",
    }
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest(question)).components
    assert {one.path for one in found if one.type is Section.SEMANTIC} == {
        "jars/JarPress.php",
        "jars/Shop.php",
    }
    assert not [one for one in found if " tests " in one.source]
