"""How many blocks of a launch a multiprocessor holds at once, and what limits it.

The limits are those of the CUDA C++ Programming Guide, Compute Capabilities, “Technical
Specifications per Compute Capability”; shared memory is given to blocks in units of 128 bytes (256
with 7.5), as Nsight Compute's occupancy calculator counts it. Registers limit it, too: only the
compiler for the card knows how many a kernel needs.
"""

from dataclasses import dataclass

from core.workshop.checker.trace import WARP, Occupancy, Residency

MAX_SHARED_BYTES = 48 << 10
"""Of a block, static and dynamic together: more needs an option of the launch that Numba does not
set.
"""
LIMITS = ("threads", "blocks", "shared memory")
"""What may limit the blocks."""


@dataclass(frozen=True, slots=True)
class _Multiprocessor:
    """What a multiprocessor has for all its blocks. `shared`, `reserved`, `unit`: bytes;
    `reserved`: of each block.
    """

    capability: str
    threads: int
    blocks: int
    shared: int
    reserved: int = 1024
    unit: int = 128


_MULTIPROCESSORS = (
    _Multiprocessor("7.5", 1024, 16, 64 << 10, 0, 256),
    _Multiprocessor("8.0", 2048, 32, 164 << 10),
    _Multiprocessor("8.6", 1536, 16, 100 << 10),
    _Multiprocessor("8.9", 1536, 24, 100 << 10),
    _Multiprocessor("9.0", 2048, 32, 228 << 10),
    _Multiprocessor("12.0", 1536, 24, 100 << 10),
)


def occupancy(kernel: str, threads: int, shared_bytes: int) -> Occupancy:
    """Of a launch of blocks with so many threads (1 to 1024) and bytes of shared memory (up to 48
    KB).
    """
    return Occupancy(
        kernel,
        threads,
        shared_bytes,
        tuple(_residency(each, threads, shared_bytes) for each in _MULTIPROCESSORS),
    )


def _residency(multiprocessor: _Multiprocessor, threads: int, shared_bytes: int) -> Residency:
    warps = -(-threads // WARP)
    all_warps = multiprocessor.threads // WARP
    taken = (
        -(-(shared_bytes + multiprocessor.reserved) // multiprocessor.unit) * multiprocessor.unit
    )
    most = [all_warps // warps, multiprocessor.blocks]
    if shared_bytes:
        most.append(multiprocessor.shared // taken)
    blocks = min(most)
    limits = tuple(name for name, limit in zip(LIMITS, most, strict=False) if limit == blocks)
    return Residency(multiprocessor.capability, blocks, blocks * warps / all_warps, limits)
