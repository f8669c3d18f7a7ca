"""One ``Engine`` per workspace: the whole public Python API. Only types of ``model`` cross this border."""

from contextls.engine.engine import Engine

__all__ = ["Engine"]
