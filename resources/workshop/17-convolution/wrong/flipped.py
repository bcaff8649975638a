"""Turns the kernel around, as in mathematics: the program does not."""

from numba import cuda, float32


@cuda.jit
def convolve(x, w, b, stride, out):
    index = cuda.grid(1)
    if index < out.size:
        o = index % out.shape[3]
        j = index // out.shape[3] % out.shape[2]
        i = index // (out.shape[3] * out.shape[2]) % out.shape[1]
        n = index // (out.shape[3] * out.shape[2] * out.shape[1])
        top = max((out.shape[1] - 1) * stride + w.shape[0] - x.shape[1], 0) // 2
        left = max((out.shape[2] - 1) * stride + w.shape[1] - x.shape[2], 0) // 2
        total = b[o]
        for a in range(w.shape[0]):
            for e in range(w.shape[1]):
                row = i * stride + a - top
                column = j * stride + e - left
                if 0 <= row < x.shape[1] and 0 <= column < x.shape[2]:
                    for channel in range(x.shape[3]):
                        # load, compute
                        total += (
                            x[n, row, column, channel] * w[w.shape[0] - 1 - a, w.shape[1] - 1 - e, channel, o]
                        )
        # store
        out[n, i, j, o] = max(total, float32(0))  # fault: wrong-result
