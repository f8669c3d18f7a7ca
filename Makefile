# make run    ask a question of a workspace through a real server process; set-up included
# make test   lint, types and every test; set-up included
# make clean  remove the environment and what tools left behind

QUERY  ?= how is a secret redacted before it is stored?
ROOT   ?= .
BUDGET ?= 4000

VENV   ?= .venv
BIN    := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
STAMP  := $(VENV)/.contextls-installed
# The newest Python that is there; the script below refuses one that is too old.
PYTHON ?= $(firstword $(foreach name,python3.13 python3.12 python3.11 python3,$(shell $(name) --version >/dev/null 2>&1 && echo $(name))) python3)

.PHONY: run test setup clean
.DEFAULT_GOAL := test
MAKEFLAGS += --no-print-directory

export QUERY ROOT BUDGET
run: $(STAMP)
	@$(BIN)/contextls ask --budget "$$BUDGET" -- "$$QUERY" "$$ROOT"

test: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/python -m pytest

setup: $(STAMP)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "contextls needs Python 3.11 or newer, found " + sys.version.split()[0] + "; set PYTHON=...")'
	@echo "Setting up $(VENV) (once, some minutes) ..." >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' >&2
	@touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
