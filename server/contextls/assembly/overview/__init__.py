"""An overview of a workspace: what asks for it, and the map that answers."""
