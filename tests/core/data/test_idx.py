import gzip
import hashlib
import os
import struct
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from core.data import cache
from core.data.class_names import DIGITS
from core.data.dataset import Split
from core.data.idx import find, read_split
from core.data.published import PUBLISHED
from core.data.sources import list_sources, load_dataset
from core.errors import InputError
from tests.core.data.files import (
    TEST_LABELS,
    TRAIN_IMAGES,
    TRAIN_LABELS,
    contents,
    damage_unseen,
    idx_labels,
    some_digits,
    write_folder,
)


@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_of_idx_files_gives_its_images_and_labels(tmp_path, packed):
    folder = write_folder(tmp_path / "own", contents(), packed)
    dataset = load_dataset(folder)
    images, labels = some_digits(30)
    np.testing.assert_array_equal(dataset.train.inputs[..., 0], images)
    np.testing.assert_array_equal(dataset.train.targets, labels)
    assert len(dataset.test) == 20
    assert dataset.input_shape == (28, 28, 1)
    assert dataset.train.targets.dtype == np.int32
    assert (dataset.name, dataset.title) == (str(folder), "own")


@pytest.mark.parametrize("name", ["raw", "Fashion"])
def test_the_files_of_fashion_mnist_have_its_classes_in_any_folder(tmp_path, monkeypatch, name):
    files = contents()
    if name == "raw":
        digest = hashlib.sha256(files[TEST_LABELS]).hexdigest()
        fashion = PUBLISHED["fashion"]
        changed = [replace(f, sha256=digest) if f.name == TEST_LABELS else f for f in fashion.files]
        monkeypatch.setitem(PUBLISHED, "fashion", replace(fashion, files=tuple(changed)))
    for _ in range(2):  # from the files, then from the cache
        assert (
            load_dataset(write_folder(tmp_path / name, files)).classes
            == PUBLISHED["fashion"].classes
        )
    assert load_dataset(write_folder(tmp_path / "other", contents(test=30))).classes == DIGITS


def test_names_with_a_dot_and_mixed_packing_are_read(tmp_path):
    folder = write_folder(tmp_path, contents())
    (folder / TRAIN_IMAGES).rename(folder / "train-images.idx3-ubyte")
    plain = folder / TRAIN_LABELS
    (folder / f"{TRAIN_LABELS}.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    assert len(load_dataset(folder).train) == 30


def test_images_of_another_size_are_read_and_more_than_one_slice_too(tmp_path):
    files = contents(train=20_001, test=5, side=3)
    images, labels = some_digits(20_001, side=3)
    dataset = load_dataset(write_folder(tmp_path, files))
    np.testing.assert_array_equal(dataset.train.inputs[..., 0], images)
    np.testing.assert_array_equal(dataset.train.targets, labels)


def _input_error(path) -> str:
    with pytest.raises(InputError) as caught:
        load_dataset(path)
    return str(caught.value)


def test_a_missing_folder_is_refused(tmp_path):
    text = _input_error(tmp_path / "nowhere")
    assert "nowhere" in text
    assert "builtin, mnist, fashion" in text


def test_an_empty_folder_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    assert "is empty" in _input_error(tmp_path / "empty")


def test_a_missing_file_is_named(tmp_path):
    files = contents()
    del files[TEST_LABELS]
    assert TEST_LABELS in _input_error(write_folder(tmp_path, files))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (lambda content: content[:-1], "cut short"),
        (lambda content: content[:10], "too short"),
        (lambda content: b"", "too short"),
        (lambda content: content + b"\0", "more than"),
        (lambda content: struct.pack(">I", 2049) + content[4:], "2049"),
        (lambda content: content[:4] + struct.pack(">I", 2**31) + content[8:], "cut short"),
        (lambda content: struct.pack(">IIII", 2051, *[2**32 - 1] * 3), "cut short"),
        (lambda content: struct.pack(">IIII", 2051, 0, 28, 28), "has no images"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, packed, spoil, expected):
    files = contents()
    files[TRAIN_IMAGES] = spoil(files[TRAIN_IMAGES])
    text = _input_error(write_folder(tmp_path, files, packed))
    assert expected in text
    assert TRAIN_IMAGES in text


def test_a_header_larger_than_its_file_allocates_nothing(tmp_path):
    files = contents()
    files[TRAIN_IMAGES] = struct.pack(">IIII", 2051, 2**31, 28, 28) + bytes(100)
    folder = write_folder(tmp_path, files)
    load = load_dataset
    _input_error(tmp_path / "nowhere")
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="cut short"):
            load(folder)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_a_file_that_is_not_gzipped_or_broken_off_is_refused(tmp_path):
    folder = write_folder(tmp_path, contents(), packed=True)
    path = folder / f"{TRAIN_IMAGES}.gz"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert "damaged" in _input_error(folder)
    path.write_bytes(b"<html>error</html>")
    assert "choose the right file" in _input_error(folder)


