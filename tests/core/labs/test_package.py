"""Labs in files, folders and zip files; experiment files."""

import io
import os
import shutil
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.files.paths import cache_folder
from core.inference.model_file import bundled_model, load_model
from core.labs.locate import holds_answers
from core.labs.package import is_lab, open_lab, write_experiment
from core.runs.plan import RunPlan
from core.training.run_settings import RunSettings
from tests.core.labs.sample import SAMPLE, write_sample


def packed(path, *entries, compression=zipfile.ZIP_DEFLATED):
    """A zip file with these (name or ZipInfo, content)."""
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def reason(path):
    with pytest.raises(InputError) as caught:
        open_lab(path)
    return str(caught.value)


def files_below(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]


def test_the_same_lab_opens_from_a_file_a_folder_and_a_zip_file(folder, lab, tmp_path):
    assert open_lab(folder / "lab.md").digest == lab.digest
    flat = packed(
        tmp_path / "flat.zip", *[(path.name, path.read_bytes()) for path in folder.iterdir()]
    )
    deep = packed(
        tmp_path / "deep.zip",
        *[(f"sample/{path.name}", path.read_bytes()) for path in folder.iterdir()],
    )
    for path in (flat, deep):
        opened = open_lab(path)
        assert opened.digest == lab.digest
        assert (
            Path(opened.located(opened.part("rates").plans("")[0]).data).read_bytes()
            == (folder / "points.csv").read_bytes()
        )
        assert open_lab(path).folder == opened.folder  # unpacked once
    assert [is_lab(path) for path in (folder, folder / "lab.md", flat, deep)] == [True] * 4


def test_a_lab_may_have_another_name_where_it_is_the_only_text(tmp_path):
    folder = write_sample(tmp_path / "a")
    (folder / "lab.md").rename(folder / "rates.md")
    assert open_lab(folder).title == "Points"
    (folder / "notes.md").write_text("# Notes\n")
    assert "needs a file lab.md" in reason(folder)


def test_a_lab_is_opened_in_the_language_that_it_is_there_in(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "a")
    (tmp_path / "a" / "lab.de.md").write_text(
        SAMPLE.replace("# Points", "# Punkte"), encoding="utf-8"
    )
    for path in (tmp_path / "a", tmp_path / "a" / "lab.md"):
        titles = [open_lab(path, language=language).title for language in ("de", "fr", "")]
        assert titles == ["Punkte", "Points", "Points"]


def test_what_is_no_lab_is_told_from_labs(tmp_path):
    (tmp_path / "notes.md").write_text("# Notes\n")
    (tmp_path / "x.zip").write_bytes(b"no zip")
    packed(tmp_path / "pictures.zip", ("a.png", b""), ("b.png", b""))
    assert [is_lab(tmp_path / name) for name in ("a.png", "missing.txt", "")] == [False] * 3
    assert "it is no lab" in reason(tmp_path / "notes.md")
    assert "pictures.zip holds no lab" in reason(tmp_path / "pictures.zip")
    assert "does not exist" in reason(tmp_path / "missing.md")
    assert "is no zip file that can be read" in reason(tmp_path / "x.zip")
    (tmp_path / "latin.md").write_bytes("# Größe\n".encode("latin-1"))
    assert "is not UTF-8 text" in reason(tmp_path / "latin.md")


@pytest.mark.parametrize(
    "name", ["../lab.md", "/tmp/lab.md", "a/../../lab.md", "..\\lab.md", "C:\\lab.md", "C:lab.md"]
)
def test_a_zip_file_with_a_path_that_leaves_the_folder_is_refused(tmp_path, home, name):
    before = files_below(tmp_path)
    path = packed(tmp_path / "lab.zip", ("lab.md", SAMPLE), (name, "bad"))
    assert "would leave its folder" in reason(path)
    assert files_below(tmp_path) == [*before, path]


