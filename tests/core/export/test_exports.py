"""Exported files give the answers of the program, and contain nothing but data and known code."""

import ast
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from core.errors import InputError
from core.export import KINDS, ExportSource, find_exporter
from core.export.exporter import MAX_PARAMETERS
from core.export.numpy_script import NumpyScript
from core.inference.model_file import bundled_model
from tests.core.export.cases import (
    NETWORKS,
    TORCH_PYTHON,
    answers,
    export_to,
    make_model,
    make_value_model,
    onnx_answers,
    script_answers,
    some_images,
    torch_answers,
)
from tests.golden_home import GOLDEN

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


@pytest.mark.parametrize("name", NETWORKS)
def test_the_script_gives_the_programs_probabilities(tmp_path, name):
    model, images = make_model(name), some_images(10)
    path = export_to(tmp_path, model, ".py")
    np.testing.assert_allclose(script_answers(path, images), answers(model, images), **CLOSE)


@needs_torch
def test_the_module_gives_the_programs_probabilities(tmp_path):
    models, images = {}, some_images()
    for name in NETWORKS:
        (tmp_path / name).mkdir()
        models[name] = make_model(name), export_to(tmp_path / name, make_model(name), ".pt.py")
    found = torch_answers([path for _, path in models.values()], images)
    for (name, (model, _)), (outputs, _) in zip(models.items(), found, strict=True):
        np.testing.assert_allclose(outputs, answers(model, images), **CLOSE, err_msg=name)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_module_is_python(name):
    text = find_exporter("m.pt.py").content(ExportSource(make_model(name))).decode()
    compile(text, "m.pt.py", "exec")


def run_as_program(tmp_path, suffix, *arguments):
    """The exported file of a model that reads digits, run with these arguments, in a Python that
    has PyTorch.
    """
    path = export_to(tmp_path, bundled_model(), suffix)
    python = TORCH_PYTHON if suffix == ".pt.py" else sys.executable
    return subprocess.run(
        [python, str(path), *arguments], capture_output=True, text=True, cwd=tmp_path
    )


@pytest.mark.parametrize("suffix", [".py", pytest.param(".pt.py", marks=needs_torch)])
def test_a_script_says_what_is_missing(tmp_path, suffix):
    for arguments, expected in (
        ((), "Give the path of a picture"), (("none.png",), "none.png"), (("a", "b"), "Give the path"),
    ):  # fmt: skip
        done = run_as_program(tmp_path, suffix, *arguments)
        assert done.returncode == 1
        assert expected in done.stderr
        assert "Traceback" not in done.stderr
        assert "Errno" not in done.stderr


@needs_torch
def test_a_module_reads_a_picture_where_pillow_is_installed(tmp_path):
    drawing = GOLDEN / "home" / "data" / "my-digits" / "0" / "00001.png"
    done = run_as_program(tmp_path, ".pt.py", str(drawing))
    missing = "is not installed, which reads pictures" in done.stderr
    assert done.stdout.startswith("0 ") or missing, done.stderr


def test_outputs_that_are_all_negative_are_equal_probabilities(tmp_path):
    model = make_model("linear outputs")
    parameters = model.parameters.copy()
    parameters[-10:] = -100
    model = replace(model, parameters=parameters)
    found = script_answers(export_to(tmp_path, model, ".py"), some_images(2))
    np.testing.assert_allclose(found, answers(model, some_images(2)), **CLOSE)
    np.testing.assert_allclose(found, 0.1, **CLOSE)


def test_a_class_name_stays_a_text():
    """A model file from elsewhere cannot put code into a script."""
    evil = '"] + [__import__("os").abort()] + ["""\\'
    model = replace(make_model("dense"), classes=(evil, *"123456789"))
    for suffix in (".py", ".pt.py"):
        text = find_exporter("m" + suffix).content(ExportSource(model)).decode()
        assigned = next(
            node for node in ast.parse(text).body
            if isinstance(node, ast.Assign) and node.targets[0].id == "CLASSES"
        )  # fmt: skip
        assert ast.literal_eval(assigned.value)[0] == evil


def test_every_kind_of_file_is_compared_with_the_program():
    """Pages in tests/core/reading/test_drawing_page.py, the others here."""
    assert {kind.suffix for kind in KINDS} == {".onnx", ".py", ".pt.py", ".html"}


def test_the_longest_suffix_wins_and_capitals_do_not_matter():
    assert find_exporter("net.pt.py").suffix == ".pt.py"
    assert find_exporter("net.PY").suffix == ".py"
    assert len({kind.suffix for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("name", ["model.h5", "model", ".py", "onnx"])
def test_other_suffixes_are_refused_by_naming_those_there_are(name):
    with pytest.raises(InputError, match=r"\.onnx, \.py, \.pt\.py"):
        find_exporter(name)


def test_a_script_is_for_pictures_only():
    with pytest.raises(InputError, match=r"choose the suffix \.onnx or \.pt\.py"):
        NumpyScript().content(ExportSource(make_value_model()))


def test_a_network_too_large_for_a_script_is_refused(monkeypatch):
    monkeypatch.setattr("core.export.exporter.MAX_PARAMETERS", 1000)
    assert MAX_PARAMETERS > 1000
    with pytest.raises(InputError, match=r"15,910 parameters, and a script holds 1,000"):
        NumpyScript().content(ExportSource(make_model("dense")))
