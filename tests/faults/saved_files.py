"""Readers of files that the program saves for later, and that other programs hand over, with
samples of each.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import numpy as np

from core.commands.console import print_json
from core.data import own_digits
from core.data.sources import load_dataset
from core.export.exporter import ExportSource
from core.export.onnx_file import OnnxFile
from core.files.tensors import save_tensors
from core.importing import import_model
from core.inference.model_file import Model
from core.labs.answers import Answers
from core.labs.answers_file import read_answers
from core.labs.attempt import Attempt
from core.labs.grading import Grades, Marked
from core.labs.package import open_lab
from core.labs.reader import parse_lab
from core.labs.skeleton import skeleton
from core.labs.trial import DataSets
from core.labs.web_page import sheet_html
from core.network.network import Network
from core.network.notation import parse
from core.reading import own_models
from core.runs.comparison import comparison_report, results_csv
from core.runs.folder import Label, write_label
from core.runs.library import RunLibrary, apply_limit, last_model, unfinished_run, write_limit
from core.runs.plan import RunPlan, read_settings, write_settings
from core.runs.training import continued
from core.studies.spec import parse_study, read_study
from core.studies.study import Study, best_run
from core.training.run_settings import RunSettings

_HAS_ONNX = find_spec("onnx") is not None
PYTORCH = (
    Path(__file__).resolve().parents[2] / "tests" / "golden" / "pytorch"
)  # what PyTorch itself has written
IMPORTED = ("784-16-10", "4C3-MP2-8C3:s2-10N")
STUDY = """
data = "builtin"
[settings]
epochs = 2
[vary]
network = ["784-16-10", "784-32-10"]
learning_rate = { from = 0.001, to = 0.1, log = true, count = 2 }
"""
GRID = """
name = "grid"
preset = "dense"
seed = 3
[vary]
learning_rate = { from = 0.001, to = 0.1, count = 3 }
batch_size = [32, 64]
"""


def write_samples(folder: Path, run: Path) -> None:
    """Write a sample for each of READERS. `run`: a saved run."""
    for number, notation in enumerate(IMPORTED if _HAS_ONNX else ()):
        model = _new_model(notation)
        (folder / f"imported{number}.onnx").write_bytes(OnnxFile().content(ExportSource(model)))
    if _HAS_ONNX:
        (folder / "pytorch").mkdir()
        for path in PYTORCH.glob("convolutions-default.onnx*"):
            shutil.copy(path, folder / "pytorch")
    _write_state_dict(folder / "state.safetensors", _new_model(IMPORTED[0]))
    (folder / "study.toml").write_text(STUDY)
    (folder / "grid.toml").write_text(GRID)
    write_settings(folder / "run-settings.json", RunPlan(RunSettings(network="784-16-10")))
    (folder / "lab.md").write_text(skeleton())
    made_answers().save(folder / "answers.json")
    with home_at(folder / "own-digits"):
        _write_own_digits()
    with home_at(folder / "library"):
        _write_library(run)
    with home_at(folder / "study-file"):
        _write_study()


def _write_own_digits() -> None:
    ink = np.zeros((60, 60), np.uint8)
    for digit in (1, 7):
        for column in range(20, 26):
            ink[10:50, column : column + 6] = 255
            own_digits.save_drawing(ink, digit)
    for _ in range(2):
        own_models.save(_new_model("784-8-10"))


def _write_library(run: Path) -> None:
    library = RunLibrary()
    for name in ("20260101-000000-1-1", "20260101-000000-1-2", ".trash/20250101-000000-1-1"):
        shutil.copytree(run, library.path / name)
    write_label(library.path / "20260101-000000-1-1", Label("first", "a note", True))
    write_limit(library, 50_000)


def _write_study() -> None:
    """A study with one run that has ended and one that has not."""
    datasets = {"builtin": load_dataset("builtin")}
    study = Study(parse_study(STUDY, "study"))
    with closing(study), closing(study.iter_runs(datasets)) as runs:
        next(run for run in runs if run is not None and run.number == 1)


def _new_model(notation: str) -> Model:
    network: Network = parse(notation, (28, 28, 1), 10)
    parameters = np.random.default_rng(2).normal(0, 0.1, network.parameter_count).astype(np.float32)
    digits = tuple("0123456789")
    return Model(
        network,
        "relu",
        "cross-entropy",
        "classes",
        digits,
        parameters,
        "builtin",
        RunSettings().as_dict(),
    )


def _write_state_dict(path: Path, model: Model) -> None:
    from core.network.parameters import channels_first

    pairs = [pair for pair in channels_first(model.network, model.parameters) if pair is not None]
    arrays = {}
    for number, pair in enumerate(pairs):
        arrays[f"{number}.weight"], arrays[f"{number}.bias"] = pair
    save_tensors(path, arrays)


@contextmanager
def home_at(path: Path) -> Iterator[None]:
    """Within the context, the user's folders are in `path`."""
    home = os.environ["DIGITLAB_HOME"]
    os.environ["DIGITLAB_HOME"] = str(path)
    try:
        yield
    finally:
        os.environ["DIGITLAB_HOME"] = home


