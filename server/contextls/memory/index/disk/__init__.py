"""The index on disk: segments as files, the records that say which count, merges and derived arrays."""
