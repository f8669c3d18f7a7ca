"""Servers: what runs until a user stops it, so that how it ends says nothing of what it met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contextls.memory.events.programs import is_work, program_of, unwrap
from contextls.memory.events.shell_line import steps_of
from contextls.text.word_set import word_set

_ALWAYS = word_set(
    "browser-sync daphne gunicorn http.server http-server hypercorn json-server live-server nodemon puma rackup "
    "sphinx-autobuild start-storybook thin ts-node-dev unicorn uvicorn waitress-serve webpack-dev-server"
)
# Programs that serve if their first argument is one of these.
_TOLD = {
    "artisan": word_set("serve"),
    "astro": word_set("dev preview"),
    "chainlit": word_set("run"),
    "cargo": word_set("leptos watch"),
    "django-admin": word_set("runserver"),
    "docusaurus": word_set("serve start"),
    "dotnet": word_set("watch"),
    "expo": word_set("start"),
    "fastapi": word_set("dev run"),
    "flask": word_set("run"),
    "gatsby": word_set("develop serve"),
    "hugo": word_set("serve server"),
    "jekyll": word_set("s serve server"),
    "jupyter": word_set("lab notebook"),
    "mkdocs": word_set("serve"),
    "next": word_set("dev start"),
    "ng": word_set("s serve"),
    "nuxi": word_set("dev preview"),
    "nuxt": word_set("dev preview start"),
    "rails": word_set("s server"),
    "react-router": word_set("dev"),
    "react-scripts": word_set("start"),
    "remix": word_set("dev"),
    "storybook": word_set("dev"),
    "streamlit": word_set("run"),
    "symfony": word_set("serve server:start"),
    "trunk": word_set("serve"),
    "vitepress": word_set("dev preview"),
    "vue-cli-service": word_set("serve"),
    "webpack": word_set("serve"),
    "wrangler": word_set("dev"),
}
# This serves where it is not told otherwise.
_UNLESS = {"vite": word_set("build optimize")}
# Arguments that make any program a server.
_SERVING_WORDS = word_set(
    "bootRun jetty:run phx.server quarkus:dev quarkusDev runserver runserver_plus spring-boot:run"
)
# A script of these that is called so; of others, what they run tells.
_PACKAGE_MANAGERS, _SCRIPTS = word_set("bun npm pnpm yarn"), word_set("dev")
_INTERPRETERS = word_set("bun deno node php python python3 py ruby")


def serves(line: str) -> bool:
    """Whether a line of a shell runs a server."""
    steps = _work_in(line)
    inner = (each for words in steps if program_of(words[0]) == "concurrently" for each in words[1:])
    return any(map(_is_server, (*steps, *(words for each in inner for words in _work_in(each)))))


def _work_in(line: str) -> list[list[str]]:
    return [words for step in steps_of(line) if (words := unwrap(step.words)) and is_work(words)]


def _is_server(words: Sequence[str]) -> bool:
    """Whether a simple command is a server."""
    program, given = program_of(words[0]), words[1:]
    if program in _PACKAGE_MANAGERS and not _SCRIPTS.isdisjoint(_told_first(_without_run(given))):
        return True
    if program == "php" and "-S" in given:
        return True
    if program in _INTERPRETERS and given and not given[0].startswith("-"):
        program, given = program_of(given[0]).partition(".")[0], given[1:]
    if program in _UNLESS:
        return _UNLESS[program].isdisjoint(_told_first(given))
    told = _TOLD.get(program, frozenset())
    return (
        program in _ALWAYS or not told.isdisjoint(_told_first(given)) or not _SERVING_WORDS.isdisjoint(given)
    )


def _without_run(given: Sequence[str]) -> list[str]:
    return [word for word in given if word not in ("run", "run-script")]


def _told_first(given: Sequence[str]) -> Iterator[str]:
    """The first words that are no options, down to one that is not the value of an option either."""
    before = ""
    for word in given:
        if not word.startswith("-"):
            yield word
            if not before.startswith("-"):
                return
        before = word
