"""Models: trained networks with all that is needed to use them, each in one safetensors file."""

import json
import sys
from dataclasses import dataclass, field, replace
from math import isfinite, prod
from pathlib import Path
from typing import Any, get_args

import numpy as np

from core.data.class_names import Classes, is_class_name
from core.data.dataset import Dataset, Kind
from core.drawing.ink import SIDE
from core.errors import InputError
from core.files.json_text import JsonObject
from core.files.reasons import refusing
from core.files.tensors import TensorFile, open_tensors, write_tensors
from core.network.losses import CTC, find_loss
from core.network.network import Network
from core.network.notation import parse
from core.network.parameters import views
from core.program import RESOURCES
from core.training.records import RateChange, format_rate_changes, read_rate_changes
from core.training.run_settings import BY_NAME, RunSettings
from core.version import VERSION

FORMAT = "digitlab-model"
FORMAT_VERSION = 1
_MAX_TEXT = 100_000  # characters of a network's text
MODEL_SUFFIX = ".safetensors"
"""The end of the name of a model file, in small letters."""


@dataclass(frozen=True, slots=True)
class Model:
    """A trained network.

    `activation`, `loss`: values of the settings it was trained with. `classes`: their names; empty
    for regression. `parameters`: float32 (parameters,), all weights in layer order, then all
    biases. `data`: name of the data set. `run_settings`: all it was trained with, by name.
    `test_score`: accuracy, or R², on the test split. `rate_changes`: made by the user during the
    run. `temperature`: of its probabilities; 1 where none was fitted. `rejects`: whether drawings
    that are no digits are refused, where it reads digits. `path`: the file that it was read from,
    if any.
    """

    network: Network
    activation: str
    loss: str
    kind: Kind
    classes: Classes
    parameters: np.ndarray
    data: str = ""
    run_settings: JsonObject = field(default_factory=dict)
    test_score: float | None = None
    rate_changes: tuple[RateChange, ...] = ()
    temperature: float = 1.0
    rejects: bool = True
    path: Path | None = field(default=None, compare=False)

    @property
    def activations(self) -> tuple[str, ...]:
        """The activation of each layer; "linear" for kinds without one, and for one whose loss has
        the softmax.
        """
        return self.network.activations(self.activation, find_loss(self.loss, self.kind))

    def computes_like(self, other: "Model") -> bool:
        """Whether both have the same network, activation, loss and kind of data; parameters may
        differ.
        """
        return (self.network, self.activation, self.loss, self.kind) == (
            other.network,
            other.activation,
            other.loss,
            other.kind,
        )

    def settings(self) -> RunSettings:
        """The settings it was trained with. Raises InputError for settings that this version does
        not know.
        """
        return RunSettings.from_dict(
            {
                "activation": self.activation,
                "loss": self.loss,
                **self.run_settings,
                "network": self.network.text,
            }
        )

    def save(self, path: str | Path) -> None:
        """Write it to `path` as safetensors.

        Raises InputError, and leaves an earlier file, where that fails and where `load_model` would
        refuse the file.
        """
        if not np.isfinite(self.parameters).all():
            raise InputError(
                "{path} was not written: the network's numbers are no longer finite, so it can "
                "read nothing.",
                path=path,
            )
        texts = self._texts()
        with refusing(
            "{path} was not written, because it could not be opened again ({reason}): change "
            "the model.",
            path=path,
        ):
            _describe(TensorFile(Path(path), texts, {}, None))
        arrays = {}
        for number, layer in enumerate(views(self.network, self.parameters), 1):
            if layer is not None:
                if layer.variances is not None and (layer.variances < 0).any():
                    raise InputError("{path} was not written: a variance is negative.", path=path)
                arrays[f"{number}.weight"] = layer.weights
                arrays[f"{number}.bias"] = layer.biases
                if layer.means is not None and layer.variances is not None:
                    arrays[f"{number}.mean"] = layer.means
                    arrays[f"{number}.variance"] = layer.variances
        write_tensors(Path(path), arrays, texts)

    def with_temperature_in_weights(self) -> "Model":
        """A model with a temperature of 1 and the same probabilities.

        The weights and biases of the last layer, whose sums z the softmax takes, are divided by the
        temperature T: softmax(z / T).
        """
        if self.temperature == 1:
            return self
        parameters = self.parameters.copy()
        last = [layer for layer in views(self.network, parameters) if layer is not None][-1]
        last.weights[...] /= self.temperature
        last.biases[...] /= self.temperature
        return replace(self, parameters=parameters, temperature=1.0)

    def _texts(self) -> dict[str, str]:
        return {
            "format": FORMAT,
            "format_version": str(FORMAT_VERSION),
            "program_version": VERSION,
            "network": self.network.text,
            "input_shape": json.dumps(self.network.input_shape),
            "outputs": str(self.network.outputs),
            "activation": self.activation,
            "loss": self.loss,
            "kind": self.kind,
            "classes": json.dumps(self.classes, ensure_ascii=False),
            "preprocessing": preprocessing_of(self.network),
            "data": self.data,
            "run": json.dumps(self.run_settings),
            "rate_changes": format_rate_changes(self.rate_changes),
            "seed": str(self.run_settings.get("seed", "")),
            "test_score": "" if self.test_score is None else repr(float(self.test_score)),
            "temperature": repr(float(self.temperature)),
            "refuses": json.dumps(self.rejects),
        }


