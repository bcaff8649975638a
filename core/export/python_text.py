"""Pieces of Python source text that exported scripts are made of.

Texts from a model file, such as the names of classes, are written with `ascii`, so that they stay literals.
"""

import base64
from collections.abc import Sequence

import numpy as np

from core.errors import InputError
from core.inference.model_file import Model

MAX_PARAMETERS = 20_000_000  # 107 MB of text


def check_size(model: Model) -> None:
    """Raise InputError where the parameters are too many for a script."""
    if model.network.parameter_count > MAX_PARAMETERS:
        raise InputError(
            "The network has {count:,} parameters, and a script holds {limit:,}: choose the suffix .onnx.",
            count=model.network.parameter_count, limit=MAX_PARAMETERS,
        )  # fmt: skip


def encoded(arrays: Sequence[np.ndarray]) -> str:
    """All values in order as a literal of base64, little-endian float32."""
    values = np.concatenate([array.ravel() for array in arrays]).astype("<f4")
    return f'"{base64.b64encode(values.tobytes()).decode()}"'
