"""Patches are the inputs under each output of a convolution, k x k x c of them, as a matrix (im2col), and back."""

import numpy as np

from kernels.compiled import compiled_fast


@compiled_fast
def gather_rows(
    x: np.ndarray,
    first: int,
    rows: int,
    columns: int,
    stride: int,
    pad: tuple[int, int],
    size: int,
    out: np.ndarray,
) -> None:
    """out (r·columns, k·k·c) = the patches of r rows of outputs, from row `first` of all images on.

    x is (n, h, w, c), k is `size`, `rows` and `columns` are the outputs of one image; outside an image there are
    zeros. For many channels.
    """
    _, height, width, channels = x.shape
    for r in range(out.shape[0] // columns):
        image, i = (first + r) // rows, (first + r) % rows
        for j in range(columns):
            patch = out[r * columns + j]
            left = j * stride - pad[1]
            # Of the patch's columns those from low to high lie inside the image.
            low, high = max(0, -left), min(size, width - left)
            for a in range(size):
                row = i * stride - pad[0] + a
                to = a * size * channels
                if row < 0 or row >= height:
                    patch[to : to + size * channels] = 0
                else:
                    patch[to : to + low * channels] = 0
                    for e in range(max(low, 0), high):
                        start = to + e * channels
                        pixel = x[image, row, left + e]
                        for channel in range(channels):
                            patch[start + channel] = pixel[channel]
                    patch[to + high * channels : to + size * channels] = 0


@compiled_fast
def gather_columns(
    x: np.ndarray,
    first: int,
    rows: int,
    columns: int,
    stride: int,
    pad: tuple[int, int],
    size: int,
    out: np.ndarray,
) -> None:
    """`gather_rows`, transposed: out (k·k·c, r·columns). For few channels: neighboring outputs are one copy."""
    _, height, width, channels = x.shape
    # With indices that the compiler knows are not negative, it omits the test for indices from the end.
    columns = max(columns, 0)
    for r in range(out.shape[1] // columns):
        image, i = (first + r) // rows, (first + r) % rows
        at = r * columns
        for a in range(size):
            row = i * stride - pad[0] + a
            inside = 0 <= row < height
            for e in range(size):
                # The outputs from low to high see a pixel of the image here.
                low = min(columns, max(0, -((e - pad[1]) // stride)))
                high = max(low, min(columns, (width - 1 - e + pad[1]) // stride + 1)) if inside else low
                start = max(low * stride + e - pad[1], 0)
                for channel in range(channels):
                    line = (a * size + e) * channels + channel
                    for j in range(low):
                        out[line, at + j] = 0
                    if stride == 1:
                        for j in range(high - low):
                            out[line, at + low + j] = x[image, row, start + j, channel]
                    else:
                        for j in range(high - low):
                            out[line, at + low + j] = x[image, row, start + j * stride, channel]
                    for j in range(high, columns):
                        out[line, at + j] = 0


@compiled_fast
def add_patches(
    patches: np.ndarray,
    rows: int,
    columns: int,
    stride: int,
    pad: tuple[int, int],
    size: int,
    out: np.ndarray,
) -> None:
    """out (n, h, w, c) = the sum of what patches (n·rows·columns, k·k·c) hold for each input."""
    images, height, width, channels = out.shape
    out[:] = 0
    for image in range(images):
        for i in range(rows):
            for j in range(columns):
                at = (image * rows + i) * columns + j
                left = j * stride - pad[1]
                for a in range(size):
                    row = i * stride - pad[0] + a
                    if 0 <= row < height:
                        for e in range(max(0, -left), min(size, width - left)):
                            start = (a * size + e) * channels
                            for channel in range(channels):
                                out[image, row, left + e, channel] += patches[at, start + channel]
