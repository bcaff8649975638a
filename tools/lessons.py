"""Writes docs/lessons.md from the labs in resources/labs.

python -m tools.lessons
"""

from collections.abc import Iterator
from pathlib import Path

from core.labs.lab import Lab, PredictBlock, QuestionBlock, RunBlock, TaskBlock, Text
from core.labs.package import lessons, open_lab
from core.runs.plan import RunPlan
from core.training.run_settings import SETTINGS

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "lessons.md"
HEAD = """\
# Ten lessons

Each lesson is a lab of 15 to 30 minutes: predict, run, compare, explain, change. It needs no network connection and no
graphics card. In the window, choose it from the menu **Lessons**: the text at the left asks before it shows. **This
page holds the results:** do a lesson first, and read here afterwards. The same runs can be made on the command line
with the options given below.

The figures are reached on all processors, except for small differences by rounding. `main.py lab check FILE` trains a
lesson's runs and compares them. All runs use seed 0. This page is made from `resources/labs` by
`python -m tools.lessons`; how to write a lab: [writing-labs.md](writing-labs.md).
"""


def main() -> None:
    DOCUMENT.write_text(document(), encoding="utf-8")
    print(f"Written: {DOCUMENT}")


def document() -> str:
    """The text of docs/lessons.md."""
    parts = [HEAD]
    for number, (_, path) in enumerate(lessons(), 1):
        lab = open_lab(path)
        parts += [f"## {number}. {lab.title}", *_paragraphs(lab)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _paragraphs(lab: Lab) -> Iterator[str]:
    for part in lab.parts():
        if isinstance(part, Text) and part.hidden != "teacher":
            yield part.markdown
        elif isinstance(part, PredictBlock):
            choices = "; ".join(part.choices)
            yield f"**Predict.** {part.ask}" + (f" ({choices})" if choices else "")
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
    names = [name.replace("_", " ") for name in run.figures]
    yield f"| {' | '.join(['run', *(['options'] if any(own) else []), *names])} |"
    yield "|---" * (1 + any(own) + len(run.figures)) + "|"
    for index, title in enumerate(run.titles):
        cells = [title or "this run", *([f"`{own[index]}`" if own[index] else ""] if any(own) else [])]
        for quantity, numbers in run.figures.items():
            cells.append(
                f"{numbers[index]:.1f} %" if quantity.endswith("accuracy") else f"{numbers[index]:.3f}"
            )
        yield f"| {' | '.join(cells)} |"


def _options(plan: RunPlan) -> list[str]:
    """Data, device and the settings that differ from their defaults, as options of `train`."""
    options = [f"--data {plan.data}"] + ([f"--device {plan.device}"] if plan.device != "auto" else [])
    for setting in SETTINGS:
        value = getattr(plan.settings, setting.name)
        if value != setting.default:
            options.append(f"--{setting.name.replace('_', '-')} {value:g}" if isinstance(value, float)
                           else f"--{setting.name.replace('_', '-')} {value}")  # fmt: skip
    return options


if __name__ == "__main__":
    main()
