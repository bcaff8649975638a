"""Each thread sorts three numbers in an array of its own."""

# args = "a: float32[n, 3], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = np.max(a, axis=1)"

from numba import cuda, float32


@cuda.jit
def largest_of_three(a, out):
    values = cuda.local.array(3, float32)
    i = cuda.grid(1)
    if i < a.shape[0]:
        for k in range(3):
            values[k] = a[i, k]
        for last in range(2, 0, -1):
            for k in range(last):
                if values[k] > values[k + 1]:
                    values[k], values[k + 1] = values[k + 1], values[k]
        out[i] = values[2]
