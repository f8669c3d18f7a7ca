"""The request says how a conversation is read, else the conversation, else the settings."""

from __future__ import annotations

import pytest

from contextls.errors import ContextLimitError
from contextls.memory.conversations.reading_rules import ReadingRules, reading_rules
from contextls.model import Preferences, Truncation
from contextls.settings import Settings


def test_without_a_word_the_settings_hold_and_they_are_the_specifications() -> None:
    assert reading_rules(Settings(), Preferences()) == ReadingRules(Truncation.TRUNCATE_MIDDLE, 4, 1024)


def test_a_tree_goes_before_the_settings_and_a_request_before_both() -> None:
    settings = Settings(truncation_strategy="stopAtLimit", minimum_recent_nodes=2, token_buffer=10)
    tree = Preferences(Truncation.ROLLING_WINDOW, 6)
    assert reading_rules(settings, tree) == ReadingRules(Truncation.ROLLING_WINDOW, 6, 10)
    request = Preferences(Truncation.TRUNCATE_MIDDLE, None, 0)
    assert reading_rules(settings, tree, request) == ReadingRules(Truncation.TRUNCATE_MIDDLE, 6, 0)


def test_the_buffer_is_left_of_the_limit() -> None:
    rules = reading_rules(Settings(), Preferences())
    assert rules.limit(8_000) == 6_976
    with pytest.raises(ContextLimitError, match="1,024 tokens are reserved for the answer"):
        rules.limit(1_024)
