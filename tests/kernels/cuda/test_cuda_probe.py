"""Probing: a reason instead of an exception, whatever is missing; and nothing of CUDA before it is asked for."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from kernels.cuda import probe as probing
from kernels.registry import DeviceUnavailable, open_device, probe


@pytest.fixture(autouse=True)
def anew():
    probing.probe.cache_clear()
    yield
    probing.probe.cache_clear()


def test_without_the_package_the_reason_is_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    info = probing.probe()
    assert not info.available
    assert info.reason.endswith("uv run --extra cuda main.py")


def test_a_failure_while_probing_is_a_reason(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())

    def fail():
        raise OSError("libnvJitLink.so.12: cannot open shared object file\nmore lines")

    monkeypatch.setattr(probing, "_probe", fail)
    info = probing.probe()
    assert not info.available
    assert info.reason == "cuda: OSError: libnvJitLink.so.12: cannot open shared object file"


def test_a_fault_while_probing_is_its_sentence(monkeypatch):
    pytest.importorskip("numba_cuda")

    def fail():
        raise RuntimeError("CUDA_ERROR_OUT_OF_MEMORY")

    monkeypatch.setattr(probing, "_probe", fail)
    assert "not enough memory" in probing.probe().reason


def test_the_verdict_is_kept(monkeypatch):
    first = probing.probe()
    monkeypatch.setattr(probing, "_probe", pytest.fail)
    assert probing.probe() is first


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("\nCUDA driver library cannot be found.\nEnsure that", "no NVIDIA driver was found"),
        ("Call to cuInit results in CUDA_ERROR_NO_DEVICE", "finds no card"),
        ("Call to cuInit results in CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "Restart the computer"),
        ("something else", "does not start: something else"),
    ],
)
def test_why_there_is_no_driver(error, words):
    assert words in probing._why_no_driver(error)


def test_choosing_cuda_without_a_card_explains_itself():
    info = probe("cuda")
    if info.available:
        pytest.skip("a card answers here")
    with pytest.raises(DeviceUnavailable, match="cuda: "):
        open_device("cuda")
    assert open_device("auto").name == "vectorized"


def test_nothing_of_cuda_is_imported_before_it_is_asked_for():
    if importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed, so nothing of it can be imported")
    code = (
        "import sys, kernels.registry, kernels.operators, core.training.loop, core.commands\n"
        "kernels.registry.open_device('vectorized')\n"
        "print([m for m in sys.modules if m.startswith(('numba.cuda', 'cuda.', 'kernels.cuda.'))])"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
