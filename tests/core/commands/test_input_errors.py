"""Bad input on the command line: exit code 2, one sentence on stderr, nothing on stdout, no
traceback.
"""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.limits import SECONDS

ROOT = Path(__file__).resolve().parents[3]


def assert_refused(outcome, words):
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert outcome.err.startswith("main.py")
    assert words in outcome.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--network", "784--10"], "layer missing"),
        (["--network", "0"], "0 units"),
        (["--network", "784-0-10"], "0 units"),
        (["--network", "-5"], "begins with a minus"),
        (["--network", "-5-3"], "begins with a minus"),
        (["--network=-5"], "begins with a minus"),
        (["--network", "abc"], "is no layer"),
        (["--network", "784-٣-10"], "is no layer"),
        (["--epochs", "٣"], "must be a whole number"),
        (["--epochs", "1_000"], "must be a whole number"),
        (["--learning-rate", "０.1"], "must be a number"),
        (["--network", ""], "is empty"),
        (["--network", "784-1000000000-10"], "12.7 TB"),
        (["--network", "64-10N:tanh"], "takes no activation of its own"),
        (["--workers", "65536", "--group", "65536"], "at most"),
        (["--learning-rate", "0"], "more than 0"),
        (["--learning-rate", "-1"], "more than 0"),
        (["--learning-rate", "nan"], "finite"),
        (["--learning-rate", "inf"], "finite"),
        (["--learning-rate", "-inf"], "finite"),
        (["--learning-rate", "abc"], "must be a number"),
        (["--learning-rate", "1,5"], "1.5"),
        (["--learning-rate", ""], "must be a number"),
        (["--learning-rate"], "expected one argument"),
        (["--network", "--"], "expected one argument"),
        (["--device=--"], "expected one argument"),
        (["--batch-size", "0"], "at least 1"),
        (["--batch-size", "-1"], "at least 1"),
        (["--batch-size", "2.5"], "whole number"),
        (["--epochs", "0"], "at least 1"),
        (["--target-accuracy", "95"], "at most 1"),
        (["--rate-changes", "x"], "write a step"),
        (["--from", "best"], "--resume"),
        (["--seed", "-1"], "at least 0"),
        (["--activation", "swish"], "choose one of sigmoid"),
        (["--loss", "hinge"], "choose one of cross-entropy"),
        (["--optimizer", "lion"], "choose one of sgd"),
        (["--schedule", "warm"], "choose one of constant"),
        (["--device", "tpu"], "choose one of auto"),
        (["--preset", "grandma"], "choose one of default"),
        (["--preset", ""], "choose one of default"),
        (["--preset", "coursework", "--data", "builtin"], "not for builtin"),
        (["--preset", "lecture", "--data", "rastrigin:20"], "not for rastrigin:20"),
        (
            ["--preset", "coursework", "--data", "builtin", "--network", "784-32-10"],
            "not for builtin",
        ),
        (["--epochs", "9" * 5000], "whole number"),
        (["--wings"], "unrecognized arguments: --wings"),
        (["--epo", "3"], "unrecognized arguments"),
        (["here"], "unrecognized arguments: here"),
    ],
)
def test_bad_settings(program, options, words):
    assert_refused(program("train", *options), words)


def test_a_network_that_the_data_do_not_fit(program, digits):
    for text, words in (
        ("32C5", "must be dense"),
        ("784-12N-9N", "10 units"),
        ("784--10", "layer missing"),
    ):
        assert_refused(program("train", "--data", digits, "--network", text), words)


LONG_NAME = "x" * 5000


def test_a_message_repeats_no_long_input(program):
    for options in (
        ["--network", "x" * 100_000],
        ["--learning-rate", "y" * 100_000],
        ["--data", "z" * 100_000],
    ):
        outcome = program("train", *options)
        assert outcome.code == 2
        assert len(outcome.err) < 1000


