# Needs Python 3.11 or newer, make and a package registry; everything else is put into .venv by the first target that needs it.
#
#   make test         all tests but the slow ones, the examples in README and docs included
#   make real         the same with every real part: other programs and packages are installed (Debian, root), no test is skipped
#   make transcripts  what some 300 commands print beside what is recorded; ACCEPT="NAME ..." records it anew
#   make lint         ruff check, ruff format --check, mypy --strict
#   make reproduce    the papers' claims that exact algebra decides, with verdicts
#   make experiments  their experiments, a quarter of an hour on two processors; writes docs/experiments/
#   make proofs       proofs/certificates/, rebuilt from nothing: the same bytes as before
#   make worst        the worst texts that the checker reads: none may take half of what proofs/FORMAT.md promises
#   make errata       docs/errata.md, written anew
#   make atlas        the atlas, every class swept again (resumes stopped): algdim/sweeping/atlas.csv.gz, atlas/counts.csv, docs/atlas.md
#   make pictures    the pictures of README and of the design page, drawn anew
#   make studio       the studio of this folder; its page is plain modules, given out as they stand in the folder and in the wheel: nothing is built
#   make studio-demo  the pictures of docs/studio.md, recorded in a browser while the W structure is drawn
#   make manual       docs/algdim.1, written anew
#   make measures    what a reader meets in the first minute, in figures; fails if a goal is missed
#   make docs         the documentation site, in build/site; warnings are errors
#   make coq          proofs/coq/ compiled, and certificates checked by it: needs Coq, MathComp and its multinomials, some minutes
#   make second-opinion  the certificates again, with the arithmetic of PARI
#   make slow         the slow tests, all examples of the property tests, all tests and cases of which `make test` draws some; writes into docs/reliability.md what came out
#   make slow-sample  SAMPLE of them, drawn with SEED
#   make hunt         random small models of all families, examined in every way, for SECONDS, drawn with SEED
#   make hunt-answers COUNT answers on such models, judged by computations of their own; COUNT=20000 takes some minutes
#   make mutants      FAULTS are planted in the code that proves, drawn with SEED, one at a time: how many do the tests catch?
#   make fuzz         hostile texts for every reader, the same
#   make costly       COUNT short texts, bred for the time and memory that commands take of them, drawn with SEED, for SECONDS; resumes stopped
#   make large        large and false files, each given to a command: what it took, and whether it was rejected
#   make package      wheel and source archive, each installed into an empty environment and tried outside of the project
#   make oldest       some of the tests with the oldest dependencies that are allowed
#   make bench        algdim beside its opponents, about twenty minutes on a quiet machine: writes docs/benchmarks.md; bench/bench.py --resume measures what is left of a run that was interrupted
#   make bench-quick  the same, smaller, in some minutes; says which ratios fell since the published page, and writes nothing
#   make clean        remove .venv and everything that was built
#
# make PYTHON=/path/to/python3.13 test   takes that Python instead of the first suitable one on the path.

PYTHON ?=
SAMPLE ?= 10
SEED ?= 0
SECONDS ?= 600
COUNT ?= 20000
FAULTS ?= 1000
WORKERS ?= auto
ACCEPT ?=

SLOWEST = --durations=10 --durations-min=0.5

BIN = .venv/bin
CHECKER = $(wildcard proofs/check.py proofs/coq/translate.py proofs/coq/verify.py)
SEARCHED = python3.14 python3.13 python3.12 python3.11 python3 python

.DEFAULT_GOAL = test
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: atlas test real transcripts lint reproduce experiments proofs coq worst errata docs second-opinion slow slow-sample hunt hunt-answers fuzz costly large mutants package oldest bench bench-quick clean format pictures studio studio-demo measures manual

test: .venv/.installed-test
	$(BIN)/python -m pytest -n $(WORKERS) $(SLOWEST)

# Tests ask mypy as well.
real: .venv/.installed-test .venv/.installed-real .venv/.installed-lint
	tests/install_real.sh
	$(MAKE) --no-print-directory -C proofs/coq
	$(BIN)/python -m pytest -n $(WORKERS) $(SLOWEST) --no-skips

slow: .venv/.installed-test
	ALGDIM_TESTS=all $(BIN)/python -m pytest -n $(WORKERS) -m "slow or hypothesis or drawn" --record=docs/reliability.md

slow-sample: .venv/.installed-test
	ALGDIM_SEED=$(SEED) $(BIN)/python -m pytest -n $(WORKERS) -m slow --sample=$(SAMPLE) --sample-seed=$(SEED)

transcripts: .venv/.installed-test
	$(BIN)/python tests/transcripts.py $(if $(ACCEPT),--accept $(ACCEPT))

lint: .venv/.installed-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict algdim algdim_papers $(CHECKER) tests/typed_client.py

format: .venv/.installed-lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

reproduce: .venv/.installed
	$(BIN)/algdim reproduce

experiments: .venv/.installed
	$(BIN)/algdim reproduce --experiments --output docs/experiments

proofs: .venv/.installed
	$(BIN)/python proofs/build.py

worst: .venv/.python
	$(BIN)/python proofs/worst.py

