"""Reads networks that other programs have saved: ONNX files, and PyTorch state dictionaries as
safetensors.
"""

from pathlib import Path

import numpy as np

from core.errors import InputError
from core.files.tensors import open_tensors
from core.inference.model_file import MODEL_SUFFIX, Model

ONNX_SUFFIX = ".onnx"


def import_model(path: str | Path, network: str = "", activation: str = "relu") -> Model:
    """The model in an ONNX file, or in a safetensors file with a PyTorch state dictionary.

    `network`, its notation, and `activation`, of its hidden layers, are for a state dictionary,
    which has neither. Raises InputError, naming the layer, where a layer is none of this program's.
    Nothing in the file is executed.
    """
    # The readers import the exporters; the window needs neither to start.
    from core.importing.onnx_file import read_onnx
    from core.importing.state_dict import read_state_dict

    # 64-bit weights may become infinite, which `build_model` refuses.
    with np.errstate(over="ignore"):
        if Path(path).suffix.lower() == ONNX_SUFFIX:
            return read_onnx(Path(path))
        return read_state_dict(Path(path), network, activation)


def is_of_other_program(path: Path) -> bool:
    """Whether `path` is a file that `import_model` reads. Of a safetensors file its head is
    read.
    """
    if path.suffix.lower() == ONNX_SUFFIX:
        return True
    if path.suffix.lower() != MODEL_SUFFIX:
        return False
    try:
        with open_tensors(path) as file:
            return file.texts.get("format") in (None, "pt")  # what PyTorch and its libraries write
    except InputError:
        return False


def import_note(path: str | Path, model: Model) -> InputError | None:
    """What was assumed when `model` was read from `path`: to be asked about before it is used. None
    for nothing.
    """
    from core.importing.state_dict import assumption

    if Path(path).suffix.lower() == ONNX_SUFFIX:
        return None
    return assumption(model.network)
