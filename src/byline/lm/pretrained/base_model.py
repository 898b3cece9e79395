"""A pretrained network in memory, which has the weights of one author at a time."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np
from safetensors import SafetensorError

from byline.array_types import Floats, Ids, Integers
from byline.errors import BylineError, MissingExtraError, ModelFileError, UsageError
from byline.formatting import join_names
from byline.lm.networks.arrays import NetworkArray, find_gpu
from byline.lm.networks.training_run import check_same_form
from byline.lm.pretrained.windows import NOT_TRAINED, window_batches
from byline.named_settings import setting
from byline.shortages import is_memory_shortage
from byline.text.base_folder import CONFIGURATION, INSTALL, files_digest, model_files
from byline.text.subwords import n_subwords

#: With LoRA, low-rank matrices are added to all linear layers and are the only weights trained.
LORA, FULL = "lora", "full"
_LONGEST = 1024  # tokens; the memory that a window needs grows with its length
_MAX_SHOWN = 3  # names of missing weights
_MAX_CHARACTERS = 200  # of a message of transformers
_ADDED_BY_PEFT = ("base_model.model.", ".default.weight")


class BaseModel:
    """A pretrained network with the weights of one author.

    Parameters
    ----------
    network : torch.nn.Module
        Its parameters with a gradient are those that are trained for each author.
    start_id : int
        The tokenizer's id of ``<s>``.
    n_tokens : int
        Number of subwords of the tokenizer. The network may have more outputs, which are unused.
    context : int
        The largest number of tokens that it reads.

    Attributes
    ----------
    names : list of str
        Of the weights that are trained.
    """

    def __init__(self, network: Any, start_id: int, n_tokens: int, context: int) -> None:
        trained = {name: p for name, p in network.named_parameters() if p.requires_grad}
        self.network = network
        self.start_id, self.n_outputs, self.context = start_id, n_tokens, context
        self.names, self.trained = list(map(_short, trained)), list(trained.values())
        is_whole = len(self.trained) == sum(1 for _ in network.parameters())
        self._pretrained = self.weights() if is_whole else None

    @property
    def device(self) -> Any:
        """PyTorch's object for the device that computes."""
        return self.trained[0].device

    def weights(self) -> list[NetworkArray]:
        """Copy the weights that are trained to NumPy arrays."""
        return [weight.detach().cpu().numpy().copy() for weight in self.trained]

    def initial_weights(self, rng: np.random.Generator) -> list[NetworkArray]:
        """Return the weights before the training for an author: of the base, or random for LoRA.

        Of the two matrices whose product LoRA adds to a layer, the second is 0 at first, so that
        training starts from the base (Hu et al. 2022).
        """
        if self._pretrained is not None:
            return self._pretrained
        return [
            _uniform(weight.shape, rng) if "lora_A" in name else np.zeros(weight.shape, np.float32)
            for name, weight in zip(self.names, self.trained, strict=True)
        ]

    def install(self, arrays: Sequence[NetworkArray]) -> None:
        """Give the network the weights of an author.

        Raises
        ------
        ModelFileError
            They are those of another network.
        """
        import torch

        try:
            check_same_form([w.detach().cpu().numpy() for w in self.trained], arrays)
            with torch.no_grad():
                for weight, array in zip(self.trained, arrays, strict=True):
                    weight.copy_(torch.from_numpy(np.ascontiguousarray(array)))
        except ValueError as error:
            raise ModelFileError(
                f"the weights of an author do not fit the base ({error}); train the model again"
            ) from error

    def cost(self, inputs: Integers, targets: Integers) -> Any:
        """Return the mean cost (nats) of the targets as a tensor, for one step of training."""
        from torch.nn.functional import cross_entropy

        logits = self._logits(inputs).flatten(end_dim=-2)
        return cross_entropy(logits, self._tensor(targets).flatten(), ignore_index=NOT_TRAINED)

    def log_probs(
        self, passages: Sequence[Ids], width: int, stride: int, batch_size: int
    ) -> Floats:
        """Compute the log-probabilities (nats) of the tokens of passages, concatenated.

        Parameters
        ----------
        passages : sequence of (n_tokens,) integer arrays
            The tokenizer's ids.
        width, stride : int
            See `windows_of`.
        batch_size : int
            Number of windows that are computed at a time.
        """
        import torch

        lengths = np.array(list(map(len, passages)), dtype=np.int64)
        offsets = np.cumsum(lengths) - lengths
        scores = np.empty(int(lengths.sum()))
        self.network.eval()
        with torch.inference_mode():
            for windows, inputs, targets in window_batches(
                passages, self.start_id, width, stride, batch_size
            ):
                logits = self._logits(inputs)
                found = logits.gather(-1, self._tensor(targets)[..., None])[..., 0]
                rows = (found - logits.logsumexp(-1)).cpu().numpy()
                for row, (passage, start, end, first) in zip(rows, windows, strict=True):
                    place = offsets[passage]
                    scores[place + first : place + end] = row[first - start : end - start]
        return scores

    def log_distribution(self, inputs: Ids) -> Floats:
        """Compute the log-probabilities (nats) of all subwords after the inputs, (n_tokens,)."""
        import torch

        self.network.eval()
        with torch.inference_mode():
            logits = self._logits(inputs[None].astype(np.int64))[0, -1].double()
            log_probs: Floats = logits.log_softmax(-1).cpu().numpy()
        return log_probs

    def _logits(self, inputs: Integers) -> Any:
        outputs = self.network(input_ids=self._tensor(inputs), use_cache=False)
        return outputs.logits[..., : self.n_outputs].float()

    def _tensor(self, ids: Integers) -> Any:
        import torch

        return torch.from_numpy(ids).to(self.device)


