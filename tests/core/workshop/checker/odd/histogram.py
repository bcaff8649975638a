"""The element that is added to depends on the data."""

# args = "labels: int32[n] < 10, counts: int32[10] = 0"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "counts = np.sum(labels[:, None] == np.arange(10), axis=0)"

from numba import cuda


@cuda.jit
def histogram(labels, counts):
    i = cuda.grid(1)
    if i < labels.shape[0]:
        cuda.atomic.add(counts, labels[i], 1)
