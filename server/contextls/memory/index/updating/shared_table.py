"""Preloaded by the fork server where our own embedder is used: its table is read once, and workers share the memory."""

from __future__ import annotations

from contextls.models.embedders.static import static_table

static_table()
