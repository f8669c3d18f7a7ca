"""Recognises the errors by which Python and its libraries report a lack of memory or threads."""

from __future__ import annotations

import errno

from contextls.errors import ResourceError

_CANNOT_LOAD = ("failed to map segment", "cannot allocate", "out of memory")
_NO_THREAD = "can't start new thread"


def find_shortage(error: Exception) -> ResourceError | None:
    """The want of memory, or of threads, that ``error`` tells of; ``None`` where it tells of something else."""
    said = str(error).lower()
    if isinstance(error, RuntimeError) and _NO_THREAD in said:
        return ResourceError(
            f"the system refused another thread; allow more memory{_limit('RLIMIT_AS', '-v', 1024, ' KB')} "
            f"or more processes{_limit('RLIMIT_NPROC', '-u', 1, '')}"
        )
    is_memory = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
    if is_memory or (isinstance(error, ImportError) and any(words in said for words in _CANNOT_LOAD)):
        return ResourceError(
            f"not enough memory; end other programs, or allow more{_limit('RLIMIT_AS', '-v', 1024, ' KB')}"
        )
    return None


def _limit(name: str, option: str, unit: int, named: str) -> str:
    """The limit of this process, as the shell's ``ulimit`` shows it; empty where there is none."""
    try:
        import resource
    except ImportError:  # on Windows
        return ""
    limit, _ = resource.getrlimit(getattr(resource, name))
    return "" if limit == resource.RLIM_INFINITY else f" (ulimit {option} is {limit // unit}{named})"
