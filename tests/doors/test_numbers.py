"""Numbers that hold on each family of processors, by the program's own commands.

OpenBLAS has other code for each family of processors. OPENBLAS_CORETYPE chooses one that this
processor can run; it has to be set before the process starts.
"""

import json
import os

import pytest
from llvmlite.binding import get_host_cpu_name
from threadpoolctl import threadpool_info

from tests.core.labs.sample import SAMPLE, write_sample
from tools.same_numbers import write_images

FAMILIES = ("Haswell", "Sandybridge")
needs_openblas = pytest.mark.skipif(
    all(
        info["internal_api"] != "openblas" or info["architecture"] is None
        for info in threadpool_info()
    ),
    reason="NumPy's products are not OpenBLAS's",
)


@needs_openblas
def test_the_list_of_devices_names_the_family_that_computes(program):
    said = program("devices", OPENBLAS_CORETYPE="Sandybridge").stdout
    (line,) = [line for line in said.splitlines() if line.startswith("vectorized")]
    assert "BLAS: OpenBLAS Sandybridge on " in line


@needs_openblas
@pytest.mark.skipif(get_host_cpu_name() != "znver4", reason="the processor is no Zen 4")
def test_zen_4_multiplies_by_the_code_for_avx2(program):
    said = program("devices", OPENBLAS_CORETYPE=None).stdout
    assert "BLAS: OpenBLAS Haswell on znver4" in said


@needs_openblas
def test_a_bench_names_what_computes_and_warns_of_the_variable(program, tmp_path):
    measure = ("bench", "operators", "--quick", "--device", "vectorized", "--out", "results")
    said = program(*measure, OPENBLAS_CORETYPE="Haswell", OPENBLAS_L2_SIZE=None)
    assert said.returncode == 0, said.stderr
    assert "Products on the processor: OpenBLAS Haswell on " in said.stdout
    assert "OPENBLAS_CORETYPE=Haswell is set" in said.stdout
    content = json.loads((tmp_path / "results" / "operators.json").read_text())
    assert content["arithmetic"].startswith("OpenBLAS Haswell on ")
    assert content["variables"] == {"OPENBLAS_CORETYPE": "Haswell"}


@needs_openblas
@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"),
    reason="this system cannot take a processor from a process",
)
@pytest.mark.parametrize("family", FAMILIES)
def test_one_thread_and_two_save_the_same_bytes(program, tmp_path, family):
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2:
        pytest.skip("there is one processor")
    images = tmp_path / "images"
    images.mkdir()
    write_images(images)
    settings = ("--network", "784-128-10", "--epochs", "1", "--seed", "3")
    train = ("train", "--data", "images", *settings, "--device", "vectorized", "--save")
    try:
        for name, processors in (("one", {min(allowed)}), ("two", allowed)):
            os.sched_setaffinity(0, processors)  # the child inherits it
            done = program(*train, f"{name}.safetensors", OPENBLAS_CORETYPE=family)
            assert done.returncode == 0, done.stderr
    finally:
        os.sched_setaffinity(0, allowed)
    one, two = ((tmp_path / f"{name}.safetensors").read_bytes() for name in ("one", "two"))
    assert one == two


@needs_openblas
def test_the_check_of_a_lab_trains_it_with_the_code_of_two_families(program, tmp_path):
    lab = write_sample(tmp_path / "lab", SAMPLE)
    said = program("lab", "check", lab, OPENBLAS_CORETYPE="Sandybridge").stdout.splitlines()
    (turn,) = [line for line in said if line.startswith("Trained with")]
    assert turn.startswith("Trained with OpenBLAS Sandybridge. Again with OpenBLAS Haswell")
    first, second = said[: said.index(turn)], said[said.index(turn) + 1 : -1]
    assert len(second) >= 1
    assert {line.split(":")[0] for line in second} <= {line.split(":")[0] for line in first}
    assert said[-1].endswith("faults: 0")
