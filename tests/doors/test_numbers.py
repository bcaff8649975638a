"""Numbers that hold on each family of processors, by the program's own commands.

OpenBLAS has other code for each family of processors. OPENBLAS_CORETYPE chooses one that this processor can run; it has
to be set before the process starts.
"""

import json

import pytest
from threadpoolctl import threadpool_info

FAMILIES = ("Haswell", "Sandybridge")
needs_openblas = pytest.mark.skipif(
    all(info["internal_api"] != "openblas" or info["architecture"] is None for info in threadpool_info()),
    reason="NumPy's products are not OpenBLAS's",
)


@needs_openblas
@pytest.mark.parametrize("family", FAMILIES)
def test_the_list_of_devices_names_the_family_that_computes(program, family):
    said = program("devices", OPENBLAS_CORETYPE=family).stdout
    (line,) = [line for line in said.splitlines() if line.startswith("vectorized")]
    assert f"BLAS: OpenBLAS {family} on " in line


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
