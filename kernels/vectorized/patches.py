"""Patches are the k x k x c inputs under each output of a convolution, as rows of a matrix (im2col), and back."""

import numpy as np

from kernels.compiled import compiled_fast


@compiled_fast
def gather_patches(
    x: np.ndarray, first: int, rows: int, columns: int, size: int, stride: int, pad: tuple[int, int], out: np.ndarray
) -> None:
    """out (r·columns, size·size·c) = the patches of r rows of outputs, from the row `first` of all images.

    x is (n, h, w, c); `rows` and `columns` are the outputs of one image; outside an image there are zeros.
    """
    _, height, width, channels = x.shape
    for r in range(out.shape[0] // columns):
        image, i = (first + r) // rows, (first + r) % rows
        for j in range(columns):
            at = r * columns + j
            left = j * stride - pad[1]
            # Of the patch's columns those from low to high lie inside the image.
            low, high = max(0, -left), min(size, width - left)
            for a in range(size):
                row = i * stride - pad[0] + a
                to = a * size * channels
                if row < 0 or row >= height:
                    for k in range(to, to + size * channels):
                        out[at, k] = 0
                else:
                    for k in range(to, to + low * channels):
                        out[at, k] = 0
                    for c in range(low, high):
                        for channel in range(channels):
                            out[at, to + c * channels + channel] = x[image, row, left + c, channel]
                    for k in range(to + high * channels, to + size * channels):
                        out[at, k] = 0


@compiled_fast
def add_patches(
    patches: np.ndarray, rows: int, columns: int, size: int, stride: int, pad: tuple[int, int], out: np.ndarray
) -> None:
    """out (n, h, w, c) = the sum of what patches (n·rows·columns, size·size·c) hold for each input."""
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
                        for c in range(max(0, -left), min(size, width - left)):
                            for channel in range(channels):
                                out[image, row, left + c, channel] += patches[
                                    at, (a * size + c) * channels + channel
                                ]
