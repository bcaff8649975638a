"""An array of any strides arrives as it is, wherever the program writes tensors."""

import ast
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load, load_file

from core.data import cache
from core.data.dataset import Split
from core.data.synthetic.pen import ShapeModel
from core.files.tensors import encode_tensors, open_tensors, save_tensors, write_tensors
from core.workshop.worker import pack, unpack
from tools.models.shape_model import write_model

ROOT = Path(__file__).resolve().parents[3]
TABLE = np.arange(24, dtype=np.float32).reshape(4, 6)
STRIDES = {
    "transposed": TABLE.T,
    "Fortran order": np.asfortranarray(TABLE),
    "columns": TABLE[:, 1:4],
    "every second": TABLE[::2, ::3],
    "backwards": TABLE[::-1, ::-1],
    "broadcast": np.broadcast_to(TABLE[1], (3, 6)),
    "one number everywhere": np.broadcast_to(np.float32(7), (2, 5)),
    "no dimensions": np.array(3.5, np.float32),
    "no elements": TABLE[:0],
    "moved axes": np.moveaxis(TABLE.reshape(2, 2, 6), 0, -1),
    "big-endian": TABLE.astype(">f4").T,
}
TYPES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float64",
)


def assert_same(found, expected):
    assert found.shape == expected.shape
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("name", STRIDES)
def test_arrays_of_any_strides_are_encoded_and_written(name, tmp_path):
    array = STRIDES[name]
    assert_same(load(encode_tensors({"a": array, "b": TABLE}))["a"], array)
    save_tensors(tmp_path / "saved", {"a": array})
    assert_same(load_file(tmp_path / "saved")["a"], array)
    write_tensors(tmp_path / "written", {"a": array}, {})
    with open_tensors(tmp_path / "written") as file:
        assert_same(file.array("a", array.shape), array)


@pytest.mark.parametrize("name", STRIDES)
def test_a_message_between_processes_keeps_them(name):
    array = STRIDES[name]
    assert_same(unpack(pack({"values": [array, {"more": array}]}))["values"][1]["more"], array)


def test_the_same_model_gives_the_same_bytes():
    texts = {f"key {number}": "Zoë" for number in range(20)}
    backwards = dict(reversed(texts.items()))
    arrays = {"b": TABLE, "a": TABLE.astype(np.int8), "c": TABLE.astype(np.float64)}
    assert encode_tensors(arrays, texts) == encode_tensors(
        dict(reversed(arrays.items())), backwards
    )


@pytest.mark.parametrize("dtype", TYPES)
def test_types_are_kept(dtype):
    array = TABLE.astype(dtype).T
    found = unpack(pack({"values": array}))["values"]
    assert found.dtype == array.dtype
    assert_same(found, array)


@pytest.mark.parametrize("name", STRIDES)
def test_the_cache_of_data_sets_keeps_them(name, home):
    split = Split(STRIDES[name], STRIDES[name][..., :1] if STRIDES[name].ndim else STRIDES[name])
    cache.load_or_make("some", "key", lambda: (split, split))
    for found in cache.load_or_make("some", "key", pytest.fail):
        assert_same(found.inputs, split.inputs)
        assert_same(found.targets, split.targets)


def test_the_shape_model_keeps_them(tmp_path):
    labels = np.arange(8)[::2]
    joined = np.ones((6, 4), bool).T
    curves = np.arange(48.0).reshape(6, 2, 4).T
    write_model(ShapeModel(labels, labels, joined, curves, curves), tmp_path / "shapes")
    stored = load_file(tmp_path / "shapes")
    assert_same(stored["labels"], labels)
    assert_same(stored["means"], curves)


def test_no_module_of_the_program_writes_by_safetensors():
    writers = set()
    for folder in ("core", "gui", "kernels", "packaging", "tools"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text("utf-8")
            if "safetensors" not in text:
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ImportFrom) and node.module in (
                    "safetensors",
                    "safetensors.numpy",
                ):
                    names = {each.name for each in node.names}
                    if names & {"save", "save_file", "serialize", "serialize_file"}:
                        writers.add(path.relative_to(ROOT).as_posix())
    assert not writers
