"""An exercise: a kernel to write or repair, with its launch, reference and par (docs/workshop.md,
An exercise).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import InputError
from core.files.input_file import read_input
from core.files.reasons import refusing
from core.workshop.checker.dialect import lines_of
from core.workshop.checker.trace import KINDS, Totals, Verdict

if TYPE_CHECKING:  # imported when an exercise is read or checked, so that the window starts sooner
    from core.workshop.launch import Launch

MAX_BYTES = 400_000
KEYS: dict[str, Any] = {
    "file": str,
    "kernel": str,
    "args": str,
    "grid": (str, int),
    "block": (str, int),
    "sizes": str,
    "reference": str,
    "solution": str,
    "wrong": str,
    "par": dict,
    "start": dict,
    "operator": str,
    "launches": str,
    "shared": (str, int),
    "inputs": dict,
}
"""The keys of a block `kernel` and their types in TOML."""
_MAX_WRONG = 50
_COMMENT = re.compile(rf"#\s*fault:\s*({'|'.join(KINDS)})\b")


@dataclass(frozen=True, slots=True)
class Exercise:
    """What a block `kernel` describes. `skeleton`: the text that the pupil begins with.

    `solution`: a file, or None. `wrong`: kernels that the check must find. `start`: counts of the
    skeleton, by the names of `Totals`, as `launch.par`. `operator`: of the program, which the
    kernel may stand for; or empty.
    """

    launch: "Launch"
    skeleton: str
    solution: Path | None = None
    wrong: tuple[Path, ...] = ()
    start: Mapping[str, float] = field(default_factory=dict)
    operator: str = ""


def read_exercise(values: Mapping[str, Any], find: Callable[[str], Path | None]) -> Exercise:
    """The exercise of a block `kernel` with these values; `find`: the file of this name in the
    lab's folder, or None.

    Raises InputError.
    """
    from core.workshop.launch import parse_launch

    needed = ("args",) if "launches" in values else ("kernel", "args", "grid", "block")
    for key in needed:
        if key not in values:
            raise InputError("a kernel needs “{key}”.", key=key)

    def path_of(key: str, default: str) -> Path | None:
        path = find(str(values.get(key, default)))
        # Only a file that is named must be there; the default ones may be left out.
        if path is None and key in values:
            raise InputError(
                "{key} “{name}” is not in the lab's folder: put it there.",
                key=key,
                name=values[key],
            )
        return path

    skeleton = path_of("file", "skeleton.py")
    reference = path_of("reference", "reference.py")
    if skeleton is None:
        raise InputError("the lab's folder has no skeleton.py: write what the pupil begins with.")
    launch = parse_launch(
        values.get("kernel", ""),
        values["args"],
        str(values.get("grid", "")),
        str(values.get("block", "")),
        values.get("sizes", ""),
        read_text(reference) if reference else "",
        launches=values.get("launches", ""),
        shared=str(values.get("shared", "")),
        inputs=values.get("inputs", {}),
        par=_counts(values, "par"),
    )
    folder = path_of("wrong", "wrong")
    wrong = tuple(sorted(folder.glob("*.py"))) if folder is not None and folder.is_dir() else ()
    if len(wrong) > _MAX_WRONG:
        raise InputError(
            "there are {count} wrong kernels: at most {most}.", count=len(wrong), most=_MAX_WRONG
        )
    return Exercise(
        launch,
        read_text(skeleton),
        path_of("solution", "solution.py"),
        wrong,
        _counts(values, "start"),
        values.get("operator", ""),
    )


def _counts(values: Mapping[str, Any], key: str) -> dict[str, float]:
    """The numbers of a key by the names of `Totals`. Raises InputError."""
    counts: dict[str, float] = values.get(key, {})
    for name, value in counts.items():
        if name not in Totals.__slots__ or type(value) not in (int, float):
            raise InputError(
                "{key}.{name}: give numbers of {known}.",
                key=key,
                name=name,
                known=list(Totals.__slots__),
            )
    return counts


def read_text(path: Path) -> str:
    """The text of a file with kernels. Raises InputError."""
    try:
        # Editors of Windows write a mark of the byte order, which is no Python.
        return read_input(path, MAX_BYTES, "a Python file").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("{path} is not UTF-8 text.", path=path) from None


def read_inputs(path: Path) -> dict[str, object]:
    """Arrays by the names of arguments, from a file of JSON. Raises InputError."""
    content = read_input(path, MAX_BYTES, "a file of JSON with arrays")
    with refusing("{path} cannot be read ({reason}).", path=path):
        found = json.loads(content)
    if not isinstance(found, dict):
        raise InputError('{path} has no arrays by name: write {{"a": [1, 2, 3]}}.', path=path)
    return found


def marked_faults(source: str) -> list[tuple[str, int]]:
    """Kind and line of each comment `# fault: KIND`."""
    return [
        (found[1], number)
        for number, line in enumerate(lines_of(source), 1)
        for found in _COMMENT.finditer(line)
    ]


def missed_faults(source: str, verdict: Verdict) -> list[tuple[str, int]]:
    """The marked faults that the verdict does not name; all lines of a race are named."""
    named = {
        (fault.kind, line)
        for fault in verdict.faults
        for line in (fault.line, fault.other_line, *fault.lines)
    }
    return [mark for mark in marked_faults(source) if mark not in named]


def iter_exercise_check(exercise: Exercise) -> Iterator[tuple[str, bool]]:
    """Check the solution and the wrong kernels; yields what was found, and whether it is a fault of
    the exercise.
    """
    from core.workshop.check import iter_check

    launch = exercise.launch
    if exercise.solution is not None:
        *_, verdict = iter_check(read_text(exercise.solution), launch)
        assert verdict is not None
        first = next(
            (
                f"; line {fault.line}: {fault.text}"
                for fault in verdict.faults
                if fault.kind != "same-value"
            ),
            "",
        )
        yield f"{exercise.solution.name}: {verdict.summary}{first}", bool(first)
    else:
        yield "there is no solution.py", True
    for path in exercise.wrong:
        source = read_text(path)
        *_, verdict = iter_check(source, launch)
        assert verdict is not None
        # Without a mark any verdict would count as found.
        if not marked_faults(source):
            yield f"{path.name}: no line has the comment “# fault: KIND”", True
            continue
        missed = [f"{kind} at line {line}" for kind, line in missed_faults(source, verdict)]
        said = "; ".join(
            f"line {fault.line}: {fault.kind}: {fault.text}" for fault in verdict.faults
        )
        text = f"not found: {', '.join(missed)}; found: {said or 'nothing'}" if missed else "found"
        yield f"{path.name}: {text}", bool(missed)
