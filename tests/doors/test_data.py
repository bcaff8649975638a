"""Data as other programs save them, learned and measured by commands."""

import zipfile

import pytest
from PIL import Image

from tests.core.data.test_forms import (
    TABLE,
    emnist,
    folder_of_a_mac,
    kaggle,
    keras,
    write_pictures,
    zip_of_kaggle,
)


@pytest.mark.parametrize(
    ("write", "learned"),
    [
        (kaggle, "train.csv: learns label, 10 classes, from 784 pixels: 48 images"),
        (keras, "mnist.npz: learns label, 10 classes, from 784 pixels: 60 images"),
        (zip_of_kaggle, "digit-recognizer.zip: learns label, 10 classes, from 784 pixels: 48"),
        (folder_of_a_mac, "mac: learns label, 10 classes, from 784 pixels: 50 images"),
    ],
)
def test_digits_are_learned_as_ten_classes(program, tmp_path, write, learned):
    done = program("train", "--data", write(tmp_path).name, "--epochs", 2, "--network", "8")
    assert done.returncode == 0, done.stderr
    assert learned in done.stdout


def test_what_was_changed_or_left_out_is_said(program, tmp_path):
    done = program("train", "--data", emnist(tmp_path).name, "--epochs", 1, "--network", "8")
    assert "as those of EMNIST do: they were turned" in done.stderr
    write_pictures(tmp_path / "cards")
    Image.new("L", (28, 28), 255).save(tmp_path / "cards" / "3" / "blank.png")
    done = program("evaluate", "--data", "cards")
    assert (
        "1 of the 61 pictures show nothing to read, and were left out: 3/blank.png" in done.stderr
    )


def test_a_column_of_a_table_is_chosen_and_kept(program, tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    start = ("train", "--data", "t.csv", "--network", "4", "--epochs", 1, "--run", "run")
    done = program(*start)
    assert "t.csv: learns kind, 2 classes, from 3 columns: 24 lines" in done.stdout
    refused = program("train", "--data", "t.csv", "--target", "width", "--network", "4")
    assert "has no column width: choose one of height, kind, price, size" in refused.stderr
    (tmp_path / "t.csv").write_text(TABLE.replace(",a,", ",1,").replace(",b,", ",2,"))
    done = program(*start[:-2], "--run", "other", "--target", "price", "--save", "m.safetensors")
    assert "learns the values of price from 3 columns: 24 lines" in done.stdout
    measured = program("evaluate", "--model", "m.safetensors")
    assert measured.returncode == 0
    assert "R²" in measured.stdout
    done = program("train", "--resume", "other", "--epochs", 2)
    assert "learns the values of price" in done.stdout
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.write(tmp_path / "t.csv", "t.csv")
    start_zip = ("train", "--data", "t.zip", *start[3:-2], "--target", "price")
    program(*start_zip, "--save", "z.safetensors")
    assert "t.zip#price: " in program("evaluate", "--model", "z.safetensors").stdout
