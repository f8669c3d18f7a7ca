"""Of a pasted log, the line that is unlike the others is what the question is about."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from contextls.engine import Engine
from contextls.memory.index.query.pasted_logs import read_log, without_fields
from contextls.memory.index.query.search_query import prepare_query
from contextls.memory.index.terms import TermSplitter

from ..workspaces import found, opened, write

FILES = {
    "shop/orders.py": "def process_order(worker, order, customer):\n"
    '    """The worker has processed the order of the customer and stored it in the queue."""\n'
    '    log.info("worker %s processed order %s for %s, stored in queue", worker, order, customer)\n',
    "shop/requests.py": "def handle_request(method, path):\n"
    '    log.info("request GET %s handled in %d ms for customer", path, 12)\n',
    "shop/ledger.py": "def settle(account):\n"
    '    log.info("balance of account drifted by %s cents, settling again", account.drift)\n',
    "shop/mail.py": "def send(letter):\n    return post(letter)\n",
}
PEOPLE = ("alice", "bob", "carol", "dave", "erin")
ODD = "balance of account 77 drifted by 3 cents, settling again"


def info(number: int) -> str:
    stamp = f"2026-03-04 10:{number // 60:02}:{number % 60:02},123"
    if number % 3:
        return f"{stamp} INFO worker {number % 7} processed order A{number} for {PEOPLE[number % 5]}, stored in queue"
    return f"{stamp} INFO request GET /orders/{number} handled in {number % 40} ms for customer {PEOPLE[number % 4]}"


def log(odd: str, at: int = 97) -> str:
    lines = [info(number) for number in range(160)]
    return "\n".join([*lines[:at], odd, *lines[at:]]) if odd else "\n".join(lines)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("logs"), FILES)) as engine:
        yield engine


@pytest.mark.parametrize("before", ["", "why does this happen?\n\n", "Log of last night:\n\n```\n"])
@pytest.mark.parametrize("level", ["INFO", "WARN", "ERROR"])
def test_the_odd_line_of_a_log_leads(engine: Engine, before: str, level: str) -> None:
    text = before + log(f"2026-03-04 10:01:36,900 {level} {ODD}")
    assert found(engine, text)[0] == "shop/ledger.py"


@pytest.mark.parametrize(
    "begin",
    [
        "[4711] 2026/03/04 10:01:36.900 [INF]",
        "[4711] 2026/03/04 10:01:36.900 [WRN]",
        "W0304 10:01:36.900 4711",
    ],
)
def test_lines_with_a_process_before_the_time_are_logged(begin: str) -> None:
    lines = [f"{begin} worker {number} processed order A{number}" for number in range(20)]
    lines[7] = f"{begin} {ODD}"
    assert read_log(lines).odd == {7}


def test_a_log_without_an_odd_line_is_about_its_routine(engine: Engine) -> None:
    assert (
        found(engine, "\n".join(line for line in log("").splitlines() if "worker" in line))[0]
        == "shop/orders.py"
    )


def test_only_what_stands_out_is_odd() -> None:
    lines = log(f"2026-03-04 10:01:36,900 INFO {ODD}").splitlines()
    assert read_log(lines).odd == {97}
    assert len(read_log(lines).routine) == 160


def test_errors_that_fill_a_log_are_its_routine() -> None:
    lines = [f"2026-03-04 10:00:{n % 60:02} ERROR connection {n} refused by the queue" for n in range(60)]
    lines[30] = "2026-03-04 10:00:30 INFO rotating certificates, dropping sessions"
    assert read_log(lines).odd == {30}


def test_prose_and_traces_are_no_log() -> None:
    text = "\n".join(f"The {n}th reason why I think that the error is yours." for n in range(40))
    assert not read_log(text.splitlines()).routine


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('12:44Z ERR error="no such cart" entryPoint=web router=app', '12:44Z ERR "no such cart" web app'),
        ("level=warn msg=late", "warn late"),
        ("why is x=1 here?", "why is x=1 here?"),  # one is no log
        ("a == b and c != d", "a == b and c != d"),
        ("timeout = 3, retries = 5", "timeout = 3, retries = 5"),
    ],
)
def test_of_the_fields_of_a_log_only_what_they_hold_is_read(line: str, told: str) -> None:
    assert without_fields(f"the log says\n{line}\n") == f"the log says\n{told}\n"


def test_the_name_of_a_field_is_no_name_of_code() -> None:
    asked = 'the log says\nERR error="no such cart" entryPointName=web routerName=app@docker\nwhy?'
    query = prepare_query(asked, TermSplitter(), np.zeros(4, np.float32))
    assert query.text == asked
    assert not {"entryPointName", "routerName"} & {*query.identifiers}
    assert "router" not in {term.text for term in query.terms}
