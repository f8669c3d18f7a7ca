"""A real VS Code server: its own data, its own settings, nothing of it left at the end."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import psutil

from .installed import installed

START_SECONDS = 60.0
AGAIN_SECONDS = (5.0, 10.0, 20.0, 40.0)
_MARK = "CONTEXTLS_TEST_EDITOR"  # every process that descends from a server carries this in its environment
_INSTALLED = "extensions.json"  # VS Code's list of what is installed, with whole paths
_LISTENING = re.compile(r"Extension host agent listening on (\d+)")

# A window that shows nothing by itself, asks nobody on the network, and draws terminals as text that can be read.
_QUIET: Mapping[str, Any] = {
    "chat.commandCenter.enabled": False,
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "extensions.ignoreRecommendations": True,
    "git.openRepositoryInParentFolders": "never",
    "json.schemaDownload.enable": False,
    "npm.fetchOnlinePackageInfo": False,
    "security.workspace.trust.startupPrompt": "always",
    "telemetry.telemetryLevel": "off",
    "editor.cursorBlinking": "solid",
    "terminal.integrated.defaultProfile.linux": "bash",
    "terminal.integrated.gpuAcceleration": "off",
    "terminal.integrated.stickyScroll.enabled": False,
    "typescript.disableAutomaticTypeAcquisition": True,
    "typescript.tsserver.useSyntaxServer": "never",
    "update.mode": "none",
    "workbench.reduceMotion": "on",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """What a server starts with.

    ``settings`` are the user's settings. ``trust`` False asks about every folder, as VS Code does; True trusts them
    all. ``vsix`` files are installed with VS Code's own installer. ``folders`` are unpacked extensions that are
    there as if installed. ``environment`` adds to the variables of the server and all that it starts.
    ``automation`` lets a window run the tests of an extension; such a window shows no notifications.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    trust: bool = True
    vsix: Sequence[Path] = ()
    folders: Sequence[Path] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    automation: bool = False