@pytest.mark.parametrize(
    "options",
    [
        ["train", "--resume", LONG_NAME],
        ["runs", "show", LONG_NAME],
        ["runs", "delete", LONG_NAME],
        ["export", LONG_NAME, "model.py"],
        ["export", "model.safetensors", f"{LONG_NAME}.py"],
        ["import", LONG_NAME, "model.safetensors"],
        ["lab", "check", LONG_NAME],
        ["grade", LONG_NAME, "--lab", str(ROOT / "resources" / "labs" / "01-learning-rate.md")],
    ],
)
def test_a_message_repeats_no_long_path(program, options):
    outcome = program(*options)
    assert outcome.code == 2
    assert len(outcome.err) < 500
    assert "[Errno" not in outcome.err


def test_the_network_of_a_preset_is_fitted_to_the_data(program, tmp_path):
    from PIL import Image

    pictures = tmp_path / "pictures"
    for name in ("yes", "no", "maybe"):
        (pictures / name).mkdir(parents=True)
        for number in range(8):
            image = np.full((28, 28), 255, np.uint8)
            image[number + 4 : number + 12, 5:20] = 0
            Image.fromarray(image).save(pictures / name / f"{number}.png")
    outcome = program("train", "--data", pictures, "--preset", "dense", "--epochs", 1)
    assert outcome.code == 0
    assert "784-128-3" in outcome.out


@pytest.mark.parametrize("command", ["train", "race", "profile"])
@pytest.mark.parametrize("network", [(), ("--network", "784-20-10")])
def test_settings_for_a_function_are_refused_for_images_of_ones_own(
    program, digits, command, network
):
    done = program(command, "--data", digits, "--preset", "coursework", "--epochs", 1, *network)
    assert_refused(
        done, "from which a network learns classes: choose another preset or other data."
    )


