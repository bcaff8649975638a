"""The commands, as they are typed: each one that README and manual name is run, with small networks
and data.
"""

import re

import numpy as np
import pytest
from safetensors.numpy import save_file

from core.data.formats import class_digits
from core.data.formats.class_digits import WrittenDigits
from core.program import FOLDER
from tests.doors.conftest import PROGRAM
from tests.idx_files import write_idx

STUDY = 'data = "rastrigin:20"\n[settings]\nnetwork = "2-3-1"\nepochs = 1\n[vary]\nseed = [0, 1]\n'
NETWORK = ("--network", "784-16-10", "--device", "vectorized")
SMALL = ("--data", "mnist", *NETWORK)
DENSE = FOLDER / "resources" / "models" / "dense.safetensors"
NO_INTERNET = dict.fromkeys(
    ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"
)

# What README or the manual says; what is typed for it; the exit code; and what it says. One after
# the other.
TRAINING = (
    (
        ("train --save my.safetensors", "train"),
        ("train", "--save", "my.safetensors", *SMALL, "--epochs", 2),
        0,
        r"Done: \d+ / 200 right \(\d+\.\d\d %\)",
    ),
    (
        ("classify photo-of-a-7.jpg --model my.safetensors", "classify FILE"),
        ("classify", "photo-of-a-7.jpg", "--model", "my.safetensors"),
        0,
        "photo-of-a-7.jpg: ",
    ),
    (
        ("evaluate --model my.safetensors --data mnist --confusion --out results", "evaluate"),
        (
            "evaluate",
            "--model",
            "my.safetensors",
            "--data",
            "mnist",
            "--confusion",
            "--out",
            "results",
        ),
        0,
        r"/ 200 right \(\d+\.\d\d %\)",
    ),
    (
        ("train --data mnist --network 784-512-10 --epochs 20 --name long",),
        ("train", *SMALL, "--epochs", 1, "--name", "long"),
        0,
        "Epoch 1",
    ),
    (
        ("train --resume long", "train --resume RUN"),
        ("train", "--resume", "long", "--epochs", 2),
        0,
        "Epoch 2",
    ),
    (("runs",), ("runs",), 0, r"long +784-16-10 +mnist +- +done +2/2 +\d+\.\d\d %"),
    ((), ("export", "my.safetensors", "report.html"), 0, "report.html"),
    (
        ("train --preset lecture",),
        ("train", "--preset", "lecture", "--data", "mnist", "--epochs", 1),
        0,
        "Done",
    ),
    (
        ("race --network 784-128-10 --epochs 2", "race"),
        ("race", "--data", "mnist", "--network", "784-16-10", "--epochs", 1),
        0,
        "vectorized",
    ),
)
OTHERS = (
    (("data fetch mnist",), ("data", "fetch", "mnist"), 2, rf"{PROGRAM} data: .*MNIST.*\n"),
    (("devices",), ("devices",), 0, "vectorized"),
    (("profile",), ("profile", *SMALL, "--steps", 5), 0, "dense"),
    (
        (),
        ("profile", "--data", "builtin", "--network", "784-100-10", "--steps", 5),
        0,
        r"blank pixels, skipped, %\n.* 8\d\.\d+\n",
    ),
    (("bench devices --quick",), ("bench", "devices", "--quick"), 0, "vectorized"),
    (("lab new my-lab",), ("lab", "new", "my-lab"), 0, "Written: my-lab"),
    (("lab check my-lab",), ("lab", "check", "my-lab", "--no-training"), 0, "faults: 0"),
    (
        ("lab site LABS --out SITE",),
        ("lab", "site", "my-lab", "--no-training", "--out", "site"),
        0,
        "Written: 1 lab and",
    ),
    (
        ("lab print 02-guard --out sheet.html",),
        ("lab", "print", "02-guard", "--out", "sheet.html"),
        0,
        "Written: sheet.html",
    ),
    ((), ("study", "grid.toml"), 0, "Run 2 of 2"),
    (
        ("data merge FILES --out class.npz", "data merge"),
        ("data", "merge", "ann.npz", "ben.npz", "--out", "class.npz"),
        0,
        "40 digits of 2 writers",
    ),
    (("export MODEL FILE",), ("export", DENSE, "net.html"), 0, "net.html"),
    (("export MODEL page.html",), ("export", DENSE, "page.html"), 0, "page.html"),
    (
        ("import FILE MODEL.safetensors",),
        ("import", "state.safetensors", "imported.safetensors"),
        0,
        "784-8-10",
    ),
    (
        ("workshop check 02-guard", "workshop check FILE"),
        ("workshop", "check", "02-guard", "--no-types"),
        1,
        "fault",
    ),
)
ELSEWHERE = {
    "grade ANSWERS --lab my-lab --repeat 1": "test_grading.py",
    "bench cuda": "it needs a card",
    "FILE.json": "it opens the window: tests/gui/window/test_given_file.py",
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """What a user has: MNIST of 400 and 200 images, a photo, digits of two writers, a state
    dictionary.
    """
    random = np.random.default_rng(1)
    for name, count in (("train", 400), ("t10k", 200)):
        labels = (np.arange(count) % 10).astype(np.int32)
        images = random.integers(0, 60, (count, 28, 28, 1)).astype(np.uint8)
        for image, label in zip(images, labels, strict=True):
            image[2 * label + 2 : 2 * label + 6, 4:24] = 255
        write_idx(tmp_path / "data" / "mnist", images, labels, name)
    monkeypatch.setenv("DIGITLAB_DATA", str(tmp_path / "data"))
    for name in ("ann", "ben"):
        labels = np.arange(20, dtype=np.uint8) % 10
        images = random.integers(0, 256, (20, 28, 28), np.uint8)
        class_digits.save(
            WrittenDigits(images, labels, np.zeros(20, np.int32), (name,)), tmp_path / f"{name}.npz"
        )
    (tmp_path / "grid.toml").write_text(STUDY)
    arrays = {"0.weight": (8, 784), "0.bias": (8,), "2.weight": (10, 8), "2.bias": (10,)}
    save_file(
        {key: np.zeros(shape, np.float32) for key, shape in arrays.items()},
        tmp_path / "state.safetensors",
    )


def test_the_program_names_its_version(program):
    done = program("--version")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("DigitLab ")


def test_no_command_of_the_documents_is_left_out():
    readme = (FOLDER / "README.md").read_text("utf-8")
    manual = (FOLDER / "docs" / "manual.md").read_text("utf-8")
    found = [
        line.partition("#")[0].strip() for line in re.findall(r"^digitlab (.+)$", readme, re.M)
    ]
    found += re.findall(r"`digitlab ([^`]+)`", readme) + re.findall(r"`main\.py\s+([^`]+)`", manual)
    named = {" ".join(text.split()) for text in found}
    assert (
        named == {each for typed, *_ in (*TRAINING, *OTHERS) for each in typed} | ELSEWHERE.keys()
    )


@pytest.mark.parametrize("commands", [TRAINING, OTHERS], ids=["training", "others"])
def test_each_command_of_readme_and_manual_does_what_is_said(program, files, commands):
    """A download is tried without a connection: its one sentence is what is tested."""
    for typed, arguments, code, expected in commands:
        done = program(*arguments, **NO_INTERNET)
        said = done.stdout + done.stderr
        assert done.returncode == code, f"{typed}: {said}"
        assert re.search(expected, said), f"{typed}: {said}"
        assert "Traceback" not in said, f"{typed}: {said}"
        assert not re.search(r"Errno|[Ww]arning:", done.stderr), f"{typed}: {done.stderr}"


def test_a_name_that_is_too_long_for_a_file_is_answered_by_what_to_do(program, files, tmp_path):
    """A name on the command line may be no file at all, and the system's reason is then of no
    use.
    """
    long = "a" * 300
    answers = {
        ("train", "--data", "+".join(["builtin"] * 40)): "name each data set of a sum once",
        ("train", "--data", long): "there is no such data set, folder or file",
        ("train", *SMALL, "--epochs", 1, "--save", f"{long}.safetensors"): "Choose a shorter one",
        ("train", *SMALL, "--epochs", 1, "--run", long): "Choose a shorter one",
        ("export", DENSE, f"{long}.html"): "Choose a shorter one",
        ("lab", "check", f"{long}.md"): "its name is too long",
        ("workshop", "check", f"{long}.py"): "its name is too long",
    }
    for arguments, answer in answers.items():
        done = program(*arguments)
        assert done.returncode == 2, done.stderr
        assert answer in done.stderr
        assert "File name too long" not in done.stderr
        assert done.stderr.count("\n") == 1


def test_the_pages_of_labs_in_long_folders_have_short_names(program, tmp_path):
    folder = tmp_path / "labs" / ("a" * 150) / ("b" * 150)
    folder.mkdir(parents=True)
    lab = (FOLDER / "resources" / "labs" / "01-learning-rate.md").read_bytes()
    for name in ("one.md", "two.md"):
        (folder / name).write_bytes(lab)
    done = program("lab", "site", "labs", "--out", "site", "--no-training")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list((tmp_path / "site").glob("a*.html"))) == 2


