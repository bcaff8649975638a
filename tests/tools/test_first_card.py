"""The command for the first ten minutes on a card, as far as it can be run without one."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tarfile

import pytest

from tools.first_card import ROOT, Part, pack, parts, run_parts


def python(code):
    return [sys.executable, "-c", code]


def test_a_part_that_fails_hangs_or_is_missing_does_not_stop_the_others(tmp_path, capsys):
    chosen = [
        Part("good", python("print('12 passed')"), 60),
        Part("bad", python("raise SystemExit('no card')"), 60),
        Part("slow", python("import time; print('started', flush=True); time.sleep(60)"), 3),
        Part("missing", ["no-such-program"], 5),
        Part("last", python("print('done')"), 60),
    ]
    rows = run_parts(chosen, tmp_path / "results")
    assert [row["result"].split(",")[0].split(":")[0] for row in rows] == [
        "ok", "failed", "ended after 3 s", "not started", "ok",
    ]  # fmt: skip
    assert rows == json.loads((tmp_path / "results" / "summary.json").read_text())
    assert rows[1]["last_line"] == "no card"
    assert (tmp_path / "results" / "05-last.txt").read_text().strip() == "done"
    assert "good: ok" in capsys.readouterr().out


def test_few_files_travel(tmp_path):
    run_parts([Part("good", python("print(12)"), 60)], tmp_path)
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench" / "cuda.json").write_text("{}")
    pack(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"summary.json", "results.tgz"}
    with tarfile.open(tmp_path / "results.tgz") as archive:
        assert {"01-good.txt", "bench/cuda.json"} <= set(archive.getnames())


def test_no_part_begins_after_the_budget(tmp_path, capsys):
    chosen = [Part("slow", python("import time; time.sleep(60)"), 60), Part("late", python(""), 60)]
    rows = run_parts(chosen, tmp_path, budget=2)
    assert [row["result"] for row in rows] == ["ended after 2 s"]
    assert "No time is left for late" in capsys.readouterr().out


@pytest.fixture
def nvidias_programs(tmp_path, monkeypatch):
    """A folder of the path has files with the names of NVIDIA's programs."""
    for name in ("nvidia-smi", "compute-sanitizer"):
        for end in ("", ".exe"):
            file = tmp_path / (name + end)
            file.write_text("")
            file.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)


def test_the_parts_are_in_order_of_their_value(tmp_path, nvidias_programs):
    names = [part.name for part in parts(tmp_path)]
    assert names[:6] == [
        "nvidia-smi",
        "devices",
        "bench-dense",
        "bench-cuda",
        "bench-operators",
        "steps",
    ]
    assert names[-6:] == [
        "tests-driver",
        "tests",
        "sanitizer-memcheck",
        "sanitizer-racecheck",
        "sanitizer-synccheck",
        "fault-drill",
    ]


def test_the_test_files_of_the_parts_exist(tmp_path):
    for part in parts(tmp_path):
        for word in part.command:
            assert not word.startswith("tests/") or (ROOT / word).exists()


def test_each_word_that_chooses_tests_is_in_the_name_of_one(tmp_path, nvidias_programs):
    from tests.kernels.cuda import test_cuda_card

    names = [*vars(test_cuda_card), *(case.name for case in test_cuda_card.real_cases())]
    chosen = {part.command[-1] for part in parts(tmp_path) if "-k" in part.command}
    assert len(chosen) == 3
    for expression in chosen:
        for word in re.findall(r"\w+", expression):
            assert word in ("and", "or", "not") or any(word in name for name in names), word


@pytest.mark.parametrize("steps", [0, 3])
def test_step_times_are_measured_in_the_simulator(steps):
    if importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed: uv run --extra cuda pytest")
    code = f"from tests.tools.tiny_step import measure\nprint(measure({steps}))\n"
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "'microseconds'" in done.stdout
