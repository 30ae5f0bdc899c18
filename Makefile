# The two commands a newcomer needs: `make demo` and `make test`. Everything is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := CMakeLists.txt pyproject.toml $(wildcard native/*)

DEMO := compare -r examples/reference.en -m bleu examples/systems/*.en

.PHONY: demo test test-slow lint format parity calibration bench clean

demo: $(VENV)/.installed
	@echo '$$ adjudge $(DEMO)'
	@$(BIN)/adjudge $(DEMO)

test:
	@WITHOUT="$(WITHOUT)" scripts/install-packages test "$(PYTHON)"
	@$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest -n 2 -m "not slow"

test-slow:
	@WITHOUT="$(WITHOUT)" scripts/install-packages test "$(PYTHON)"
	@$(MAKE) --no-print-directory $(VENV)/.dev
	$(BIN)/python -m pytest -m slow

lint: $(VENV)/.dev
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/clang-format --dry-run --Werror native/*.cpp native/*.hpp

format: $(VENV)/.dev
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .
	$(BIN)/clang-format -i native/*.cpp native/*.hpp

parity: $(VENV)/.dev
	$(BIN)/python bench/parity.py

calibration: $(VENV)/.dev
	$(BIN)/python bench/calibration.py
	$(BIN)/python bench/calibration_rankings.py
	$(BIN)/python bench/calibration_ratings.py

bench: $(VENV)/.bench
	$(BIN)/python bench/run.py

$(BIN)/python:
	@scripts/make-venv "$(PYTHON)" $(VENV)

$(VENV)/.installed: $(BIN)/python $(NATIVE)
	$(BIN)/pip install --quiet --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(BIN)/python $(NATIVE)
	$(BIN)/pip install --quiet --no-build-isolation --editable '.[dev]'
	@touch $@ $(VENV)/.installed

$(VENV)/.bench: $(VENV)/.dev
	$(BIN)/pip install --quiet --no-build-isolation --editable '.[bench]'
	@touch $@

clean:
	rm -rf $(VENV) build
