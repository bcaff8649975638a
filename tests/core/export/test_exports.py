"""Exported files give the answers of the program, and contain nothing but data and known code."""

from importlib.util import find_spec

import numpy as np
import pytest

from core.errors import InputError
from core.export import KINDS, find_exporter
from tests.core.export.cases import (
    NETWORKS,
    TORCH_PYTHON,
    answers,
    export_to,
    make_model,
    make_value_model,
    onnx_answers,
    some_images,
)

needs_onnx = pytest.mark.skipif(
    not (find_spec("onnx") and find_spec("onnxruntime")),
    reason="onnx and onnxruntime are not installed",
)
needs_torch = pytest.mark.skipif(
    TORCH_PYTHON is None,
    reason="PyTorch is not installed, and DIGITLAB_TORCH_PYTHON names no Python with it",
)
CLOSE = {"rtol": 0, "atol": 1e-5}


@needs_onnx
@pytest.mark.parametrize("name", NETWORKS)
def test_onnx_gives_the_programs_probabilities(tmp_path, name):
    model, images = make_model(name), some_images()
    path = export_to(tmp_path, model, ".onnx")
    np.testing.assert_allclose(onnx_answers(path, images), answers(model, images), **CLOSE)


@needs_onnx
def test_onnx_of_a_regression_takes_points(tmp_path):
    model = make_value_model()
    points = np.random.default_rng(0).normal(size=(7, 2)).astype(np.float32)
    path = export_to(tmp_path, model, ".onnx")
    np.testing.assert_allclose(onnx_answers(path, points), answers(model, points), **CLOSE)


def test_every_kind_of_file_is_compared_with_the_program():
    """Pages in tests/core/reading/test_drawing_page.py, notebooks in test_notebook.py, ONNX
    here.
    """
    assert {kind.suffix for kind in KINDS} == {".onnx", ".ipynb", ".html"}


@pytest.mark.parametrize("name", ["model.h5", "model", ".onnx", "onnx"])
def test_other_suffixes_are_refused_by_naming_those_there_are(name):
    with pytest.raises(InputError, match=r"\.onnx, \.ipynb, \.html"):
        find_exporter(name)
