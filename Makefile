PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Every install goes through the constraints, so that two machines get the same versions.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
RUNTIME := $(VENV)/.runtime
TRAIN := $(VENV)/.train
DEV := $(VENV)/.dev

DEMO_BATTLE := w10/only-war-incursion
DEMO_REPLAY := out/demo.replay
DEMO_PLAY := scripts/play.py --battle $(DEMO_BATTLE) --agents greedy random --seed 7 --replay $(DEMO_REPLAY) --report
DEMO_VERIFY := scripts/replay.py verify $(DEMO_REPLAY)
DEMO_TRAINING := out/demo-training
DEMO_TOURNAMENT := out/demo-tournament
SOURCES := wh_env agents scripts tests

.PHONY: help demo test lint types layers docs check coverage bench format venv clean
.DEFAULT_GOAL := help

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(RUNTIME): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	@touch $@

$(TRAIN): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[train]'
	@touch $(RUNTIME) $@

# The dev install holds the others, so it renews all stamps.
$(DEV): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[dev]'
	@touch $(RUNTIME) $(TRAIN) $@

venv: $(DEV) ## Create .venv with everything that development needs.

demo: $(TRAIN) ## Play a battle and verify its replay, train for two minutes, hold a small tournament.
	@mkdir -p $(dir $(DEMO_REPLAY))
	$(BIN)/python $(DEMO_PLAY)
	$(BIN)/python $(DEMO_VERIFY)
	@rm -rf $(DEMO_TRAINING) $(DEMO_TOURNAMENT)
	$(BIN)/python scripts/train.py --config demo --out $(DEMO_TRAINING)
	$(BIN)/python scripts/tournament.py --config demo --out $(DEMO_TOURNAMENT)

# Compiled modules are kept whatever the environment says: compiling all tests takes half a minute in each worker, and every program that tests start
# would compile the package anew.
test coverage: export PYTHONDONTWRITEBYTECODE =

test: $(DEV) ## Run the tests.
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(DEV) ## Check style and formatting.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(DEV) ## Fix what can be fixed by itself.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(DEV) ## Check types (strict on wh_env).
	$(BIN)/mypy

layers: $(DEV) ## Check that imports run one way.
	$(BIN)/lint-imports

docs: $(DEV) ## Build the site into out/site; a warning or a link that leads nowhere fails.
	$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet docs out/site

check: lint types layers docs test ## Everything that must hold before a merge.

coverage: $(DEV) ## Which rules are shown by tests that passed.
	$(BIN)/python scripts/rule_coverage.py

bench: $(RUNTIME) ## Measure decisions per second.
	$(BIN)/python scripts/benchmark.py

clean: ## Remove the environment, caches and outputs.
	rm -rf $(VENV) out dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
