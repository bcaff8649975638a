"""Devices are found by their folders: a package with a declaration is listed, probed, raced and
benchmarked.
"""

import subprocess
import sys

import pytest

from core.bench import find_bench
from core.bench.rows import Options, Row
from core.data.functions import load_function
from core.measure.race import Contestant, RaceFinished, iter_race
from core.training.run_settings import RunSettings
from kernels import registry
from tests.core.bench.tiny import TINY


def test_devices_are_listed_by_rank():
    assert registry.device_names() == ("sequential", "vectorized", "cuda")
    assert registry.default_cpu_device() == "vectorized"


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="choose auto, sequential, vectorized, cuda"):
        registry.open_device("abacus")


def test_listing_devices_imports_neither_numba_nor_cuda():
    code = (
        "import sys\nfrom kernels.registry import device_names\ndevice_names()\n"
        "assert not {'numba', 'llvmlite', 'numba_cuda', 'kernels.cuda.driver'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_new_device_is_listed_and_probed(toy_device):
    assert registry.device_names() == ("sequential", "toy", "vectorized", "cuda")
    assert registry.probe(toy_device).available
    assert registry.open_device(toy_device).name == "toy"


def test_a_device_that_computes_wrongly_is_not_available(toy_device, monkeypatch):
    sequential = registry.device_spec("sequential").open()
    monkeypatch.setattr(
        type(sequential), "dense", lambda self, x, w, b, activation, out: out.fill(0)
    )
    info = registry.probe(toy_device)
    assert not info.available
    assert "wrong result" in info.reason


def test_a_new_device_races(toy_device):
    settings = RunSettings(
        network="2-4-1", activation="tanh", loss="squared-error", batch_size=20, epochs=1
    )
    *records, last = iter_race(
        settings, load_function("rastrigin:20"), (Contestant(toy_device), Contestant("sequential"))
    )
    assert isinstance(last, RaceFinished)
    assert {record.result.contestant.device for record in records} == {"toy", "sequential"}


def test_a_new_device_is_benchmarked(toy_device):
    options = Options(TINY, devices=(toy_device,))
    for bench in map(find_bench, ("devices", "operators")):
        rows = [row for row in bench.iter_rows(options) if isinstance(row, Row)]
        assert {row.values["device"] for row in rows} == {"toy"}
