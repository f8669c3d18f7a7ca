"""Small shops, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contextls.engine import Engine
from contextls.memory.knowledge.base import Knowledge

from ..workspaces import SHOP, knowledge_of, opened, write


@pytest.fixture(scope="module")
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine on the shop with ``MORE`` files of the module."""
    with opened(write(tmp_path_factory.mktemp("shop"), {**SHOP, **request.module.MORE})) as engine:
        yield engine


@pytest.fixture(scope="module")
def knowledge(engine: Engine) -> Knowledge:
    """Its entities and relations."""
    return knowledge_of(engine)
