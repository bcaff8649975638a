"""A graphics card in software: a driver library that runs the compiled kernels of the device `cuda`
on the CPU.

`driver` holds the C of a libcuda.so.1 that implements the functions of NVIDIA's driver API which
numba-cuda, cuda-bindings and this program call. `library.py` builds it with gcc; a child process
finds it in place of NVIDIA's by LD_LIBRARY_PATH. Nothing in Python is replaced. The driver has the
PTX of a kernel translated to C (`translate.py`) and compiled (`kernels.py`), and runs it thread by
thread in a random order, checking every access (`runtime.c`).

The bridge is `driver/linker.c`: a libnvJitLink.so that asks NVIDIA's own for PTX instead of machine
code. Times, fences between blocks and NVIDIA's assembler are not emulated.

    python -m tests.card                    the device's tests that need a card (`-m gpu`); options go to pytest
    python -m tests.card run PROGRAM ...    a Python program with the software card
    python -m tests.card calls PROGRAM ...  the same, and afterwards a table of the driver's functions that it called

Environment variables, all of them beginning with DIGITLAB_CARD_: SEED (the order of independent
work), LAZY (nothing is done until the host waits), CAPABILITIES, MEMORY, DRIVER (the cards, their
bytes, the version of the driver), FAULTS (calls that fail), CALLS (a file for the functions that
were called).
"""
