"""The thesis's ladder, the trace of a step and the bench `cuda` on a real card; see
test_cuda_card.py.
"""

import numpy as np
import pytest

from core.bench import operators
from core.bench.cuda import ladder
from core.bench.cuda.ladder import CAPTURED, KERNEL, LAUNCHES, NEVER, NUMBA, PINNED
from core.bench.output import export
from core.bench.rows import QUICK, Note, Options, Row
from kernels.registry import probe
from tests.kernels.cuda.test_cuda_card import digits

pytestmark = [pytest.mark.gpu, pytest.mark.filterwarnings("default")]

# Relative to the change of the parameters; a variant that trained on other images would be off by
# about 1.
MAX_DIFFERENCE = 1e-3


@pytest.fixture(autouse=True)
def card():
    info = probe("cuda")
    if not info.available:
        pytest.skip(info.reason)


@pytest.fixture(scope="module")
def data():
    return digits(3000, 500)


def run(data, batch=100):
    return ladder.thesis_run(Options(QUICK), data, batch)


def difference(name, data, batch=100, block=16):
    return ladder.measure(name, run(data, batch), data, block, {}, None, 0.5).values["difference"]


@pytest.mark.parametrize("batch", [100, 37, 1000])
@pytest.mark.parametrize("name", [NUMBA, KERNEL, NEVER, PINNED, LAUNCHES, CAPTURED])
def test_every_ladder_step_computes_the_same_as_the_cpu(name, batch, data):
    assert difference(name, data, batch) < MAX_DIFFERENCE


@pytest.mark.parametrize("block", [2, 8, 32])
def test_blocks_of_any_size_compute_the_same(block, data):
    assert difference(NEVER, data, block=block) < MAX_DIFFERENCE


def test_copies_on_a_second_stream_wait_for_the_computation(data):
    """Many queued steps give the same as steps with a wait after each."""
    from core.bench.cuda.ladder_step import open_variant

    found = []
    for wait in (False, True):
        with open_variant(run(data), data, 16, "never", pinned=True, captured=False) as variant:
            for _ in range(200):
                variant.run(1)
                if wait:
                    variant.synchronize()
            found.append(variant.parameters())
    assert np.isfinite(found[0]).all()
    np.testing.assert_array_equal(*found)


def test_the_naive_product_is_timed_to_its_end(data):
    """A launch without a wait takes some microseconds: no card multiplies that fast in float32."""
    x = np.ones((2048, 2048), np.float32)
    seconds, *_ = operators.measure("cuda" + operators.NAIVE, "product", x, x, budget=0.1)
    assert 2 * 2048**3 / seconds < 200e12


def test_the_quick_bench_fills_every_table(tmp_path, monkeypatch, data):
    monkeypatch.setattr(ladder, "load_digits", lambda: (data, ""))
    found = list(ladder.iter_rows(Options(QUICK)))
    remarks = [one.text for one in found if isinstance(one, Note)]
    assert not [text for text in remarks if "not measured" in text], remarks
    rows = [one for one in found if isinstance(one, Row)]
    assert {row.table for row in rows} == {table.name for table in ladder.BENCH.tables}
    assert tmp_path / "cuda.json" in export(ladder.BENCH, rows, tmp_path, remarks)