def test_a_run_in_a_folder_of_its_own_is_listed_and_a_damaged_one_is_named(
    program, files, tmp_path
):
    for name in ("mine", "other"):
        done = program("train", *SMALL, "--epochs", 1, "--run", f"folder-{name}", "--name", name)
        assert (done.returncode, done.stderr) == (0, "")
    listed = program("runs").stdout
    assert re.search(r"mine +784-16-10 +mnist", listed)

    info = tmp_path / "folder-other" / "run.json"
    info.write_text(re.sub(r'"created": [\d.e+]+', '"created": 1e300', info.read_text()))
    done = program("runs")
    assert "mine" in done.stdout
    assert "created is 1e+300" in done.stderr
    assert "Traceback" not in done.stderr
    again = program("train", "--resume", "folder-mine")
    assert again.returncode == 2
    assert re.fullmatch(rf"{PROGRAM} train: .*epochs.*\.\n", again.stderr), again.stderr


def test_a_state_dictionary_does_not_say_its_strides_and_is_asked_about(program, tmp_path):
    arrays = {"0.weight": (6, 1, 5, 5), "0.bias": (6,), "2.weight": (10, 1176), "2.bias": (10,)}
    save_file(
        {key: np.zeros(shape, np.float32) for key, shape in arrays.items()},
        tmp_path / "conv.safetensors",
    )
    convert = ("import", "conv.safetensors", "net.safetensors", "--network", "6C5-MP2-10N")
    asked = program(*convert)
    assert asked.returncode == 2
    assert "The file has no strides and no padding. As the network is named" in asked.stderr
    assert "import it with --assume-padding" in asked.stderr
    assert not (tmp_path / "net.safetensors").exists()
    assert program(*convert, "--assume-padding").returncode == 0
    assert (tmp_path / "net.safetensors").exists()


def test_filters_and_blocks_of_unequal_sides_are_trained_and_exported(program, files, tmp_path):
    network = "4C3x5:beside-BN-MP2x1-10N"
    settings = ("--data", "mnist", "--network", network, "--epochs", 1)
    done = program("train", *settings, "--save", "sides.safetensors")
    assert done.returncode == 0, done.stderr
    for name in ("page.html", "run.ipynb"):
        assert program("export", "sides.safetensors", name).returncode == 0
    assert "(3, 5)" in (tmp_path / "run.ipynb").read_text()
