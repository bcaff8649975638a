"""The workshop for GPU kernels: launch and inputs, reference, checker, its processes, verdict, use
in a training.
"""
