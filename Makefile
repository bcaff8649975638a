# Everything here sets itself up from a clean clone; it asks only for Python 3.11 or later with pip.
#   make check            formatter, linter, types, tests
#   make test             the tests alone
#   make coverage         the lines of core and kernels that tests reach, compiled loops included
#   make kernels          the kernels for graphics cards, compiled ahead (docs/cuda.md)
#   make app              dist/digitlab/digitlab, tried out
#   make wheel            dist/digitlab-VERSION-py3-none-any.whl and the versions it was tested with, tried out
#   make install          the program, its menu entry and its icons, below PREFIX
#   make screenshots      the pictures of the documentation
#   make my-network       the page to draw on of the documentation, and its picture (needs Chromium)
#   make bench            the benchmarks
#   make window-cost      what the window costs training, and how soon it reads a stroke meanwhile

PREFIX ?= $(HOME)/.local
BENCHES ?=
PYTHONS ?= 3.11
export UV_LINK_MODE ?= copy

UV := $(shell command -v uv || echo build/uv/bin/uv)
# Of its own, so that the program holds nothing that only developers need.
APP = UV_PROJECT_ENVIRONMENT=build/venv-app $(UV) run --no-dev --group app
CHECK = $(UV) run --extra cuda --group check
PROGRAM = dist/digitlab/digitlab

.PHONY: check lint form test coverage kernels app wheel install screenshots my-network bench window-cost clean

check: lint test

lint: form types-linux types-win32 types-darwin

form: $(UV)
	$(CHECK) ruff format --check
	$(CHECK) ruff check

types-%: $(UV)
	$(CHECK) mypy --platform $* --cache-dir .mypy_cache/$*

test: $(UV)
	QT_QPA_PLATFORM=offscreen $(UV) run --extra cuda pytest

# Numba tells of the lines that it compiles: so it must find none compiled already.
coverage: $(UV)
	rm -rf build/coverage
	mkdir -p build/coverage
	QT_QPA_PLATFORM=offscreen NUMBA_JIT_COVERAGE=1 NUMBA_CACHE_DIR=$(CURDIR)/build/coverage \
	COVERAGE_FILE=$(CURDIR)/build/coverage/lines $(UV) run --extra cuda coverage run -m pytest
	COVERAGE_FILE=$(CURDIR)/build/coverage/lines $(UV) run --extra cuda coverage combine --quiet
	COVERAGE_FILE=$(CURDIR)/build/coverage/lines $(UV) run --extra cuda coverage report --skip-covered

# numba-cuda is for Linux and Windows; elsewhere there are no cards.
kernels: $(UV)
	$(if $(filter Darwin,$(shell uname)),,$(CHECK) python packaging/compile_kernels.py)

app: kernels
	$(APP) python -m PyInstaller --noconfirm --log-level WARN packaging/digitlab.spec
	$(APP) python packaging/smoke_test.py $(PROGRAM)

wheel: kernels
	$(UV) build --quiet --wheel --out-dir dist
	python3 -m tools.versions constraints dist/constraints.txt
	python3 packaging/wheel_test.py dist/digitlab-*.whl $(UV) $(PYTHONS)

install: $(PROGRAM)
	packaging/linux/install.sh "$(PREFIX)"

screenshots: $(UV)
	QT_QPA_PLATFORM=offscreen $(UV) run python -m tools.pictures documents

my-network: $(UV)
	rm -rf build/my-network
	$(UV) run main.py train --data builtin --network 8C5-MP2-16C5-MP2-64N-10N --optimizer momentum --learning-rate 0.005 \
	    --schedule cosine --epochs 12 --shift 1 --rotation 8 --scale 0.08 --name "My network" --run build/my-network
	$(UV) run main.py export build/my-network docs/my-network.html
	$(UV) run python -m tools.browser docs/my-network.html docs/images/my-network.png

bench: $(UV)
	$(UV) run --extra cuda main.py bench $(BENCHES)

window-cost: $(UV)
	QT_QPA_PLATFORM=offscreen $(UV) run python -m tools.cost window

clean:
	rm -rf build dist

$(PROGRAM):
	$(MAKE) app

build/uv/bin/uv:
	python3 -m pip install --quiet --target build/uv uv