# Says what is missing, and installs nothing.
coq:
	$(MAKE) --no-print-directory -C proofs/coq check

errata: .venv/.installed
	$(BIN)/python proofs/errata.py

# To read it: open build/site/index.html; the search works without a server.
docs: .venv/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# Those that need a browser are skipped where there is none.
measures: .venv/.installed-test .venv/.installed-docs
	$(BIN)/python tests/measures.py

atlas: .venv/.installed
	$(BIN)/python -m atlas.build

# Those that a test compares with what is drawn.
pictures: .venv/.installed-test
	for picture in badges fibre house pictures; do $(BIN)/python docs/_site/$$picture.py; done

studio: .venv/.installed-test
	$(BIN)/algdim studio

studio-demo: .venv/.installed-test
	PYTHONPATH=tests $(BIN)/python tests/studio_demo.py

# The wheel has it under share/man; a test compares it with what the command prints.
manual: .venv/.installed
	COLUMNS=80 $(BIN)/algdim man > docs/algdim.1

second-opinion: .venv/.installed-second-opinion
	$(BIN)/python proofs/second_opinion.py

hunt: .venv/.installed-test
	PYTHONPATH=tests $(BIN)/python -m hunting.hunt --seconds $(SECONDS) --seed $(SEED)

hunt-answers: .venv/.installed-test
	PYTHONPATH=tests $(BIN)/python -m hunting.answers --count $(COUNT) --seconds 3600 --seed $(SEED)

fuzz: .venv/.installed-test
	PYTHONPATH=tests $(BIN)/python -m hunting.fuzz --seconds $(SECONDS) --seed $(SEED) --giants

costly: .venv/.installed-test
	PYTHONPATH=tests $(BIN)/python -m hunting.costly --count $(COUNT) --seconds $(SECONDS) --seed $(SEED)

large: .venv/.installed-real
	PYTHONPATH=tests $(BIN)/python -m hunting.large_files

mutants: build/mutants/.installed
	build/mutants/venv/bin/python tests/mutation.py --sample $(FAULTS) --seed $(SEED)

# The second installation takes the dependencies of the first; mypy reads the types of what is installed, not of the folder.
package: .venv/.installed-lint
	rm -rf dist build/package
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m build --outdir dist . >/dev/null
	tar tzf dist/*.tar.gz | grep -q tests/conftest.py
	$(BIN)/python -m venv build/package
	cp tests/installed.py tests/typed_client.py build/package
	for archive in dist/*.whl dist/*.tar.gz; do \
	  build/package/bin/python -m pip uninstall --quiet --yes algdim 2>/dev/null; \
	  build/package/bin/python -m pip install --quiet --disable-pip-version-check $$archive && \
	  (cd build/package && bin/python -I installed.py) || exit 1; \
	done
	cd build/package && ../../$(BIN)/mypy --strict --python-executable bin/python typed_client.py

OLDEST = exact/test_arithmetic exact/test_ranks models/test_notation models/test_modelfile readers/test_graphs explanation/test_printing bound/test_strategy bound/test_chance \
  cli/test_doctor

# What an old library says of newer ones is no error here; one test calls a library in a newer way.
oldest: .venv/.python
	$(BIN)/python -m venv build/oldest
	build/oldest/bin/python -m pip install --quiet --disable-pip-version-check $$($(BIN)/python tests/oldest.py)
	build/oldest/bin/python -m pytest -q -p no:cacheprovider -W default --deselect tests/readers/test_graphs.py::test_round_trip $(OLDEST:%=tests/%.py)

# Programs from Debian are installed where they can be; what is missing is said and skipped.
bench: .venv/.installed .venv/.installed-bench
	-bench/install_opponents.sh
	$(BIN)/python bench/bench.py --output docs

bench-quick: .venv/.installed
	$(BIN)/python bench/bench.py --quick

clean:
	rm -rf .venv build dist algdim.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp per group of packages: what was installed is renewed when pyproject.toml changes, and only then.

.venv/.installed: .venv/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/.installed-test .venv/.installed-real .venv/.installed-lint .venv/.installed-docs .venv/.installed-second-opinion .venv/.installed-bench: .venv/.installed-%: .venv/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@

# mutmut stands in an environment of its own, which sees the packages of .venv.
build/mutants/.installed: .venv/.installed-test
	$(BIN)/python -m venv build/mutants/venv
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" >build/mutants/shared.pth
	mv build/mutants/shared.pth build/mutants/venv/lib/python*/site-packages
	build/mutants/venv/bin/python -m pip install --quiet --disable-pip-version-check mutmut==3.8.1
	@touch $@

# A name on the path is not yet a Python that runs, so each is asked for its version.

.venv/.python:
	@found=; \
	for python in $(or $(PYTHON),$(SEARCHED)); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo "No Python >= 3.11 among: $(or $(PYTHON),$(SEARCHED)). Install one, or name one: make PYTHON=/path/to/python3" >&2; exit 1; \
	fi; \
	echo "$$found -m venv .venv"; \
	rm -rf .venv; \
	"$$found" -m venv .venv || { rm -rf .venv; \
	  echo "$$found cannot create a virtual environment; on Debian and Ubuntu its package python3-venv is missing" >&2; exit 1; }
	@touch $@
