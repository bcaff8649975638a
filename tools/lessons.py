"""Writes docs/lessons.md from the labs in resources/labs.

python -m tools.lessons             the text; the table of figures by family of processors stays as it is
python -m tools.lessons families    train all labs with the code of each family, and write the table anew
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from core.labs.blocks.question import QuestionBlock
from core.labs.blocks.run import RunBlock
from core.labs.blocks.task import TaskBlock
from core.labs.blocks.text import Text
from core.labs.lab import Lab
from core.labs.package import lessons, open_lab
from core.labs.trial import DataSets
from core.runs.plan import RunPlan
from core.training.run_settings import SETTINGS
from kernels.host import blas_family, runnable_families

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "lessons.md"
HEAD = """\
# Eleven lessons

Each lesson is a lab of 15 to 30 minutes: predict, run, compare, explain, change.
It needs no network connection and no graphics card.
Choose it from the menu **Lessons**: the text at the left asks before it shows.
**This page holds the results:** do a lesson first, and read here afterwards.

All runs use seed 0, so a run gives the same figures each time.
On another kind of processor sums are rounded in another way, and figures differ a little:
[a table](#figures-by-family-of-processors) at the end of this page says by how much.
This page is made from `resources/labs` by `python -m tools.lessons`.
"""
TABLE_HEADING = "## Figures by family of processors"
TABLE_TEXT = """\
NumPy's library of products, OpenBLAS, has code of its own for each family:
*Haswell* for processors with AVX2, most laptops of Intel and AMD (Zen has the same code);
*SkylakeX* for those with AVX-512; *Sandybridge* for older ones with AVX.
Figures that are the stated one with each family are not listed.
“May be off” is the lab's tolerance: percentage points, or tenths of the stated loss.
In a task's row stands what its solution reaches.
`python -m tools.lessons families` measures this table, and ends with an error where a figure does
not hold.
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    # `measure` is for this tool itself: the figures with the code of the family that it was started
    # with.
    parser.add_argument("what", nargs="?", choices=("families", "measure"), default=None)
    what = parser.parse_args().what
    if what == "measure":
        for row in iter_figures():
            print(json.dumps(row), flush=True)
        return 0
    is_measured = what == "families"
    table, faults = measured_table() if is_measured else (kept_table(), 0)
    DOCUMENT.write_text(document(table), encoding="utf-8")
    print(f"Written: {DOCUMENT}" + (f"; figures that do not hold: {faults}" if is_measured else ""))
    return 1 if faults else 0


def document(table: str) -> str:
    """The text of docs/lessons.md with this table of figures by family."""
    parts = [HEAD]
    for number, (_, path) in enumerate(lessons(), 1):
        lab = open_lab(path)
        parts += [f"## {number}. {lab.title}", *_paragraphs(lab)]
    parts += [TABLE_HEADING, TABLE_TEXT, table]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def kept_table() -> str:
    """The tables that docs/lessons.md has."""
    return (
        DOCUMENT.read_text("utf-8")
        .partition(TABLE_HEADING)[2]
        .strip()
        .removeprefix(TABLE_TEXT.strip())
        .strip()
    )


def iter_figures() -> Iterator[tuple[str, str, str, float, float, str, bool]]:
    """Trains all labs; yields (lab, run, quantity, stated figure, found one, tolerance, whether it
    holds).

    Runs on named devices are left out: what they compare is time.
    """
    for _, path in [*lessons(), *lessons("90-minutes")]:
        lab = open_lab(path)
        data = DataSets(lab.folder)
        for part in lab.parts:
            if isinstance(part, RunBlock) and part.figures:
                for index, plan in enumerate(part.plans("")):
                    attempt = part.train(index, plan, data)
                    run = part.titles[index] or plan.settings.network
                    for quantity, stated, found, holds in part.compared(index, attempt):
                        yield (
                            lab.title,
                            run,
                            quantity,
                            stated,
                            found or 0.0,
                            f"{part.tolerance:g}",
                            holds,
                        )
            elif isinstance(part, TaskBlock) and part.solution:
                plan = part.setup.plan_of("").change(**part.solution)
                goals = part.reached(part.train(0, plan, data))
                for goal, (value, met) in goals.items():
                    if value is not None and goal.startswith("test_"):
                        yield lab.title, f"task “{part.id}”", goal, part.goals[goal], value, "", met


def measured_table() -> tuple[str, int]:
    """The table of all families that this processor can run, and how many figures do not hold."""
    families = runnable_families()
    faults = 0
    rows: dict[tuple[str, str, str, float, str], list[float]] = {}
    for family in families:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")
        }
        environment["OPENBLAS_CORETYPE"] = family
        command = [sys.executable, "-m", "tools.lessons", "measure"]
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ) as process:
            assert process.stdout
            for line in process.stdout:
                lab, run, quantity, stated, found, tolerance, holds = json.loads(line)
                rows.setdefault((lab, run, quantity, stated, tolerance), []).append(found)
                faults += not holds
                print(
                    f"{family:<12} {lab}: {run}, {quantity} {found:.4f}"
                    + ("" if holds else "  FAULT")
                )
        if process.returncode:
            raise SystemExit(
                f"The labs could not be trained with {family}'s code (this is {blas_family()})."
            )
    if any(len(values) != len(families) for values in rows.values()):
        raise SystemExit("The labs have changed meanwhile: measure again.")
    head = f"| lab | run | figure | stated | {' | '.join(families)} | may be off |"
    lines = [head, "|---|---|---|" + "--:|" * (len(families) + 2)]
    before = ""
    for (lab, run, quantity, stated, tolerance), values in rows.items():
        figure = _figure(quantity, stated)
        if tolerance and all(_figure(quantity, value) == figure for value in values):
            continue
        cells = [figure, *(_figure(quantity, value, more_digits=1) for value in values)]
        name = quantity.replace("_", " ")
        title = lab if lab != before else ""
        before = lab
        lines.append(f"| {title} | {run} | {name} | {' | '.join(cells)} | {tolerance} |")
    return "\n".join(lines), faults