def test_a_zip_file_with_a_link_is_refused(tmp_path, home):
    link = zipfile.ZipInfo("points.csv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = packed(tmp_path / "lab.zip", ("lab.md", SAMPLE), (link, "/etc/passwd"))
    assert "would leave its folder" in reason(path)
    assert files_below(home) == []


def test_zip_bombs_are_refused_before_they_are_unpacked(tmp_path, home):
    big = packed(tmp_path / "big.zip", ("lab.md", SAMPLE), ("a.bin", bytes(1000)))
    content = bytearray(big.read_bytes())
    struct.pack_into("<I", content, content.rindex(b"PK\x01\x02") + 24, 210_000_000)
    big.write_bytes(content)
    assert "holds 2 files of 210 MB; at most 2,000 files of 200 MB are unpacked" in reason(big)
    many = packed(tmp_path / "many.zip", ("lab.md", SAMPLE), *[(f"{n}", "") for n in range(2000)])
    assert "holds 2,001 files" in reason(many)
    entries = tmp_path / "entries.zip"
    entries.write_bytes(many.read_bytes() + b"PK\x01\x02" * 20_000)
    assert "holds too many files" in reason(entries)
    assert files_below(home) == []


def test_a_file_that_is_longer_than_it_says_is_refused(tmp_path, home):
    path = packed(tmp_path / "lab.zip", ("a.bin", bytes(1000)), ("lab.md", SAMPLE))
    content = bytearray(path.read_bytes())
    entry = content.index(b"PK\x01\x02")
    struct.pack_into("<I", content, entry + 24, 10)
    path.write_bytes(content)
    assert "cannot be unpacked" in reason(path)
    assert files_below(home) == []


def test_encrypted_damaged_and_nested_zip_files_are_refused(tmp_path, home):
    path = packed(tmp_path / "lab.zip", ("lab.md", SAMPLE))
    content = bytearray(path.read_bytes())
    encrypted = bytearray(content)
    encrypted[content.index(b"PK\x01\x02") + 8] |= 1
    encrypted[6] |= 1
    unknown = bytearray(content)
    unknown[content.index(b"PK\x01\x02") + 10] = 77
    unknown[8] = 77
    damaged = bytearray(content)
    damaged[60:90] = bytes(30)
    for changed in (encrypted, unknown, damaged):
        path.write_bytes(changed)
        assert "cannot be unpacked" in reason(path)
    inner = io.BytesIO()
    packed(inner, ("lab.md", SAMPLE))
    assert "holds no lab" in reason(packed(tmp_path / "nested.zip", ("lab.zip", inner.getvalue())))


def test_folders_of_a_zip_file_are_limited_before_any_is_made(tmp_path, home):
    deep = packed(tmp_path / "deep.zip", ("lab.md", SAMPLE), ("/".join("d" * 10) + "/x", ""))
    many = packed(
        tmp_path / "many.zip", ("lab.md", SAMPLE), *[(f"{n}/a/x", "") for n in range(1100)]
    )
    for path in (deep, many):
        assert "too many folders: at most 2,000 are unpacked, and 10 within each" in reason(path)
    assert files_below(home) == []
    assert not (home / "cache" / "labs").exists()
    assert open_lab(
        packed(tmp_path / "some.zip", ("lab.md", SAMPLE), ("points.csv", "a,b\n"), ("a/b/c/x", ""))
    ).title


@pytest.mark.parametrize("name", ["con.png", "a./b.png", "what?.png"])
def test_a_name_that_not_all_systems_have_is_refused(tmp_path, home, name):
    path = packed(tmp_path / "lab.zip", ("lab.md", SAMPLE), (name, "x"))
    assert "is no name of a file on all systems" in reason(path)


def test_an_entry_without_a_name_and_other_compressions_are_refused(tmp_path, home):
    nameless = packed(tmp_path / "nameless.zip", ("lab.md", SAMPLE), ("x", "y"))
    content = nameless.read_bytes()
    entry = content.rindex(b"PK\x01\x02")
    changed = (
        content[: entry + 28] + b"\0\0" + content[entry + 30 : entry + 46] + content[entry + 47 :]
    )
    size = struct.unpack_from("<I", changed, len(changed) - 10)[0]
    nameless.write_bytes(changed[:-10] + struct.pack("<I", size - 1) + changed[-6:])
    assert "a file in it has no name" in reason(nameless)
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        assert "packed in a way that is not read" in reason(
            packed(tmp_path / f"{method}.zip", ("lab.md", SAMPLE), compression=method)
        )
    assert files_below(home) == []


def test_a_pipe_in_a_folder_does_not_wait_for_a_writer(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes")
    os.mkfifo(tmp_path / "a.json")
    for name in ("b.json", "y.json", "z.json"):
        (tmp_path / name).write_text("damaged")
    assert not holds_answers(tmp_path)
    (tmp_path / "c.json").write_text('{"format": "digitlab-answers"}')
    assert holds_answers(tmp_path)


def test_an_experiment_file_gives_back_its_settings(tmp_path):
    plan = RunPlan(
        RunSettings(network="784-16-10", learning_rate=1e-9, nesterov=True, target_accuracy=0.5),
        "mnist",
    )
    write_experiment(tmp_path / "a.md", plan, 'A "title"\n```lab')
    lab = open_lab(tmp_path / "a.md")
    (setup,) = lab.parts
    assert (setup.setup.plan, lab.is_experiment) == (plan, True)
    write_experiment(tmp_path / "a.zip", plan, "With a model", model=bundled_model())
    lab = open_lab(tmp_path / "a.zip")
    (setup,) = lab.parts
    assert load_model(lab.folder / setup.model).network == bundled_model().network


def test_an_experiment_that_could_not_be_opened_again_is_not_written(tmp_path, monkeypatch):
    """So many changes of the rate make a line that is longer than a lab may have."""
    changes = ", ".join(f"{step}:0.001" for step in range(1, 900))
    with pytest.raises(InputError, match=r"could not be opened again.*the line is too long"):
        write_experiment(tmp_path / "a.md", RunPlan(RunSettings(rate_changes=changes)), "Many")
    monkeypatch.setattr("core.labs.package.MAX_ZIP_BYTES", 1000)
    with pytest.raises(InputError, match="larger than 1 kB"):
        write_experiment(tmp_path / "a.zip", RunPlan(RunSettings()), "Large", model=bundled_model())
    assert files_below(tmp_path) == []


def test_an_experiment_names_its_data_relative_to_the_file(tmp_path):
    folder = write_sample(tmp_path / "lab")
    write_experiment(
        folder / "a.md", RunPlan(RunSettings(), str(folder / "points.csv")), "Own data"
    )
    (setup,) = open_lab(folder / "a.md").parts
    assert setup.setup.plan.data == "points.csv"
    write_experiment(tmp_path / "b.md", RunPlan(RunSettings(), "/elsewhere/points.csv"), "Own data")
    assert "data: points.csv: there is no such data set" in reason(tmp_path / "b.md")


def test_what_a_killed_program_unpacked_goes_when_the_next_lab_is_unpacked(folder, tmp_path):
    labs = cache_folder() / "labs"
    left = labs / ".digitlab-999999999-0123abcd.tmp"  # no process has this number
    left.mkdir(parents=True)
    (left / "half.md").write_bytes(b"# Ha")
    os.utime(left, (0, 0))
    open_lab(
        packed(
            tmp_path / "flat.zip", *[(path.name, path.read_bytes()) for path in folder.iterdir()]
        )
    )
    assert not left.exists()
    assert len(list(labs.iterdir())) == 1
