"""The zeros around the image of a convolution, as PyTorch and ONNX take them."""

from core.network.layers import Shape
from core.network.layers.convolution import Convolution
from kernels.padding import output_size, zeros_before


def image_padding(layer: Convolution, shape: Shape) -> tuple[int, int, int, int]:
    """Zeros above, to the left, below and to the right of an image of `shape`, (height, width, channels)."""
    before = [zeros_before(side, layer.size, layer.stride, layer.padding) for side in shape[:2]]
    after = []
    for side, zeros in zip(shape[:2], before, strict=True):
        positions = output_size(side, layer.size, layer.stride, layer.padding)
        after.append(max((positions - 1) * layer.stride + layer.size - side - zeros, 0))
    return before[0], before[1], after[0], after[1]
