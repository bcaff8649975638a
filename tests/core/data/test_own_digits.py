import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.data import own_digits
from core.data.sources import list_sources, load_dataset
from core.drawing.ink import normalize
from core.errors import InputError
from tests.core.drawing.test_ink import seven

ROOT = Path(__file__).resolve().parents[3]


def listed():
    return next(source for source in list_sources() if source.name == "mine")


def test_kept_drawings_are_a_data_set_with_their_labels(home):
    paths = [own_digits.save_drawing(seven(), 7) for _ in range(6)] + [
        own_digits.save_drawing(seven()[:, ::-1].copy(), 2)
    ]
    assert len(set(paths)) == 7
    assert all(path.is_relative_to(home) for path in paths)
    assert own_digits.counts() == (0, 0, 1, 0, 0, 0, 0, 6, 0, 0)
    assert listed().available
    dataset = load_dataset("mine")
    assert dataset.classes == tuple("0123456789")
    assert dataset.train.targets.tolist() == [2] + [7] * 5
    assert dataset.test.targets.tolist() == [7]
    assert np.abs(dataset.test.inputs[0, :, :, 0].astype(int) - normalize(seven())).max() <= 2


def test_too_few_drawings_are_refused_with_the_number_needed():
    for digit in (1, 1, 1, 1, 1, 2, 3):
        own_digits.save_drawing(seven(), digit)
    assert not listed().available
    assert "7 kept" in listed().where
    with pytest.raises(InputError, match="few") as error:
        load_dataset("mine")
    assert "at least 6" in str(error.value)


def test_an_empty_drawing_is_not_kept():
    with pytest.raises(InputError, match="too little ink"):
        own_digits.save_drawing(np.zeros((560, 560), np.uint8), 3)
    assert not own_digits.folder().exists()


def test_a_drawing_never_overwrites_another():
    first, second, third = (own_digits.save_drawing(seven(), 4) for _ in range(3))
    second.unlink()
    assert own_digits.save_drawing(seven(), 4) not in (first, third)
    assert first.exists()


def test_a_folder_that_cannot_be_written_is_refused(home):
    home.mkdir(parents=True, exist_ok=True)
    (home / "data").write_text("a file where the folder should be")
    with pytest.raises(InputError, match="could not be written"):
        own_digits.save_drawing(seven(), 4)


KEEP = """
import numpy as np
from core.data import own_digits
ink = np.zeros((60, 60), np.uint8)
ink[10:50, 20:30] = 255
for _ in range(40):
    own_digits.save_drawing(ink, 3)
"""


def test_two_programs_at_once_keep_all_drawings(home):
    programs = [subprocess.Popen([sys.executable, "-c", KEEP], cwd=ROOT) for _ in range(2)]
    assert [program.wait() for program in programs] == [0, 0]
    assert own_digits.counts()[3] == 80


def test_a_drawing_can_be_kept_as_another_digit(home):
    first = own_digits.save_drawing(seven(), 7)
    own_digits.save_drawing(seven(), 2)
    content = first.read_bytes()
    own_digits.relabel(own_digits.drawings(), 2)
    assert own_digits.counts() == (0, 0, 2, 0, 0, 0, 0, 0, 0, 0)
    assert own_digits.drawings()[1].path.read_bytes() == content
