"""Implementations are shown for the words of their interface, and before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.model import AssembleRequest, Context

from ..memory.workspaces import opened, write
from .digest import TOPICS, paths

QUESTION = "where is the number of letters in the mailbox of a reader limited?"
COMMENT = "Limits the number of letters that the mailbox of a reader may hold."
BODY = "if (slots.Count >= most) { throw new Full(); }\n        slots.Add(note);"
BESIDE = {
    f"things/{topic}.cs": f"public class {topic.title()}\n{{\n    public int Polish{topic.title()}(int count)\n    {{\n"
    f"        return count * {number};\n    }}\n}}\n"
    for number, topic in enumerate(TOPICS)
}
WORKSPACES = {
    "csharp": {
        "api/IPostOffice.cs": f"public interface IPostOffice\n{{\n    /// <summary>{COMMENT}</summary>\n"
        "    void Accept(Note note);\n}\n",
        "office/Rooms.cs": "public class Rooms : IPostOffice\n{\n    /// <inheritdoc />\n"
        f"    public void Accept(Note note)\n    {{\n        {BODY}\n    }}\n}}\n",
    },
    "java": {
        "api/PostOffice.java": f"public interface PostOffice {{\n    /** {COMMENT} */\n    void accept(Note note);\n}}\n",
        "office/Rooms.java": "class Rooms implements PostOffice {\n    @Override\n    public void accept(Note note) {\n"
        f"        {BODY}\n    }}\n}}\n",
    },
    "kotlin": {
        "api/PostOffice.kt": f"interface PostOffice {{\n    /** {COMMENT} */\n    fun accept(note: Note)\n}}\n",
        "office/Rooms.kt": "class Rooms : PostOffice {\n    override fun accept(note: Note) {\n"
        "        if (slots.size >= most) throw Full()\n        slots.add(note)\n    }\n}\n",
    },
    "swift": {
        "api/PostOffice.swift": f"protocol PostOffice {{\n    /// {COMMENT}\n    func accept(note: Note)\n}}\n",
        "office/Rooms.swift": "final class Rooms: PostOffice {\n    func accept(note: Note) {\n"
        "        guard slots.count < most else { return }\n        slots.append(note)\n    }\n}\n",
    },
    "rust": {
        "api/post_office.rs": f"pub trait PostOffice {{\n    /// {COMMENT}\n    fn accept(&mut self, note: Note);\n}}\n",
        "office/rooms.rs": "impl PostOffice for Rooms {\n    fn accept(&mut self, note: Note) {\n"
        "        assert!(self.slots.len() < self.most);\n        self.slots.push(note);\n    }\n}\n",
    },
    "php": {
        "api/PostOffice.php": f"<?php\ninterface PostOffice\n{{\n    /** {COMMENT} */\n"
        "    public function accept(Note $note): void;\n}\n",
        "office/Rooms.php": "<?php\nclass Rooms implements PostOffice\n{\n    public function accept(Note $note): void\n"
        "    {\n        if (count($this->slots) >= $this->most) { throw new Full(); }\n        $this->slots[] = $note;\n"
        "    }\n}\n",
    },
}
OTHER = """public class Vault : IPostOffice
{
    public void Accept(Note note)
    {
        drawers.Put(note);
    }
}
"""


def ask(root: Path, files: dict[str, str], question: str = QUESTION) -> Context:
    with opened(write(root, {**BESIDE, **files})) as engine:
        return engine.assemble(AssembleRequest(question))


@pytest.mark.parametrize("language", WORKSPACES)
def test_what_implements_a_member_comes_for_the_words_of_that_and_before_it(
    tmp_path: Path, language: str
) -> None:
    interface, implementing = WORKSPACES[language]
    context = ask(tmp_path, WORKSPACES[language])
    assert paths(context)[:2] == [implementing, interface]
    assert "implements `" in context.components[0].why


def test_of_an_interface_that_several_types_implement_none_is_picked(tmp_path: Path) -> None:
    context = ask(tmp_path, {**WORKSPACES["csharp"], "office/Vault.cs": OTHER})
    assert paths(context)[0] == "api/IPostOffice.cs"
    assert not any("implements `" in one.why for one in context.components)


def test_what_stands_in_for_an_implementation_in_tests_is_none(tmp_path: Path) -> None:
    context = ask(tmp_path, {**WORKSPACES["csharp"], "tests/VaultTests.cs": OTHER})
    assert paths(context)[0] == "office/Rooms.cs"


def test_of_many_members_in_one_piece_those_count_that_the_question_is_about(tmp_path: Path) -> None:
    names = ("Open", "Close", "Paint", "Sweep")
    declared = "".join(f"    void {name}(int hour);\n" for name in names)
    body = "        walls.Touch(hour);\n" * 30
    defined = "".join(f"    public void {name}(int hour)\n    {{\n{body}    }}\n" for name in names)
    files = {
        path: text.removesuffix("}\n") + (declared if path.startswith("api/") else defined) + "}\n"
        for path, text in WORKSPACES["csharp"].items()
    }
    context = ask(tmp_path, files)
    found = [one for one in context.components if one.path == "office/Rooms.cs"]
    assert any("slots.Add" in one.content for one in found)
    assert not any("walls.Touch" in one.content for one in found if "implements" in one.why)


def test_who_changes_a_member_sees_what_declares_it(tmp_path: Path) -> None:
    context = ask(
        tmp_path, WORKSPACES["csharp"], "limit the number of letters in the mailbox of a reader to 20"
    )
    assert {"api/IPostOffice.cs", "office/Rooms.cs"} <= set(paths(context))
