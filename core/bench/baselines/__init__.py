"""What the benchmarks compare the engine with: PyTorch, a NumPy loop, published values."""
