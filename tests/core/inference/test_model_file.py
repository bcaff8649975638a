"""Models are saved and loaded without change; other files raise InputError."""

import errno
import json
import os
import struct
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from core.errors import InputError
from core.inference.engine import Engine
from core.inference.model_file import Model, load_model, preprocessing_of
from core.network.notation import parse
from core.training.run_settings import RunSettings

TEXTS = "8C3-MP2-12N:tanh-10N"


def make_model(text: str = "784-12-10") -> Model:
    network = parse(text, (28, 28, 1), 10)
    parameters = np.random.default_rng(0).normal(size=network.parameter_count).astype(np.float32)
    return Model(
        network=network,
        activation="leaky-relu",
        loss="cross-entropy",
        kind="classes",
        classes=tuple("0123456789"),
        parameters=parameters,
        data="mnist",
        run_settings=RunSettings(network=text, activation="leaky-relu", seed=7).as_dict(),
        test_score=0.9125,
    )


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "m.safetensors"
    make_model().save(path)
    return path


def rewrite(path, texts=None, arrays=None, drop=()):
    """The model file again with some texts or arrays changed."""
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
    tensors = {
        name: array
        for name, array in (load_file(path) | (arrays or {})).items()
        if name not in drop
    }
    metadata = {key: text for key, text in (metadata | (texts or {})).items() if key not in drop}
    save_file(tensors, path, metadata)


@pytest.mark.parametrize("text", ["784-12-10", TEXTS])
def test_a_saved_model_is_loaded_unchanged(tmp_path, text):
    model = make_model(text)
    model.save(tmp_path / "m.safetensors")
    back = load_model(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(back.parameters, model.parameters)
    assert back.network == model.network
    assert back.settings().seed == 7
    for name in ("activation", "loss", "kind", "classes", "data", "run_settings", "test_score"):
        assert getattr(back, name) == getattr(model, name)


def test_a_regression_model_is_loaded_unchanged(tmp_path):
    network = parse("2-5-1", (2,), 1)
    model = Model(
        network,
        "tanh",
        "squared-error",
        "regression",
        (),
        np.ones(network.parameter_count, np.float32),
        "waves",
    )
    model.save(tmp_path / "m.safetensors")
    back = load_model(tmp_path / "m.safetensors")
    assert (back.network, back.kind, preprocessing_of(back.network), back.test_score) == (
        network,
        "regression",
        "none",
        None,
    )


def test_arrays_are_named_by_layer_and_keep_their_shapes(tmp_path):
    make_model(TEXTS).save(tmp_path / "m.safetensors")
    shapes = {name: array.shape for name, array in load_file(tmp_path / "m.safetensors").items()}
    assert shapes == {
        "1.weight": (3, 3, 1, 8), "1.bias": (8,),
        "3.weight": (14 * 14 * 8, 12), "3.bias": (12,),
        "4.weight": (12, 10), "4.bias": (10,),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("contents", "words"),
    [
        (b"", "header"),
        (b"this is a text file and no model at all\n", "header would be longer"),
        (struct.pack("<Q", 2**62) + b"{}", "header would be longer"),
        (struct.pack("<Q", 1000) + b"{}", "header would be longer"),
        (struct.pack("<Q", 2) + b"{}", "not saved by this program"),
        (struct.pack("<Q", 3) + b"{x}", "damaged"),
        (struct.pack("<Q", 5000) + b"[" * 5000, "damaged"),
    ],
)
def test_other_files_are_refused(tmp_path, contents, words):
    path = tmp_path / "m.safetensors"
    path.write_bytes(contents)
    with pytest.raises(InputError, match=words):
        load_model(path)


def test_a_truncated_file_is_refused(saved):
    saved.write_bytes(saved.read_bytes()[:-4])
    with pytest.raises(InputError, match="damaged"):
        load_model(saved)


def test_missing_files_and_folders_are_refused(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        load_model(tmp_path / "m.safetensors")
    with pytest.raises(InputError, match="is a folder"):
        load_model(tmp_path)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"network": "784-13-10"}, "should be 784x13 and is 784x12"),
        ({"network": "784-12-12-10"}, "should be 12x12 and is 12x10"),
        ({"network": "20-10"}, "no network from 784 inputs to 10 outputs"),
        ({"network": "784--10"}, "layer missing"),
        ({"network": ""}, "empty"),
        ({"network": "784-1000000000-10"}, "memory"),
        ({"network": "9" * 5000}, "at most 1000"),
        ({"network": "9" * 200_000}, "too long"),
        ({"input_shape": "[30, 30, 1]"}, "no network from 900 inputs"),
        ({"input_shape": "[28, 28.5, 1]"}, "no size"),
        ({"input_shape": "[-28, -28, 1]"}, "no size"),
        ({"input_shape": "{}"}, "no list"),
        ({"input_shape": "[" * 100_000}, "cannot be read"),
        ({"input_shape": "[28, 28]"}, "input_shape"),
        ({"activation": "import os"}, "none of sigmoid"),
        ({"loss": ""}, "none of cross-entropy"),
        ({"kind": "poem"}, "none of classes"),
        ({"classes": '["0", "1"]'}, "network"),
        ({"classes": '["0"]'}, "fewer than two classes"),
        ({"run": "[]"}, "no table of settings"),
        ({"test_score": "high"}, "cannot be read"),
        ({"test_score": "nan"}, "no test score"),
        ({"test_score": "1.5"}, "no test score"),
        ({"test_score": "-inf"}, "no test score"),
        ({"classes": json.dumps(["1"] * 10)}, "two classes have the same name"),
        ({"classes": "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"}, "no name of a class"),
        ({"classes": json.dumps([*"012345678", "9" * 300])}, "no name of a class"),
        ({"classes": json.dumps([*"012345678", "9\n"])}, "no name of a class"),
        ({"classes": json.dumps([*"012345678", "\x1b[31m9"])}, "no name of a class"),
        ({"classes": json.dumps([*"012345678", " "])}, "no name of a class"),
        ({"run": '{"l2": NaN}'}, "no finite number"),
        ({"run": '{"l2": 1e400}'}, "no finite number"),
        ({"run": '{"l2": {"l2": 0}}'}, "no table of settings"),
        ({"run": '{"a":' * 100_000}, "cannot be read"),
        ({"preprocessing": "sharpen"}, "none of divide-by-255"),
        ({"format": "recipe"}, "no model"),
        ({"format_version": "2"}, "update"),
    ],
)
def test_metadata_that_do_not_fit_are_refused(saved, texts, words):
    rewrite(saved, texts=texts)
    with pytest.raises(InputError, match=words):
        load_model(saved)


