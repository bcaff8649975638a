"""The class of the device `sequential`."""

from kernels.host import HostDevice
from kernels.sequential.augmentation import AugmentationOperators
from kernels.sequential.batches import BatchOperators
from kernels.sequential.convolution import ConvolutionOperators
from kernels.sequential.dense import DenseOperators
from kernels.sequential.dropout import DropoutOperators
from kernels.sequential.elementwise import ElementwiseOperators
from kernels.sequential.losses import LossOperators
from kernels.sequential.normalization import NormalizationOperators
from kernels.sequential.pooling import PoolingOperators
from kernels.sequential.updates import UpdateOperators


class Sequential(
    DenseOperators,
    ConvolutionOperators,
    PoolingOperators,
    DropoutOperators,
    NormalizationOperators,
    ElementwiseOperators,
    LossOperators,
    UpdateOperators,
    BatchOperators,
    AugmentationOperators,
    HostDevice,
):
    """float32 and float64; sums in the arrays' type; always one thread."""

    name = "sequential"

    def worker(self) -> "Sequential":
        return Sequential()
