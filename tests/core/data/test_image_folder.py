import numpy as np
import pytest
from PIL import Image

from core.data.sources import load_dataset
from core.drawing.ink import normalize
from core.drawing.picture import read_image
from core.errors import InputError
from core.reading.reader import prepare
from tests.core.drawing.test_ink import seven, stroke


def one() -> np.ndarray:
    return stroke(np.zeros((280, 280), np.uint8), (50, 90), (230, 90), 20)


def save(folder, name: str, ink: np.ndarray, count: int = 1) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        Image.fromarray(255 - ink).save(folder / f"{name}{number:02}.png")


def test_subfolders_named_by_digits_are_the_labels(tmp_path):
    save(tmp_path / "1", "one", one(), 6)
    save(tmp_path / "7", "seven", seven(), 12)
    seen = []
    dataset = load_dataset(tmp_path, lambda done, total: seen.append((done, total)))
    assert dataset.classes == tuple("0123456789")
    assert dataset.train.targets.tolist() == [1] * 5 + [7] * 10
    assert dataset.test.targets.tolist() == [1, 7, 7]
    np.testing.assert_array_equal(dataset.test.inputs[1, :, :, 0], normalize(seven()))
    assert seen[-1] == (18, 18)


def test_other_names_are_classes_in_order(tmp_path):
    save(tmp_path / "stroke", "a", one(), 6)
    save(tmp_path / "hook", "b", seven(), 6)
    dataset = load_dataset(tmp_path)
    assert dataset.classes == ("hook", "stroke")
    assert dataset.test.targets.tolist() == [0, 1]


@pytest.mark.parametrize("names", [("1", "7"), ("stroke", "hook")])
def test_a_picture_is_prepared_for_the_model_as_it_was_for_training(tmp_path, names):
    thick = stroke(np.zeros((280, 280), np.uint8), (50, 90), (230, 90), 90)
    save(tmp_path / names[0], "thick", thick, 6)
    save(tmp_path / names[1], "seven", seven(), 6)
    dataset = load_dataset(tmp_path)
    image = prepare(read_image(tmp_path / names[0] / "thick00.png"), dataset.classes)
    label = dataset.classes.index(names[0])
    np.testing.assert_array_equal(
        dataset.train.inputs[dataset.train.targets == label][0, :, :, 0], image
    )


def test_given_splits_are_kept(tmp_path):
    save(tmp_path / "train" / "1", "a", one(), 3)
    save(tmp_path / "test" / "7", "b", seven(), 2)
    dataset = load_dataset(tmp_path)
    assert dataset.train.targets.tolist() == [1] * 3
    assert dataset.test.targets.tolist() == [7] * 2


def test_the_same_folder_gives_the_same_split(tmp_path):
    save(tmp_path / "1", "one", one(), 7)
    first, second = load_dataset(tmp_path), load_dataset(tmp_path)
    np.testing.assert_array_equal(first.train.inputs, second.train.inputs)


def test_empty_pictures_are_left_out_and_other_files_ignored(tmp_path):
    save(tmp_path / "7", "seven", seven(), 6)
    save(tmp_path / "7", "blank", np.zeros((50, 50), np.uint8))
    (tmp_path / "7" / "notes.txt").write_text("not a picture")
    assert len(load_dataset(tmp_path).train) + len(load_dataset(tmp_path).test) == 6


def test_too_few_pictures_are_refused(tmp_path):
    save(tmp_path / "7", "seven", seven(), 3)
    with pytest.raises(InputError, match="at least six"):
        load_dataset(tmp_path)


def test_pictures_of_one_kind_only_are_refused(tmp_path):
    save(tmp_path / "stroke", "a", one(), 6)
    with pytest.raises(InputError, match="only the class stroke"):
        load_dataset(tmp_path)


def test_all_damaged_pictures_are_named_at_once_and_without_them_the_folder_is_read(tmp_path):
    save(tmp_path / "7", "seven", seven(), 6)
    broken = [tmp_path / "7" / f"broken{number}.png" for number in range(2)]
    for path in broken:
        path.write_text("not a picture")
    with pytest.raises(
        InputError, match=r"2 of the 8 pictures in .*: 7/broken0\.png, 7/broken1\.png\. Remove"
    ):
        load_dataset(tmp_path)
    for path in broken:
        path.unlink()
    assert len(load_dataset(tmp_path).train) == 5


def test_of_many_damaged_pictures_the_first_are_named(tmp_path):
    (tmp_path / "7").mkdir()
    for number in range(20):
        (tmp_path / "7" / f"{number:02}.png").write_text("not a picture")
    with pytest.raises(InputError, match=r"20 of the 20 pictures .* 7/04\.png, …\."):
        load_dataset(tmp_path)


def test_a_folder_of_photographs_is_told_from_a_data_set(tmp_path):
    Image.new("L", (9, 9)).save(tmp_path / "photo.jpg")
    with pytest.raises(InputError, match=r"no folder for each class.*open photo\.jpg"):
        load_dataset(tmp_path)
