"""What prevents a run from starting with the present settings."""

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class StartProblem:
    """`text`: one sentence. `editor`: the field in which the problem can be solved."""

    text: str
    editor: QWidget


def with_label(label: str, text: str) -> str:
    """`text`, preceded by the label of its field unless the text contains it."""
    return text if label.lower() in text.lower() else f"{label}: {text}"
