"""Files of strangers, as they are opened: damaged, hostile, or many of which one is bad."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from core.data.formats import class_digits
from core.data.formats.class_digits import WrittenDigits
from core.program import FOLDER
from tests.doors.conftest import COMMAND, PROGRAM

LAB = (FOLDER / "resources" / "skeleton" / "lab.md").read_text("utf-8")


def packed(path, *entries, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in entries:
            archive.writestr(name, content)


def nameless(path):
    """A zip file with an entry whose name is empty."""
    packed(path, ("lab.md", LAB), ("x", "y"))
    content = path.read_bytes()
    entry = content.rindex(b"PK\x01\x02")
    path.write_bytes(
        content[: entry + 28] + b"\0\0" + content[entry + 30 : entry + 46] + content[entry + 47 :]
    )


def digits(path, name, count=20):
    images = np.random.default_rng(len(name)).integers(0, 256, (count, 28, 28), np.uint8)
    labels = np.arange(count, dtype=np.uint8) % 10
    class_digits.save(WrittenDigits(images, labels, np.zeros(count, np.int32), (name,)), path)


def array(text):
    """A file of an array with this header."""
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def lab_with(old, new):
    assert old in LAB
    return LAB.replace(old, new, 1)


def test_a_site_is_written_for_all_labs_that_can_be_read(program, tmp_path):
    """Beside them lie all kinds of files that once ended it with a traceback, hung it or took
    gigabytes.
    """
    folder = tmp_path / "labs"
    (folder / "folder.md").mkdir(parents=True)
    (folder / "a").mkdir()
    for name in ("index.md", "a/b.md", "a-b.md", "\u00e4.md", "\u00f6.md"):
        (folder / name).write_text(LAB, "utf-8")
    bad = {
        "sum.md": lab_with('data = "builtin"', f'data = "{"+".join(["builtin"] * 400)}"'),
        "device.md": lab_with('data = "builtin"', 'data = "builtin"\ndevice = "vectorised"'),
        "data.md": lab_with('data = "builtin"', 'data = "bultin"'),
        "version.md": lab_with("version = 1\n", ""),
        "brackets.md": LAB + "![" * 30_000,
        "long.md": LAB + "(" * 60_000,
        "nested.md": LAB + "\n" + "> " * 300 + "x",
        "large.md": "x" * 1_000_001,
    }
    for name, text in bad.items():
        (folder / name).write_text(text, "utf-8")
    nameless(folder / "nameless.zip")
    packed(folder / "lzma.zip", ("lab.md", LAB), compression=zipfile.ZIP_LZMA)
    packed(
        folder / "deep.zip", ("lab.md", LAB), *[(f"{n}/" + "d/" * 900 + "x", "") for n in range(50)]
    )
    packed(folder / "pictures.zip", ("a.png", b""))
    bad |= dict.fromkeys(("nameless.zip", "lzma.zip", "deep.zip", "pictures.zip"))
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.md")
        bad["pipe.md"] = None

    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    done = program("lab", "site", folder, "--no-training", "--out", "site")

    assert done.returncode == 1
    assert "Written: 5 labs" in done.stdout
    assert len([*(tmp_path / "site").iterdir()]) == 6
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert len(set(re.findall(r'<li><a href="([^"]+)"', index))) == 5
    assert done.stderr == ""
    lines = [line for line in done.stdout.splitlines() if line.startswith("FAULT")]
    assert sorted(line.split()[1].rstrip(":") for line in lines) == sorted(bad)
    assert max(map(len, lines)) < 1000
    said = {name: line for name in bad for line in lines if line.startswith(f"FAULT {name}: ")}
    assert "name each data set of a sum once" in said["sum.md"]
    assert "did you mean “vectorized”?" in said["device.md"]
    assert "did you mean “builtin”?" in said["data.md"]
    assert "the block “lab” has no version" in said["version.md"]
    assert "too many folders" in said["deep.zip"]
    assert max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) < 600_000  # kB
    unpacked = [*(tmp_path / "home" / "cache" / "labs").iterdir()]
    assert len(unpacked) == 1  # the one that holds pictures instead of a lab
    assert not [path for path in (tmp_path / "home").rglob(".digitlab-*")]


def test_the_digits_of_a_class_are_merged_without_the_damaged_files(program, tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    for name in ("ann", "ben", "cem"):
        digits(folder / f"{name}.npz", name)
    packed(
        folder / "token.npz", *[(f"{n}.npy", array(b"{'descr': (")) for n in class_digits._ARRAYS]
    )
    # A pattern that tries all ways to part the digits into numbers would not end.
    header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (" + b"1" * 3000 + b"x"
    packed(folder / "digits.npz", ("images.npy", array(header)))
    packed(folder / "old.npz", ("images.npy", array(b"{'descr': '|u1', 'shape': (4L, 28L, 28L)}")))
    packed(folder / "lzma.npz", ("images.npy", b"x" * 1000), compression=zipfile.ZIP_LZMA)
    (folder / "text.npz").write_text("no digits")

    done = program("data", "merge", folder, "--out", "all.npz")

    assert done.returncode == 1
    assert "60 digits of 3 writers" in done.stdout
    lines = done.stderr.splitlines()
    assert len(lines) == 5
    assert all("cannot be read as digits" in line for line in lines)
    assert class_digits.read(tmp_path / "all.npz").names == ("ann", "ben", "cem")


def test_what_data_merge_writes_can_be_trained_on_and_what_could_not_is_not_written(
    program, tmp_path
):
    """Two empty classes of the largest size: a small file each, and twice as much together as is
    read.
    """
    for name in ("ann", "ben"):
        count = class_digits.MAX_IMAGES
        blank = np.zeros((count, 28, 28), np.uint8)
        labels = np.zeros(count, np.uint8)
        class_digits.save(
            WrittenDigits(blank, labels, np.zeros(count, np.int32), (name,)),
            tmp_path / f"{name}.npz",
        )

    done = program("data", "merge", "ann.npz", "ben.npz", "--out", "all.npz")

    assert done.returncode == 2
    assert "300,000 digits of 2 writers are too many for one file: at most 150,000" in done.stderr
    assert not (tmp_path / "all.npz").exists()
    empty = array(b"{'descr': '|u1', 'fortran_order': False, 'shape': (1000000, 28, 28)}\n")
    packed(tmp_path / "million.npz", ("images.npy", empty))
    refused = program("data", "merge", "ann.npz", "million.npz", "--out", "all.npz")
    assert refused.returncode != 0
    assert "million.npz" in refused.stderr
    twice = program("train", "--data", "builtin+builtin+builtin", "--network", "8", "--epochs", 1)
    assert twice.returncode == 2
    assert "name each data set of a sum once" in twice.stderr
    for name in ("cem", "dea"):
        digits(tmp_path / f"{name}.npz", name)
    assert program("data", "merge", "cem.npz", "dea.npz", "--out", "two.npz").returncode == 0
    trained = program("train", "--data", "two.npz", "--network", "8", "--epochs", 1)
    assert (trained.returncode, trained.stderr) == (0, "")


def test_what_the_system_refuses_is_said_in_a_sentence(program, tmp_path):
    """No raw number of an error: a full disk, a home that cannot be, a window system that is not
    there.
    """
    (tmp_path / "bad.json").write_text("[" * 100_000)
    said = [
        program("train", "--epochs", 1, DIGITLAB_HOME="/proc/x"),
        program(QT_QPA_PLATFORM="nonsense"),
        program("import", "bad.json", "m.safetensors"),
    ]
    for done in said:
        assert done.returncode == 2
        assert re.fullmatch(rf"{PROGRAM}\S*( \w+)?: .*\.\n", done.stderr), done.stderr
        assert "Errno" not in done.stderr
    assert "QT_QPA_PLATFORM is nonsense" in said[1].stderr


def test_a_full_disk_is_named(tmp_path, home):
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        command = [*COMMAND, "data", "list"]
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert "The output cannot be written (No space left on device): free some space" in done.stderr


def test_a_damaged_run_of_the_library_is_named_and_a_name_can_be_written(program, home):
    assert program("train", "--network", "784-10", "--epochs", 1).returncode == 0
    (run,) = (home / "data" / "runs").glob("2*")
    (run / "label.json").write_text('{"name": "a\\ud800b", "note": "", "starred": false}')
    assert "a?b" in program("runs", "list").stdout
    assert program("runs", "show", run.name, "--json").returncode == 0
    (run / "run.json").write_text("{")
    for command in (("runs", "show", run.name), ("train", "--resume", run.name)):
        done = program(*command)
        assert done.returncode == 2
        assert "cannot be read as a run" in done.stderr


@pytest.mark.parametrize("names", [("lab.md", "LAB.MD"), ("lab.md", "lab.md\0.txt")])
def test_names_that_are_one_on_some_systems_are_refused(program, tmp_path, names):
    packed(tmp_path / "lab.zip", *((name.replace("\0", "@"), LAB) for name in names))
    content = (tmp_path / "lab.zip").read_bytes()
    (tmp_path / "lab.zip").write_bytes(content.replace(b"lab.md@", b"lab.md\0"))
    done = program("lab", "check", "lab.zip", "--no-training")
    assert done.returncode == 2
    assert "is no name of a file on all systems" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there, Ctrl+C goes to the whole console")
def test_a_training_that_is_stopped_says_how_to_go_on(program, tmp_path, home):
    command = [*COMMAND, "train", "--network", "784-10", "--epochs", "1000"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        while not process.stdout.readline().startswith("Epoch 2"):
            pass
        process.send_signal(signal.SIGINT)
        said = process.stdout.read().strip().splitlines()
    (run,) = (home / "data" / "runs").glob("2*")
    assert said[-2].startswith("Stopped: ")
    assert said[-1] == f"To go on: {PROGRAM} train --resume {run.name}"


def test_a_run_becomes_a_notebook_with_its_data(program, tmp_path):
    assert program("train", "--network", "784-10", "--epochs", 1, "--run", "run").returncode == 0
    assert program("export", "run", "net.ipynb").returncode == 0
    cells = json.loads((tmp_path / "net.ipynb").read_text())["cells"]
    assert "net-data.npz" in "".join(cells[1]["source"])
    assert (tmp_path / "net-data.npz").stat().st_size > 100_000
    (tmp_path / "net.ipynb").rename(tmp_path / "other.ipynb")
    data = (tmp_path / "net-data.npz").stat()
    done = program("export", "run", "net.ipynb")
    assert done.returncode == 2
    assert "is there already" in done.stderr
    assert (tmp_path / "net-data.npz").stat() == data