def test_the_network_for_a_function_is_fitted_to_a_table(program, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("".join(f"{n % 7},{n % 5},{n % 3},{(n % 7 + n % 3) / 4}\n" for n in range(60)))
    done = program("train", "--data", table, "--preset", "coursework", "--epochs", 1)
    assert done.out.startswith("3-128-128-1 ")


def test_bad_data(program, tmp_path, digits):
    assert_refused(program("train", "--data", tmp_path / "none"), "none")
    (tmp_path / "empty").mkdir()
    assert_refused(program("train", "--data", tmp_path / "empty"), "is empty")
    for name in digits.iterdir():
        (tmp_path / name.name).write_bytes(name.read_bytes())
    images = tmp_path / "train-images-idx3-ubyte"
    images.write_bytes(struct.pack(">IIII", 2051, 2**31, 28, 28))
    assert_refused(program("train", "--data", tmp_path), str(images))
    images.unlink()
    assert_refused(program("train", "--data", tmp_path), "train-images-idx3-ubyte")


def test_a_path_that_cannot_be_written_is_refused_before_training(program, tmp_path, digits):
    (tmp_path / "file").write_text("")
    for option, path in (
        ("--save", tmp_path / "file" / "m.safetensors"),
        ("--save", tmp_path),
        ("--save", os.devnull),
        ("--save", ""),
        ("--run", ""),
        ("--run", tmp_path / "file"),
        ("--run", tmp_path / "file" / "run"),
        ("--save", tmp_path / ("x" * 256)),
        ("--save", tmp_path / "\udcff" / "m.safetensors"),
        ("--run", tmp_path / "run\udcff"),
    ):
        outcome = program("train", "--data", digits, option, path)
        assert outcome.code == 2
        assert outcome.out == ""
        assert outcome.err.count("\n") == 1


def test_a_long_name_leaves_room_for_the_temporary_file(program, tmp_path, digits):
    path = tmp_path / ("x" * 255)
    options = ("--network", "2", "--device", "vectorized", "--epochs", 1)
    assert program("train", "--data", digits, *options, "--save", path).code == 0
    assert path.is_file()


def test_a_model_never_replaces_the_data_or_the_run(program, tmp_path, digits, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("DIGITLAB_DATA", str(tmp_path))
    shutil.copytree(digits, tmp_path / "mnist")
    named = tmp_path / "mnist" / "train-images-idx3-ubyte"
    table = tmp_path / "table.csv"
    table.write_text("1;2\n" * 20)
    link = tmp_path / "link"
    link.hardlink_to(table)
    images = digits / "train-images-idx3-ubyte"
    for data, path, run in (
        (table, table, None),
        (table, link, None),
        (digits, images, None),
        ("mnist", named, None),
        ("mnist+builtin", named, None),
        ("~/table.csv", table, None),
        (digits, tmp_path / "run" / "run.json", tmp_path / "run"),
        (digits, tmp_path / "run" / "new.safetensors", tmp_path / "run"),
    ):
        files = (images, table, named)
        before = [file.read_bytes() for file in files]
        options = ["--network", "3", *(("--run", run) if run else ())]
        assert_refused(
            program("train", "--data", data, "--save", path, *options), "choose another f"
        )
        assert [file.read_bytes() for file in files] == before


@pytest.mark.parametrize("name", ["two\udcff", "two\nlines", "\x1b[31mred", " "])
def test_class_names_that_no_model_can_hold_are_refused_before_training(program, tmp_path, name):
    from PIL import Image

    stroke = np.zeros((20, 20), np.uint8)
    stroke[3:17, 9:11] = 255
    for each in ("one", name):
        (tmp_path / "data" / each).mkdir(parents=True)
        for number in range(7):
            Image.fromarray(stroke).save(tmp_path / "data" / each / f"{number}.png")
    outcome = program("train", "--data", tmp_path / "data", "--network", "2")
    assert_refused(outcome, "not UTF-8")
    assert outcome.err.strip().isprintable()


def test_a_disk_without_room_for_the_model_is_found_before_training(
    program, tmp_path, digits, monkeypatch
):
    from collections import namedtuple

    usage = namedtuple("usage", "total used free")(10**9, 10**9, 1000)
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    outcome = program("train", "--data", digits, "--save", tmp_path / "m.safetensors")
    assert_refused(outcome, "only 1 kB free")


def test_bad_models_and_pictures(program, tmp_path, digits):
    text = tmp_path / "poem.safetensors"
    text.write_text("Roses are red, violets are blue, this is no model, whatever you do.\n")
    assert_refused(program("evaluate", "--model", text, "--data", digits), "header would be longer")
    assert_refused(program("classify", "--model", text, "x.png"), "header would be longer")
    assert_refused(
        program("evaluate", "--model", tmp_path / "none", "--data", digits), "does not exist"
    )
    assert_refused(program("evaluate", "--device", "abacus"), "choose one of auto")
    assert_refused(program("classify"), "required: FILE")


def test_bad_commands(program):
    assert_refused(program("trian"), "choose one of train")
    assert_refused(program(""), "There is no command and no file")
    assert_refused(program("x" * 5000), "There is no command and no file")
    assert_refused(program("--wings"), "unrecognized arguments")
    assert_refused(program("data"), "required")
    assert_refused(program("data", "steal"), "invalid choice")
    assert_refused(program("data", "fetch"), "required: NAME")
    assert_refused(program("data", "fetch", "imagenet"), "imagenet")


def run_program(*arguments, **environment):
    variables = {**os.environ, **environment}
    for name in [name for name, value in variables.items() if value is None]:
        del variables[name]
    return subprocess.run(
        [sys.executable, "main.py", *arguments],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems always have a display"
)
@pytest.mark.parametrize("display", [None, ":987"])
def test_without_a_display_the_window_says_so_and_names_train(display):
    done = run_program(DISPLAY=display, WAYLAND_DISPLAY=None, QT_QPA_PLATFORM=None)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "no display" in done.stderr
    assert "main.py train" in done.stderr


def test_without_pyside_the_window_says_what_to_install(tmp_path):
    code = (
        "import importlib.util as u, sys; f = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'PySide6' else f(name, *a)\n"
        "import main; sys.exit(main.main([]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install PySide6-Essentials" in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_and_refusals_do_not_wait_for_numba():
    code = "import main, sys; main.main(['train', '--epochs', '0']); print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["train", "--help"], ["data", "fetch", "--help"]]
)
def test_help_is_printed(program, arguments):
    outcome = program(*arguments)
    assert outcome.code == 0
    assert "main.py" in outcome.out or "DigitLab" in outcome.out
