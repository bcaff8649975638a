"""The rest of a real file: it is ignored."""

# args = "a: float32[n], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = a + 1"

import sys

import numba.cuda as gpu
import numpy as np

SIZE = 1000


class Timer:
    seconds = 0.0


@gpu.jit
def add_one(a, out):
    """a + 1."""
    i = gpu.grid(1)
    if i < a.shape[0]:
        out[i] = a[i] + np.float32(1)


def main():
    a = np.arange(SIZE, dtype=np.float32)
    out = gpu.device_array(SIZE, np.float32)
    add_one[(SIZE + 255) // 256, 256](a, out)
    print(out.copy_to_host()[:10], file=sys.stderr)


if __name__ == "__main__":
    main()
