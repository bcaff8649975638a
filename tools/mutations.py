"""Changes the code at random places and tells which changes no test finds.

    uv run --with cosmic-ray==8.7.0 python -m tools.mutations --seed 1 core/labs core/runs

cosmic-ray changes operators, numbers, conditions, loops and decorators. First all tests run once,
to learn which of them execute which line. Then each change is made in a copy of the project, and
the tests that execute its line run until one fails. A change that no test finds is printed with its
difference: a test is missing, or the change is equivalent, as the program then does the same. Which
of the two it is has to be found out by reading.
"""

import argparse
import ast
import difflib
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("core/labs", "core/workshop", "core/training", "core/runs", "core/studies")
TESTS = (
    "tests/core",
    "tests/gui/labs",
    "tests/gui/runs",
    "tests/gui/studies",
    "tests/gui/training",
    "tests/gui/workshop",
)
# As measured once, quickest first: slower ones of the tests of a line are left out.
SECONDS_OF_TESTS = 90
SECONDS_AT_MOST = 600  # a change that makes a test endless is found


@dataclass(frozen=True)
class Change:
    """One change of one file."""

    file: str
    line: int
    operator: str
    source: str
    difference: str


@dataclass(frozen=True)
class Outcome:
    """What the tests said of a change."""

    change: Change
    tests: int  # that execute the line
    found_by: str  # a test, "time limit", or "" for none


class CoveredLines:
    """Which tests execute which lines, and how long each test takes."""

    def __init__(self, folder: Path) -> None:
        from coverage import CoverageData

        self._data = CoverageData(basename=str(folder / "lines"))
        self._data.read()
        self._seconds = _seconds_of_tests(folder / "tests.xml")

    def tests(self, file: str, line: int) -> list[str]:
        """Node ids of the tests that execute the line, quickest first; of the whole file where it
        runs at import.
        """
        contexts = self._data.contexts_by_lineno(str(ROOT / file))
        names = {_node_id(context) for context in contexts.get(line, []) if context}
        if not names:
            everywhere = set().union(*contexts.values())
            names = {_node_id(context) for context in everywhere if context}
        chosen = []
        seconds = 0.0
        for name in sorted(names, key=lambda name: self._seconds.get(name, 1.0)):
            seconds += self._seconds.get(name, 1.0)
            if chosen and seconds > SECONDS_OF_TESTS:
                break
            chosen.append(name)
        return chosen


def main() -> None:
    options = _options()
    changes = _draw(options.folders, options.number, random.Random(options.seed))
    with tempfile.TemporaryDirectory(prefix="digitlab-mutations-") as folder:
        measured = Path(options.lines) if options.lines else Path(folder)
        if not (measured / "lines").exists():
            _run_all_tests(measured)
        covered = CoveredLines(measured)
        found = 0
        done = 0
        for outcome in _iter_outcomes(changes, covered, options.workers, Path(folder)):
            done += 1
            found += bool(outcome.found_by)
            _print(outcome, done)
    print(f"{found} of {done} changes were found")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutations", description=__doc__.splitlines()[0]
    )
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    parser.add_argument("--number", type=int, default=300, help="how many changes (300)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    parser.add_argument(
        "--workers", type=int, default=2, help="changes that are tested at once (2)"
    )
    parser.add_argument(
        "--lines", help="a folder that keeps, or has, what the first run of all tests measured"
    )
    return parser.parse_args()


def _draw(folders: list[str], number: int, chance: random.Random) -> list[Change]:
    """Places are drawn first, then what to do there: some places allow ten changes, others one."""
    from cosmic_ray.plugins import get_operator, operator_names

    kinds = [get_operator(name) for name in operator_names()]
    operators = [kind() for kind in kinds if not kind.arguments()]
    places = []
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            places += sorted(_places(path, operators).items())
    changes = []
    for (file, line, _), candidates in chance.sample(places, min(number, len(places))):
        operator, occurrence = chance.choice(candidates)
        changes.append(_change(file, line, operator, occurrence))
    return changes


def _places(path: Path, operators: list) -> dict[tuple[str, int, int], list[tuple]]:
    """(file, line, column) of what can be changed, with (operator, occurrence) of each way; no
    annotations.
    """
    from cosmic_ray.ast import ast_nodes, get_ast

    source = path.read_text("utf-8")
    tree = get_ast(source)
    without = _lines_and_columns_of_annotations(source)
    found: dict[tuple[str, int, int], list[tuple]] = {}
    for operator in operators:
        occurrence = 0
        for node in ast_nodes(tree):
            for (line, column), _ in operator.mutation_positions(node):
                if not any(start <= (line, column) < end for start, end in without):
                    place = (path.relative_to(ROOT).as_posix(), line, column)
                    found.setdefault(place, []).append((operator, occurrence))
                occurrence += 1
    return found


