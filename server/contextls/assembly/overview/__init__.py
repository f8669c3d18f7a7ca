"""Overviews: the map of a workspace, the catalog of all things of a kind, and an example of one."""
