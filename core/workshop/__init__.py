"""Checking pupils' kernels: the launch and its inputs, the reference, the processes, the verdict and its page."""
