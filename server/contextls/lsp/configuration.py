"""Settings as a client gives them: in ``initialize``, later by ``workspace/didChangeConfiguration``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.settings_merge import merge_valid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contextls.settings import Settings

SECTION = "contextls"
# Where a server that listens on a port looks for the client's token.
TOKEN = "token"  # noqa: S105 - the name of a field
# Whether the user trusts the folders that are open, as an editor asks its user.
TRUSTED = "trusted"
# No settings of ours: the first is read by editors themselves.
_CLIENTS_OWN = frozenset({"trace", TOKEN, TRUSTED})


class Configuration:
    """The settings in force: defaults, then the options of ``initialize``, then the newest section."""

    def __init__(self, base: Settings) -> None:
        self.settings = base
        self._base = base
        self.trusted: bool | None = None

    def initialize(self, options: object) -> list[str]:
        """Take ``initializationOptions``: the settings, or an object with them as section ``contextls``."""
        self.trusted = _trust(options)
        problems, self._base = _apply(self._base, _section(options), "initializationOptions")
        self.settings = self._base
        return problems

    def change(self, settings: object) -> list[str]:
        """Take a new section, which replaces the one before. Returns what was wrong with it, in words."""
        trusted = _trust(settings)
        self.trusted = self.trusted if trusted is None else trusted
        problems, self.settings = _apply(self._base, _section(settings), SECTION)
        return problems


def _section(given: object) -> object:
    if isinstance(given, dict) and SECTION in given:
        return given[SECTION]
    return given


def _trust(given: object) -> bool | None:
    """Whether the client trusts the folders that it opens; ``None`` where it does not say."""
    section = _section(given)
    trusted = section.get(TRUSTED) if isinstance(section, dict) else None
    return trusted if isinstance(trusted, bool) else None


def _apply(base: Settings, given: object, origin: str) -> tuple[list[str], Settings]:
    if given is None:
        return [], base
    if not isinstance(given, dict):
        return [f"{origin}: expected an object of settings, got {type(given).__name__}"], base
    settings, problems = merge_valid(base, _without_nulls(given))
    return problems, settings


def _without_nulls(given: Mapping[object, object]) -> dict[str, object]:
    return {str(key): value for key, value in given.items() if value is not None and key not in _CLIENTS_OWN}
