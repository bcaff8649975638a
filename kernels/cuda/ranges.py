"""Names parts of a training in NVIDIA's profilers by NVTX ranges: epochs, chunks, captures, copies.

Needs the package nvtx, and DIGITLAB_NVTX=1 in the environment when the program starts. Otherwise nothing is imported,
and a range is an empty context manager.
"""

import importlib.util
import os
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext

ASKED = os.environ.get("DIGITLAB_NVTX") == "1" and importlib.util.find_spec("nvtx") is not None

_DOMAIN = "DigitLab"
_NOTHING = nullcontext()


def profiler_range(name: str) -> AbstractContextManager[None]:
    """Encloses a part of the work that Nsight Systems shows as a bar with this name."""
    return _nvtx_range(name) if ASKED else _NOTHING


@contextmanager
def _nvtx_range(name: str) -> Generator[None]:
    import nvtx

    nvtx.push_range(name, domain=_DOMAIN)
    try:
        yield
    finally:
        nvtx.pop_range(domain=_DOMAIN)
