"""Building over a cluster: two Ray nodes on one machine share the work of a commit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from .buckets import Door
from .teams import Team, opened

FILES = 120


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two nodes; whoever starts Ray in this process finds them."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    from ray import cluster_utils

    nodes: Any = cluster_utils.Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    try:
        nodes.add_node(num_cpus=1)
        monkeypatch.setenv("RAY_ADDRESS", nodes.address)
        yield
    finally:
        nodes.shutdown()


@pytest.mark.usefixtures("cluster")
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning", "ignore::DeprecationWarning")
def test_two_nodes_build_what_a_clone_takes(team: Team, door: Door) -> None:
    team.commit({f"pages/page{number}.md": f"# Page {number}\n" for number in range(FILES)})
    report = team.build("ray")
    assert report.analysed == report.files > FILES
    assert "not analysed" not in report.left_out
    assert os.environ["AWS_ENDPOINT_URL"] == door.url
    with opened(team.clone("ann"), team.settings) as (engine, taken):
        assert (engine.status().analyzed, taken.taken) == (0, report.files)
    assert team.build().was_there
