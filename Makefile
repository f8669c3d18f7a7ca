# make run        ask a question of a workspace through a real server process; set-up included
# make test       lint, types and every test; set-up included
# make ci         the same, and the wheel, installed by itself
# make hardening  every attack of tests/hardening in its long form, and the table of what came of them
# make windows    what users of Windows do, on Windows' rules: its Python under Wine, set up in .windows/
# make clean      remove the environment and what tools left behind

QUERY  ?= how is a secret redacted before it is stored?
ROOT   ?= .
BUDGET ?= 4000

# Test processes side by side. They wait half of their time; each starts servers of its own, and more want more memory
# than a small machine has.
JOBS   ?= 4

VENV   ?= .venv
BIN    := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
STAMP  := $(VENV)/.contextls-installed
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# The newest Python that is there; the script below refuses one that is too old.
PYTHON ?= $(firstword $(foreach name,python3.14 python3.13 python3.12 python3.11 python3,$(shell $(name) --version >/dev/null 2>&1 && echo $(name))) python3)

# The extension for VS Code, and whatever its package is made of.
VSCODE  := editors/vscode
VSIX    := $(VSCODE)/contextls.vsix
MODULES := $(VSCODE)/node_modules/.contextls-installed
SHIPPED := $(shell find $(addprefix $(VSCODE)/,src webview media l10n scripts api) server/contextls grammars -type f -not -name '*.pyc' 2>/dev/null) \
           $(wildcard $(VSCODE)/*.json $(VSCODE)/*.mjs $(VSCODE)/*.md $(VSCODE)/.vscodeignore) pyproject.toml

# The plugin for Neovim, and the package for Emacs.
NEOVIM  := editors/neovim
EMACS   := editors/emacs

# What is checked beside the tests, in the time that those wait. Each prints its output when it is done; a line with a plus
# is seen at once.
CHECKS := lint types lint-extension lint-neovim lint-emacs
CALMLY := nice -n 10

.PHONY: run test ci hardening windows setup clean editors extension-tests wheel compiled tests format-lua $(CHECKS)
.DEFAULT_GOAL := test
MAKEFLAGS += --no-print-directory
# Whatever the shell says, compiled modules are kept: the tests start Python thousands of times.
unexport PYTHONDONTWRITEBYTECODE

export QUERY ROOT BUDGET
run: $(STAMP)
	@$(BIN)/contextls ask --budget "$$BUDGET" -- "$$QUERY" "$$ROOT"

test:
	@$(MAKE) $(AT_ONCE) tests $(CHECKS)

ci:
	@$(MAKE) $(AT_ONCE) BEFORE=compiled tests wheel $(CHECKS)

# Each begins when what it needs is there; what is fetched is fetched side by side.
AT_ONCE := --jobs=5 --output-sync=target --keep-going
tests: $(STAMP) $(BEFORE) editors $(VSIX)
compiled: $(STAMP)
lint types wheel: $(STAMP)
lint-extension: $(MODULES)
lint-neovim lint-emacs: editors

# tests/schedule.py says what begins first. A test that calls make is no part of this one.
tests:
	+@env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --durations=10

# Of a fresh clone each test process would compile every test for itself, which takes longer than to collect them. What is
# wrong with one is told when they run.
compiled:
	@$(BIN)/python -m pytest --collect-only --quiet >/dev/null 2>&1 || true

lint:
	@$(CALMLY) $(BIN)/ruff check .
	@$(CALMLY) $(BIN)/ruff format --check .

types:
	@$(CALMLY) $(BIN)/mypy

lint-extension:
	@cd $(VSCODE) && $(CALMLY) npm run --silent lint && $(CALMLY) npm run --silent check

lint-neovim:
	@cd $(NEOVIM) && $(CALMLY) luacheck --quiet --no-color .
	@$(CALMLY) node .ci/format-lua.mjs "$$(bash .ci/install-editors --where-stylua)" $(NEOVIM)

lint-emacs:
	@$(CALMLY) emacs --quick --batch --load .ci/lint-emacs.el $(EMACS)/*.el

format-lua:
	@node .ci/format-lua.mjs "$$(bash .ci/install-editors --where-stylua)" $(NEOVIM) --write

wheel:
	@$(CALMLY) bash .ci/check-wheel

hardening: $(STAMP)
	@$(BIN)/python -m pytest tests/hardening --hardening -n $(JOBS) --dist loadfile

windows: $(STAMP)
	@$(BIN)/python tools/windows/set_up.py .windows
	@$(BIN)/python -m pytest tests/windows/sittings.py

setup: $(STAMP)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "contextls needs Python 3.11 or newer, found " + sys.version.split()[0] + "; set PYTHON=...")'
	+@echo "Setting up $(VENV) (once, some minutes) ..." >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) >&2
	@# uv takes a tenth of pip's time; pip knows indexes that uv has not been told of. Most of what is installed is never
	@# loaded here: Python compiles what is.
	@$(PIP) uv >&2
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --editable '.[dev]' >&2 || $(PIP) --editable '.[dev]' >&2
	@touch $@

# What the tests with real editors need, outside the checkout; quick where it is there.
editors:
	@bash .ci/install-editors

$(MODULES): $(VSCODE)/package-lock.json
	@command -v npm >/dev/null || { echo "the extension for VS Code is built with Node 20 or newer and npm; install them" >&2; exit 1; }
	+@echo "Fetching what the extension for VS Code is built with ..." >&2
	@cd $(VSCODE) && npm $$(test -d node_modules && echo install --no-save || echo ci) --no-audit --no-fund --loglevel=error >&2
	@touch $@

$(VSIX): $(MODULES) $(SHIPPED) | $(STAMP)
	@cd $(VSCODE) && npm run --silent package >&2

# The bundles that a real VS Code loads from the folder: the extension, and the suites that run inside its host.
extension-tests: $(MODULES)
	@cd $(VSCODE) && rm -rf out/test && npm run --silent build && npm run --silent build:tests

clean:
	rm -rf $(addprefix $(VSCODE)/,node_modules dist out contextls.vsix)
	rm -rf $(VENV) .windows build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
