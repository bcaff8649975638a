"""Whether a model can be used with given data."""

from core.data.dataset import Dataset
from core.drawing.ink import SIDE
from core.errors import InputError
from core.inference.model_file import Model


def check_fits(model: Model, dataset: Dataset) -> None:
    """Raise InputError unless the model accepts the data set's inputs and has its number of outputs."""
    if (model.kind, model.network.input_shape, model.network.outputs) != (
        dataset.kind, dataset.input_shape, dataset.outputs,
    ):  # fmt: skip
        raise InputError(
            "The model takes inputs of shape {wanted} and gives {outputs} outputs, {title} has {shape} and "
            "{found}: choose data like those it learned from.",
            wanted=model.network.input_shape, outputs=model.network.outputs,
            title=dataset.title, shape=dataset.input_shape, found=dataset.outputs,
        )  # fmt: skip


def fits(model: Model, dataset: Dataset) -> bool:
    """Whether the model accepts the data set's inputs and has the same classes."""
    try:
        check_fits(model, dataset)
    except InputError:
        return False
    return model.classes == dataset.classes


def reads_drawings(kind: str, input_shape: tuple[int, ...]) -> bool:
    """Whether a network for such data classifies what is drawn on the canvas: images of 28x28 pixels."""
    return kind == "classes" and input_shape == (SIDE, SIDE, 1)


def check_reads_drawings(model: Model) -> None:
    """Raise InputError unless the model classifies what is drawn on the canvas, or a picture made like it."""
    if not reads_drawings(model.kind, model.network.input_shape):
        raise InputError(
            "This model does not read pictures of {side}x{side}: choose another model.", side=SIDE
        )
