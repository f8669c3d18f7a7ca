"""The files of a workspace and how they change: roots, ignore rules, scanning, reading, watching, git."""
