"""One index for a team, on object storage: built once for a commit, taken by every clone instead of parsing."""
