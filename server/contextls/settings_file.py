"""The user's file of settings: what holds of it, and what is wrong in it.

``settings.toml`` lies in the platform's configuration folder or in ``CONTEXTLS_HOME``; its keys are the wire names. A fault
in it leaves the rest of it in force.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from contextls.schema.names import wire_name
from contextls.settings import Settings
from contextls.settings_merge import merge_valid
from contextls.toml_text import parse_toml
from contextls.workspace.regular_file import SETTINGS_BYTES, read_text
from contextls.workspace.state_folders import chosen_home, platform_folder

# What holds for these settings while a file, or a table in it, is not read: it may ask for just that. Only permissions are
# not thought of: all questions would have to be refused.
_SAFE: dict[str, Any] = {
    "memory_paused": True,
    "package_sources": (),
    "event_retention_days": 0,
    "event_max_count": 0,
    "event_max_bytes": 0,
    "conversation_retention_days": 0,
    "conversation_max_bytes": 0,
}
_UNTIL_RIGHT = "until it is put right, nothing is recorded and nothing old is deleted"


class UserSettings(Struct, frozen=True):
    """The settings that hold, and the faults of the file they come from, each in one line without the file's name."""

    settings: Settings
    source: str
    faults: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """A line for each fault."""
        return tuple(f"{self.source}: {fault}" for fault in self.faults)

    @property
    def summary(self) -> str:
        """One line for all faults; empty without any."""
        if len(self.faults) < 2:
            return "".join(self.warnings)
        numbered = (f"({number}) {fault}" for number, fault in enumerate(self.faults, 1))
        return f"{self.source}: {len(self.faults)} faults: {' '.join(numbered)}"


def user_file() -> Path:
    """The path of the user's settings; the file need not exist. Raises ``InvalidRequestError``."""
    home = chosen_home()
    if home is not None:
        return home / "settings.toml"
    return platform_folder("config") / "settings.toml"


def read_user_settings() -> UserSettings:
    """The defaults with what is right in the user's file on top; the defaults alone when there is none.

    Raises ``InvalidRequestError`` where the file has no place.
    """
    file = user_file()
    try:
        given = parse_toml(read_text(file, SETTINGS_BYTES))
    except (FileNotFoundError, NotADirectoryError):
        return UserSettings(Settings(), str(file))
    except OSError as error:
        fault = f"expected a file that can be read ({error.strerror})"
    except RecursionError:
        fault = "expected TOML (nested too deeply)"
    except ValueError as error:
        fault = f"expected TOML ({error})"
    else:
        settings, faults = _merge(given)
        return UserSettings(settings, str(file), tuple(faults))
    return UserSettings(
        Settings(**_SAFE), str(file), (f"{fault}; none of its settings holds; {_UNTIL_RIGHT}",)
    )


def _merge(given: dict[str, Any]) -> tuple[Settings, list[str]]:
    """The settings of a file, and its faults."""
    known = {wire_name(name) for name in Settings.__struct_fields__}
    tables = [key for key, value in given.items() if isinstance(value, dict) and key not in known]
    settings, faults = merge_valid(
        Settings(), {key: value for key, value in given.items() if key not in tables}
    )
    faults = [fault.removeprefix("contextls.") for fault in faults]
    if tables:  # any setting may lie in there, and is not read
        unsaid = {name: value for name, value in _SAFE.items() if wire_name(name) not in given}
        settings = replace(settings, **unsaid)
    return settings, faults + [
        f"{key}: expected the settings without a table around them; {_UNTIL_RIGHT}" for key in tables
    ]