def base_model(base: str, tuning: str, rank: int, device: str | None) -> BaseModel:
    """Load a base, or return it if it is in memory; only the last one is kept.

    Parameters
    ----------
    base : str
        The folder.
    tuning : {"lora", "full"}
        Which weights are trained.
    rank : int
        Number of columns of the matrices of LoRA.
    device : str or None
        ``"cpu"``, ``"cuda"``, ``"cuda:1"``; None for a GPU if PyTorch finds one.

    Raises
    ------
    UsageError
        A file is missing, or the folder has another kind of model; or the device does not exist.
    MissingExtraError
        A library is not installed.
    """
    digest = base_digest(base)
    torch = import_libraries()
    if device is None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
    return _load(base, digest, tuning, rank if tuning == LORA else 0, device)


def base_digest(base: str) -> str:
    """Compute the SHA-256 of the files of a base; errors as in `model_files`."""
    return files_digest(model_files(base))


def import_libraries() -> Any:
    """Import all libraries of the extra, and return PyTorch (`MissingExtraError`)."""
    try:
        import peft
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtraError(
            f"pretrained language models need the library {error.name}, {INSTALL}"
        ) from error
    del peft, transformers
    return torch


@contextmanager
def memory_advice(batch_size: int, window: int) -> Iterator[None]:
    """State what needs less memory if a computation runs out of it (`BylineError`)."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_memory_shortage(error):
            raise
        raise BylineError(
            f"there is not enough memory for {setting('batch_size', batch_size)} and "
            f"{setting('window', window)}; choose a smaller batch size, a shorter window or a "
            "smaller base"
        ) from error


@lru_cache(maxsize=1)
def _load(base: str, digest: str, tuning: str, rank: int, device: str) -> BaseModel:
    network = _network(base)
    if tuning == LORA:
        network = _with_lora(network, rank)
    n_tokens = n_subwords(base)
    start_id = _start_id(base, network.config, n_tokens)
    context = getattr(network.config, "max_position_embeddings", None) or _LONGEST
    network.to("cpu" if device == "cpu" else find_gpu(device))
    return BaseModel(network, start_id, n_tokens, min(context, _LONGEST))


def _network(base: str) -> Any:
    """Read a network from the files of a folder, and from nowhere else."""
    import torch
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        network, found = AutoModelForCausalLM.from_pretrained(
            base,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            dtype=torch.float32,
            output_loading_info=True,
        )
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        if is_memory_shortage(error):
            raise
        raise UsageError(
            f"{setting('base', base)}: the folder has no causal language model that transformers "
            f"can read: {_reason(error)}"
        ) from error
    finally:
        if shown:
            logging.enable_progress_bar()
    _check_weights(base, network, found["missing_keys"])
    return network


def _check_weights(base: str, network: Any, missing: Iterable[str]) -> None:
    """Check that all weights were read: transformers would fill in random ones."""
    if names := sorted(missing):
        raise UsageError(
            f"{setting('base', base)}: the files lack weights of the model in {CONFIGURATION} "
            f"({join_names(names, _MAX_SHOWN)}). Copy the folder again"
        )
    if not all(bool(weight.isfinite().all()) for weight in network.parameters()):
        raise UsageError(
            f"{setting('base', base)}: some weights are not finite numbers. Copy the folder again"
        )


def _reason(error: Exception) -> str:
    """Return the first line of an error of transformers; the others list names of classes."""
    if "trust_remote_code" in str(error):
        return "it needs program code of its own, which Byline does not run"
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:_MAX_CHARACTERS]


def _with_lora(network: Any, rank: int) -> Any:
    import peft

    settings = peft.LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear")
    with warnings.catch_warnings():
        # It says that a setting is changed to the one that the layers of GPT-2 need.
        warnings.simplefilter("ignore")
        return peft.get_peft_model(network, settings)


def _start_id(base: str, config: Any, n_tokens: int) -> int:
    """Return the id of the token at the start of a text; GPT-2 has the same one at its end."""
    if n_tokens > config.vocab_size:
        raise UsageError(
            f"{setting('base', base)}: the tokenizer has {n_tokens:,} subwords, but the model only "
            f"{config.vocab_size:,}. They do not belong together: copy both from the same source"
        )
    for given in (config.bos_token_id, config.eos_token_id):
        number = given[0] if isinstance(given, list) else given
        if isinstance(number, int) and 0 <= number < n_tokens:
            return number
    raise UsageError(
        f"{setting('base', base)}: {CONFIGURATION} names no token for the start or the end of a "
        'text. Add "bos_token_id" to this file'
    )


def _short(name: str) -> str:
    """Remove from the name of a weight what peft adds to the name of the layer."""
    prefix, suffix = _ADDED_BY_PEFT
    return name.removeprefix(prefix).removesuffix(suffix)


def _uniform(shape: Sequence[int], rng: np.random.Generator) -> NetworkArray:
    """Draw weights of a layer with ``shape[1]`` inputs as PyTorch does, but on the host."""
    bound = shape[1] ** -0.5
    return rng.uniform(-bound, bound, shape).astype(np.float32)
