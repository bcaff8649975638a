"""A home folder with a space, Cyrillic letters and 200 characters, on a console that cannot print
Cyrillic letters.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
LOOP = """
from kernels.compiled import compiled

@compiled
def double(x):
    return 2 * x

double(1)
print(sum(double.stats.cache_hits.values()))
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder whose path has 200 characters."""
    folder = tmp_path / "Анна Иванова"
    folder /= "x" * max(1, 199 - len(str(folder)))
    folder.mkdir(parents=True)
    monkeypatch.setenv("DIGITLAB_HOME", str(folder))
    return folder


def start(*command):
    environment = {
        **os.environ,
        "PYTHONIOENCODING": "cp1252",
        "PYTHONUTF8": "0",
        "PYTHONWARNINGS": "error",
    }
    arguments = [sys.executable, *map(str, command)]
    return subprocess.run(
        arguments, cwd=ROOT, env=environment, capture_output=True, encoding="cp1252", check=False
    )


def test_a_run_is_trained_kept_resumed_and_used(home, digits):
    files = ("--run", home / "запуск", "--save", home / "модель")
    done = start(
        "main.py", "train", "--data", digits, "--epochs", 1, "--network", "784-8-10", *files
    )
    assert done.returncode == 0, done.stderr
    (model,) = home.glob("модель*")
    assert (home / "запуск" / "checkpoint.safetensors").is_file()
    done = start(
        "main.py", "evaluate", "--model", model, "--data", digits, "--out", home / "out put"
    )
    assert done.returncode == 0, done.stderr
    assert list((home / "out put").iterdir())
    done = start("main.py", "train", "--resume", home / "нет такого")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "\\u043d\\u0435\\u0442" in done.stderr  # escaped


def test_compiled_loops_are_kept_and_found_there(home, monkeypatch):
    program = home / "программа.py"
    program.write_text(LOOP, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(home / "cache"))
    assert [start(program).stdout.strip() for _ in range(2)] == ["0", "1"]
