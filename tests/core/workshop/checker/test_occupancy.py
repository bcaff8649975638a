"""How many blocks a multiprocessor holds, by NVIDIA's table; and launches that no card takes."""

import pytest

from core.workshop.check import check
from core.workshop.checker.occupancy import occupancy
from core.workshop.report import verdict_html

COPY = """
from numba import cuda, float32

@cuda.jit
def copy(out, a):
    tile = cuda.shared.array({shape}, float32)
    own = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = a[i]
    own[t] = tile[t]
    out[i] = own[t]
"""


@pytest.mark.parametrize(
    ("threads", "shared", "capability", "blocks", "limits"),
    [
        (256, 0, "7.5", 4, ("threads",)),
        (256, 0, "8.0", 8, ("threads",)),
        (256, 0, "8.6", 6, ("threads",)),
        (32, 0, "8.0", 32, ("blocks",)),
        (64, 0, "8.0", 32, ("threads", "blocks")),
        (33, 0, "8.9", 24, ("threads", "blocks")),  # two warps
        (1024, 0, "8.6", 1, ("threads",)),
        (128, 48 << 10, "7.5", 1, ("shared memory",)),
        (128, 48 << 10, "8.0", 3, ("shared memory",)),  # 49 KB of 164 each
        (128, 48 << 10, "9.0", 4, ("shared memory",)),
        (128, 16 << 10, "8.6", 5, ("shared memory",)),
        (512, 24 << 10, "12.0", 3, ("threads",)),
    ],
)
def test_the_limit_of_the_blocks_is_named(threads, shared, capability, blocks, limits):
    found = {each.capability: each for each in occupancy("k", threads, shared).residency}[
        capability
    ]
    assert (found.blocks, found.limits) == (blocks, limits)


def verdict_of(shape, shared):
    launch = ("out: float32[n], a: float32[n]", "n // 128", "128", "n=256")
    return check(
        COPY.format(shape=shape),
        *launch,
        shared=shared,
        expect="out = a",
        types=False,
        isolated=False,
    )


def test_a_verdict_counts_static_and_dynamic_shared_memory():
    verdict = verdict_of(128, "4096 * 4")
    assert verdict.passed
    (found,) = verdict.occupancy
    assert (found.threads, found.shared_bytes) == (128, 512 + 16384)
    said = "Blocks on a multiprocessor at once (128 threads, 16,896 bytes of shared memory each)"
    assert said in str(verdict)
    assert "8.6, 8.9, 12.0: 5, 42 % of its warps (shared memory)" in str(verdict)
    assert said in verdict_html(verdict, "")
    assert verdict.as_dict()["occupancy"][0]["residency"][0]["limits"] == ("shared memory",)


def test_a_launch_with_more_shared_memory_than_a_block_has_is_refused_as_by_a_card():
    verdict = verdict_of(4096, "40 * 1024")
    (fault,) = verdict.faults
    assert "take 16,384 bytes of shared memory, and the launch gives 40,960 more" in fault.text
    assert "a card refuses the launch" in fault.text
    assert not verdict.occupancy


def test_each_kernel_of_several_launches_has_its_own():
    text = "from numba import cuda\n"
    for name in ("one", "two"):
        text += f"@cuda.jit\ndef {name}(a):\n    a[cuda.grid(1)] = 1\n"
    verdict = check(
        text,
        "a: float32[n]",
        sizes="n=64",
        launches="one[1, 64](a); two[2, 32](a)",
        types=False,
        isolated=False,
    )
    assert [(each.kernel, each.threads) for each in verdict.occupancy] == [("one", 64), ("two", 32)]
    assert "one: Blocks on a multiprocessor at once (64 threads each)" in str(verdict)