class VSCodeServer:
    """One running server with ``data`` as its only folder; ``stop`` ends it and everything that it started."""

    def __init__(self, data: Path, options: ServerOptions) -> None:
        """Start it and wait until it listens; raises ``AssertionError`` with its log when it does not."""
        self.data = data
        self.options = options
        self._mark = uuid4().hex
        self._runs = False
        self._home = data / "home"
        self._log = data / "server.log"
        self._home.mkdir(parents=True)
        self.write_settings(options.settings)
        for folder in options.folders:
            self._link(folder)
        for vsix in options.vsix:  # only later: the first installation takes stock of what is there
            self._install(vsix)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command("--host", "127.0.0.1", "--port", "0"),
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self.port = self._wait_for_port()
            self._runs = True
        except BaseException:
            self.stop()
            raise

    def write_settings(self, settings: Mapping[str, Any]) -> None:
        """Replace the user's settings; windows that are open follow.

        A busy machine's window at times misses a change of the files: they are touched again, and again.
        """
        trust = {"security.workspace.trust.enabled": not self.options.trust}
        text = json.dumps({**_QUIET, **trust, **settings}, indent=2)
        # Of this window's two sets of user settings, only the machine's may name programs of the machine.
        for path in self._settings_files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for seconds in AGAIN_SECONDS if self._runs else ():
            timer = threading.Timer(seconds, self._touch_settings)
            timer.daemon = True
            timer.start()

    @property
    def _settings_files(self) -> Sequence[Path]:
        return [self.data / "data" / scope / "settings.json" for scope in ("User", "Machine")]

    def _touch_settings(self) -> None:
        with suppress(FileNotFoundError):  # the server's folder may have gone
            for path in self._settings_files:
                os.utime(path)

    @contextmanager
    def settings(self, more: Mapping[str, Any]) -> Iterator[None]:
        """Have ``more`` among the user's settings for a while; windows that are open follow."""
        self.write_settings({**self.options.settings, **more})
        try:
            yield
        finally:
            self.write_settings(self.options.settings)

    def url(self, folder: Path, *, payload: Sequence[tuple[str, str]] = ()) -> str:
        """The address of a window on ``folder`` or ``.code-workspace`` file; ``payload`` is what VS Code takes there."""
        kind = "workspace" if folder.suffix == ".code-workspace" else "folder"
        extra = f"&payload={quote(json.dumps(payload))}" if payload else ""
        return f"http://localhost:{self.port}/?{kind}={quote(str(folder))}{extra}"

    def remote(self, path: Path) -> str:
        """``path`` as the window names a file of the server's machine."""
        return f"vscode-remote://localhost:{self.port}{quote(str(path))}"

    def logs(self, name: str = "remoteexthost.log") -> str:
        """What the logs of this ``name`` say, all windows together: by default those of the extension hosts."""
        found = sorted((self.data / "data" / "logs").rglob(name))
        return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in found)

    def output(self, channel: str) -> str:
        """What extensions wrote to the output channels whose names hold ``channel``."""
        return self.logs(f"*{channel}*.log")

    def processes(self, word: str = "") -> list[psutil.Process]:
        """Running descendants of this server, however detached, whose command line holds ``word``."""
        return [process for process in self._descendants() if word in " ".join(_command_line(process))]

    def stop(self) -> None:
        """Kill the server and everything that it started, twice over because the dying may still give birth."""
        for _ in range(2):
            dying = list(self._descendants())
            for process in dying:
                try:
                    process.kill()
                except psutil.NoSuchProcess:
                    continue
            psutil.wait_procs(dying, timeout=10)
        self._process.wait(timeout=10)

    def _descendants(self) -> Iterator[psutil.Process]:
        for process in psutil.process_iter():
            try:
                if process.environ().get(_MARK) == self._mark and process.status() != psutil.STATUS_ZOMBIE:
                    yield process
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue

    def _command(self, *arguments: str) -> list[str]:
        found = installed()
        return [
            str(found.node),
            str(found.vscode / "out" / "server-main.js"),
            "--without-connection-token",
            "--accept-server-license-terms",
            f"--server-data-dir={self.data}",
            f"--extensions-dir={self.data / 'extensions'}",
            "--telemetry-level=off",
            *(["--enable-smoke-test-driver"] if self.options.automation else []),
            *arguments,
        ]

    def _environment(self) -> dict[str, str]:
        """The environment of the tests, without the person's home and without that of an editor around them."""
        foreign = ("VSCODE_", "ELECTRON_", "XDG_", "NODE_OPTIONS", "PYTEST_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        return {
            **kept,
            "HOME": str(self._home),
            "SHELL": "/bin/bash",
            "EXTENSIONS_GALLERY": '{"serviceUrl": ""}',
            **self.options.environment,
            _MARK: self._mark,
        }

    def _install(self, vsix: Path) -> None:
        """With VS Code's own installer once; the next server gets a copy of what that made."""
        extensions = self.data / "extensions"
        ready = _READY.get(vsix)
        if extensions.exists() or not ready or ready.version != vsix.stat().st_mtime_ns:
            made_here = not extensions.exists()
            self._run_installer(vsix)
            if made_here:
                _READY[vsix] = _Ready(extensions, vsix)
        else:
            ready.copy_to(extensions)

    def _run_installer(self, vsix: Path) -> None:
        done = subprocess.run(
            self._command("--force", f"--install-extension={vsix}"),
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        said = done.stdout + done.stderr
        installed_it = done.returncode == 0 and "was successfully installed" in said
        assert installed_it, f"{vsix} was not installed: {said}"

    def _link(self, folder: Path) -> None:
        manifest = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        extensions = self.data / "extensions"
        extensions.mkdir(exist_ok=True)
        name = "{publisher}.{name}-{version}".format_map(manifest).lower()
        (extensions / name).symlink_to(folder, target_is_directory=True)

    def _wait_for_port(self) -> int:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            found = _LISTENING.search(self._log.read_text(encoding="utf-8", errors="replace"))
            if found:
                return int(found[1])
            time.sleep(0.05)
        log = self._log.read_text(encoding="utf-8", errors="replace")
        raise AssertionError(f"the VS Code server did not start within {START_SECONDS} s:\n{log}")


class _Ready:
    """An ``extensions`` folder with one package in it, kept for the rest of the session."""

    def __init__(self, extensions: Path, vsix: Path) -> None:
        self.version = vsix.stat().st_mtime_ns
        self._made_at = extensions
        self._kept = tempfile.TemporaryDirectory(prefix="contextls-extensions-")
        shutil.copytree(extensions, self._kept.name, dirs_exist_ok=True)

    def copy_to(self, extensions: Path) -> None:
        shutil.copytree(self._kept.name, extensions)
        listed = (extensions / _INSTALLED).read_text(encoding="utf-8")
        (extensions / _INSTALLED).write_text(
            listed.replace(str(self._made_at), str(extensions)), encoding="utf-8"
        )


_READY: dict[Path, _Ready] = {}


def _command_line(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return []
