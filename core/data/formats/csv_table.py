"""Reads tables of numbers, CSV or TSV: one column is learned from the others, or labels from
pixels.
"""

import io
import os
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.class_names import Classes
from core.data.dataset import Dataset, Split
from core.data.formats.data_format import DataFormat
from core.data.labeled_images import image_dataset, square_side
from core.data.parts import split_off
from core.errors import InputError
from core.files.input_file import open_unpacked
from core.files.reasons import READ_ERRORS, reason_of
from core.progress import Progress, ignore_progress

MAX_BYTES = 400_000_000

_SEPARATORS = (";", "\t", ",")
_MAX_LINE = 1_000_000
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.I | re.A)
# The headings of each table of epochs or runs that the program writes.
_OF_RUNS = {"train_loss", "test_loss"}
_FLOAT32_MAX = float(np.finfo(np.float32).max)

# Inputs and targets beyond these leave the range of float32 when they are squared and summed.
_MAX_INPUT = 1e9  # in standard deviations
_MAX_TARGET = 1e15

_LEARNED = ("label", "labels", "class", "target", "digit", "y")
_COUNTED = ("", "unnamed: 0", "index", "id")  # headings of columns that number the lines
_MAX_VALUES = 20  # of whole numbers that are classes
_MAX_LABELS = 100  # of pixels
_LINES_A_CLASS = 5  # at least, where whole numbers are classes


_Texts = dict[int, dict[str, int]]
"""For each column of texts these, by the numbers that stand for them."""


@dataclass(slots=True)
class _Table:
    """The cells of a file. `numbers`: float64 (lines, columns). `names`: the headings, or `column
    1` and so on.
    """

    names: list[str]
    numbers: np.ndarray
    texts: _Texts = field(default_factory=dict)


class CsvTable(DataFormat):
    """A file of numbers."""

    order = 5
    description: ClassVar = "a table of numbers"
    suffixes: ClassVar = (".csv", ".tsv", ".csv.gz", ".tsv.gz")

    def fits(self, path: Path, head: bytes) -> bool:
        """Whether the file begins with lines of several columns, the second and third with
        numbers.
        """
        # Text has no null characters; what has them is no table.
        if b"\0" in head:
            return False
        # Not the first line, which may hold the headings.
        lines = head.removeprefix(b"\xef\xbb\xbf").split(b"\n")[1:3]
        return len(lines) == 2 and all(_is_of_numbers(line) for line in lines)

    def load(self, path: Path, progress: Progress = ignore_progress) -> Dataset:
        return self.load_column(path, "", progress)

    def load_column(self, path: Path, target: str, progress: Progress = ignore_progress) -> Dataset:
        """The table as data of which the column `target` is learned, a heading or a number from 1;
        empty for the column of texts, that with a usual heading, that of the labels of pixels, or
        else the last. Raises InputError that names the line or column at fault.

        Columns are separated by `;`, tab or `,`; with `;` or tab a decimal comma is understood. A
        first line that is not like the second is a header. Texts and whole numbers of few values
        are classes; where the other columns are the pixels of a square, the lines are images.
        `progress(done, total)` counts bytes.
        """
        table = _read(path, progress)
        notes = _leave_out_counted(table, path)
        column = _chosen(table, target, path)
        answers = table.numbers[:, column]
        if not np.ptp(answers):
            raise _nothing_to_learn(table, column, path)
        others = [number for number in table.texts if number != column]
        if others:
            raise InputError(
                "{path}: {column} has texts instead of numbers: remove the column, or choose it "
                "as what is to be learned.",
                path=path,
                column=table.names[others[0]],
            )
        inputs = _without(table.numbers, column)
        are_pixels = _are_pixels(inputs)
        limit = _MAX_LABELS if are_pixels else _MAX_VALUES
        is_classes = column in table.texts or _are_classes(answers, limit)
        if is_classes:
            answers = answers.astype(np.int64)
        if column in table.texts:
            answers = np.array(list(table.texts[column]))[answers]
        if is_classes and are_pixels:
            found = image_dataset(path, {"": (inputs, answers)}, table.names[column], table.names)
        else:
            found = _points(path, table.names, column, Split(inputs, answers))
        return found.with_notes(notes)


