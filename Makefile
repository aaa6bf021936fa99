# Ironsight: `make play` plays a whole game, `make test` runs the suite. Both set everything up on first use.
.PHONY: play test lint format zip bench clean help
.DEFAULT_GOAL := help

# The first interpreter that is new enough; override with `make PYTHON=/path/to/python play`.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet --progress-bar off

help: ## show this list
	@echo "usage: make TARGET"; awk -F':.*## ' '/^[a-z]+:.*## /{printf "  %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

play: $(VENV)/play.stamp ## install what is needed, then play one game to its end (ARGS="--map ... --opponent ...")
	@$(BIN)/python run.py $(ARGS)

test: $(VENV)/dev.stamp ## install what is needed, then run the whole test suite (ARGS="tests/sim -k mining")
	@$(BIN)/python -m sim compile
	@$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

lint: $(VENV)/dev.stamp ## ruff check and ruff format --check
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

format: $(VENV)/dev.stamp ## let ruff fix and format the sources
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

zip: $(VENV)/play.stamp ## build dist/Ironsight.zip for AI Arena
	@$(BIN)/python -m tools.make_zip dist/Ironsight.zip

bench: $(VENV)/play.stamp ## print the speed of the kernel and of the server
	@$(BIN)/python -m sim bench

clean: ## remove the environment, the compiled kernel and built files
	rm -rf $(VENV) .cache dist

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "make: Ironsight needs Python 3.11 or newer; none was found (set PYTHON=...)" >&2; exit 2; }
	@echo "Setting up $(VENV) with $$($(PYTHON) --version) ..."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "make: '$(PYTHON) -m venv' failed; on Debian and Ubuntu: apt install python3-venv" >&2; exit 2; }

$(VENV)/play.stamp: pyproject.toml | $(BIN)/python
	@echo "Installing the packages that playing needs (about a minute) ..."
	@$(PIP) -e .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/play.stamp
	@echo "Installing the test tools ..."
	@$(PIP) -e ".[dev]"
	@touch $@
