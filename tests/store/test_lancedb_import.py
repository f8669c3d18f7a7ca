"""What importing LanceDB brings along."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CLIENT = "lance_namespace_urllib3_client"


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_local_table_is_written_and_read_without_the_client_for_remote_catalogs(tmp_path: Path) -> None:
    program = f"""
import sys
import pyarrow
from contextls.store.lancedb_import import import_lancedb

database = import_lancedb().connect({str(tmp_path)!r})
table = database.create_table("t", schema=pyarrow.schema([("n", pyarrow.int64())]))
table.add([{{"n": 1}}, {{"n": 2}}])
table.delete("n = 1")
table.optimize()
print(table.search().limit(None).to_arrow().column("n").to_pylist(), "{CLIENT}" in sys.modules)
"""
    assert run(program) == "[2] False"


@pytest.mark.parametrize("first", ["", f"import {CLIENT}.models"])
def test_who_uses_the_client_after_all_gets_the_real_one(first: str) -> None:
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
