# The two commands a newcomer needs: `make demo` and `make test`. Everything is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := CMakeLists.txt pyproject.toml $(wildcard native/*)
# Where this is set, each of the many processes of the tests would compile everything again.
unexport PYTHONDONTWRITEBYTECODE
# Python compiles what is used when it is first used, which is little of what comes along.
PIP := $(BIN)/pip install --quiet --no-build-isolation --no-compile
# One more than there are cores: tests also wait, for browsers, servers and other processes.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
# Two things at once, each with its own words in one piece.
BESIDE := @$(MAKE) --no-print-directory --jobs=2 --output-sync=target

DEMO := compare -r examples/reference.en -m bleu examples/systems/*.en

.DELETE_ON_ERROR:
.PHONY: demo test check long-tests test-slow lint style types layers compiled format parity calibration docs bench clean

demo: $(VENV)/.installed
	@echo '$$ adjudge $(DEMO)'
	@$(BIN)/adjudge $(DEMO)

test:
	@WITHOUT="$(WITHOUT)" scripts/install-packages test "$(PYTHON)"
	@$(MAKE) --no-print-directory $(VENV)/.dev
	$(BESIDE) types style layers compiled
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow"

# What one runs while working: no lint, no browser, nothing that asks other programs, fewer examples of each law.
check: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not (slow or oracle or browser)" --hypothesis-profile=check

# Writes tests/long.txt, which `make check` leaves out; it takes as long as `make test` without browsers.
long-tests: $(VENV)/.dev
	ADJUDGE_LONG_TESTS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not (slow or browser)"

test-slow:
	@WITHOUT="$(WITHOUT)" scripts/install-packages test "$(PYTHON)"
	@$(MAKE) --no-print-directory $(VENV)/.dev $(VENV)/.packages-slow
	$(BIN)/python -m pytest -m "slow or hypothesis" --hypothesis-profile=thorough

lint: $(VENV)/.dev
	$(BESIDE) types style layers

types: $(VENV)/.dev
	$(BIN)/python -m mypy

style: $(VENV)/.dev
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/clang-format --dry-run --Werror native/*.cpp native/*.hpp

layers: $(VENV)/.dev
	$(BIN)/lint-imports --no-cache

# Read once here, beside mypy, the tests need not be compiled by every worker.
compiled: $(VENV)/.dev
	@$(BIN)/python -m pytest --collect-only -qq > /dev/null || true

format: $(VENV)/.dev
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .
	$(BIN)/clang-format -i native/*.cpp native/*.hpp

parity: $(VENV)/.dev
	$(BIN)/python bench/parity.py

calibration: $(VENV)/.dev
	$(BIN)/python bench/calibration.py
	$(BIN)/python bench/calibration_compare.py
	$(BIN)/python bench/calibration_studies.py
	$(BIN)/python bench/calibration_rankings.py
	$(BIN)/python bench/calibration_ratings.py
	$(BIN)/python bench/calibration_crossed.py
	$(BIN)/python bench/calibration_real.py
	$(BIN)/python bench/annotators.py
	$(BIN)/python bench/looks.py
	$(BIN)/python bench/sentences.py

# The site of the documentation, from docs/ and docstrings, into build/site/html.
docs: $(VENV)/.dev
	$(BIN)/python scripts/make-site

bench: $(VENV)/.bench
	$(BIN)/python bench/run.py

$(BIN)/python:
	@scripts/make-venv "$(PYTHON)" $(VENV)

$(VENV)/.core: $(BIN)/python $(NATIVE)
	$(PIP) --no-deps --editable .
	@touch $@

$(VENV)/.packages-%: $(BIN)/python pyproject.toml
	@$(BIN)/python scripts/requirements $* > $@
	$(PIP) --requirement $@

# Packages come from elsewhere while the native core is built.
$(VENV)/.installed: $(BIN)/python $(NATIVE)
	$(BESIDE) $(VENV)/.packages-run $(VENV)/.core
	@touch $@

$(VENV)/.dev: $(BIN)/python $(NATIVE)
	$(BESIDE) $(VENV)/.packages-dev $(VENV)/.core
	@touch $@ $(VENV)/.installed

$(VENV)/.bench: $(VENV)/.dev $(VENV)/.packages-bench
	@touch $@

clean:
	rm -rf $(VENV) build
