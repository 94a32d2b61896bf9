# Everything runs in .venv, which `setup` makes; nothing but Python 3.11 or newer is needed before.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# The package's folders under their import name, for the type checker.
LINKS := $(VENV)/src/tradewinds
# Compile each game, and then its bot and its search, before tests in several processes want them at the same time.
GAMES := $(BIN)/python -c "import tradewinds.envs as tw; [tw.make_batch(name, 1) for name in tw.games()]"
AGENTS := $(BIN)/python -c "import tradewinds.envs as tw; from tradewinds import agents; [agents.make(code, name) for name in tw.games() for code in ('scripted', 'search:1')]"
PYTEST := $(BIN)/python -m pytest -q
# What is about rules and kernels: the games, the core, and what every game promises.
KERNEL_TESTS := tests/contract tests/core tests/container tests/puerto_rico tests/santiago_de_cuba

.DEFAULT_GOAL := help
.PHONY: help setup train test kernels plain lint format bench golden clean

help:  ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 10

setup: $(READY)  ## the virtual environment .venv with all that is needed

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; assert sys.version_info >= (3, 11), 'Tradewinds needs Python 3.11 or newer, this is ' + sys.version"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	mkdir -p $(LINKS)
	for part in __init__.py __main__.py cli; do ln -sfn ../../../tradewinds/$$part $(LINKS)/$$part; done
	for part in envs agents training benchmarks configs web; do ln -sfn ../../../$$part $(LINKS)/$$part; done
	touch $(READY)

train: setup  ## the main job: a few minutes of self-play training on one game, then a table of its wins and its learning curve
	$(BIN)/tradewinds train santiago_de_cuba --config quick

test: setup  ## all tests: compiled, compiled with bounds checks, and as plain Python
	$(MAKE) -j 2 kernels plain
	$(PYTEST) -n 2
	TRADEWINDS_BOUNDSCHECK=1 $(PYTEST) -n 2 tests/contract

kernels: setup
	$(GAMES)
	$(AGENTS)
	TRADEWINDS_BOUNDSCHECK=1 $(GAMES)

plain: setup
	TRADEWINDS_JIT=0 $(PYTEST) --ignore-glob='*/test_scripted.py' $(KERNEL_TESTS)

lint: setup  ## formatter, linter and type checker
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright

format: setup  ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup  ## steps a second, beside other libraries where they are installed (extra `bench`)
	$(BIN)/tradewinds bench

golden: setup  ## write the golden files anew, after rules were changed on purpose
	$(BIN)/python -m tests.golden.write

clean:  ## remove .venv and all that was built
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
