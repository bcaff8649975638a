"""A table is a user's CSV file of numbers: its last column is learnt from the others."""

import re
from pathlib import Path

import numpy as np

from core.data.dataset import Dataset, Split
from core.errors import InputError

TEST_SHARE = 0.2
MOST_BYTES = 500_000_000

# Which lines are kept for the test does not depend on the run's seed, so that runs can be compared.
_SPLIT_SEED = 20240607

_SEPARATORS = (";", "\t", ",")


def is_table(path: Path) -> bool:
    """Whether `path` is a file that by its name holds a table."""
    return path.suffix.lower() in (".csv", ".tsv") and path.is_file()


def load_table(path: Path) -> Dataset:
    """The numbers of a CSV file as a regression, or an InputError that names the line.

    Columns are separated by `;`, tab or `,`; with `;` or tab a decimal comma is understood. A first line that is
    not all numbers is a header. A fifth of the lines, drawn at random but always the same, is the test split.
    Each input is standardised with the training split's mean and spread; targets stay as they are.
    """
    numbers = _read(path)
    order = np.random.default_rng(_SPLIT_SEED).permutation(len(numbers))
    kept = max(1, round(len(numbers) * TEST_SHARE))
    train, test = numbers[order[kept:]], numbers[order[:kept]]
    mean, spread = train[:, :-1].mean(axis=0), train[:, :-1].std(axis=0)
    # A column that never changes says nothing: it becomes 0. By rounding its mean and spread may say otherwise.
    same = np.ptp(train[:, :-1], axis=0) == 0
    mean[same], spread[same] = train[0, :-1][same], 1
    return Dataset(
        str(path),
        path.name,
        "regression",
        (),
        *(
            Split(((rows[:, :-1] - mean) / spread).astype(np.float32), rows[:, -1:].astype(np.float32))
            for rows in (train, test)
        ),
    )


def _read(path: Path) -> np.ndarray:
    """float64 (lines, columns): all numbers of the file."""
    lines = [(at, line) for at, line in enumerate(_text(path).splitlines(), 1) if line.strip()]
    if not lines:
        raise InputError("{path} is empty: give a table of numbers, one example a line.", path=path)
    separator = next((s for s in _SEPARATORS if s in lines[-1][1]), None)
    if separator is None:
        raise InputError(
            "{path}, line {line}: there is only one column; separate the columns by ; or tab or , and let the last "
            "one be what is to be learnt.", path=path, line=lines[-1][0],
        )  # fmt: skip
    first = lines[0][1].split(separator)
    if not all(_is_number(cell, separator) for cell in first):
        lines = lines[1:]
    if len(lines) < 5:
        raise InputError(
            "{path} has {count} lines of numbers: at least 5 are needed to learn and to test.",
            path=path, count=len(lines),
        )  # fmt: skip
    columns = len(lines[0][1].split(separator))
    return np.array([_row(path, at, line, separator, columns) for at, line in lines])


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(
                "{path} is larger than {most} MB: give fewer lines.", path=path, most=MOST_BYTES // 1_000_000
            )
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            "{path} is no text file in UTF-8: save the table as CSV (UTF-8).", path=path
        ) from None
    except OSError as error:
        raise InputError("{path} could not be read: {reason}.", path=path, reason=error.strerror) from error


def _row(path: Path, at: int, line: str, separator: str, columns: int) -> list[float]:
    cells = line.split(separator)
    if len(cells) != columns:
        raise InputError(
            "{path}, line {line}: {found} columns where the lines before have {columns}.",
            path=path, line=at, found=len(cells), columns=columns,
        )  # fmt: skip
    return [_number(path, at, place, cell, separator) for place, cell in enumerate(cells, 1)]


def _number(path: Path, at: int, column: int, cell: str, separator: str) -> float:
    if not _is_number(cell, separator):
        raise InputError(
            "{path}, line {line}, column {column}: “{cell}” is no number; correct it or remove the line.",
            path=path, line=at, column=column, cell=cell.strip()[:40],
        )  # fmt: skip
    return float(_plain(cell, separator))


# A number of at most a float32's size: a longer exponent would be infinite there.
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.I | re.A)


def _is_number(cell: str, separator: str) -> bool:
    plain = _plain(cell, separator)
    return _NUMBER.fullmatch(plain) is not None and abs(float(plain)) < float(np.finfo(np.float32).max)


def _plain(cell: str, separator: str) -> str:
    """The cell as Python writes numbers: without blanks and quotes, with a decimal point."""
    plain = cell.strip().strip('"').strip()
    return plain if separator == "," else plain.replace(",", ".")