def _points(path: Path, names: list[str], column: int, lines: Split) -> Dataset:
    """Each line as a point. Each input is standardized with the training split's mean and standard
    deviation; values to be learned stay as they are, whole numbers and texts are classes.
    """
    classes: Classes = ()
    if lines.targets.dtype.kind == "f":
        if not (np.abs(lines.targets) < _MAX_TARGET).all():
            raise InputError(
                "{path}, column {column}: what is to be learned must be below {limit:.0e}; divide "
                "the column by a large number.",
                path=path,
                column=column + 1,
                limit=_MAX_TARGET,
            )
        targets = lines.targets[:, None].astype(np.float32)
    else:
        present, codes = np.unique(lines.targets, return_inverse=True)
        classes = tuple(map(str, present))
        targets = codes.astype(np.int32)
    # Before the mean is taken: the test must not tell the training anything.
    train, test = split_off(Split(lines.inputs, targets))
    mean = train.inputs.mean(axis=0)
    deviation = train.inputs.std(axis=0)
    # A constant column becomes 0. Rounding could give it another mean, and a deviation.
    constant = np.ptp(train.inputs, axis=0) == 0
    mean[constant] = train.inputs[0][constant]
    deviation[constant] = 1
    numbers = [number for number in range(len(names)) if number != column]
    train, test = (
        Split(_standardized(split.inputs, mean, deviation, path, numbers), split.targets)
        for split in (train, test)
    )
    return Dataset(
        str(path),
        path.name,
        "classes" if classes else "regression",
        classes,
        train,
        test,
        learned=names[column],
        columns=tuple(names),
    )


def _standardized(
    rows: np.ndarray, mean: np.ndarray, deviation: np.ndarray, path: Path, numbers: list[int]
) -> np.ndarray:
    """The standardized inputs, float32 (lines, columns), of the columns with these numbers in the
    file. Raises InputError where they are not finite.
    """
    inputs = np.empty((len(rows), len(mean)), np.float32)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for column in range(len(mean)):  # one at a time keeps the peak of memory low
            inputs[:, column] = (rows[:, column] - mean[column]) / deviation[column]
    usable = (np.abs(inputs) < _MAX_INPUT).all(axis=0)  # False for NaN
    if not usable.all():
        raise InputError(
            "{path}, column {column}: most values differ too little from each other, or one too "
            "much from the others, for the column to be standardized; multiply it by a large "
            "number, correct it or remove it.",
            path=path,
            column=numbers[int(np.argmin(usable))] + 1,
        )
    return inputs


def _without(numbers: np.ndarray, column: int) -> np.ndarray:
    """All columns but one; a view where that is the first or last, as of large tables."""
    if column == 0:
        return numbers[:, 1:]
    if column == numbers.shape[1] - 1:
        return numbers[:, :-1]
    return np.delete(numbers, column, axis=1)


# -- what the columns are --------------------------------------------------------------------------


def _leave_out_counted(table: _Table, path: Path) -> tuple[InputError, ...]:
    """Take away a first column that only numbers the lines; a note says so."""
    lines = np.arange(len(table.numbers))
    first = table.numbers[:, 0] - table.numbers[0, 0]
    if table.names[0].lower() not in _COUNTED or 0 in table.texts or (first != lines).any():
        return ()
    table.numbers = table.numbers[:, 1:]
    table.names.pop(0)
    table.texts = {number - 1: texts for number, texts in table.texts.items()}
    note = "The first column of {name} numbers the lines, and was left out."
    return (InputError(note, name=path.name),)


def _chosen(table: _Table, target: str, path: Path) -> int:
    """The column that is learned."""
    names = [name.lower() for name in table.names]
    last = len(names) - 1
    if target:
        if target.lower() in names:
            return names.index(target.lower())
        # Nine digits at most: Python refuses to convert thousands of them.
        if target.isdecimal() and 1 <= int(target[:9]) <= len(names):
            return int(target) - 1
        raise InputError(
            "{path} has no column {column}: choose one of {names}.",
            path=path,
            column=target,
            names=table.names,
        )
    if len(table.texts) == 1:
        return next(iter(table.texts))
    for name in _LEARNED:
        if name in names:
            return names.index(name)
    if square_side(last):
        for column in (0, last):
            if np.ptp(table.numbers[:, column]) and _are_classes(
                table.numbers[:, column], _MAX_LABELS
            ):
                return column
    return last


def _nothing_to_learn(table: _Table, column: int, path: Path) -> InputError:
    """Why a column that has the same value in all lines cannot be learned."""
    if square_side(len(table.names)) and _are_pixels(table.numbers):
        return InputError(
            "{path} has {columns} columns of pixels and none of labels, so there is nothing to "
            "learn: choose the table with the labels.",
            path=path,
            columns=len(table.names),
        )
    return InputError(
        "{path}: {column} has the same value in all lines, so there is nothing to learn: choose "
        "another column.",
        path=path,
        column=table.names[column],
    )


def _are_classes(values: np.ndarray, limit: int) -> bool:
    """Whether they are whole numbers, at least 0, of few values."""
    if (values < 0).any() or (values != np.rint(values)).any():
        return False
    return len(np.unique(values)) <= min(limit, len(values) / _LINES_A_CLASS)


def _are_pixels(inputs: np.ndarray) -> bool:
    """Whether each line is a square image of pixels from 0 to 1, or whole ones from 0 to 255."""
    if not square_side(inputs.shape[1]) or inputs.min() < 0 or inputs.max() > 255:
        return False
    return bool(inputs.max() <= 1 or (inputs[:100] == np.rint(inputs[:100])).all())


# -- reading ---------------------------------------------------------------------------------------