def preprocessing_of(network: Network) -> str:
    """What is done to inputs before the first layer: `divide-by-255` for images, of bytes; `none`
    for points.
    """
    return "divide-by-255" if len(network.input_shape) == 3 else "none"


def load_model(path: str | Path) -> Model:
    """The model in the file at `path`. Nothing in the file is executed.

    Raises InputError, with the path and the reason, where the file is missing, too large, damaged
    or not a model.

    >>> model = load_model(models_folder() / "dense.safetensors")
    >>> model.kind, model.network.outputs
    ('classes', 10)
    """
    path = Path(path)
    with open_tensors(path) as file:
        if file.text("format") != FORMAT:
            raise InputError(
                "{path} is no model but “{found}”: choose a model.",
                path=path,
                found=file.text("format"),
            )
        if file.text("format_version") != str(FORMAT_VERSION):
            raise InputError(
                "{path} was saved in form {found} by version {version}, and this program reads "
                "form {known}: update it.",
                path=path,
                found=file.text("format_version"),
                version=file.texts.get("program_version", "?"),
                known=FORMAT_VERSION,
            )
        with refusing(
            "{path}: its description cannot be read ({reason}). The file is damaged; choose "
            "another.",
            path=path,
        ):
            model = _describe(file)
            return replace(model, parameters=_parameters(file, model.network), path=path)


def _describe(file: TensorFile) -> Model:
    """The model in the texts of a file, without its parameters. Raises an error of READ_ERRORS."""
    kind = file.text("kind")
    activation = file.text("activation")
    loss = file.text("loss")
    _one_of(kind, get_args(Kind))
    _one_of(activation, tuple(BY_NAME["activation"].choices))
    _one_of(loss, (*BY_NAME["loss"].choices, CTC.name))
    classes = _classes(file.text("classes"), kind)
    shape = tuple(_size(n) for n in _list(file.text("input_shape")))
    if len(shape) not in (1, 3):
        raise ValueError(f"input_shape {shape}")
    outputs = len(classes) if kind == "classes" else _size(int(file.text("outputs")))
    network = _network(file, shape, outputs, by_column=loss == CTC.name)
    _one_of(file.text("preprocessing"), (preprocessing_of(network),))
    return Model(
        network=network,
        activation=activation,
        loss=loss,
        kind=kind,  # type: ignore[arg-type]  # checked above
        classes=classes,
        parameters=np.empty(0, np.float32),
        data=file.texts.get("data", ""),
        run_settings=_settings(file.text("run")),
        test_score=_test_score(file.text("test_score"), kind),
        rate_changes=read_rate_changes(file.texts.get("rate_changes", "")),
        temperature=_number(file.texts.get("temperature", "1"), "temperature", 0.01, 100),
        rejects=json.loads(file.texts.get("refuses", "true")) is not False,
    )


def _network(file: TensorFile, shape: tuple[int, ...], outputs: int, *, by_column: bool) -> Network:
    text = file.text("network")
    if len(text) > _MAX_TEXT:
        raise ValueError("its network's text is too long")
    try:
        network = parse(text, shape, outputs, by_column=by_column)
    except InputError as input_error:
        raise InputError("{path}: {reason}", path=file.path, reason=input_error) from None
    # Files hold the complete text: a short one could be read as another network.
    if network.text != text:
        raise ValueError(f"{text} is no network from {prod(shape)} inputs to {outputs} outputs")
    return network


