"""Coding agents: what their hooks tell, what they take, and where they are set up. One module per agent."""