def _is_of_numbers(line: bytes) -> bool:
    """Whether at least half of several cells are numbers; the last cell may be cut off."""
    text = line.decode("latin-1")
    separator = next((s for s in _SEPARATORS if s in text), None)
    cells = text.split(separator) if separator else []
    numbers = sum(_to_float(cell, separator or "") is not None for cell in cells)
    return len(cells) > 1 and 2 * numbers >= len(cells)


def _read(path: Path, progress: Progress) -> _Table:
    """All cells of the file."""
    lines = _lines(path, progress)
    first = next(lines, None)
    second = next(lines, None)
    if first is None:
        raise InputError(
            "{path} is empty: choose a table of numbers, one example per line.", path=path
        )
    headings = [cell.strip().strip('"').strip() for cell in re.split(r"[;\t,]", first[1])]
    if set(headings) >= _OF_RUNS:
        raise InputError(
            "{path} is a table of runs that DigitLab wrote, not data to learn from: open it in a "
            "spreadsheet, or choose a table of numbers whose last column is to be learned.",
            path=path,
        )
    # The second line: the headings may lack a separator or have another one.
    number, line = second or first
    separator = next((s for s in _SEPARATORS if s in line), None)
    if separator is None:
        raise InputError(
            "{path}, line {line}: there is only one column; separate the columns by ; or tab or , "
            "and let the last one be what is to be learned.",
            path=path,
            line=number,
        )
    columns = len(line.split(separator))
    above = [_to_float(cell, separator) for cell in first[1].split(separator)]
    below = [_to_float(cell, separator) for cell in line.split(separator)]
    has_header = any(a is None and b is not None for a, b in zip(above, below, strict=False))
    if not has_header or len(headings) != columns:
        headings = [f"column {number}" for number in range(1, columns + 1)]
    if not has_header and len(above) != columns:
        columns = len(above)
    texts: _Texts = {column: {} for column, value in enumerate(below) if value is None}
    numbers = array("d")
    for number, line in chain([] if has_header else [first], [second] if second else [], lines):
        cells = line.split(separator)
        if len(cells) != columns:
            raise InputError(
                "{path}, line {line}: {count} columns where the lines before have {columns}.",
                path=path,
                line=number,
                count=len(cells),
                columns=columns,
            )
        numbers.frombytes(_row(cells, separator, texts, path, number).tobytes())
    if len(numbers) < 5 * columns or not columns:
        raise InputError(
            "{path} has {count} lines of numbers: at least 5 are needed to learn and to test.",
            path=path,
            count=len(numbers) // max(columns, 1),
        )
    return _Table(headings, np.frombuffer(numbers).reshape(-1, columns), texts)


def _row(cells: list[str], separator: str, texts: _Texts, path: Path, line: int) -> np.ndarray:
    """The numbers of a line, float64 (columns,); those that stand for texts in columns of texts."""
    if not texts:
        try:  # a tenth of the time of a cell at a time
            row = np.array(cells, np.float64)
            # Python reads 1_000 as a number; in a table it is a text. NaN fails the comparison.
            if (np.abs(row) < _FLOAT32_MAX).all() and not any("_" in cell for cell in cells):
                return row
        except ValueError:
            pass
    values = []
    for column, cell in enumerate(cells):
        value = _to_float(cell, separator)
        if column in texts and (text := cell.strip().strip('"').strip()):
            value = texts[column].setdefault(text, len(texts[column]))
        if value is None:
            raise InputError(
                "{path}, line {line}, column {column}: “{cell}” is not a number; correct it "
                "or remove the line.",
                path=path,
                line=line,
                column=column + 1,
                cell=cell.strip()[:40],
            )
        values.append(value)
    return np.array(values, np.float64)


def _lines(path: Path, progress: Progress) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1."""
    try:
        with open_unpacked(path, MAX_BYTES, "a CSV file with fewer lines") as file:
            size = os.path.getsize(path)
            text = io.TextIOWrapper(file, "utf-8-sig")
            number = 0
            # A file without line breaks would otherwise be read as one line.
            while line := text.readline(_MAX_LINE):
                number += 1
                if line.strip():
                    yield number, line
                if number % 10_000 == 0:
                    # More bytes are unpacked from a gzipped table than its file has.
                    progress(min(file.tell(), size), size)
    except UnicodeDecodeError:
        raise InputError(
            "{path} is not a text file in UTF-8: save the table as CSV (UTF-8).", path=path
        ) from None
    except READ_ERRORS as error:
        raise InputError(
            "{path} cannot be read: {reason}.", path=path, reason=reason_of(error)
        ) from None


def _to_float(cell: str, separator: str) -> float | None:
    """The number in a cell, which may be quoted and have a decimal comma; None for anything else.

    Numbers that a float32 cannot hold count as anything else.
    """
    text = cell.strip().strip('"').strip()
    # With commas between the columns none can be in a number.
    if separator != ",":
        text = text.replace(",", ".")
    if _NUMBER.fullmatch(text) is None:
        return None
    value = float(text)
    return value if abs(value) < _FLOAT32_MAX else None
