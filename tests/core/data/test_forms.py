"""The same images as other programs save them: each is learned as what it is, or refused in a
sentence.
"""

import gzip
import pickle
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.data.sources import load_dataset
from core.errors import InputError
from tests.core.data.files import TRAIN_IMAGES, TRAIN_LABELS, contents, idx_images, idx_labels
from tests.core.data.files import write_folder as write_files

DIGITS = tuple("0123456789")


def drawn(count=60):
    """Images of which each tells its label: a bar as long as the label says, upright for a 1."""
    images = np.zeros((count, 28, 28), np.uint8)
    labels = np.arange(count) % 10
    for image, label in zip(images, labels, strict=True):
        image[4:24, 12:15] = 200
        image[20, 5 : 6 + label] = 10 + label
    return images, labels.astype(np.uint8)


IMAGES, LABELS = drawn()
ROWS = IMAGES.reshape(len(IMAGES), -1)
PIXELS = [f"pixel{number}" for number in range(784)]


def write_csv(path, columns, header=(), separator=","):
    lines = [separator.join(header)] if header else []
    lines += [separator.join(map(str, row)) for row in np.column_stack(columns)]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_pictures(folder, images=IMAGES, labels=LABELS):
    for number, (image, label) in enumerate(zip(images, labels, strict=True)):
        (folder / str(label)).mkdir(parents=True, exist_ok=True)
        Image.fromarray(image).save(folder / str(label) / f"{number:03}.png")
    return folder


def gzip_without_suffix(tmp_path):
    return write_files(tmp_path / "g", {n: gzip.compress(c) for n, c in contents().items()})


def plain_with_suffix(tmp_path):
    return write_files(tmp_path / "p", {f"{n}.gz": c for n, c in contents().items()})


def only_for_training(tmp_path):
    files = {TRAIN_IMAGES: idx_images(IMAGES), TRAIN_LABELS: idx_labels(LABELS)}
    return write_files(tmp_path / "t", files)


def emnist(tmp_path, kind="digits", labels=LABELS):
    files = {}
    for part in ("train", "test"):
        turned = np.ascontiguousarray(IMAGES.swapaxes(1, 2))
        files[f"emnist-{kind}-{part}-images-idx3-ubyte"] = idx_images(turned)
        files[f"emnist-{kind}-{part}-labels-idx1-ubyte"] = idx_labels(labels)
    return write_files(tmp_path / "gzip", files, packed=True)


