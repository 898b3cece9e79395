"""One interface to NumPy and PyTorch arrays, so that each step of a network is written only once.

NumPy is always installed; PyTorch computes on GPUs. Operations that both libraries write in the
same way (``@``, ``*=``, slices, ``.T``, ``reshape``) are not part of the interface.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import daxpy, saxpy
from scipy.sparse import csc_array

from byline.errors import MissingExtraError, UsageError

Array: TypeAlias = Any
"""A NumPy array or a PyTorch tensor."""

NetworkArray: TypeAlias = NDArray[Any]
"""A NumPy array of a network: float32, or float64 where a test checks gradients."""

LARGE = 50.0  # exp(50) is 5e21, and the largest float32 is 3e38
_AXPY = {np.dtype(np.float32): saxpy, np.dtype(np.float64): daxpy}


class ArrayLibrary(Protocol):
    """The operations that the array libraries write differently.

    Operations change their first argument in place where the library allows it.

    See Also
    --------
    NumpyArrays : the implementation for CPUs
    TorchArrays : the implementation for GPUs
    """

    def from_numpy(self, array: NDArray[Any]) -> Array:
        """Convert a NumPy array to an array of the library."""

    def to_numpy(self, array: Array) -> NDArray[Any]:
        """Convert an array of the library to a NumPy array."""

    def zeros_like(self, array: Array) -> Array:
        """Create zeros of the same shape and type."""

    def copy(self, array: Array) -> Array:
        """Copy an array."""

    def ones(self, shape: tuple[int, int], like: Array) -> Array:
        """Create ones of the type of ``like`` and on its device."""

    def matmul(self, left: Array, right: Array, out: Array) -> Array:
        """Compute ``out = left @ right``."""

    def accumulate(
        self, total: Array, keep: float, left: Array, right: Array, buffer: Array
    ) -> None:
        """Compute ``total = keep * total + left @ right``; ``buffer`` has room for the product."""

    def add_scaled(self, total: Array, factor: float, array: Array) -> None:
        """Compute ``total += factor * array``; both arrays are contiguous."""

    def add_rows(self, table: Array, rows: Array, factor: float, values: Array) -> None:
        """Compute ``table[rows] += factor * values``; values for the same row are summed."""

    def logistic(self, z: Array) -> Array:
        """Compute ``1 / (1 + exp(-z))``."""

    def exp(self, z: Array) -> Array:
        """Compute ``exp(z)``."""

    def prevent_overflow(self, z: Array) -> None:
        """Subtract a number from each row so that the sum of ``exp(z)`` is finite and not 0."""

    def row_sum(self, z: Array) -> Array:
        """Sum each row: (n_rows, 1)."""

    def to_float64(self, array: Array) -> Array:
        """Copy to float64."""

    def log(self, array: Array) -> Array:
        """Compute the natural logarithm."""


class NumpyArrays:
    """Implement `ArrayLibrary` with NumPy.

    Examples
    --------
    >>> NumpyArrays().logistic(np.zeros(2))
    array([0.5, 0.5])
    """

    def from_numpy(self, array: Array) -> Array:
        """Return the array itself."""
        return array

    def to_numpy(self, array: Array) -> Array:
        """Return the array itself."""
        return array

    def zeros_like(self, array: Array) -> Array:
        """Create zeros of the same shape and type."""
        return np.zeros_like(array)

    def copy(self, array: Array) -> Array:
        """Copy an array."""
        return array.copy()

    def ones(self, shape: tuple[int, int], like: Array) -> Array:
        """Create ones of the type of ``like``."""
        return np.ones(shape, like.dtype)

    def matmul(self, left: Array, right: Array, out: Array) -> Array:
        """Compute ``out = left @ right``."""
        return np.matmul(left, right, out=out)

    def accumulate(
        self,
        total: Array,
        keep: float,
        left: Array,
        right: Array,
        buffer: Array,
    ) -> None:
        """Compute ``total = keep * total + left @ right``, with the product in ``buffer``.

        BLAS needs only one call for this, but SciPy's ``sgemm`` takes longer than these two steps.
        """
        total *= keep
        total += np.matmul(left, right, out=buffer)

    def add_scaled(self, total: Array, factor: float, array: Array) -> None:
        """Compute ``total += factor * array`` without a temporary array for the product."""
        _AXPY[total.dtype](array.ravel(), total.ravel(), a=factor)

    def add_rows(self, table: Array, rows: Array, factor: float, values: Array) -> None:
        """Compute ``table[rows] += factor * values`` by a sparse matrix product.

        The matrix has only the rows that occur, because most rows of a table do not.
        ``np.add.at`` takes five times as long.
        """
        n = len(rows)
        distinct, positions = np.unique(rows, return_inverse=True)
        factors = np.full(n, factor, values.dtype)
        selection = csc_array((factors, positions, np.arange(n + 1)), shape=(len(distinct), n))
        table[distinct] += selection @ values

    def logistic(self, z: Array) -> Array:
        """Compute ``1 / (1 + exp(-z))``."""
        np.negative(z, out=z)
        with np.errstate(over="ignore"):  # infinity is right: the result is then 0
            np.exp(z, out=z)
        z += 1
        return np.reciprocal(z, out=z)

    def exp(self, z: Array) -> Array:
        """Compute ``exp(z)``."""
        return np.exp(z, out=z)

    def prevent_overflow(self, z: Array) -> None:
        """Subtract each row's largest value, but only if one of them is large.

        Exponentials of values up to `LARGE` neither overflow nor underflow a float32, and the
        subtraction would take a third as long as computing all exponentials.
        """
        top = z.max(axis=1, keepdims=True)
        if not np.abs(top).max(initial=0) <= LARGE:  # also true for NaN
            z -= top

    def row_sum(self, z: Array) -> Array:
        """Sum each row: (n_rows, 1); ``einsum`` takes a third of the time of ``sum``."""
        return np.einsum("ij->i", z)[:, None]

    def to_float64(self, array: Array) -> Array:
        """Copy to float64."""
        return array.astype(np.float64)

    def log(self, array: Array) -> Array:
        """Compute the natural logarithm."""
        return np.log(array)


NUMPY = NumpyArrays()


def arrays_for_device(device: str) -> ArrayLibrary:
    """Return the array library that computes on a device.

    Parameters
    ----------
    device : str
        "cpu" for NumPy, or PyTorch's name of a GPU: "cuda" or "cuda:1".

    Raises
    ------
    MissingExtraError
        PyTorch is not installed.
    UsageError
        PyTorch does not find this GPU.

    Examples
    --------
    >>> arrays_for_device("cpu") is NUMPY
    True
    """
    return NUMPY if device == "cpu" else TorchArrays(find_gpu(device))


def find_gpu(device: str) -> Any:
    """Return PyTorch's object for a GPU."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError(
            f"device {device} needs PyTorch, which is not installed; run "
            'pip install "byline[torch]", or use device cpu'
        ) from error
    found = torch.cuda.device_count()
    # PyTorch stores the number of a device in eight bits: cuda:256 would be GPU 0.
    if int(device.partition(":")[2] or 0) >= found:
        raise UsageError(
            f"device {device} does not exist: PyTorch {torch.__version__} finds {found} CUDA GPUs; "
            "install the build of PyTorch for your GPU and driver, or use device cpu"
        )
    return torch.device(device)


