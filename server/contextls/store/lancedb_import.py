"""Import LanceDB without what connects it to other machines, which is three quarters of what importing it costs.

Most of that is some two hundred generated pydantic models, in memory for good once they are loaded; a table in a local
folder needs none of them. While LanceDB is imported, a placeholder stands for each class and function, and leads to
the real one when it is used after all.
"""

from __future__ import annotations

import logging
import os
import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_REMOTE = ("lance_namespace_urllib3_client", "lancedb.namespace", "lancedb.remote.db")
_importing = Lock()
log = logging.getLogger(__name__)


def import_lancedb() -> Any:  # noqa: ANN401 - lancedb ships no types
    """The module ``lancedb``, imported at the first call. It writes no more than errors to standard error."""
    with _importing:
        if "lancedb" in sys.modules:
            return import_module("lancedb")
        os.environ.setdefault("LANCE_LOG", "error")
        finder = _PlaceholderFinder()
        sys.meta_path.insert(0, finder)
        try:
            return import_module("lancedb")
        except Exception:  # a version that cannot do without them
            log.debug("LanceDB is imported as a whole", exc_info=True)
            _forget(_is_half_imported)
        finally:
            sys.meta_path.remove(finder)
            # Later imports of one of them get the real one.
            _forget(lambda name: isinstance(sys.modules[name], _Placeholders))
        return import_module("lancedb")


def _is_half_imported(name: str) -> bool:
    # A compiled module loads once in a process; it stays.
    return name.partition(".")[0] in ("lancedb", "lance_namespace") and not name.endswith("._lancedb")


def _forget(unwanted: Callable[[str], bool]) -> None:
    for name in list(filter(unwanted, sys.modules)):
        del sys.modules[name]


class _Placeholder(type):
    """A class or a function whose module is imported when it is used."""

    def __call__(cls, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever it takes
        return cls._real()(*arguments, **named)

    def __getattr__(cls, name: str) -> Any:  # noqa: ANN401 - whatever it has
        if name.startswith("__"):  # asked for where annotations are inspected, which must stay cheap
            raise AttributeError(name)
        return getattr(cls._real(), name)

    def __instancecheck__(cls, instance: object) -> bool:
        return cls.__module__ in sys.modules and isinstance(instance, cls._real())

    def _real(cls) -> Any:  # noqa: ANN401 - this package does not know it
        return getattr(import_module(cls.__module__), cls.__name__)


class _Placeholders(ModuleType):
    """A module that has a placeholder for whatever is imported from it."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Placeholder(name, (), {"__module__": self.__name__})


class _PlaceholderFinder(MetaPathFinder, Loader):
    """Finds the modules that lead to other machines, and gives placeholders."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - as Python calls it
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """The origin of a module: here, if it leads to other machines."""
        if not any(f"{fullname}.".startswith(f"{name}.") for name in _REMOTE):
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A module of placeholders."""
        return _Placeholders(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """A placeholder has nothing to run."""
