"""Preloaded by the fork server: a grammar that one worker compiled is there for all that start later.

A query takes up to a quarter of a second to compile, longer than most files take to parse. Workers say what they compiled,
and the fork server, which parses nothing itself, compiles it once more before it starts the next.
"""

from __future__ import annotations

import contextlib
import os

from contextls.code.language_facts import GrammarError
from contextls.code.languages import Languages, default_languages

_MAX_BYTES = 65536  # as much as a pipe holds


def _compile_before_forks(languages: Languages) -> None:
    said, saying = os.pipe()
    for end in (said, saying):
        os.set_blocking(end, False)
    fork_server = os.getpid()

    def say(language: str) -> None:
        if os.getpid() != fork_server:
            with contextlib.suppress(OSError):  # nobody reads: no other worker was started for long
                os.write(saying, f"{language}\n".encode())

    def compile_what_was_said() -> None:
        if os.getpid() != fork_server:
            return
        with contextlib.suppress(BlockingIOError):
            for language in dict.fromkeys(os.read(said, _MAX_BYTES).decode(errors="replace").split()):
                with contextlib.suppress(GrammarError):
                    languages.grammar(language)

    languages.on_compiled = say
    os.register_at_fork(before=compile_what_was_said)


if hasattr(os, "register_at_fork"):
    _compile_before_forks(default_languages())
