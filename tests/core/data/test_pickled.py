import gzip
import pickle
import struct
import tracemalloc

import numpy as np
import pytest

from core.data.formats import pickled
from core.data.sources import load_dataset
from core.errors import InputError
from tests.core.data.files import damage_unseen, some_digits


def pairs(counts=(50, 10, 10), order="C"):
    content = []
    for count in counts:
        images, labels = some_digits(count)
        values = (images.reshape(count, 784) / 256).astype(np.float32)
        content.append((np.array(values, order=order), labels.astype(np.int64)))
    return tuple(content)


def write(path, content: bytes):
    path.write_bytes(gzip.compress(content, 1))
    return path


def error(path) -> str:
    with pytest.raises(InputError) as caught:
        load_dataset(path)
    return str(caught.value)


def as_python_2_wrote_it(content) -> bytes:
    """Protocol 2 with NumPy 1's class paths and byte strings instead of encoded text."""
    return pickle.dumps(content, protocol=2).replace(
        b"numpy._core.multiarray", b"numpy.core.multiarray"
    )


@pytest.mark.parametrize("protocol", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_binary_protocol_gives_the_pixels_back(tmp_path, protocol, order):
    path = write(tmp_path / "mnist.pkl.gz", pickle.dumps(pairs(order=order), protocol=protocol))
    dataset = load_dataset(path)
    images, labels = some_digits(50)
    np.testing.assert_array_equal(dataset.train.inputs[:50, ..., 0], images)
    np.testing.assert_array_equal(dataset.train.targets[:50], labels)
    assert (len(dataset.train), len(dataset.test)) == (60, 10)


def test_a_list_of_pairs_is_read(tmp_path):
    path = write(tmp_path / "mnist.pkl.gz", pickle.dumps(list(pairs()), protocol=2))
    assert len(load_dataset(path).train) == 60


def test_the_old_class_paths_and_fortran_order_are_read(tmp_path):
    path = write(tmp_path / "mnist.pkl.gz", as_python_2_wrote_it(pairs(order="F")))
    np.testing.assert_array_equal(load_dataset(path).test.inputs[..., 0], some_digits(10)[0])


def python_2_bytes(raw: bytes) -> bytes:
    return b"T" + struct.pack("<I", len(raw)) + raw


def test_byte_strings_of_python_2_are_read(tmp_path):
    def array(values: np.ndarray, code: bytes) -> bytes:
        kind = b"cnumpy\ndtype\n(" + b"U\x02" + code + b"I0\nI1\ntR(I3\nU\x01<NNNI-1\nI-1\nI0\ntb"
        shape = b"(" + b"".join(b"I%d\n" % n for n in values.shape) + b"t"
        made = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntU\x01btR"
        return made + b"(I1\n" + shape + kind + b"I00\n" + python_2_bytes(values.tobytes()) + b"tb"

    content = b"\x80\x02(" + b"".join(
        b"(" + array(images, b"f4") + array(labels, b"i8") + b"t" for images, labels in pairs()
    )
    path = write(tmp_path / "mnist.pkl.gz", content + b"t.")
    np.testing.assert_array_equal(load_dataset(path).train.inputs[:50, ..., 0], some_digits(50)[0])


class Caller:
    def __init__(self, function, *arguments):
        self.call = (function, arguments)

    def __reduce__(self):
        return self.call


def test_a_malicious_pickle_does_nothing(tmp_path):
    import os

    mark = tmp_path / "executed"
    for content in (
        pickle.dumps(Caller(os.mkdir, str(mark)), protocol=0),
        pickle.dumps(Caller(exec, f"open({str(mark)!r}, 'w')"), protocol=2),
        pickle.dumps((pairs()[0], Caller(np.fromfile, str(mark))), protocol=4),
        b"cbuiltins\ngetattr\n(cnumpy\nndarray\nU\x05dtypetR.",
        b"\x80\x02cnumpy\nload\n(U\x01xtR.",
    ):
        assert "only NumPy arrays are read" in error(write(tmp_path / "mnist.pkl.gz", content))
    assert not mark.exists()


def test_an_object_array_is_refused(tmp_path):
    content = pickle.dumps(((np.array([{}], object), np.zeros(1, int)),) * 3, protocol=2)
    assert "images and labels" in error(write(tmp_path / "mnist.pkl.gz", content))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a pickle",
        pickle.dumps(pairs(), protocol=2)[:-1000],
        b"\x80\x02T" + struct.pack("<i", -5) + b".",
        b"\x80\x04\x8e" + struct.pack("<Q", 2**60) + b".",
        b"\x80\x02I1\nr" + struct.pack("<I", 2**32 - 1) + b"0.",
        b"\x80\x02cnumpy\nndarray\n}U\x01xI1\nsb.",
        b"\x80\x02cnumpy\ndtype\n(NU\x08__init__I1\ntb.",
    ],
)
def test_an_invalid_file_gives_one_sentence(tmp_path, content):
    text = error(write(tmp_path / "mnist.pkl.gz", content))
    assert "mnist.pkl.gz" in text
    assert "\n" not in text


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(pickled, "MAX_BYTES", 1_000_000)
    assert "more than 1 MB" in error(
        write(tmp_path / "mnist.pkl.gz", pickle.dumps(pairs((500, 1, 1)), protocol=2))
    )


