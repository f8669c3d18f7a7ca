"""Updates of the index: how files, saves and unsaved texts enter it, and which process sees to it."""
