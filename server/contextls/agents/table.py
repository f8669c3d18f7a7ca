"""The one list of agents."""

from __future__ import annotations

from contextls.agents.agent import Agent
from contextls.agents.claude_code import CLAUDE_CODE
from contextls.agents.codex import CODEX
from contextls.agents.copilot import COPILOT
from contextls.agents.cursor import CURSOR
from contextls.agents.gemini import GEMINI

AGENTS: dict[str, Agent] = {agent.name: agent for agent in (CLAUDE_CODE, CODEX, GEMINI, COPILOT, CURSOR)}
