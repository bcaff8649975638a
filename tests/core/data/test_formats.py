"""Every format of data, taken from its folder."""

import gzip
import pickle

import numpy as np
import pytest
from PIL import Image

from core.data.formats import FORMATS, class_digits, find_format
from core.data.formats.class_digits import WrittenDigits
from core.data.sources import load_dataset
from core.drawing.ink import FORMATS as PICTURE_FORMATS
from core.drawing.picture import MEDIA_TYPES, read_image
from core.errors import InputError
from tests.core.data.files import contents, some_digits, write_folder
from tests.core.drawing.test_ink import seven


def write_idx(folder):
    return write_folder(folder / "idx", contents())


def write_pictures(folder):
    (folder / "pictures" / "7").mkdir(parents=True)
    for number in range(6):
        Image.fromarray(255 - seven()).save(folder / "pictures" / "7" / f"{number}.png")
    return folder / "pictures"


def write_class(folder):
    images, labels = some_digits(20)
    writers = np.arange(20, dtype=np.int32) % 4
    digits = WrittenDigits(images, labels.astype(np.uint8), writers, ("ann", "ben", "cem", "dea"))
    class_digits.save(digits, folder / "class.npz")
    return folder / "class.npz"


def write_table(folder):
    (folder / "points.csv").write_text("".join(f"{x};{x * x}\n" for x in range(20)))
    return folder / "points.csv"


def write_pickle(folder):
    images, labels = some_digits(10)
    pair = (images.reshape(10, 784).astype(np.float32) / 256, labels)
    path = folder / "mnist.pkl.gz"
    path.write_bytes(gzip.compress(pickle.dumps((pair, pair, pair), protocol=2)))
    return path


def write_arrays(folder):
    images, labels = some_digits(20)
    np.savez(folder / "mnist.npz", x_train=images, y_train=labels, x_test=images, y_test=labels)
    return folder / "mnist.npz"


EXAMPLES = {
    "NumpyArrays": write_arrays,
    "IdxFolder": write_idx,
    "ImageFolder": write_pictures,
    "ClassDigits": write_class,
    "CsvTable": write_table,
    "PickledMnist": write_pickle,
}


@pytest.mark.parametrize("data_format", FORMATS, ids=lambda data_format: type(data_format).__name__)
def test_data_of_each_format_is_found_by_its_content_and_read(tmp_path, data_format):
    path = EXAMPLES[type(data_format).__name__](tmp_path)
    assert find_format(path) is data_format
    if path.is_file():
        path = path.rename(path.with_name("data"))
    assert find_format(path) is data_format
    dataset = load_dataset(path)
    assert len(dataset.train)
    assert len(dataset.test)


def test_the_formats_can_be_told_apart():
    assert len({data_format.order for data_format in FORMATS}) == len(FORMATS)
    suffixes = [suffix for data_format in FORMATS for suffix in data_format.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert set(suffixes).isdisjoint(MEDIA_TYPES)


def test_what_is_no_data_is_answered_with_all_formats(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    for path in (tmp_path, tmp_path / "notes.txt", tmp_path / "nowhere"):
        with pytest.raises(InputError) as caught:
            load_dataset(path)
        for data_format in FORMATS:
            assert data_format.text() in str(caught.value)


def test_a_file_of_a_folder_stands_for_its_folder(tmp_path):
    folder = write_idx(tmp_path)
    assert load_dataset(folder / "train-images-idx3-ubyte").name == str(folder)


@pytest.mark.parametrize("name", PICTURE_FORMATS)
def test_each_format_of_pictures_is_read_by_its_suffixes(tmp_path, name):
    for suffix in PICTURE_FORMATS[name]:
        path = tmp_path / f"seven{suffix}"
        Image.fromarray(255 - seven()).convert("L").save(path)
        with Image.open(path) as picture:
            assert picture.format == name
        assert read_image(path).max() == 1