def zip_of_kaggle(tmp_path):
    """The three tables of a competition, of which one is to learn from."""
    table = kaggle(tmp_path)
    with zipfile.ZipFile(tmp_path / "digit-recognizer.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(table, "train.csv")
        archive.write(write_csv(tmp_path / "test.csv", (ROWS,), PIXELS), "test.csv")
        archive.writestr("sample_submission.csv", "ImageId,Label\n1,0\n2,0\n")
    return tmp_path / "digit-recognizer.zip"


def pickled_pair(tmp_path):
    (tmp_path / "digits.pkl").write_bytes(pickle.dumps((IMAGES, LABELS)))
    return tmp_path / "digits.pkl"


def zip_of_a_mac(tmp_path):
    """A folder of pictures as the Finder packs it."""
    folder = write_pictures(tmp_path / "cards")
    with zipfile.ZipFile(tmp_path / "cards.zip", "w") as archive:
        for path in sorted(folder.rglob("*.png")):
            place = path.relative_to(tmp_path)
            archive.write(path, place)
            archive.writestr(str(Path("__MACOSX", place.parent, f"._{place.name}")), b"\0\5\x16\7")
    return tmp_path / "cards.zip"


def tree_of_torchvision(tmp_path):
    write_files(tmp_path / "root" / "MNIST" / "raw", contents())
    (tmp_path / "root" / "MNIST" / "processed").mkdir()
    return tmp_path / "root"


def qmnist(tmp_path):
    many = np.zeros((len(LABELS), 8), ">i4")
    many[:, 0] = LABELS
    many[:, 2] = 70_000
    content = struct.pack(">3I", 3074, *many.shape) + many.tobytes()
    files = {}
    for part in ("train", "test"):
        files[f"qmnist-{part}-images-idx3-ubyte"] = idx_images(IMAGES)
        files[f"qmnist-{part}-labels-idx2-int"] = content
    return write_files(tmp_path / "q", files, packed=True)


def keras(tmp_path):
    named = {"x_train": IMAGES, "y_train": LABELS, "x_test": IMAGES, "y_test": LABELS}
    np.savez(tmp_path / "mnist.npz", **named)
    return tmp_path / "mnist.npz"


def one_hot_fractions(tmp_path):
    pairs = {"images": (IMAGES / 255).astype(np.float32)[..., None], "labels": np.eye(10)[LABELS]}
    np.savez_compressed(tmp_path / "own.npz", **pairs)
    return tmp_path / "own.npz"


def scikit_learn(tmp_path):
    small = IMAGES[:, ::4, ::4][:, :8, :8] % 17
    padded = np.zeros((len(small), 8, 8))
    padded[:, :7, :7] = small
    padded[0, 0, 0] = 16
    named = {"data": padded.reshape(-1, 64), "images": padded, "target": LABELS}
    np.savez(tmp_path / "d", target_names=np.arange(10), frame=np.array(None), **named)
    return tmp_path / "d.npz"


def arrays_side_by_side(tmp_path):
    for name, array in (("x_train", IMAGES), ("y_train", LABELS)):
        np.save(tmp_path / f"{name}.npy", array)
    for name, array in (("kmnist-test-imgs", IMAGES), ("kmnist-test-labels", LABELS)):
        np.savez(tmp_path / f"{name}.npz", array)  # of another data set
    return tmp_path / "x_train.npy"


def kaggle(tmp_path):
    return write_csv(tmp_path / "train.csv", (LABELS, ROWS), ["label", *PIXELS])


def label_first(tmp_path):
    return write_csv(tmp_path / "mnist_train.csv", (LABELS, ROWS))


def label_last(tmp_path):
    path = write_csv(tmp_path / "mnist.tsv", (ROWS, LABELS), separator="\t")
    return path.rename(tmp_path / "mnist.txt")


def zipped_table_with_line_numbers(tmp_path):
    counted = (np.arange(60), ROWS, LABELS)
    path = write_csv(tmp_path / "frame.csv", counted, ["", *PIXELS, "class"])
    path.write_bytes(gzip.compress(path.read_bytes()))
    return path


def folder_of_a_mac(tmp_path):
    folder = write_pictures(tmp_path / "mac" / "digits")
    for path in [*folder.rglob("*.png")]:
        path.with_name(f"._{path.name}").write_bytes(b"\0\5\x16\7\0\2\0\0Mac OS X")
    (folder / ".DS_Store").write_bytes(b"\0\0\0\1Bud1")
    write_pictures(tmp_path / "mac" / "__MACOSX" / "digits")
    return tmp_path / "mac"


def one_level_deeper(tmp_path):
    write_pictures(tmp_path / "archive" / "mnist" / "data")
    return tmp_path / "archive"


def parts_in_folders(tmp_path):
    for part in ("train", "val", "test"):
        write_pictures(tmp_path / "parts" / part)
    return tmp_path / "parts"


@pytest.mark.parametrize(
    "write",
    [
        gzip_without_suffix,
        plain_with_suffix,
        only_for_training,
        emnist,
        pickled_pair,
        qmnist,
        tree_of_torchvision,
        keras,
        one_hot_fractions,
        scikit_learn,
        arrays_side_by_side,
        kaggle,
        label_first,
        label_last,
        zipped_table_with_line_numbers,
        folder_of_a_mac,
        one_level_deeper,
        parts_in_folders,
    ],
)
def test_images_of_digits_are_learned_as_ten_digits(tmp_path, write):
    data = load_dataset(write(tmp_path))
    assert (data.kind, data.classes) == ("classes", DIGITS)
    assert data.is_image
    assert "10 classes" in str(data.summary())
    assert len(data.train) >= len(data.test) > 0


@pytest.mark.parametrize(
    "write", [emnist, qmnist, keras, one_hot_fractions, kaggle, label_first, label_last]
)
def test_each_image_keeps_its_label_and_its_pixels(tmp_path, write):
    data = load_dataset(write(tmp_path))
    for split in (data.train, data.test):
        for image, label in zip(split.inputs, split.targets, strict=True):
            np.testing.assert_array_equal(image[..., 0], IMAGES[label])


def test_emnist_is_turned_upright_and_says_so(tmp_path):
    assert "were turned" in str(load_dataset(emnist(tmp_path)).notes[0])
    assert not load_dataset(keras(tmp_path)).notes


def test_characters_that_lie_on_their_side_are_recognized_by_their_ones(tmp_path):
    labels = np.arange(94) % 47
    turned = IMAGES[labels % 10].swapaxes(1, 2)
    np.savez(tmp_path / "mine.npz", x_train=turned, y_train=labels, x_test=turned, y_test=labels)
    data = load_dataset(tmp_path / "mine.npz")
    assert data.classes[8:12] == ("8", "9", "A", "B")
    np.testing.assert_array_equal(data.test.inputs[11, ..., 0], IMAGES[1])


def test_letters_are_classes(tmp_path):
    labels = np.arange(60) % 26 + 1
    data = load_dataset(emnist(tmp_path, "letters", labels))
    assert data.classes == tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert data.train.targets.tolist() == (labels - 1).tolist()


def test_of_several_data_sets_in_a_folder_a_file_chooses_one(tmp_path):
    folder = emnist(tmp_path)
    emnist(tmp_path, "letters", np.arange(60) % 26 + 1)
    assert len(load_dataset(folder / "emnist-digits-test-labels-idx1-ubyte.gz").classes) == 10
    assert len(load_dataset(folder / "emnist-letters-train-images-idx3-ubyte.gz").classes) == 26
    with pytest.raises(InputError, match="has 2 data sets: choose one of their files"):
        load_dataset(folder)


def test_pictures_that_show_nothing_are_named(tmp_path):
    blank = np.zeros((8, 28, 28), np.uint8)
    folder = write_pictures(tmp_path / "cards")
    write_pictures(folder, blank, np.full(8, 3))
    (note,) = load_dataset(folder).notes
    assert "8 of the 67 pictures show nothing to read, and were left out: 3/000.png" in str(note)
    write_pictures(tmp_path / "lost" / "train", *drawn(20))
    write_pictures(tmp_path / "lost" / "test", blank, np.full(8, 3))
    for path in (tmp_path / "lost").glob("train/3/*"):
        path.unlink()
    with pytest.raises(InputError, match=r"No picture of 3 in .* shows anything to read"):
        load_dataset(tmp_path / "lost")


TABLE = "height,kind,price,size\n" + "".join(
    f"{k}.5,{('b', 'a')[k % 2]},{k * k},{k % 3}\n" for k in range(30)
)


@pytest.mark.parametrize(
    ("target", "kind", "classes", "inputs"),
    [("", "classes", ("a", "b"), 3), ("#kind", "classes", ("a", "b"), 3), ("#2", "classes", ("a", "b"), 3)],
)  # fmt: skip
def test_a_column_of_texts_is_classified(tmp_path, target, kind, classes, inputs):
    (tmp_path / "t.csv").write_text(TABLE)
    data = load_dataset(f"{tmp_path / 't.csv'}{target}")
    assert (data.kind, data.classes, data.input_shape) == (kind, classes, (inputs,))
    assert data.learned == "kind"


def test_a_chosen_column_of_few_whole_numbers_is_classified_and_others_are_values(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE.replace(",a,", ",1,").replace(",b,", ",2,"))
    assert load_dataset(path).classes == ("0", "1", "2")
    assert load_dataset(f"{path}#price").kind == "regression"
    assert load_dataset(f"{path}#kind").classes == ("1", "2")


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["[Content_Types].xml", "xl/workbook.xml"], "office program: save the table as CSV"),
        (["a.csv", "b.csv"], "or several data sets: unpack it, and choose one"),
    ],
)
def test_a_zip_file_with_no_data_or_several_says_what_to_do(tmp_path, names, words):
    with zipfile.ZipFile(tmp_path / "x", "w") as archive:
        for name in names:
            archive.writestr(name, "1,2\n" * 9)
    with pytest.raises(InputError, match=words):
        load_dataset(tmp_path / "x")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("test.csv", "a,b\n" + "3,0\n4,0\n" * 9, "b has the same value in all lines"),
        ("pixels.csv", ("7," * 63 + "8\n") * 20, "64 columns of pixels and none of labels"),
        ("x", b"PK\x03\x04" + bytes(90), "is no zip file that can be read"),
        ("x.parquet", b"PAR1" + bytes(90), "is a Parquet file: save the table as CSV"),
        ("x.csv", b"\x89HDF\r\n\x1a\n" + bytes(90), "is not a text file"),
        ("x.mat", b"MATLAB 5.0 MAT-file" + bytes(90), "is a file of MATLAB"),
        ("two.csv", "a,b,c\n" + "x,y,1\nu,v,2\n" * 9, "has texts instead of numbers"),
    ],
)
def test_what_is_no_data_is_refused_in_a_sentence(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=words):
        load_dataset(path)


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"x_train": IMAGES}, "has no images with labels among its arrays"),
        ({"x": (IMAGES - 33.3) / 78.6, "y": LABELS}, "save them before they are standardized"),
        ({"x": IMAGES, "y": LABELS[1:]}, "60 images but 59 labels"),
        ({"x": IMAGES, "y": LABELS + 0.5}, "labels that are no whole numbers"),
        ({"x": IMAGES, "y": np.ones((60, 10))}, "several labels for an image"),
        ({"x": np.array([{}]), "y": LABELS}, "has no images with labels"),
    ],
)
def test_arrays_that_cannot_be_used_are_refused_in_a_sentence(tmp_path, arrays, words):
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(InputError, match=words):
        load_dataset(tmp_path / "a.npz")


def test_nothing_in_a_file_of_arrays_is_unpickled(tmp_path):
    np.save(tmp_path / "x.npy", np.array([print], object))
    with pytest.raises(InputError, match="pickled objects, which are not read"):
        load_dataset(tmp_path / "x.npy")
