"""`python -m tools.card [options of pytest]` runs the tests that need a card on the emulator.

All of them take less than ten minutes on two cores; `-k` selects some.
"""

import sys

import pytest

from tools.card.numba_stand_in import LAUNCHED, install

# Tests of the driver's memory, and one that is too large for a processor.
EXCLUDED = ("large_product", "memory", "given_everything_back")


class ExcludeTests:
    """A pytest plugin that excludes tests of what is not emulated and lists the launched kernels."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if not any(word in item.nodeid for word in EXCLUDED)]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        launches = ", ".join(f"{name} {count}" for name, count in LAUNCHED.most_common())
        terminalreporter.write_line(f"Launched on the emulator: {launches or 'nothing'}.")


if __name__ == "__main__":
    install()
    options = ["-m", "gpu", "-p", "no:cacheprovider", "tests/kernels/cuda/test_cuda_card.py"]
    sys.exit(pytest.main([*options, *sys.argv[1:]], plugins=[ExcludeTests()]))