def test_counts_that_differ_are_refused(tmp_path):
    files = contents()
    files[TRAIN_LABELS] = idx_labels(np.zeros(29))
    text = _input_error(write_folder(tmp_path, files))
    assert "30" in text
    assert "29" in text


def test_labels_of_any_value_are_classes(tmp_path):
    files = contents()
    files[TRAIN_LABELS] = idx_labels(np.full(30, 11))
    folder = write_folder(tmp_path, files)
    for _ in range(2):  # from the files, then from the cache
        dataset = load_dataset(folder)
        assert dataset.classes == (*DIGITS, "11")
        assert set(dataset.train.targets) == {10}


def test_the_second_start_reads_the_cache(tmp_path):
    folder = write_folder(tmp_path / "own", contents())
    first = load_dataset(folder)
    for path in folder.iterdir():
        damage_unseen(path)
    second = load_dataset(folder)
    np.testing.assert_array_equal(first.train.inputs, second.train.inputs)
    np.testing.assert_array_equal(first.test.targets, second.test.targets)


def test_a_changed_file_is_read_anew_and_the_old_arrays_go(tmp_path, home):
    folder = write_folder(tmp_path / "own", contents())
    load_dataset(folder)
    write_folder(folder, contents(train=50))
    assert len(load_dataset(folder).train) == 50
    assert len(list(home.rglob("*.safetensors"))) == 1


def test_a_damaged_cache_is_read_anew(tmp_path, home):
    folder = write_folder(tmp_path / "own", contents())
    load_dataset(folder)
    (kept,) = home.rglob("*.safetensors")
    kept.write_bytes(b"nonsense")
    assert len(load_dataset(folder).train) == 30
    assert len(load_dataset(folder).train) == 30


def test_an_unwritable_cache_raises_no_error(tmp_path, home):
    home.write_text("a file where the folder should be")
    assert len(load_dataset(write_folder(tmp_path / "own", contents())).train) == 30


def test_a_named_data_set_is_found_below_digitlab_data(tmp_path, monkeypatch):
    write_folder(tmp_path / "mnist", contents())
    monkeypatch.setenv("DIGITLAB_DATA", str(tmp_path))
    sources = {source.name: source for source in list_sources()}
    assert sources["mnist"].available
    assert sources["mnist"].where == str(tmp_path / "mnist")
    assert not sources["fashion"].available
    assert load_dataset("mnist").title == "MNIST"


def test_a_disk_full_while_writing_the_cache_raises_no_error(tmp_path, home, monkeypatch):
    def full(path, arrays):
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.data.cache.save_tensors", full)
    split = Split(np.zeros((3, 28, 28, 1), np.uint8), np.zeros(3, np.int64))
    cache.store("mnist", "key", (split, split))
    assert not cache.cached("mnist")
    assert not list(home.rglob("*.tmp"))