def read_imported(path: Path) -> None:
    """Import the file and use the model, as the window does."""
    model = import_model(path)
    assert np.isfinite(model.parameters).all()
    model.settings()
    model.save(path.parent / "imported.safetensors")


def read_study_file(path: Path) -> None:
    spec = read_study(path)
    assert 1 <= spec.runs <= 10_000
    spec.data_names()


def read_settings_file(path: Path) -> None:
    json.dumps(read_settings(path).as_dict(), allow_nan=False)


def made_answers() -> Answers:
    """A person's answers to the skeleton of a lab."""
    lab = parse_lab(skeleton(), "lab.md")
    answers = Answers(lab, "Ada", 2, {"rate": "10", "curve": [(1.0, 20.0), (3.0, 90.0)]})
    answers.tries["larger"] = ["Train it for longer.", "Train it anew with a smaller rate."]
    epochs: list[list[float | None]] = [[n + 1, 0.5, 0.9, 0.4, 0.8, None] for n in range(3)]
    for part, variant in (("rates", 1), ("goal", 0)):
        settings = {"network": "784-64-10", "learning_rate": 0.1}
        answers.add(
            Attempt(
                part, variant, settings, "builtin", "vectorized", epochs, 0.8, 1.5, 50890, "0" * 64
            )
        )
    return answers


def read_lab(path: Path) -> None:
    sheet_html(open_lab(path), teacher=True).encode()


def read_answers_file(path: Path) -> None:
    """Read and mark the answers; nothing is run again."""
    lab = parse_lab(skeleton(), "lab.md")
    answers = read_answers(path, lab)
    json.dumps(answers.as_dict(), allow_nan=False)
    grades = Grades(lab, (Marked(path.name, answers),), DataSets(lab.folder))
    (grades.csv() + grades.html()).encode(errors="replace")


@contextmanager
def _refusals() -> Iterator[None]:
    from core.errors import InputError
    from tests.faults.case import check_message

    try:
        yield
    except InputError as error:
        if fault := check_message(str(error)):
            raise AssertionError(fault) from error


def read_own_digits(path: Path) -> None:
    """What the window does at its start and with the data set “My digits”."""
    with home_at(path):
        own_digits.counts()
        model = own_models.load_latest()
        assert model is None or np.isfinite(model.parameters).all()
        own_digits.images(own_digits.drawings())
        load_dataset(own_digits.NAME)


def read_library(path: Path) -> None:
    """What the tab Compare, the start of the window and the command `runs` do."""
    with home_at(path):
        _use_library(RunLibrary())


def _use_library(library: RunLibrary) -> None:
    entries = library.entries()
    rows = []
    for entry in entries:
        assert entry.title
        with _refusals():
            rows.append(entry.folder.read_history())
        with _refusals():
            continued(entry, {"epochs": 9})
    with redirect_stdout(StringIO()):
        print_json({"runs": [entry.summary.as_dict() for entry in entries if entry.summary]})
    results_csv(entries).encode()
    if entries and len(rows) == len(entries):
        comparison_report(entries, rows).encode()
    last_model()
    unfinished_run()
    library.trashed()
    apply_limit(library)


def read_begun_study(path: Path) -> None:
    with home_at(path), closing(Study(parse_study(STUDY, "study"))) as study:
        best_run(study.runs)
        assert isinstance(study.is_complete, bool)


# By the names of their samples.
READERS: dict[str, Callable[[Path], None]] = {
    "state.safetensors": read_imported, "study.toml": read_study_file, "grid.toml": read_study_file,
    "lab.md": read_lab, "answers.json": read_answers_file, "run-settings.json": read_settings_file,
    "own-digits": read_own_digits, "library": read_library, "study-file": read_begun_study,
}  # fmt: skip
if _HAS_ONNX:
    READERS |= {
        "imported0.onnx": read_imported,
        "imported1.onnx": read_imported,
        "pytorch": lambda path: read_imported(path / "convolutions-default.onnx"),
    }
