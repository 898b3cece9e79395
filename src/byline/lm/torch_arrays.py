"""PyTorch's way of `byline.lm.arrays.Arrays`: the network's steps on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.errors import MissingExtraError, UsageError
from byline.lm.arrays import NUMPY, Array, Arrays


def arrays_on(device: str) -> Arrays:
    """Give the array library that computes on a device.

    Parameters
    ----------
    device : str
        "cpu", which is NumPy's; or a GPU's name in PyTorch: "cuda", "cuda:1".

    Raises
    ------
    MissingExtraError
        PyTorch is not installed.
    UsageError
        PyTorch finds no such GPU.
    """
    return NUMPY if device == "cpu" else TorchArrays(find_gpu(device))


def find_gpu(device: str) -> Any:
    """Return PyTorch's object for a GPU; errors as in `arrays_on`."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError(
            f'device {device} needs PyTorch, which is not installed: pip install "byline[torch]", '
            "or take device cpu"
        ) from error
    found = torch.cuda.device_count()
    # PyTorch keeps the number in eight bits: its own object for cuda:256 would be GPU 0.
    if int(device.partition(":")[2] or 0) >= found:
        raise UsageError(
            f"device {device}: PyTorch {torch.__version__} finds {found} CUDA GPUs here; install "
            "a build of it for this GPU and its driver, or take device cpu"
        )
    return torch.device(device)


class TorchArrays:
    """Arrays of PyTorch on one device; each method does what `Arrays` says of it.

    Parameters
    ----------
    device : torch.device
    """

    def __init__(self, device: Any) -> None:
        import torch

        self.torch = torch
        self.device = device

    def take_in(self, array: NDArray[Any]) -> Array:
        """Copy to the device; ids as 64-bit integers, which PyTorch indexes with."""
        if np.issubdtype(array.dtype, np.integer):
            array = array.astype(np.int64)
        return self.torch.tensor(array, device=self.device)

    def give_back(self, array: Array) -> NDArray[Any]:
        """Copy to a NumPy array."""
        values: NDArray[Any] = array.cpu().numpy()
        return values

    def zeros_like(self, array: Array) -> Array:
        """Zeros of the same shape and type."""
        return self.torch.zeros_like(array)

    def copy(self, array: Array) -> Array:
        """Copy to a new array."""
        return array.clone()

    def ones(self, shape: tuple[int, int], like: Array) -> Array:
        """Ones of a shape, of the type and on the device of ``like``."""
        return like.new_ones(shape)

    def matmul(self, left: Array, right: Array, out: Array) -> Array:
        """``out = left @ right``."""
        return self.torch.matmul(left, right, out=out)

    def accumulate(
        self, total: Array, keep: float, left: Array, right: Array, buffer: Array
    ) -> None:
        """``total = keep * total + left @ right``, in one call of BLAS."""
        total.addmm_(left, right, beta=keep)

    def add_scaled(self, total: Array, factor: float, array: Array) -> None:
        """``total += factor * array``."""
        total.add_(array, alpha=factor)

    def add_rows(self, table: Array, rows: Array, factor: float, values: Array) -> None:
        """``table[rows] += factor * values``.

        ``index_put_`` sorts the rows on a GPU; ``index_add_`` adds them there in any order, so that
        a run would not come out the same again.
        """
        table.index_put_((rows,), values * factor, accumulate=True)

    def logistic(self, z: Array) -> Array:
        """``1 / (1 + exp(-z))``."""
        return z.sigmoid_()

    def exp(self, z: Array) -> Array:
        """``exp(z)``."""
        return z.exp_()

    def keep_from_overflow(self, z: Array) -> None:
        """Subtract each row's largest value: to look first would hold the GPU up."""
        z -= z.amax(dim=1, keepdim=True)

    def row_sum(self, z: Array) -> Array:
        """Sum of each row: (rows, 1)."""
        return z.sum(dim=1, keepdim=True)

    def double(self, array: Array) -> Array:
        """Copy to 64-bit floats."""
        return array.double()

    def log(self, array: Array) -> Array:
        """Natural logarithm."""
        return array.log()
