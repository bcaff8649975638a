"""The rows of the list of runs: a run, a study with its runs, and the runs of a study with the same
values.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, isnan, nan

from core.errors import InputError
from core.runs.comparison import by_values, varied
from core.runs.library import RunEntry
from core.runs.names import short_value, shown_value, state_title
from core.studies.spec import VARIED
from core.text import format_bytes
from gui.text import count, label, number, percent, sentence, translator
from gui.words import in_plain_words, network_words

_tr = translator("RunTable")


# -- what is known of a run ------------------------------------------------------------------------


def state_text(run: RunEntry) -> str:
    return _tr(state_title(run.state, run.is_training()))


def score_text(run: RunEntry, name: str) -> str:
    """A score of the test split: the accuracy, or R² of values."""
    score = run.results()[name]
    if score is None:
        return "–"
    return f"R² {number(score)}" if has_values(run) else percent(score)


def has_values(run: RunEntry) -> bool:
    """Whether the run predicts values, whose score is R²."""
    # R² is not measured on the training data.
    return run.best is None or run.best.train_score is None


def plain_title(run: RunEntry) -> str:
    """What people call a run, with words for its network."""
    return in_plain_words([run.title], [run.info.network])[0]


def setting_title(name: str) -> str:
    return (
        label(VARIED[name])
        if name in VARIED
        else {"data": _tr("Data set")}.get(name, name.capitalize())
    )


def value_text(name: str, value: object) -> str:
    """A value of a setting, or of `data` or `device`, as people call it."""
    if name == "network":
        return network_words(str(value))
    if type(value) is int:
        return count(value)
    return number(value) if isinstance(value, float) else shown_value(name, value)


def named_value(name: str, value: object) -> str:
    """A value with what it is of, beside others: `rate 0.002`, `128 units`, `Adam`."""
    return network_words(str(value)) if name == "network" else short_value(name, value)


def space_text(
    entries: Sequence[RunEntry], trashed: int, limit: int, unreadable: Sequence[InputError]
) -> str:
    """What the library takes: bytes of its runs, of the trash, and the limit; and which folders
    cannot be read.
    """
    limited = (entry for entry in entries if not entry.label.starred and not entry.is_elsewhere)
    unstarred = sum(entry.size for entry in limited)
    text = _tr("Runs: {n}, {size}; without a star {unstarred} of at most {limit}; trash {trash}")
    if not limit:
        text = _tr("Runs: {n}, {size}; no limit; trash {trash}")
    text = text.format(
        n=count(len(entries)),
        size=format_bytes(sum(entry.size for entry in entries)),
        unstarred=format_bytes(unstarred),
        limit=format_bytes(limit),
        trash=format_bytes(trashed),
    )
    if unreadable:
        named = _tr("{text}; cannot be read: {n}").format(text=text, n=count(len(unreadable)))
        text = "\n".join([named, *map(sentence, unreadable[:10])])
    return text


# -- rows ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run, or several that are listed under one name.

    path: the ids of the rows around it and its own. study: its name, of the row of a whole study.
    differs: in what the runs of a study differ. is_best: it has the highest mean test score of its
    study.
    """

    entries: tuple[RunEntry, ...]
    title: str
    path: tuple[str, ...]
    study: str = ""
    differs: str = ""
    is_best: bool = False

    @property
    def id(self) -> str:
        return self.path[-1]

    @property
    def level(self) -> int:
        return len(self.path) - 1

    @property
    def is_group(self) -> bool:
        return bool(self.study) or len(self.entries) > 1

    @property
    def entry(self) -> RunEntry | None:
        """Its run; None of several, and of a study without runs."""
        return self.entries[0] if len(self.entries) == 1 and not self.study else None

    def mean(self, name: str) -> float:
        """The mean of a result of its runs; of a study the highest score. NaN without a result."""
        values = [
            float(value) for entry in self.entries if (value := entry.results()[name]) is not None
        ]
        if not values:
            return nan
        # The runs of a study have different values: their mean says nothing.
        if self.study and name == "test_score":
            return max(values)
        return sum(values) / len(values)

    def total(self, name: str) -> float:
        return sum(float(entry.results()[name] or 0) for entry in self.entries)


def rows_of(entries: Sequence[RunEntry], studies: Iterable[str]) -> list[RunRow]:
    """The rows of these runs. studies: the names of all that were begun, of which some may have no
    run.
    """
    members: dict[str, list[RunEntry]] = {name: [] for name in studies}
    rows = []
    for entry in entries:
        if entry.info.study:
            members.setdefault(entry.info.study, []).append(entry)
        else:
            rows.append(RunRow((entry,), plain_title(entry), (entry.id,)))
    for study, found in members.items():
        rows += _rows_of_study(study, sorted(found, key=lambda entry: entry.id))
    return rows


def _rows_of_study(study: str, entries: list[RunEntry]) -> list[RunRow]:
    """The row of a study, and below it one for each value; below that one for each repetition."""
    path = (f"study {study}",)
    names = varied(entries)
    found = by_values(entries)
    titles = in_plain_words(
        [title for title, _ in found], {entry.info.network for entry in entries}
    )
    rows = []
    for title, (exact, group) in zip(titles, found, strict=True):
        texts = [named_value(name, group[0].value_of(name)) for name in names]
        # By the exact values: two may have the same words.
        own_id = group[0].id if len(group) == 1 else f"{study} {exact}"
        rows.append(RunRow(tuple(group), title, (*path, own_id), differs=", ".join(texts)))
    best = max(rows, key=_score_order, default=None)
    repeats = max((len(group) for _, group in found), default=0)
    result = [RunRow(tuple(entries), study, path, study, _differences(names, len(found), repeats))]
    for row in rows:
        result.append(replace(row, is_best=row is best and len(rows) > 1))
        result += _repeats_of(row)
    return result


def _repeats_of(row: RunRow) -> list[RunRow]:
    """A row for each of several runs with the same values."""
    repeats = []
    if len(row.entries) > 1:
        for number, entry in enumerate(row.entries, 1):
            title = entry.label.name or _tr("start {n}").format(n=count(number))
            repeats.append(RunRow((entry,), title, (*row.path, entry.id), differs=row.differs))
    return repeats


def _score_order(row: RunRow) -> float:
    """The mean test score, below all others without one."""
    score = row.mean("test_score")
    return -inf if isnan(score) else score


def _differences(names: Sequence[str], values: int, repeats: int) -> str:
    """In what the runs of a study differ: `Learning rate: 3 values, 3 times each`."""
    text = _tr("{setting}: {n} values", values).format(
        setting=", ".join(map(setting_title, names)), n=count(values)
    )
    if repeats > 1:
        text = _tr("{text}, {n} times each", repeats).format(text=text, n=count(repeats))
    return text if names else ""