def _lines_and_columns_of_annotations(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    found = []
    for node in ast.walk(ast.parse(source)):
        for name in ("annotation", "returns"):
            part = getattr(node, name, None)
            if part is not None:
                found.append(
                    ((part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset))
                )
    return found


def _change(file: str, line: int, operator: object, occurrence: int) -> Change:
    from cosmic_ray.mutating import mutate_code

    before = (ROOT / file).read_text("utf-8")
    after = mutate_code(before, operator, occurrence)
    difference = difflib.unified_diff(
        before.splitlines(), after.splitlines(), file, file, n=0, lineterm=""
    )
    return Change(file, line, type(operator).__name__, after, "\n".join(difference))


def _run_all_tests(folder: Path) -> None:
    """Write `lines` (coverage with the test of each line) and `tests.xml` (seconds of each test) to
    the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "coveragerc").write_text(
        "[run]\nsource = core,kernels\ndata_file = " + str(folder / "lines") + "\n"
    )
    command = [
        *(
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            "2",
            "--dist",
            "worksteal",
            "--cov",
            "--cov-report=",
        ),
        *(
            f"--cov-config={folder / 'coveragerc'}",
            "--cov-context=test",
            f"--junitxml={folder / 'tests.xml'}",
        ),
        *TESTS,
    ]
    subprocess.run(command, cwd=ROOT, env=_environment(folder), check=False)


def _environment(home: Path) -> dict[str, str]:
    return dict(os.environ, QT_QPA_PLATFORM="offscreen", DIGITLAB_HOME=str(home / "home"))


def _seconds_of_tests(path: Path) -> dict[str, float]:
    seconds = {}
    for case in ElementTree.parse(path).iter("testcase"):
        file = case.get("classname", "").replace(".", "/") + ".py"
        seconds[f"{file}::{case.get('name')}"] = float(case.get("time", 1.0))
    return seconds


def _node_id(context: str) -> str:
    """What pytest-cov writes, as "tests/core/test_x.py::test_y[1]|run", without the bar's end."""
    return context.rpartition("|")[0]


def _iter_outcomes(
    changes: list[Change], covered: CoveredLines, workers: int, folder: Path
) -> Iterator[Outcome]:
    waiting: queue.SimpleQueue[Change] = queue.SimpleQueue()
    for change in changes:
        waiting.put(change)
    outcomes: queue.SimpleQueue[Outcome | BaseException] = queue.SimpleQueue()
    for number in range(workers):
        copy = _copy_of_project(folder / f"copy{number}")
        arguments = (waiting, outcomes, covered, copy)
        threading.Thread(target=_work, args=arguments, daemon=True).start()
    for _ in changes:
        outcome = outcomes.get()
        if isinstance(outcome, BaseException):
            raise outcome
        yield outcome


def _copy_of_project(target: Path) -> Path:
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    # What Numba has compiled already is found by the time of the source, which the copy keeps.
    for path in ROOT.rglob("__pycache__/*.nb[ic]"):
        place = target / path.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place)
    return target


def _work(
    waiting: "queue.SimpleQueue[Change]",
    outcomes: "queue.SimpleQueue[Outcome | BaseException]",
    covered: CoveredLines,
    copy: Path,
) -> None:
    while True:
        try:
            change = waiting.get_nowait()
        except queue.Empty:
            return
        try:
            outcomes.put(_test(change, covered, copy))
        except BaseException as error:
            outcomes.put(error)
            return


def _test(change: Change, covered: CoveredLines, copy: Path) -> Outcome:
    """Change the copy, run the tests of the line until one fails, and put the copy back."""
    tests = covered.tests(change.file, change.line)
    if not tests:
        return Outcome(change, 0, "")
    (copy / change.file).write_text(change.source, "utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "--no-header",
        *tests,
    ]
    try:
        done = subprocess.run(
            command,
            cwd=copy,
            env=_environment(copy.parent),
            capture_output=True,
            text=True,
            timeout=SECONDS_AT_MOST,
        )
    except subprocess.TimeoutExpired:
        return Outcome(change, len(tests), "time limit")
    finally:
        shutil.copy2(ROOT / change.file, copy / change.file)
    if done.returncode == 0:
        return Outcome(change, len(tests), "")
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return Outcome(
        change, len(tests), failed[0] if failed else done.stdout[-200:] or done.stderr[-200:]
    )


def _print(outcome: Outcome, number: int) -> None:
    change = outcome.change
    verdict = "found" if outcome.found_by else "NOT FOUND"
    print(
        f"{number} {verdict}: {change.file}:{change.line} {change.operator} ({outcome.tests} "
        f"tests) {outcome.found_by}"
    )
    if not outcome.found_by:
        print(change.difference)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
