"""Import LanceDB without the client for its remote catalogs, which is two thirds of what importing it costs.

That client is some two hundred generated pydantic models, in memory for good once they are loaded; a table in a local
folder needs none of them. While LanceDB is imported, a placeholder stands for each, and becomes the real class when
it is used after all.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLIENT = "lance_namespace_urllib3_client"
_importing = Lock()


def import_lancedb() -> Any:  # noqa: ANN401 - lancedb ships no types
    """The module ``lancedb``, imported at the first call."""
    with _importing:
        if "lancedb" in sys.modules or _CLIENT in sys.modules:
            return import_module("lancedb")
        finder = _PlaceholderFinder()
        sys.meta_path.insert(0, finder)
        try:
            return import_module("lancedb")
        finally:
            sys.meta_path.remove(finder)
            for name in [name for name, module in sys.modules.items() if isinstance(module, _Placeholders)]:
                del sys.modules[name]  # whoever imports the client from now on gets it


class _Placeholder(type):
    """A class of the client that is loaded when it is used."""

    def __call__(cls, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever the class takes
        return cls._real()(*arguments, **named)

    def __getattr__(cls, name: str) -> Any:  # noqa: ANN401 - whatever the class has
        if name.startswith("__"):  # asked for by whoever inspects annotations, which must stay cheap
            raise AttributeError(name)
        return getattr(cls._real(), name)

    def __instancecheck__(cls, instance: object) -> bool:
        return _CLIENT in sys.modules and isinstance(instance, cls._real())

    def _real(cls) -> Any:  # noqa: ANN401 - a class that this package does not know
        return getattr(import_module(cls.__module__), cls.__name__)


class _Placeholders(ModuleType):
    """A module that has a placeholder for every class that is imported from it."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Placeholder(name, (), {"__module__": self.__name__})


class _PlaceholderFinder(MetaPathFinder, Loader):
    """Finds the modules of the client, and gives placeholders."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - as Python calls it
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Where a module comes from: here, if it is one of the client."""
        if fullname.partition(".")[0] != _CLIENT:
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A module of placeholders."""
        return _Placeholders(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """A placeholder has nothing to run."""