def test_a_named_data_set_is_read_from_the_cache_without_its_files(tmp_path, monkeypatch):
    write_folder(tmp_path / "mnist", contents())
    monkeypatch.setenv("DIGITLAB_DATA", str(tmp_path))
    load_dataset("mnist")
    monkeypatch.delenv("DIGITLAB_DATA")
    assert {source.name: source.available for source in list_sources()} == {
        "builtin": True,
        "mnist": True,
        "fashion": False,
        "rastrigin": True,
        "mine": False,
    }
    assert len(load_dataset("mnist").train) == 30


def test_a_missing_data_set_says_what_to_do(monkeypatch):
    monkeypatch.delenv("DIGITLAB_DATA", raising=False)
    text = _input_error("fashion")
    for way in ("main.py data fetch fashion", "DIGITLAB_DATA", "built-in digits"):
        assert way in text


def test_an_incomplete_folder_below_digitlab_data_names_what_is_missing(tmp_path, monkeypatch):
    files = contents()
    del files[TEST_LABELS]
    write_folder(tmp_path / "mnist", files)
    monkeypatch.setenv("DIGITLAB_DATA", str(tmp_path))
    assert TEST_LABELS in _input_error("mnist")
    assert "missing" in next(source.where for source in list_sources() if source.name == "mnist")


def test_without_python_mnist_the_files_are_read_as_well(tmp_path, monkeypatch):
    folder = write_folder(tmp_path / "own", contents())
    expected = load_dataset(folder)
    monkeypatch.setitem(__import__("sys").modules, "mnist", None)
    os.utime(folder / TRAIN_IMAGES, (1, 1))
    np.testing.assert_array_equal(load_dataset(folder).train.inputs, expected.train.inputs)


def test_many_small_images_are_read_in_proportion_to_their_size(tmp_path, monkeypatch):
    """Each byte is read twice, for the header's check and the images, however many images there
    are.
    """
    count = 400_000
    files = contents(train=20, test=20) | {
        TRAIN_IMAGES: struct.pack(">IIII", 2051, count, 1, 1) + bytes(count),
        TRAIN_LABELS: idx_labels(np.zeros(count)),
    }
    folder = write_folder(tmp_path, files, packed=True)
    read = 0

    class CountedFile(gzip.GzipFile):
        def read(self, size=-1):
            nonlocal read
            content = super().read(size)
            read += len(content)
            return content

    monkeypatch.setattr(gzip, "GzipFile", CountedFile)
    tracemalloc.start()
    try:
        assert len(read_split(find(folder), "train")) == count
        assert tracemalloc.get_traced_memory()[1] < 12 * count
    finally:
        tracemalloc.stop()
    assert read < 5 * count


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_or_device_in_place_of_a_file_is_refused_at_once(tmp_path):
    folder = write_folder(tmp_path, contents())
    (folder / TRAIN_IMAGES).unlink()
    os.mkfifo(folder / TRAIN_IMAGES)
    assert "pipe, socket or device" in _input_error(folder)
    (folder / TRAIN_IMAGES).unlink()
    (folder / TRAIN_IMAGES).symlink_to("/dev/zero")
    assert "pipe, socket or device" in _input_error(folder)


def test_real_mnist_has_its_known_counts(data_folder, monkeypatch):
    monkeypatch.setenv("DIGITLAB_DATA", str(data_folder))
    dataset = load_dataset("mnist")
    assert (len(dataset.train), len(dataset.test)) == (60_000, 10_000)
    assert dataset.train.targets[:5].tolist() == [5, 0, 4, 1, 9]
    assert np.bincount(dataset.test.targets).tolist() == [
        980,
        1135,
        1032,
        1010,
        982,
        892,
        958,
        1028,
        974,
        1009,
    ]
    assert cache.cached("mnist")
    assert abs(dataset.test.inputs.mean() / 255 - 0.1325) < 0.0005


@pytest.mark.parametrize(
    "name",
    ["", "MNIST", "x" * 5000, "a\0b", "~nobody-of-this-name/x"],
    ids=["empty", "capitals", "long", "zero", "nobody"],
)
def test_an_unknown_name_is_refused(name):
    assert "choose" in _input_error(name)
