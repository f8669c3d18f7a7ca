"""Draws how tools grow: one panel for each figure, a line for each tool, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

# Told apart by eyes that see few colours (Okabe and Ito), and by their marks.
STYLES = {
    "contextls": {"color": "#0072b2", "marker": "o"},
    "semble": {"color": "#d55e00", "marker": "s"},
    "codegraph": {"color": "#009e73", "marker": "^"},
}


@dataclass(frozen=True, slots=True)
class Panel:
    """A figure of all tools; each of ``fields`` is a line, the second one dashed."""

    title: str
    fields: tuple[str, ...]


PANELS = (
    Panel("cold index, s", ("index",)),
    Panel("peak memory of all processes, MB", ("peak_mb",)),
    Panel("bytes of state for a byte of source", ("state",)),
    Panel("a prompt or a search, ms: median, 95th percentile (dashed)", ("p50_ms", "p95_ms")),
    Panel("first answer, s: without an index, with one (dashed)", ("first_answer", "first_of_later")),
)


def draw(points: Sequence[Mapping[str, Any]], target: Path) -> None:
    """Write the picture of ``points`` (see ``benchmarks.scale.Point``) as SVG, the same bytes for the same points."""
    settings = {"svg.hashsalt": "scale", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"}
    with mpl.rc_context(settings):
        figure = Figure(figsize=(12, 6.5), layout="constrained")
        axes = figure.subplots(2, 3).flatten()
        for panel, each in zip(PANELS, axes, strict=False):
            _draw_panel(each, panel, points)
        legend = axes[-1]
        legend.axis("off")
        for tool, style in STYLES.items():
            if any(point["tool"] == tool for point in points):
                legend.plot([], [], label=tool, **style)
        legend.plot([], [], "kx", label="stopped at its limit")
        legend.legend(loc="center", frameon=False)
        figure.savefig(target, format="svg", metadata={"Date": None})


def _draw_panel(axes: Axes, panel: Panel, points: Sequence[Mapping[str, Any]]) -> None:
    for tool, style in STYLES.items():
        own = [point for point in points if point["tool"] == tool]
        for number, name in enumerate(panel.fields):
            known = [(point["files"], point[name]) for point in own if point[name]]
            line = {"linewidth": 0.8, "linestyle": "--"} if number else {"linewidth": 1.5}
            axes.plot([at for at, _ in known], [value for _, value in known], markersize=4, **style, **line)
        if panel.fields[0] == "peak_mb":
            ended = [
                (point["files"], point["peak_mb"]) for point in own if point["stopped"] and point["peak_mb"]
            ]
            axes.plot([at for at, _ in ended], [value for _, value in ended], "kx", markersize=8)
    axes.set_title(panel.title, fontsize="medium")
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis, marked in ((axes.xaxis, (1.0, 3.0)), (axes.yaxis, (1.0, 2.0, 5.0))):
        axis.set_major_locator(LogLocator(subs=marked))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.12g}"))
        axis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("files")
    axes.grid(visible=True, which="major", linewidth=0.3)
