"""How many blocks a multiprocessor holds, by NVIDIA's table."""

import pytest

from core.workshop.launches import occupancy_of
from core.workshop.report import verdict_html
from tests.core.workshop.checking import check

COPY = """
from numba import cuda, float32

@cuda.jit
def copy(out, a):
    tile = cuda.shared.array(128, float32)
    own = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = a[i]
    own[t] = tile[t]
    out[i] = own[t]
"""


@pytest.mark.parametrize(
    ("threads", "shared", "said"),
    [
        (256, 0, "7.5: 4, 100 % (T); 8.0, 9.0: 8, "),
        (256, 0, "8.6, 8.9, 12.0: 6, 100 % (T)"),
        (32, 0, "8.0, 9.0: 32, 50 % (B)"),
        (64, 0, "8.0, 9.0: 32, 100 % (T, B)"),
        (33, 0, "8.9, 12.0: 24, 100 % (T, B)"),  # two warps
        (1024, 0, "8.6, 8.9, 12.0: 1, 67 % (T)"),
        (128, 48 << 10, "7.5: 1, 12 % (S)"),
        (128, 48 << 10, "8.0: 3, 19 % (S)"),  # 49 KB of 164 each
        (128, 48 << 10, "9.0: 4, 25 % (S)"),
        (128, 16 << 10, "8.6, 8.9, 12.0: 5, 42 % (S)"),
        (512, 24 << 10, "8.6, 8.9, 12.0: 3, 100 % (T)"),
    ],
)
def test_the_limit_of_the_blocks_is_named(threads, shared, said):
    assert said in str(occupancy_of("k", threads, shared))


def test_a_verdict_counts_static_and_dynamic_shared_memory():
    launch = ("out: float32[n], a: float32[n]", "n // 128", "128", "n=256")
    verdict = check(COPY, *launch, shared="4096 * 4", expect="out = a", types=False, isolated=False)
    said = "Blocks of copy on a multiprocessor at once (128 threads and 16,896 bytes of shared"
    assert said in str(verdict)
    assert said in verdict_html(verdict, "")
    assert verdict.as_dict()["occupancy"] == [str(verdict.occupancy[0])]


def test_each_kernel_of_several_launches_has_its_own():
    text = "from numba import cuda\n"
    for name in ("one", "two"):
        text += f"@cuda.jit\ndef {name}(a):\n    a[cuda.grid(1)] = 1\n"
    launches = "one[1, 64](a); two[2, 32](a)"
    verdict = check(
        text, "a: float32[n]", sizes="n=64", launches=launches, types=False, isolated=False
    )
    one, two = map(str, verdict.occupancy)
    assert "Blocks of one on a multiprocessor at once (64 threads" in one
    assert "Blocks of two on a multiprocessor at once (32 threads" in two
