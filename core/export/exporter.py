"""The interface of a kind of exported file, and what is exported."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from core.data.dataset import Dataset
from core.errors import InputError
from core.inference.model_file import Model
from core.runs.folder import RunFolder
from kernels.activations import ACTIVATIONS


@dataclass(frozen=True, slots=True)
class ExportSource:
    """A model, the folder of its run (None where it has none), and a function that loads a data set
    by its name.
    """

    model: Model
    run_folder: RunFolder | None = None
    load_dataset: Callable[[str], Dataset] | None = None


class Exporter(ABC):
    """One kind of file. Each is a class in a module of its own in this folder."""

    order: ClassVar[int]  # position among the kinds in a file dialog
    suffix: ClassVar[str]  # the end of the file's name, in small letters
    title: ClassVar[str]  # what a file dialog calls such files
    use: ClassVar[str]  # what can be done with such a file, a sentence

    @abstractmethod
    def content(self, source: ExportSource) -> bytes:
        """The whole file. Raises InputError where the model cannot be written as this kind."""

    def files(self, source: ExportSource, path: Path) -> dict[Path, bytes]:
        """The contents of the file at `path`, and of those that belong beside it."""
        return {path: self.content(source)}


def cannot_write(part: str) -> InputError:
    """The error for a layer or an activation that a kind of file has no words for."""
    text = (
        "{part} cannot be written to this kind of file: choose another suffix, or another network."
    )
    return InputError(text, part=part)


def activation_text(name: str, language: str) -> str:
    """What `language` ("torch" or "onnx") calls an activation; InputError where its class
    has no such name.
    """
    text: str = getattr(ACTIVATIONS[name], language)
    if not text:
        raise cannot_write(name)
    return text
