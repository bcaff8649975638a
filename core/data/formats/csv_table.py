"""Reads CSV files of numbers as a regression: the last column is learned from the others."""

import io
import os
import re
from array import array
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.dataset import Dataset, Split
from core.data.formats.data_format import DataFormat
from core.errors import InputError
from core.files.input_file import open_input
from core.files.reasons import reason_of
from core.progress import Progress

TEST_FRACTION = 0.2
MAX_BYTES = 200_000_000

# The lines of the test split do not depend on the run's seed, so that runs can be compared.
_SPLIT_SEED = 20240607

_SEPARATORS = (";", "\t", ",")
_MAX_LINE = 1_000_000
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.I | re.A)
# The headings of each table of epochs or runs that the program writes.
_OF_RUNS = {"train_loss", "test_loss"}
_FLOAT32_MAX = float(np.finfo(np.float32).max)

# Inputs and targets beyond these leave the range of float32 when they are squared and summed.
_MAX_INPUT = 1e9  # in standard deviations
_MAX_TARGET = 1e15


class CsvTable(DataFormat):
    """A file of numbers."""

    order = 4
    description: ClassVar = "a table of numbers"
    suffixes: ClassVar = (".csv", ".tsv")
    kind: ClassVar = "regression"

    def load(self, path: Path, progress: Progress | None = None) -> Dataset:
        """The numbers of a CSV file as a regression. Raises InputError that names the line or
        column at fault.

        Columns are separated by `;`, tab or `,`; with `;` or tab a decimal comma is understood. A
        first line that is not all numbers is a header. A fifth of the lines, drawn at random but
        always the same, is the test split. Each input is standardized with the training split's
        mean and standard deviation; targets stay as they are. `progress(done, total)` counts bytes.
        """
        numbers = _read(path, progress)
        if not (np.abs(numbers[:, -1]) < _MAX_TARGET).all():
            raise InputError(
                "{path}, column {column}: what is to be learned must be below {limit:.0e}; divide "
                "the column by a large number.",
                path=path,
                column=numbers.shape[1],
                limit=_MAX_TARGET,
            )
        order = np.random.default_rng(_SPLIT_SEED).permutation(len(numbers))
        test_count = max(1, round(len(numbers) * TEST_FRACTION))
        train = numbers[order[test_count:]]
        test = numbers[order[:test_count]]
        del numbers, order
        mean = train[:, :-1].mean(axis=0)
        deviation = train[:, :-1].std(axis=0)
        # A constant column becomes 0. Rounding could give it another mean, and a deviation.
        constant = np.ptp(train[:, :-1], axis=0) == 0
        mean[constant] = train[0, :-1][constant]
        deviation[constant] = 1
        train_split, test_split = (
            Split(_inputs(rows, mean, deviation, path), rows[:, -1:].astype(np.float32))
            for rows in (train, test)
        )
        return Dataset(str(path), path.name, "regression", (), train_split, test_split)


def _inputs(rows: np.ndarray, mean: np.ndarray, deviation: np.ndarray, path: Path) -> np.ndarray:
    """The standardized inputs, float32 (lines, columns - 1). Raises InputError where they are not
    finite.
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
            column=int(np.argmin(usable)) + 1,
        )
    return inputs


def _read(path: Path, progress: Progress | None) -> np.ndarray:
    """float64 (lines, columns): all numbers of the file."""
    lines = _lines(path, progress)
    first = next(lines, None)
    second = next(lines, None)
    if first is None:
        raise InputError(
            "{path} is empty: choose a table of numbers, one example per line.", path=path
        )
    headings = {cell.strip().strip('"') for cell in re.split(r"[;\t,]", first[1])}
    if headings >= _OF_RUNS:
        raise InputError(
            "{path} is a table of runs that DigitLab wrote, not data to learn from: open it in a "
            "spreadsheet, or choose a table of numbers whose last column is to be learned.",
            path=path,
        )
    number, line = second or first
    separator = next((s for s in _SEPARATORS if s in line), None)
    if separator is None:
        raise InputError(
            "{path}, line {line}: there is only one column; separate the columns by ; or tab or , "
            "and let the last one be what is to be learned.",
            path=path,
            line=number,
        )
    header = None in [_to_float(cell, separator) for cell in first[1].split(separator)]
    numbers = array("d")
    columns = 0
    for number, line in chain([] if header else [first], [second] if second else [], lines):
        cells = line.split(separator)
        columns = columns or len(cells)
        if len(cells) != columns:
            raise InputError(
                "{path}, line {line}: {count} columns where the lines before have {columns}.",
                path=path,
                line=number,
                count=len(cells),
                columns=columns,
            )
        for column, cell in enumerate(cells, 1):
            value = _to_float(cell, separator)
            if value is None:
                raise InputError(
                    "{path}, line {line}, column {column}: “{cell}” is not a number; correct it "
                    "or remove the line.",
                    path=path,
                    line=number,
                    column=column,
                    cell=cell.strip()[:40],
                )
            numbers.append(value)
    if len(numbers) < 5 * columns or not columns:
        raise InputError(
            "{path} has {count} lines of numbers: at least 5 are needed to learn and to test.",
            path=path,
            count=len(numbers) // max(columns, 1),
        )
    return np.frombuffer(numbers).reshape(-1, columns)


def _lines(path: Path, progress: Progress | None) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1."""
    with open_input(path, MAX_BYTES, "a CSV file with fewer lines") as file:
        size = os.fstat(file.fileno()).st_size
        text = io.TextIOWrapper(file, "utf-8-sig")
        number = 0
        try:
            while line := text.readline(_MAX_LINE):
                number += 1
                if line.strip():
                    yield number, line
                if progress is not None and number % 10_000 == 0:
                    progress(file.tell(), size)
        except UnicodeDecodeError:
            raise InputError(
                "{path} is not a text file in UTF-8: save the table as CSV (UTF-8).", path=path
            ) from None
        except OSError as error:
            raise InputError(
                "{path} cannot be read: {reason}.", path=path, reason=reason_of(error)
            ) from None


def _to_float(cell: str, separator: str) -> float | None:
    """The number in a cell, which may be quoted and have a decimal comma; None for anything else.

    Numbers that a float32 cannot hold count as anything else.
    """
    text = cell.strip().strip('"').strip()
    if separator != ",":
        text = text.replace(",", ".")
    if _NUMBER.fullmatch(text) is None:
        return None
    value = float(text)
    return value if abs(value) < _FLOAT32_MAX else None
