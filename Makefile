# Each target sets up what it needs first: a virtual environment in .venv from the
# locks in requirements/, and the Rust core, built into src/mohs/. Paths are relative,
# so that a clone may live in a folder with spaces in its name.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

export PYTHON ?= python3
export PATH := $(CURDIR)/.venv/bin:$(PATH):$(HOME)/.cargo/bin
RUN := .venv/bin/python -m
# The feature leaves libpython out, which not every Python has for linking.
IN_CORE := --offline --locked --manifest-path core/Cargo.toml --features extension-module

# Stamps live inside .venv, so deleting it starts anew, and under a name made from the
# folder's path, because a virtual environment that was moved does not work.
MADE := .venv/made/$(shell pwd | cksum | cut -d ' ' -f 1)

ifneq ($(wildcard .venv/trec_eval),)
export MOHS_TREC_EVAL ?= $(CURDIR)/.venv/trec_eval
endif

.PHONY: help demo test check lint docs fuzz bench wheel try-wheel oracles lock setup clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' Makefile

demo: $(MADE)/core  ## generate a collection, evaluate it and write a report
	.venv/bin/mohs demo

test: $(MADE)/dev $(MADE)/core  ## run all tests; ARGS="-k word" picks some
	@if command -v cargo >/dev/null; then set -x; cargo test --quiet $(IN_CORE); \
	elif [ "$$MOHS_NO_SKIPS" ]; then echo 'cargo is missing' >&2; exit 1; \
	else echo 'cargo is missing, so the tests written in Rust are left out'; fi
	$(RUN) pytest $(ARGS)

check: lint docs fuzz test  ## run the whole gate, which every change must pass

lint: $(MADE)/dev $(MADE)/core  ## check format, style, types and the import order
	$(RUN) ruff format --check
	$(RUN) ruff check
	$(RUN) mypy
	.venv/bin/lint-imports
	cargo fmt --check --manifest-path core/Cargo.toml
	cargo clippy --quiet --all-targets $(IN_CORE) -- --deny warnings

docs: $(MADE)/dev $(MADE)/core  ## build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(RUN) mkdocs build --strict --quiet

fuzz: $(MADE)/dev $(MADE)/core  ## feed the readers mutated input for 30 seconds, or FOR=...
	@if ! .venv/bin/python -c 'import atheris' 2>/dev/null; then \
	  echo 'atheris is not to be had here, so no input is mutated' >&2; \
	  test -z "$$MOHS_NO_SKIPS"; \
	else for check in $(FUZZED); do \
	  (set -x; .venv/bin/python tests/fuzz/fuzz.py $$check -verbosity=0 -print_final_stats=1 \
	    -max_total_time=$$(($(or $(FOR),30) / $(words $(FUZZED))))) || exit; done; fi

FUZZED := runs judgments archives score-tables topics documents

bench: $(MADE)/dev $(MADE)/core  ## compare time and memory with other programs
	$(RUN) bench $(ARGS)

wheel: $(MADE)/run  ## build the wheel and the source archive into dist/
	$(RUN) maturin build --release --locked --out dist
	$(RUN) maturin sdist --manifest-path core/Cargo.toml --out dist

try-wheel: wheel  ## run the demo from the wheel in an empty environment
	requirements/try-wheel

oracles: .venv/trec_eval $(MADE)/terrier $(MADE)/krovetz  ## fetch what the tests compare with

lock: $(MADE)/dev  ## pin the dependencies anew; ARGS=--upgrade for newer versions
	$(PIN) --group build -o requirements/run.lock
	$(PIN) --group dev --all-extras $(UNLOCKED) -c requirements/run.lock -o requirements/dev.lock

# There are no wheels of it, and only wheels are installed from a lock.
UNLOCKED = --no-emit-package krovetzstemmer

PIN = .venv/bin/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command 'make lock' $(ARGS) pyproject.toml

setup: $(MADE)/dev $(MADE)/core  ## only set up; nothing else needs the network

clean:  ## remove everything that make made
	rm -rf .venv core/target dist site src/mohs/_core*.so

$(MADE)/venv:
	@requirements/make-venv
	@mkdir -p $(@D) && touch $@

.venv/trec_eval: tests/oracles/fetch-trec-eval | $(MADE)/venv
	tests/oracles/fetch-trec-eval $@

$(MADE)/terrier: tests/oracles/fetch-terrier | $(MADE)/venv
	$<
	@touch $@

$(MADE)/run: requirements/run.lock | $(MADE)/venv
	@requirements/install-lock $<
	@touch $@

$(MADE)/core: pyproject.toml $(shell find core -type f ! -path 'core/target/*') | $(MADE)/run
	@requirements/build-core
	@touch $@

# After the core, because two installations into one environment must not overlap.
$(MADE)/dev: requirements/dev.lock | $(MADE)/core
	@requirements/install-lock $<
	@touch $@

$(MADE)/krovetz: requirements/krovetz.lock | $(MADE)/dev
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  --require-hashes -r $<
	@touch $@
