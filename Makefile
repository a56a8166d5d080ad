# Two commands matter: `make demo` and `make test`. Each sets itself up.

PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
SOURCES = $(shell find src cpp/include cpp/bindings.cpp -type f -not -name '*.pyc') CMakeLists.txt pyproject.toml

.PHONY: demo test lint bench oracle-ter cpp-test cpp-fuzz clean

demo: $(VENV)/.installed
	$(BIN)/assay demo build/demo

test: lint
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Peers and Assay in one process; needs the WMT archives that ASSAY_DATA names. Writes docs/benchmarks.md.
bench: $(VENV)/.bench-installed
	$(BIN)/python -m bench

# TER against sacreBLEU on all segments of all systems of three language pairs, which takes sacreBLEU half an hour.
oracle-ter: $(VENV)/.test-installed
	ASSAY_FULL_TER=1 $(BIN)/python -m pytest -n auto tests/oracle/test_ter.py

# The C++ core against its slow twins, under the address and undefined-behaviour sanitizers.
cpp-test:
	$(MAKE) -C cpp/tests

# The same comparison on inputs that libFuzzer invents; needs clang++.
cpp-fuzz:
	$(MAKE) -C cpp/fuzz

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: $(SOURCES) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet .
	@touch $@

# With the extras, whose tokenisers are tested too.
$(VENV)/.test-installed: $(SOURCES) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet ".[all]" --group test
	@touch $(VENV)/.installed $@

$(VENV)/.bench-installed: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --group bench
	@touch $@

clean:
	rm -rf build $(VENV)
