"""How many blocks of a launch a multiprocessor holds at once, and what limits it.

The limits are those of the CUDA C++ Programming Guide, Compute Capabilities, “Technical
Specifications per Compute Capability”; shared memory is given to blocks in units, as Nsight
Compute's occupancy calculator counts it. Registers limit it, too: only the compiler for the card
knows how many a kernel needs.
"""

from core.workshop.checker.trace import WARP

# By compute capability: a multiprocessor's threads, blocks and bytes of shared memory, the bytes
# that each block takes besides its own, and their unit.
_MULTIPROCESSORS = {
    "7.5": (1024, 16, 64 << 10, 0, 256),
    "8.0": (2048, 32, 164 << 10, 1024, 128),
    "8.6": (1536, 16, 100 << 10, 1024, 128),
    "8.9": (1536, 24, 100 << 10, 1024, 128),
    "9.0": (2048, 32, 228 << 10, 1024, 128),
    "12.0": (1536, 24, 100 << 10, 1024, 128),
}


def occupancy_text(kernel: str, threads: int, shared_bytes: int) -> str:
    """Of a launch of blocks with so many threads and bytes of shared memory, which a card takes.

    >>> "8.9, 12.0: 24, 100 % of its warps (threads and blocks)" in occupancy_text("k", 33, 0)
    True
    """
    warps = -(-threads // WARP)
    cards: dict[str, list[str]] = {}
    for capability, (all_threads, blocks, shared, reserved, unit) in _MULTIPROCESSORS.items():
        most = {"threads": all_threads // WARP // warps, "blocks": blocks}
        if shared_bytes:
            taken = -(-(shared_bytes + reserved) // unit) * unit
            most["shared memory"] = shared // taken
        held = min(most.values())
        share = 100 * held * warps * WARP / all_threads
        limits = " and ".join(name for name, limit in most.items() if limit == held)
        text = f"{held}, {share:.0f} % of its warps ({limits})"
        cards.setdefault(text, []).append(capability)
    said = "; ".join(f"{', '.join(names)}: {text}" for text, names in cards.items())
    return (
        f"Blocks of {kernel} on a multiprocessor at once ({threads} threads and {shared_bytes:,} "
        f"bytes of shared memory each), by its compute capability: {said}. In brackets what limits "
        "them; registers, which only the compiler knows, may allow fewer."
    )
