"""The command of the software card; `tests.card` describes it."""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.card.library import environment

# The ladder of the bench, which also needs a card, is left out: naive kernels are slow on a
# processor.
TESTS = ["tests/kernels/cuda/test_cuda_card.py"]

# 137 billion multiplications, too many for a processor.
EXCLUDED = "not large_product"


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["run"]:
        return _run(arguments[1:])
    if arguments[:1] == ["program"]:
        return subprocess.run(arguments[1:], env=environment(), check=False).returncode
    if arguments[:1] == ["calls"]:
        return _print_calls(arguments[1:])
    selection = [] if "-k" in arguments else ["-k", EXCLUDED]
    options = ["-m", "gpu", "-p", "no:cacheprovider", *TESTS, *selection]
    return _run(["-m", "pytest", *options, *arguments])


def _run(arguments: list[str], **settings: object) -> int:
    """By this Python, or by one without a compiler: the card needs the compiler's packages."""
    python = os.environ.get("DIGITLAB_CARD_PYTHON", sys.executable)
    return subprocess.run([python, *arguments], env=environment(**settings), check=False).returncode


def _print_calls(arguments: list[str]) -> int:
    """Run the program, then print a Markdown table of the functions it called and the names it
    asked for in vain.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "calls"
        code = _run(arguments, calls=path)
        lines = path.read_text().splitlines() if path.exists() else []
    counts: dict[str, Counter[str]] = {"called": Counter(), "missing": Counter()}
    for line in lines:
        kind, name, number = line.split()
        counts[kind][name] += int(number)
    print("\n| function | calls |\n|---|--:|")
    for name, number in counts["called"].most_common():
        print(f"| `{name}` | {number} |")
    print(
        f"\nAsked for and not implemented ({len(counts['missing'])}):",
        ", ".join(sorted(counts["missing"])),
    )
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