@pytest.mark.parametrize(
    "key", ["format", "network", "input_shape", "activation", "loss", "kind", "classes"]
)
def test_incomplete_metadata_are_refused(saved, key):
    rewrite(saved, drop=(key,))
    with pytest.raises(InputError, match=f"has no “{key}”"):
        load_model(saved)


def test_arrays_that_do_not_fit_are_refused(saved):
    whole = saved.read_bytes()
    bad = np.zeros((784, 12), np.float32)
    bad[3, 4] = np.nan
    for changes, words in (
        ({"arrays": {"1.weight": bad}}, "not finite"),
        ({"arrays": {"1.weight": np.zeros((784, 12))}}, "F64"),
        (
            {"arrays": {"1.weight": np.zeros((12, 784), np.float32)}},
            "should be 784x12 and is 12x784",
        ),
        (
            {"arrays": {"5.weight": np.zeros((2, 2), np.float32)}},
            "5 arrays where its network has 4",
        ),
        ({"drop": ("2.bias",)}, "“2.bias” should be 10 and is missing"),
    ):
        saved.write_bytes(whole)
        rewrite(saved, **changes)
        with pytest.raises(InputError, match=words):
            load_model(saved)


def test_a_full_disk_keeps_the_earlier_model(saved, monkeypatch):
    earlier = saved.read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(InputError, match="No space left"):
        make_model().save(saved)
    assert saved.read_bytes() == earlier
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]


@pytest.mark.parametrize("changes", [
    {"classes": ("a\nb", *"123456789")}, {"classes": ("\ud800", *"123456789")}, {"classes": ("x" * 256, *"123456789")},
    {"classes": (" ", *"123456789")}, {"classes": tuple("0012345678")}, {"test_score": float("nan")},
    {"temperature": 0.0}, {"loss": "hinge"}, {"run_settings": {"seed": [1]}}, {"classes": ("0",)},
])  # fmt: skip
def test_what_could_not_be_loaded_is_not_saved(saved, changes):
    earlier = saved.read_bytes()
    with pytest.raises(InputError, match="was not written"):
        replace(make_model(), **changes).save(saved)
    assert saved.read_bytes() == earlier


def test_negative_variances_are_not_saved(tmp_path):
    model = make_model("12N-BN-10N")
    model.parameters[:] = -1
    with pytest.raises(InputError, match="variance is negative"):
        model.save(tmp_path / "m.safetensors")


def test_a_class_may_have_the_longest_name_of_a_folder(saved):
    replace(make_model(), classes=("x" * 255, *"123456789")).save(saved)
    assert load_model(saved).classes[0] == "x" * 255


def test_parameters_that_are_not_finite_are_not_saved(tmp_path):
    model = make_model()
    model.parameters[5] = np.inf
    with pytest.raises(InputError, match="no longer finite"):
        model.save(tmp_path / "m.safetensors")
    assert not list(tmp_path.iterdir())


def test_settings_of_a_later_version_are_refused(saved):
    rewrite(saved, texts={"run": json.dumps({"wings": 2})})
    with pytest.raises(InputError, match="wings"):
        load_model(saved).settings()


def test_huge_parameters_are_refused_when_their_answers_are_not_finite():
    model = make_model("784-12-12-10")
    model.parameters[:] = 3e38
    engine = Engine(model)
    with pytest.raises(InputError, match="answers are not finite"):
        engine.predict(np.full((1, 28, 28), 200, np.uint8))
    engine.close()


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="only Linux has such a file")
def test_a_file_of_the_system_is_refused(tmp_path):
    (tmp_path / "model.safetensors").symlink_to("/proc/self/maps")
    with pytest.raises(InputError, match="not a safetensors file"):
        load_model(tmp_path / "model.safetensors")
