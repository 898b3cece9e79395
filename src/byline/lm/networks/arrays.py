"""What the network needs of an array library, so that its steps are written once for all of them.

NumPy is the one that is always there; `byline.lm.networks.arrays` has PyTorch, for GPUs. What both
write alike (``@``, ``*=``, slices, ``.T``, ``reshape``) is not here.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import daxpy, saxpy
from scipy.sparse import csc_array

from byline.errors import MissingExtraError, UsageError

Array = Any  # a NumPy array or a PyTorch tensor
LARGE = 50.0  # exp(50) is 5e21, and a float32 goes to 3e38
_AXPY = {np.dtype(np.float32): saxpy, np.dtype(np.float64): daxpy}


class Arrays(Protocol):
    """Operations that array libraries write differently; each works in place where it can."""

    def from_numpy(self, array: NDArray[Any]) -> Array:
        """Make the library's own copy of a NumPy array."""

    def to_numpy(self, array: Array) -> NDArray[Any]:
        """Return an array's values as a NumPy array."""

    def zeros_like(self, array: Array) -> Array:
        """Zeros of the same shape and type."""

    def copy(self, array: Array) -> Array:
        """Copy to a new array."""

    def ones(self, shape: tuple[int, int], like: Array) -> Array:
        """Ones of a shape, of the type and in the place of ``like``."""

    def matmul(self, left: Array, right: Array, out: Array) -> Array:
        """``out = left @ right``."""

    def accumulate(
        self, total: Array, keep: float, left: Array, right: Array, buffer: Array
    ) -> None:
        """``total = keep * total + left @ right``; ``buffer`` may hold the product."""

    def add_scaled(self, total: Array, factor: float, array: Array) -> None:
        """``total += factor * array``, both contiguous."""

    def add_rows(self, table: Array, rows: Array, factor: float, values: Array) -> None:
        """``table[rows] += factor * values``; a row named several times takes all its values."""

    def logistic(self, z: Array) -> Array:
        """``1 / (1 + exp(-z))``."""

    def exp(self, z: Array) -> Array:
        """``exp(z)``."""

    def prevent_overflow(self, z: Array) -> None:
        """Subtract one number from each row, so that ``exp(z)`` and its sums are finite, not 0."""

    def row_sum(self, z: Array) -> Array:
        """Sum of each row: (rows, 1)."""

    def double(self, array: Array) -> Array:
        """Copy to 64-bit floats."""

    def log(self, array: Array) -> Array:
        """Natural logarithm."""


class NumpyArrays:
    """NumPy's way of `Arrays`."""

    def from_numpy(self, array: Array) -> Array:
        """Return the array: it is the library's own."""
        return array

    def to_numpy(self, array: Array) -> Array:
        """Return the array."""
        return array

    def zeros_like(self, array: Array) -> Array:
        """Zeros of the same shape and type."""
        return np.zeros_like(array)

    def copy(self, array: Array) -> Array:
        """Copy to a new array."""
        return array.copy()

    def ones(self, shape: tuple[int, int], like: Array) -> Array:
        """Ones of a shape, of the type of ``like``."""
        return np.ones(shape, like.dtype)

    def matmul(self, left: Array, right: Array, out: Array) -> Array:
        """``out = left @ right``."""
        return np.matmul(left, right, out=out)

    def accumulate(
        self,
        total: Array,
        keep: float,
        left: Array,
        right: Array,
        buffer: Array,
    ) -> None:
        """``total = keep * total + left @ right``, the product in ``buffer``.

        BLAS can do it in one call, but ``sgemm`` from SciPy takes longer than this does.
        """
        total *= keep
        total += np.matmul(left, right, out=buffer)

    def add_scaled(self, total: Array, factor: float, array: Array) -> None:
        """``total += factor * array``, without an array for the product."""
        _AXPY[total.dtype](array.ravel(), total.ravel(), a=factor)

    def add_rows(self, table: Array, rows: Array, factor: float, values: Array) -> None:
        """``table[rows] += factor * values``, by a product with the words' index vectors.

        Of the rows only, as most of a table is not named; ``np.add.at`` takes five times as long.
        """
        n = len(rows)
        named, place = np.unique(rows, return_inverse=True)
        shares = np.full(n, factor, values.dtype)
        index_vectors = csc_array((shares, place, np.arange(n + 1)), shape=(len(named), n))
        table[named] += index_vectors @ values

    def logistic(self, z: Array) -> Array:
        """``1 / (1 + exp(-z))``."""
        np.negative(z, out=z)
        with np.errstate(over="ignore"):  # to infinity, where the output is 0
            np.exp(z, out=z)
        z += 1
        return np.reciprocal(z, out=z)

    def exp(self, z: Array) -> Array:
        """``exp(z)``."""
        return np.exp(z, out=z)

    def prevent_overflow(self, z: Array) -> None:
        """Subtract each row's largest value, where any of them is large at all.

        Exponentials of up to `LARGE` are far from both ends of a float32, and the subtraction
        takes as long as a third of all exponentials.
        """
        top = z.max(axis=1, keepdims=True)
        if not np.abs(top).max(initial=0) <= LARGE:  # also where it is no number
            z -= top

    def row_sum(self, z: Array) -> Array:
        """Sum of each row: (rows, 1); ``einsum`` takes a third of the time of ``sum``."""
        return np.einsum("ij->i", z)[:, None]

    def double(self, array: Array) -> Array:
        """Copy to 64-bit floats."""
        return array.astype(np.float64)

    def log(self, array: Array) -> Array:
        """Natural logarithm."""
        return np.log(array)


NUMPY = NumpyArrays()


def arrays_for_device(device: str) -> Arrays:
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
    """Return PyTorch's object for a GPU; errors as in `arrays_for_device`."""
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

    def from_numpy(self, array: NDArray[Any]) -> Array:
        """Copy to the device; ids as 64-bit integers, which PyTorch indexes with."""
        if np.issubdtype(array.dtype, np.integer):
            array = array.astype(np.int64)
        return self.torch.tensor(array, device=self.device)

    def to_numpy(self, array: Array) -> NDArray[Any]:
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

    def prevent_overflow(self, z: Array) -> None:
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
