# Everything runs in .venv, which `setup` creates. Only Python 3.11 or newer is required beforehand.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# The package's folders under their import name. Type checkers follow a folder that a .pth file names, and not setuptools' import hook;
# setuptools' own `editable_mode=strict` would link file by file and miss every new one.
LINKS := $(VENV)/src/tradewinds
PARTS := $(wildcard tradewinds/*) envs agents training benchmarks configs leaderboard web
# The games, those first that take longest to compile.
GAMES := $(patsubst envs/%/RULES.md,%,$(shell ls -S envs/*/RULES.md))
PYTEST := $(BIN)/python -m pytest -q
# As plain Python and with bounds checks many tests are left out on purpose: only failures are listed.
PLAIN := TRADEWINDS_JIT=0 $(PYTEST) -rfE
BOUNDS := TRADEWINDS_BOUNDSCHECK=1
# One process more than there are cores, since many tests wait for others; idle processes steal tests from the rest.
CORES := -n $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)") --dist worksteal
# Tests of rules and kernels: the games, the core, and the contract of every game.
KERNEL_TESTS := tests/contract tests/core $(GAMES:%=tests/%)

.DEFAULT_GOAL := help
.PHONY: help setup train quick test kernels bounds plain plain-contract plain-rules browser lint audit format docs notebooks bench golden clean
.PHONY: $(GAMES:%=game-%) $(GAMES:%=bounds-%) $(GAMES:%=bot-%) $(GAMES:%=search-%)

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 10

setup: $(READY)  ## create the virtual environment .venv with all dependencies

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; assert sys.version_info >= (3, 11), 'Tradewinds needs Python 3.11 or newer, this is ' + sys.version"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	mkdir -p $(LINKS)
	for part in $(PARTS); do ln -sfn ../../../$$part $(LINKS)/$${part##*/}; done
	echo "$(CURDIR)/$(VENV)/src" > "$$($(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/tradewinds-src.pth"
	touch $(READY)

train: setup  ## a few minutes of self-play training on one game, then a table of win rates and the learning curve
	$(BIN)/tradewinds train container --config quick

# What an edit of rules, core, command line or configs breaks first.
QUICK := $(KERNEL_TESTS) tests/test_structure.py tests/test_cli.py tests/test_front_door.py $(patsubst %,tests/training/test_%.py,config gae statistics)
quick: setup  ## the fast tests: rules, core, command line and configs as plain Python, nothing compiled
	$(PLAIN) $(CORES) -m "not (slow or compiled or integration or browser or ray)" --ignore-glob='*/test_scripted.py' $(QUICK)

# First two jobs side by side, each printing when it ends: all kernels are compiled, and meanwhile tested with bounds checks and as plain
# Python. Then the compiled tests on all cores.
test: setup  ## all tests: compiled, compiled with bounds checks, and as plain Python
	$(MAKE) --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--output-sync) -j 2 browser kernels bounds plain
	$(PYTEST) $(CORES)

# Compile before several test processes need the kernels at the same time.
kernels: $(GAMES:%=search-%)

$(GAMES:%=game-%): game-%: setup
	$(BIN)/python -c "import tradewinds.envs as tw; tw.make_batch('$*', 1)"

$(GAMES:%=bounds-%): bounds-%: setup
	$(BOUNDS) $(BIN)/python -c "import tradewinds.envs as tw; tw.make_batch('$*', 1)"

$(GAMES:%=bot-%): bot-%: game-%
	$(BIN)/python -c "from tradewinds import agents; agents.make('scripted', '$*')"

$(GAMES:%=search-%): search-%: bot-%
	$(BIN)/python -c "from tradewinds import agents; agents.make('search:1', '$*')"

bounds: $(GAMES:%=bounds-%)
	$(BOUNDS) $(PYTEST) -rfE -m bounds tests/contract tests/test_attack.py

# Pictures, words and doors do not depend on how kernels run, bots play too many games for plain Python, and what is slow in it is tested
# compiled. The contract is tested both ways.
SAME := test_pictures test_places test_svg test_render test_drawing test_words test_doors test_plugins test_actions test_copies test_scripted
plain: plain-contract plain-rules

plain-contract: setup
	$(PLAIN) -m "not slow or bounds" $(SAME:%=--ignore-glob='*/%.py') tests/contract
	$(PLAIN) tests/test_attack.py

plain-rules: setup
	$(PLAIN) -m "not slow" $(SAME:%=--ignore-glob='*/%.py') $(filter-out tests/contract,$(KERNEL_TESTS))

# The tests of pages need Chromium. On Debian root can install it without a question; elsewhere these tests are skipped.
CHROMIUM := apt-get -qq -o Acquire::http::Timeout=20 -o Acquire::Retries=1
browser: export DEBIAN_FRONTEND := noninteractive
browser:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && grep -qs '^ID=debian$$' /etc/os-release && \
	  timeout 600 sh -c '$(CHROMIUM) update && $(CHROMIUM) install -y --no-install-recommends chromium' >/dev/null 2>&1 </dev/null; } || \
	  echo "There is no Chromium here and it could not be installed: the tests of pages are skipped."

LINTED := . docs/_build # which ruff leaves out by default
lint: setup  ## formatter, linter, type checker, and known vulnerabilities of what is installed
	$(BIN)/ruff format --check $(LINTED)
	$(BIN)/ruff check $(LINTED)
	$(BIN)/basedpyright
	@$(MAKE) --no-print-directory audit

# Known vulnerabilities of what `setup` installs, which fail nothing. Where the database cannot be reached it says so and goes on.
audit: setup
	@if ! $(BIN)/python -c "import pip_audit" 2>/dev/null; then echo "audit skipped: pip-audit is not installed"; \
	elif ! $(BIN)/python -c "import socket; socket.create_connection(('pypi.org', 443), 3)" 2>/dev/null; then echo "audit skipped: pypi.org cannot be reached"; \
	else $(BIN)/python -m tests.audit; fi

format: setup  ## format the code and apply safe fixes
	$(BIN)/ruff check --fix $(LINTED)
	$(BIN)/ruff format $(LINTED)

# Nothing is compiled for it: the pictures of boards come from plain Python.
docs: setup  ## build the documentation into site/, with warnings as errors
	NO_MKDOCS_2_WARNING=1 TRADEWINDS_JIT=0 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "site/index.html"

notebooks: kernels  ## run the notebooks and store their outputs, about ten minutes
	$(BIN)/python docs/_build/run_notebooks.py

bench: setup  ## steps per second, compared with other libraries where installed (extra `bench`)
	$(BIN)/tradewinds bench

golden: setup  ## rewrite the golden files, after an intended change of the rules
	$(BIN)/python -m tests.golden.write

clean:  ## remove .venv and build products
	rm -rf $(VENV) build dist site *.egg-info .pytest_cache .ruff_cache
