"""Registers and spilled bytes of the kernels that need most, from NVIDIA's assembler; no card is
needed.

    python -m tools.registers    a Markdown table for the compiler that is used

DIGITLAB_CUDA_COMPILER=numba_cuda_mlir chooses the other compiler. Each cell: registers of a thread,
and after a plus the bytes that it stores and loads because there are no more. "stack": bytes of a
stack frame.
"""

import re
import subprocess
import sys
import tempfile
from importlib.metadata import files
from pathlib import Path

from tests.kernels.cuda.kernel_list import CAPABILITIES, Compilable, iter_ptx, kernels

KERNELS = {
    "product-nn-large": "128x128, NN",
    "product-nt-large": "128x128, NT",
    "product-tn-large": "128x128, TN",
    "product-update-large": "128x128, TN, with the update",
    "product-nn-medium": "64x64, NN, split-K",
    "product-nn-small": "32x32, NN, split-K",
    "product-nn-narrow": "32x16, NN, split-K",
    "product-update-small": "32x32, TN, split-K, with the update",
    "convolution-forward-medium": "convolution, forward, 64x64",
    "cross-entropy": "cross-entropy",
    "output-layer": "output layer",
    "augment": "augmentation",
}


def assembler() -> str:
    """The path of ptxas, which comes with the extra `cuda`."""
    found = [file for file in files("nvidia-cuda-nvcc-cu12") or [] if file.stem == "ptxas"]
    if not found:
        sys.exit("ptxas is not installed: uv sync --extra cuda")
    return str(found[0].locate())


def registers(ptx: str, capability: tuple[int, int]) -> str:
    """Registers of a thread, and `+stored/loaded` bytes of spills if there are any."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernel.ptx"
        source.write_text(ptx)
        target = f"-arch=sm_{capability[0]}{capability[1]}"
        command = [assembler(), "-v", target, "-o", f"{folder}/kernel.cubin", str(source)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    # Functions that are inlined everywhere are in the PTX as well; the kernel is the one that is
    # compiled as entry.
    _, _, said = said.partition("Compiling entry function")
    count = re.search(r"Used (\d+) registers", said)
    spills = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", said)
    assert count, said
    assert spills, said
    text = count[1] if spills[1] == spills[2] == "0" else f"{count[1]} +{spills[1]}/{spills[2]}"
    frame = re.search(r"(\d+) bytes stack frame", said)
    return f"{text} stack {frame[1]}" if frame and frame[1] != "0" else text


def row(compilable: Compilable) -> str:
    cells = [registers(ptx, capability) for capability, ptx in iter_ptx(compilable, CAPABILITIES)]
    return f"| {KERNELS[compilable.name]} | {' | '.join(cells)} |"


if __name__ == "__main__":
    print(f"| kernel | {' | '.join(f'{a}.{b}' for a, b in CAPABILITIES)} |")
    print(f"|---|{'--:|' * len(CAPABILITIES)}")
    for each in kernels():
        if each.name in KERNELS:
            print(row(each), flush=True)
