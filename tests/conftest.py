"""Fixtures that all tests share."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer

from .named_tests import NamedTests
from .schedule import Schedule, place_of

if TYPE_CHECKING:
    from .models.endpoints import Endpoint

# What takes a moment alone may take a hundred times as long beside other work; tests that bound a time say so themselves.
_ANY_SPEED = settings(deadline=None, suppress_health_check=(HealthCheck.too_slow,))
# How many examples a property gets, unless one of its examples is so slow that the test names a smaller number.
settings.register_profile("every run", _ANY_SPEED, max_examples=30)
settings.register_profile("long", _ANY_SPEED, max_examples=500)
settings.load_profile("every run")


def pytest_addoption(parser: pytest.Parser) -> None:
    """An option of ``tests/golden`` that any run takes: pytest asks only this file before it knows which tests run."""
    group = parser.getgroup("golden prompts")
    group.addoption(
        "--update-golden", action="store_true", help="rewrite the prompts in tests/golden/prompts"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Look after the tests that docs/seeds.md names, in the process that hears of all that ran."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(NamedTests(config))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes longest first."""
    items.sort(key=lambda item: place_of(item.nodeid))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among the tests, neither while they are collected nor later: they stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Schedule | None:
    """Share out files as ``--dist loadfile`` does, in the order of the items."""
    if config.getoption("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False
    return Schedule(config, log)


@pytest.fixture(scope="session", autouse=True)
def contextls_home() -> Iterator[Path]:
    """Keep state and caches out of the user's folders, for this process and those that it starts."""
    home = Path(tempfile.mkdtemp(prefix="contextls-home-"))
    before = os.environ.get("CONTEXTLS_HOME")
    os.environ["CONTEXTLS_HOME"] = str(home)
    yield home
    if before is None:
        del os.environ["CONTEXTLS_HOME"]
    else:
        os.environ["CONTEXTLS_HOME"] = before
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A model's endpoint on this machine, which a test may hold up or let misbehave."""
    from .models.endpoints import serving  # not there where tests of these fixtures copy this file

    with serving() as server:
        yield server
