"""What importing LanceDB brings along."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CLIENT = "lance_namespace_urllib3_client"
REMOTE = {CLIENT, "lancedb.namespace", "lancedb.remote.db"}


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_local_table_is_written_and_read_without_what_leads_to_other_machines(tmp_path: Path) -> None:
    program = f"""
import sys
import pyarrow
from contextls.store.lancedb_import import import_lancedb

database = import_lancedb().connect({str(tmp_path)!r})
table = database.create_table("t", schema=pyarrow.schema([("n", pyarrow.int64())]))
table.add([{{"n": 1}}, {{"n": 2}}])
table.delete("n = 1")
table.optimize()
print(table.search().limit(None).to_arrow().column("n").to_pylist(), {REMOTE!r} & sys.modules.keys())
"""
    assert run(program) == "[2] set()"


@pytest.mark.parametrize("first", ["", f"import {CLIENT}.models"])
def test_who_uses_it_after_all_gets_the_real_one(first: str) -> None:
    program = f"""
{first}
from contextls.store.lancedb_import import import_lancedb
import_lancedb()
from lance_namespace import ListTablesRequest

request = ListTablesRequest(id=["a"], limit=3)
print(request.limit, isinstance(request, ListTablesRequest), isinstance(3, ListTablesRequest))
print(ListTablesRequest.from_dict({{"limit": 4}}).limit)
from {CLIENT}.models import ListTablesRequest as Real
print(type(request) is Real)
"""
    assert run(program) == "3 True False\n4\nTrue"


def test_a_connection_to_another_machine_is_a_real_one() -> None:
    program = """
from contextls.store.lancedb_import import import_lancedb
database = import_lancedb().connect("db://shop", api_key="none", region="nowhere")
from lancedb.remote.db import RemoteDBConnection
print(isinstance(database, RemoteDBConnection), database.db_name)
"""
    assert run(program) == "True shop"


def test_a_version_that_needs_what_is_left_out_is_imported_as_a_whole(tmp_path: Path) -> None:
    program = f"""
from contextls.store import lancedb_import

class Strange(type):
    def __new__(cls, name, bases, members):
        raise TypeError("a placeholder does not do here")

lancedb_import._Placeholder = Strange
database = lancedb_import.import_lancedb().connect({str(tmp_path)!r})
print(database.create_table("t", data=[{{"n": 1}}]).count_rows())
"""
    assert run(program) == "1"
