"""A PTX emulator: runs the compiled kernels of the device `cuda` on the CPU and checks every access to memory.

`python -m tools.card` runs the tests that need a card (`-m gpu`) without one. The PTX of every kernel is translated to
C (`translate.py`), compiled with gcc and run thread by thread in a random order (`runtime.c`). `numba_stand_in.py`
replaces Numba's driver, streams and captures. Times, fences between blocks, NVIDIA's assembler and its driver are not
emulated.
"""