class TorchArrays:
    """Implement `ArrayLibrary` with PyTorch on one device.

    Parameters
    ----------
    device : torch.device

    See Also
    --------
    arrays_for_device : returns the implementation for a device by its name
    """

    def __init__(self, device: Any) -> None:
        import torch

        self.torch = torch
        self.device = device

    def from_numpy(self, array: NDArray[Any]) -> Array:
        """Copy to the device; integers become int64, which PyTorch needs for indices."""
        if np.issubdtype(array.dtype, np.integer):
            array = array.astype(np.int64)
        return self.torch.tensor(array, device=self.device)

    def to_numpy(self, array: Array) -> NDArray[Any]:
        """Copy to a NumPy array in main memory."""
        values: NDArray[Any] = array.cpu().numpy()
        return values

    def zeros_like(self, array: Array) -> Array:
        """Create zeros of the same shape and type."""
        return self.torch.zeros_like(array)

    def copy(self, array: Array) -> Array:
        """Copy an array."""
        return array.clone()

    def ones(self, shape: tuple[int, int], like: Array) -> Array:
        """Create ones of the type of ``like`` and on its device."""
        return like.new_ones(shape)

    def matmul(self, left: Array, right: Array, out: Array) -> Array:
        """Compute ``out = left @ right``."""
        return self.torch.matmul(left, right, out=out)

    def accumulate(
        self, total: Array, keep: float, left: Array, right: Array, buffer: Array
    ) -> None:
        """Compute ``total = keep * total + left @ right`` in one call of BLAS."""
        total.addmm_(left, right, beta=keep)

    def add_scaled(self, total: Array, factor: float, array: Array) -> None:
        """Compute ``total += factor * array``."""
        total.add_(array, alpha=factor)

    def add_rows(self, table: Array, rows: Array, factor: float, values: Array) -> None:
        """Compute ``table[rows] += factor * values``.

        On a GPU, ``index_put_`` sorts the rows first. ``index_add_`` would add them in an
        unpredictable order, and training could not be reproduced exactly.
        """
        table.index_put_((rows,), values * factor, accumulate=True)

    def logistic(self, z: Array) -> Array:
        """Compute ``1 / (1 + exp(-z))``."""
        return z.sigmoid_()

    def exp(self, z: Array) -> Array:
        """Compute ``exp(z)``."""
        return z.exp_()

    def prevent_overflow(self, z: Array) -> None:
        """Subtract each row's largest value; a check whether it is large would delay the GPU."""
        z -= z.amax(dim=1, keepdim=True)

    def row_sum(self, z: Array) -> Array:
        """Sum each row: (n_rows, 1)."""
        return z.sum(dim=1, keepdim=True)

    def to_float64(self, array: Array) -> Array:
        """Copy to float64."""
        return array.double()

    def log(self, array: Array) -> Array:
        """Compute the natural logarithm."""
        return array.log()
