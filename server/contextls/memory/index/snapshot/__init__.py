"""Snapshots: the segments that count at one moment, as readers see them."""