TUPLES_AS_A_KEY = b"\x80\x02})q\x00" + b"2\x86" * 40 + b"K\x01s."
TUPLES_AS_A_SET = b"\x80\x04()q\x00" + b"2\x86" * 40 + b"\x91."
TUPLES_AS_A_TYPE_CODE = b"\x80\x02cnumpy\ndtype\n)" + b"2\x86" * 45 + b"R."
TUPLES_AS_A_SHAPE = (
    b"\x80\x02((cnumpy.core.multiarray\n_reconstruct\n)R(K\x01)"
    + b"2\x86" * 45
    + b"cnumpy\ndtype\nU\x02f4\x85R(K\x03U\x01<tb\x89U\x04\0\0\0\0tb"
    + b"K\x01t2\x86."
)
EMPTY_LISTS = b"\x80\x02(" + b"]" * 3_000_000 + b"t."
PUSH_AND_POP = b"\x80\x02" + b"N0" * 3_000_000 + b"N."
LONG_NAME = b"\x80\x02c" + b"x" * 3_000_000 + b"\nname\n."
STATE_OF_A_FUNCTION = b"\x80\x02c_codecs\nencode\nN}U\x05_leftJ\xff\xff\xff\x7fs\x86b."


@pytest.mark.parametrize(
    "content",
    [TUPLES_AS_A_KEY, TUPLES_AS_A_SET, TUPLES_AS_A_TYPE_CODE, TUPLES_AS_A_SHAPE, EMPTY_LISTS, PUSH_AND_POP,
     LONG_NAME, STATE_OF_A_FUNCTION],
    ids=["key", "set", "type", "shape", "lists", "push-pop", "name", "state"],
)  # fmt: skip
def test_a_small_pickle_ends_and_takes_little_memory(tmp_path, content):
    path = write(tmp_path / "mnist.pkl.gz", content)
    tracemalloc.start()
    try:
        assert len(error(path)) < 500
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "code",
    # BINUNICODE: wide characters would take four bytes for each; LONG4: a number of 5 MB.
    [b"X", b"\x8b"],
)
def test_a_long_value_takes_memory_in_proportion_to_its_size(tmp_path, code):
    value = b"a" * 5_000_000 + "\N{GRINNING FACE}".encode()
    path = write(
        tmp_path / "mnist.pkl.gz", b"\x80\x02" + code + struct.pack("<I", len(value)) + value + b"."
    )
    tracemalloc.start()
    try:
        assert "images and labels" in error(path)
        assert tracemalloc.get_traced_memory()[1] < 3 * len(value)
    finally:
        tracemalloc.stop()


def test_an_array_that_is_used_many_times_counts_each_time(tmp_path, monkeypatch):
    monkeypatch.setattr(pickled, "_MAX_IMAGES", 100)
    images, labels = np.zeros((40, 784), np.uint8), np.zeros(40, np.uint8)
    path = write(tmp_path / "mnist.pkl.gz", pickle.dumps(((images, labels),) * 3, protocol=4))
    assert "more than 100 images" in error(path)


@pytest.mark.parametrize("protocol", [2, 4])
def test_the_dictionary_of_a_textbook_is_read_and_need_not_be_gzipped(tmp_path, protocol):
    images, labels = some_digits(50)
    tested, test_labels = some_digits(10)
    content = {
        "train_img": images.reshape(50, 784),
        "train_label": labels,
        "test_img": tested.reshape(10, 784),
        "test_label": test_labels,
    }
    path = tmp_path / "mnist.pkl"
    path.write_bytes(pickle.dumps(content, protocol))
    dataset = load_dataset(path)
    np.testing.assert_array_equal(dataset.train.inputs[..., 0], images)
    np.testing.assert_array_equal(dataset.test.targets, test_labels)


def test_a_dictionary_has_only_texts_as_keys(tmp_path):
    path = tmp_path / "mnist.pkl"
    path.write_bytes(pickle.dumps({((1, 2), 3): np.zeros(3)}, 2))
    assert "images and labels" in error(path)


def test_another_file_is_not_a_data_set(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("nothing")
    assert "is not a data set" in error(path)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda images, labels: (images, labels[1:]), "counts"),
        (lambda images, labels: (images[:, 1:], labels), "no images with labels"),
        (lambda images, labels: (images * 300, labels), "pixels from 0 to"),
        (lambda images, labels: (images, labels + 0.5), "no whole numbers"),
        (lambda images, labels: (images * np.float32("nan"), labels), "pixels from nan"),
    ],
)
def test_wrong_arrays_are_refused(tmp_path, change, expected):
    content = tuple(change(*pair) for pair in pairs())
    assert expected in error(write(tmp_path / "mnist.pkl.gz", pickle.dumps(content, protocol=2)))


def test_the_second_start_reads_the_cache(tmp_path):
    path = write(tmp_path / "mnist.pkl.gz", pickle.dumps(pairs(), protocol=2))
    load_dataset(path)
    damage_unseen(path)
    assert len(load_dataset(path).train) == 60
