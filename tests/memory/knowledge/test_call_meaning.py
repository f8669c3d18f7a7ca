"""Which definition a call means, where several have its name."""

from __future__ import annotations

from pathlib import Path

from contextls.memory.knowledge.base import Knowledge

from ..workspaces import knowledge_of, opened, write

DEPOT = {
    "depot/shelf.rb": """class Shelf
  def room?(count)
    free >= count
  end

  def free
    capacity - taken
  end

  def taken = 1
end
""",
    "depot/drawer.rb": "class Drawer\n  def room?(count)\n    count < 3\n  end\nend\n",
    "depot/orders/line.rb": "class Line\n  def fits?\n    Shelf.new(spot).room?(amount)\n  end\nend\n",
    "depot/orders/note.rb": "class Note\n  def fits?\n    box.room?(1)\n  end\nend\n",
    "depot/clerk.rb": "class Clerk\n  def ask\n    Shelf.new(spot).room?(amount)\n  end\nend\n",
}


def calls_to(knowledge: Knowledge, entity: str) -> set[str]:
    return {one.source for one in knowledge.edges(entity) if one.type == "calls" and one.target == entity}


def test_a_method_is_called_where_its_type_is_named(tmp_path: Path) -> None:
    with opened(write(tmp_path, DEPOT)) as engine:
        knowledge = knowledge_of(engine)
        callers = {"depot/orders/line.rb#Line.fits?", "depot/clerk.rb#Clerk.ask"}
        assert calls_to(knowledge, "depot/shelf.rb#Shelf.room?") == callers
        assert calls_to(knowledge, "depot/drawer.rb#Drawer.room?") == set()


def test_ruby_calls_the_methods_of_a_file_without_parentheses(tmp_path: Path) -> None:
    with opened(write(tmp_path, DEPOT)) as engine:
        knowledge = knowledge_of(engine)
        assert calls_to(knowledge, "depot/shelf.rb#Shelf.free") == {"depot/shelf.rb#Shelf.room?"}
        assert calls_to(knowledge, "depot/shelf.rb#Shelf.taken") == {"depot/shelf.rb#Shelf.free"}


def test_the_member_of_another_type_is_not_that_of_the_same_name_here(tmp_path: Path) -> None:
    files = {
        "src/watch.rs": "pub struct Watch;\n\nimpl Watch {\n    pub fn new() -> Self {\n        Watch\n    }\n\n"
        "    fn hash(&self) {\n        Hasher::new();\n    }\n\n"
        "    fn again(&self) {\n        Watch::new();\n    }\n}\n",
        "src/hasher.rs": "pub struct Hasher;\n\nimpl Hasher {\n    pub fn new() -> Self {\n        Hasher\n    }\n}\n",
    }
    with opened(write(tmp_path, files)) as engine:
        knowledge = knowledge_of(engine)
        assert calls_to(knowledge, "src/watch.rs#Watch.new") == {"src/watch.rs#Watch.again"}
        assert calls_to(knowledge, "src/hasher.rs#Hasher") == {"src/watch.rs#Watch.hash"}