def _figure(quantity: str, value: float, more_digits: int = 0) -> str:
    if "accuracy" in quantity:
        return f"{value:.{1 + more_digits}f} %"
    return f"{value:.{3 + more_digits}f}"


def _paragraphs(lab: Lab) -> Iterator[str]:
    for part in lab.parts:
        if isinstance(part, Text) and part.hidden != "teacher":
            yield part.markdown
        elif isinstance(part, RunBlock):
            yield "\n".join(_table(part))
        elif isinstance(part, QuestionBlock):
            right = " ".join(choice.text for choice in part.choices if choice.right)
            yield f"**Question.** {part.ask} *{right}*"
        elif isinstance(part, TaskBlock):
            yield f"**Change.** {part.ask}"


def _table(run: RunBlock) -> Iterator[str]:
    """The command of the run, and the options and figures of its variants."""
    plans = run.plans("")
    shared = _options(run.setup.plan)
    yield f"**Run.** `main.py train {' '.join(shared)}`"
    own = [" ".join(option for option in _options(plan) if option not in shared) for plan in plans]
    yield ""
    # A row for each run: in columns the options would be wider than a window.
    has_options = any(own)
    headings = ["run"]
    if has_options:
        headings.append("options")
    headings += [name.replace("_", " ") for name in run.figures]
    yield f"| {' | '.join(headings)} |"
    yield "|---" * len(headings) + "|"
    for index, title in enumerate(run.titles):
        cells = [title or "this run"]
        if has_options:
            cells.append(f"`{own[index]}`" if own[index] else "")
        for quantity, numbers in run.figures.items():
            number = numbers[index]
            cells.append(f"{number:.1f} %" if quantity.endswith("accuracy") else f"{number:.3f}")
        yield f"| {' | '.join(cells)} |"


def _options(plan: RunPlan) -> list[str]:
    """Data, device and the settings that differ from their defaults, as options of `train`."""
    options = [f"--data {plan.data}"] + (
        [f"--device {plan.device}"] if plan.device != "auto" else []
    )
    for setting in SETTINGS:
        value = getattr(plan.settings, setting.name)
        if value != setting.default:
            text = f"{value:g}" if isinstance(value, float) else str(value)
            options.append(f"--{setting.name.replace('_', '-')} {text}")
    return options


if __name__ == "__main__":
    sys.exit(main())
