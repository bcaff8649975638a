"""The device `cuda`: every operator as a Numba CUDA kernel, the whole step as one captured graph.

Nothing here imports Numba's CUDA target until a module of this package is imported; the registry does that
when the device is asked for.
"""
