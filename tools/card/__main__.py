"""`python -m tools.card [pytest's own options]`: the tests that need a card, on the stand-in.

All of them take less than ten minutes on two cores; `-k` chooses some.
"""

import sys

import pytest

from tools.card.numba_stand_in import LAUNCHED, install

# What is about the driver's memory, or too large for a processor.
LEFT_OUT = ("large_product", "memory", "given_everything_back")


class LeaveOut:
    """Tests that ask the stand-in for what it has not."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if not any(word in item.nodeid for word in LEFT_OUT)]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        launches = ", ".join(f"{name} {count}" for name, count in LAUNCHED.most_common())
        terminalreporter.write_line(f"Launched on the stand-in: {launches or 'nothing'}.")


if __name__ == "__main__":
    install()
    options = ["-m", "gpu", "-p", "no:cacheprovider", "tests/kernels/cuda/test_cuda_card.py"]
    sys.exit(pytest.main([*options, *sys.argv[1:]], plugins=[LeaveOut()]))
