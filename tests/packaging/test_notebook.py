"""The functions of a notebook, which start the program's commands."""

import importlib.util
import sys

import numpy as np
import pytest

from core.program import FOLDER

FILE = FOLDER / "packaging" / "wheel" / "digitlab" / "notebook.py"
ADD = "from numba import cuda\n@cuda.jit\ndef add(out): out[0] = 1\n"
LAUNCH = {"args": "out: float32[1]", "grid": 1, "block": 1}


@pytest.fixture
def notebook(home, monkeypatch):
    spec = importlib.util.spec_from_file_location("digitlab_notebook", FILE)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "_PROGRAM", (sys.executable, str(FOLDER / "main.py")))
    return module


def test_a_run_that_could_not_be_kept_is_an_error(notebook, home):
    (home / "data").mkdir(parents=True)
    (home / "data" / "runs").write_text("a file in place of the folder")
    with pytest.raises(ValueError, match="runs"):
        notebook.train("784-10", epochs=1, show=False)


def test_a_run_goes_on_with_its_own_data(notebook):
    run = notebook.train("784-10", epochs=1, show=False)
    later = notebook.train(resume=run.model, epochs=2, show=False)
    assert [epoch["epoch"] for epoch in later.epochs] == [2]


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda module: module.check(len, **LAUNCH), "is no kernel"),
        (lambda module: module.check(None, **LAUNCH), "is no kernel"),
        (lambda module: module.check(ADD, reference=np.sin, **LAUNCH), "is not known"),
        (lambda module: module.check(ADD, inputs=[1, 2], **LAUNCH), "give arrays of numbers"),
        (lambda module: module.check(ADD, inputs={"out": np.zeros(1, complex)}, **LAUNCH), "give arrays of numbers"),
        (lambda module: module.check("--help", **LAUNCH), "--help does not exist"),
        (lambda module: module.classify("--help"), "--help does not exist"),
        (lambda module: module.classify(np.full((28, 28), np.nan)), "finite numbers"),
        (lambda module: module.classify(np.full((28, 28), "a")), "finite numbers"),
        (lambda module: module.Training([], "run", "stopped").accuracy, "No epoch"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_said_in_a_sentence(notebook, use, words):
    with pytest.raises(ValueError, match=words):
        use(notebook)


def test_a_kernel_of_one_line_is_a_text(notebook):
    verdict = notebook.check("def add(out): out[0] = 1", **LAUNCH)
    assert not verdict.passed
    assert "no kernel" in verdict.text
