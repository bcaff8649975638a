"""A stand-in for a graphics card: what NVIDIA's compiler made of our kernels, run on the CPU and watched.

`python -m tools.card` runs the tests that need a card (`-m gpu`) without one, as far as they compute: every kernel's
PTX is translated to C (`translate.py`), compiled with gcc and run thread by thread (`runtime.c`), in a random order
and with every access to memory checked; `numba_stand_in.py` puts it in the place of Numba's driver, streams and
captures included. It says nothing of times, of fences between blocks, or of NVIDIA's assembler and driver.
"""
