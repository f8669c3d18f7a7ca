"""Preloaded by the fork server: the rules of secrets and languages that each worker would read for itself."""

from __future__ import annotations

from contextls.code.languages import default_languages
from contextls.memory.index.segments.analysis import text_to_index

default_languages().language_of("")
text_to_index("total = 1")
