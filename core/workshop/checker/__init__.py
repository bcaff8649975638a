"""The checker of pupils' kernels: interprets a whitelisted part of Numba CUDA, finds faults and
counts.

`dialect` reads a file and refuses what is not covered; `interpreter` runs a kernel and records its
accesses; `analysis` finds faults and counts in the record. Nothing of a file is executed as Python.
docs/workshop.md says what a verdict means.
"""
