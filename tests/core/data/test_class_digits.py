"""The digits of a class: one file a writer, merged into a data set that is split by writer."""

import json
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from core.data.formats import class_digits
from core.data.formats.class_digits import WrittenDigits
from core.data.sources import load_dataset
from core.errors import InputError
from main import main


def digits(name, count, seed=0):
    random = np.random.default_rng(seed)
    images = random.integers(0, 256, (count, 28, 28)).astype(np.uint8)
    return WrittenDigits(
        images, (np.arange(count) % 10).astype(np.uint8), np.zeros(count, np.int32), (name,)
    )


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / f"{name}.npz" for name in ("ann", "ben", "cem", "dea", "eva")]
    for seed, path in enumerate(paths):
        class_digits.save(digits(path.stem, 20, seed), path)
    return paths


def test_merged_files_know_their_writers_and_no_hand_is_in_both_splits(files, tmp_path, capsys):
    out = tmp_path / "class.npz"
    assert main(["data", "merge", *map(str, files), "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["writers"] == ["ann", "ben", "cem", "dea", "eva"]
    data = load_dataset(out)
    assert len(data.train) + len(data.test) == 100
    assert not set(data.writers.train) & set(data.writers.test)
    assert len(data.test) == 20
    image, writer = data.test.inputs[3, :, :, 0], data.writers.test[3]
    assert any((image == each).all() for each in class_digits.read(files[writer]).images)


def test_the_same_name_in_two_files_is_one_writer():
    merged = class_digits.merge([digits("ann", 5), digits("ben", 5), digits("ann", 3, 1)])
    assert merged.names == ("ann", "ben")
    assert np.bincount(merged.writers).tolist() == [8, 5]


def test_the_scores_name_who_is_read_badly(files, tmp_path):
    data = class_digits.ClassDigits().load(_merged(files, tmp_path))
    right = np.zeros(len(data.test), bool)
    assert class_digits.scores_by_writer(data.writers, right) == [("eva", 20, 0.0)]


def _merged(files, tmp_path):
    path = tmp_path / "class.npz"
    class_digits.save(class_digits.merge([class_digits.read(file) for file in files]), path)
    return path


def test_evaluate_prints_a_row_for_each_writer(files, tmp_path, capsys):
    assert main(["evaluate", "--data", str(_merged(files, tmp_path))]) == 0
    assert "eva" in capsys.readouterr().out


def test_one_writer_alone_is_no_data_set(files):
    with pytest.raises(InputError, match="one writer only"):
        class_digits.ClassDigits().load(files[0])


def _replace(path, name, content):
    with zipfile.ZipFile(path) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()}
    parts[name] = content(parts[name])
    with zipfile.ZipFile(path, "w") as archive:
        for each, data in parts.items():
            archive.writestr(each, data)


def _with_header(text):
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(20)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("images.npy", lambda data: data[:-1]),
        ("images.npy", lambda data: data.replace(b"(20, 28, 28)", b"(90000000,)")),
        ("images.npy", lambda data: data.replace(b"'|u1'", b"'|O' ")),
        ("labels.npy", lambda data: data[:-1] + b"\x63"),
        ("writers.npy", lambda data: data[:-4] + b"\xff\xff\xff\x7f"),
        ("names.npy", lambda data: b""),
        ("labels.npy", lambda data: b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 60_000),
        ("labels.npy", lambda data: _with_header(b"{'descr': (")),
        (
            "labels.npy",
            lambda data: _with_header(
                b"{'descr': '|u1', 'fortran_order': False, 'shape': (20L,), }"
            ),
        ),
        ("labels.npy", lambda data: data + b"0"),
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence(files, name, content):
    _replace(files[0], name, content)
    with pytest.raises(InputError, match="cannot be read as digits") as caught:
        class_digits.read(files[0])
    assert "\n" not in str(caught.value)


def test_mutated_files_are_read_or_refused(files):
    random, content = np.random.default_rng(1), bytearray(files[0].read_bytes())
    for _ in range(200):
        changed = bytearray(content)
        for at in random.integers(0, len(changed), 4):
            changed[at] = random.integers(256)
        files[1].write_bytes(changed)
        with suppress(InputError):
            class_digits.read(files[1])


def test_names_are_texts_of_one_line(tmp_path):
    class_digits.save(digits("a\x1b[2Jb", 3), tmp_path / "x.npz")
    assert class_digits.read(tmp_path / "x.npz").names == ("a?[2Jb",)


def test_what_could_not_be_read_is_not_written(files, tmp_path, monkeypatch, capsys):
    """The limits of writing are those of reading; the files that go with the limit are not merged
    at all.
    """
    monkeypatch.setattr(class_digits, "MAX_IMAGES", 50)
    out = tmp_path / "class.npz"
    assert main(["data", "merge", *map(str, files[:3]), "--out", str(out)]) == 2
    assert (
        "60 digits of 3 writers are too many for one file: at most 50 digits"
        in capsys.readouterr().err
    )
    assert not out.exists()
    with pytest.raises(InputError, match="51 digits"):
        class_digits.save(digits("ann", 51), out)
    class_digits.save(digits("ann", 50), out)
    assert len(class_digits.read(out).images) == 50


def test_the_largest_file_that_is_written_is_read(tmp_path, monkeypatch):
    """Nothing of it can be compressed. A tenth of the limit for images, so that it takes a tenth of
    the time.
    """
    random, limit = np.random.default_rng(0), class_digits.MAX_BYTES
    count, writers = class_digits.MAX_IMAGES // 10, class_digits.MAX_WRITERS
    monkeypatch.setattr(class_digits, "MAX_IMAGES", count)
    monkeypatch.setattr(class_digits, "MAX_BYTES", limit - 9 * count * 800)
    names = tuple(f"{number:05}" + "\U0001f58a" * 55 for number in range(writers))
    noise = WrittenDigits(
        random.integers(0, 256, (count, 28, 28), np.uint8),
        np.zeros(count, np.uint8),
        random.integers(0, writers, count).astype(np.int32),
        names,
    )
    class_digits.save(noise, tmp_path / "x.npz")
    read = class_digits.read(tmp_path / "x.npz")
    assert read.names == names
    assert np.array_equal(read.images[::999], noise.images[::999])


def test_one_damaged_file_is_named_and_the_others_are_merged(files, tmp_path, capsys):
    files[1].write_bytes(b"damaged")
    out = tmp_path / "class.npz"
    assert main(["data", "merge", *map(str, files), "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert "ben.npz cannot be read as digits" in said.err
    assert "80 digits of 4 writers" in said.out
    assert class_digits.read(out).names == ("ann", "cem", "dea", "eva")
