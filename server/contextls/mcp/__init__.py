"""The Model Context Protocol: the memory of a workspace as tools, resources and prompts for agents."""