def _parameters(file: TensorFile, network: Network) -> np.ndarray:
    """float32 (parameters,): the arrays of the file, checked against the shapes of the network."""
    shapes = {n: shape for n, shape in enumerate(network.weight_shapes, 1) if shape}
    weights = [file.array(f"{n}.weight", shape).ravel() for n, shape in shapes.items()]
    biases = [file.array(f"{n}.bias", shape[-1:]) for n, shape in shapes.items()]
    statistics = []
    for n, shape in shapes.items():
        if network.layers[n - 1].has_statistics:
            variances = file.array(f"{n}.variance", shape[-1:])
            if (variances < 0).any():
                raise ValueError("a variance is negative")
            statistics += [file.array(f"{n}.mean", shape[-1:]), variances]
    expected = 2 * len(shapes) + len(statistics)
    if len(file.shapes) != expected:
        raise ValueError(f"it has {len(file.shapes)} arrays where its network has {expected}")
    return np.concatenate([*weights, *biases, *statistics])


def _classes(text: str, kind: str) -> Classes:
    """The names of the classes, all different; empty for regression."""
    names = _list(text)
    if kind == "regression":
        names = []
    elif len(names) < 2:
        raise ValueError("it has fewer than two classes")
    for name in names:
        if not is_class_name(name):
            raise ValueError(f"“{name}” is no name of a class")
    if len(set(names)) < len(names):
        raise ValueError("two classes have the same name")
    return tuple(names)


def _settings(text: str) -> JsonObject:
    """The settings of the run: numbers, texts, truth values or None by name."""
    run = json.loads(text)
    if not isinstance(run, dict) or not all(
        isinstance(v, str | int | float | None) for v in run.values()
    ):
        raise ValueError("run is no table of settings")
    if not all(isfinite(value) for value in run.values() if isinstance(value, float)):
        raise ValueError("a setting of its run is no finite number")
    return run


def _number(text: str, what: str, low: float, high: float) -> float:
    number = float(text)
    if not low <= number <= high:
        raise ValueError(f"{text} is no {what}")
    return number


def _test_score(text: str, kind: str) -> float | None:
    """The accuracy, or R², that a file states; None where it states none."""
    if not text:
        return None
    # R² has no lower limit.
    return _number(text, "test score", 0 if kind == "classes" else -sys.float_info.max, 1)


def _one_of(value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"“{value}” is none of {', '.join(choices)}")


def _list(text: str) -> list[Any]:
    values = json.loads(text)
    if not isinstance(values, list):
        raise ValueError(f"“{text[:40]}” is no list")
    return values


def _size(value: object) -> int:
    # Not isinstance: JSON's true is an int for Python.
    if type(value) is not int or value < 1:
        raise ValueError(f"“{value}” is no size")
    return value


def models_folder() -> Path:
    """The folder with the models that come with the program."""
    return RESOURCES / "models"


def bundled_model(name: str = "mnist") -> Model:
    """The model called `name` that comes with the program."""
    return load_model(models_folder() / f"{name}.safetensors")


def is_bundled(path: Path) -> bool:
    """Whether `path` is one of the models that come with the program."""
    return path.resolve().parent == models_folder().resolve()


def check_fits(model: Model, dataset: Dataset) -> None:
    """Raise InputError unless the model accepts the data set's inputs and has its number of
    outputs.
    """
    if (model.kind, model.network.input_shape, model.network.outputs) != (
        dataset.kind,
        dataset.input_shape,
        dataset.outputs,
    ):
        raise InputError(
            "The model takes inputs of shape {wanted} and gives {outputs} outputs, {title} has "
            "{shape} and {found}: choose data like those it learned from.",
            wanted=model.network.input_shape,
            outputs=model.network.outputs,
            title=dataset.title,
            shape=dataset.input_shape,
            found=dataset.outputs,
        )


def fits(model: Model, dataset: Dataset) -> bool:
    """Whether the model accepts the data set's inputs and has the same classes."""
    try:
        check_fits(model, dataset)
    except InputError:
        return False
    return model.classes == dataset.classes


def reads_drawings(kind: str, input_shape: tuple[int, ...]) -> bool:
    """Whether a network for such data classifies what is drawn on the canvas: images of 28x28
    pixels.
    """
    return kind == "classes" and input_shape == (SIDE, SIDE, 1)


def check_reads_drawings(model: Model) -> None:
    """Raise InputError unless the model classifies what is drawn on the canvas, or a picture made
    like it.
    """
    if not reads_drawings(model.kind, model.network.input_shape):
        raise InputError(
            "This model does not read pictures of {side}x{side}: choose another model.", side=SIDE
        )
