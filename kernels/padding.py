"""Padding of a convolution: the number of zeros around an image.

"valid": none; "same": the fewest that give ⌈n / stride⌉ outputs for n pixels.
"""


def output_size(size: int, kernel: int, stride: int, padding: str) -> int:
    """Pixels along one side of the output, for `size` pixels of the input."""
    return -(-size // stride) if padding == "same" else (size - kernel) // stride + 1


def zeros_before(size: int, kernel: int, stride: int, padding: str) -> int:
    """Zeros before the first pixel of one side; of an odd number, the larger half comes after the last."""
    if padding == "valid":
        return 0
    return max((-(-size // stride) - 1) * stride + kernel - size, 0) // 2


def zeros(shape: tuple[int, ...], kernel: int, stride: int, padding: str) -> tuple[int, int]:
    """Zeros above and to the left of images of shape (n, height, width, channels)."""
    return zeros_before(shape[1], kernel, stride, padding), zeros_before(shape[2], kernel, stride, padding)
