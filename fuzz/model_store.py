"""Bytes of a model file: attributors, stacks and language models; one that is taken must answer."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from harness import fuzz, instrumented
from members import mutate_members

with instrumented():
    from byline.attribution import (
        AuthorshipAttributor,
        NgramBlock,
        NgramRidge,
        NgramSVM,
        StackedAttributor,
        load_attributor,
        load_language_model,
        save_attributor,
        save_language_model,
    )
    from byline.attribution.classifiers import BurrowsDelta, ChunkedClassifier

from byline.errors import BylineWarning, ModelFileError
from byline.lm import (
    FeedForwardLM,
    FeedForwardTraining,
    LanguageModel,
    MixtureLM,
    NgramLM,
    RecurrentLM,
    RecurrentTraining,
)
from byline.lm.ngrams.adapted import AdaptedNgramLM
from byline.text import TextEncoder
from byline.text.pretokenized import PretokenizedEncoder

LONGEST = 2**18
KNOWN = [f"bababa bagode dedede. {word} lolo! " * n for n in (3, 4) for word in ("fi", "ku")]
AUTHORS = ["alder", "brook", "alder", "brook"]
QUESTIONED = ["Bababa bagode dedede xyzzy. " * 4, ""]
BLOCKS = (
    NgramBlock("char", (1, 2)),
    NgramBlock("masked", (1, 2), keep=3, value="root-count", weight=0.5),
)
FOLDER = tempfile.TemporaryDirectory()
FILE = Path(FOLDER.name) / "model.byline"


def read(data: bytes) -> None:
    """Load an attributor or a language model, and ask it."""
    FILE.write_bytes(data)
    try:
        attributor = load_attributor(FILE)
    except ModelFileError as error:
        if "of kind 'language-model'" not in str(error):
            raise
        encoder, model = load_language_model(FILE)
        model.measure([encoder.encode(encoder.tokenize(QUESTIONED[0]))])
        return
    attributor.attribute(QUESTIONED)
    attributor.decision_function(QUESTIONED)


def _network() -> FeedForwardLM:
    return FeedForwardLM(embedding_dim=2, hidden_dims=(2,), training=FeedForwardTraining(epochs=1))


def _ngrams() -> NgramLM:
    return NgramLM(order=2, smoothing="witten-bell")


def _attributors() -> Iterator[Any]:
    yield AuthorshipAttributor(_ngrams(), n_samples=1)
    encoder = TextEncoder(unit="char", sentence_rule="punctuation")
    yield AuthorshipAttributor(_ngrams(), encoder, n_samples=2, vocabulary="per-author")
    yield AuthorshipAttributor(AdaptedNgramLM(order=2), n_samples=1, background="pooled")
    mixture = MixtureLM((AdaptedNgramLM(order=2), _network()), weights=(0.7, 0.3))
    yield AuthorshipAttributor(mixture, n_samples=1, background="pooled")
    members: list[tuple[str, Any]] = [
        ("words", AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), n_samples=1)),
        ("ngrams", NgramRidge(BLOCKS)),
        ("plain", NgramSVM("word-without-punctuation", (1, 2))),
        ("pieces", ChunkedClassifier(NgramSVM("word", (1, 1)), n_words=8)),
        ("delta", ChunkedClassifier(BurrowsDelta(9, distance="cosine"), n_words=8)),
    ]
    yield StackedAttributor(members, folds=2, passage_lengths=(3,))


def _language_models() -> Iterator[tuple[Any, LanguageModel]]:
    yield TextEncoder(), _ngrams()
    yield PretokenizedEncoder(), _network()
    yield TextEncoder(), RecurrentLM(units=2, training=RecurrentTraining(epochs=1))
    yield TextEncoder(), MixtureLM((_ngrams(), _network()), weights=(0.5, 0.5))


def _seeds() -> Iterator[bytes]:
    warnings.simplefilter("ignore", BylineWarning)  # of texts so short
    for attributor in _attributors():
        yield _saved(save_attributor, attributor.fit(KNOWN, AUTHORS))
    for encoder, model in _language_models():
        encoder.fit(KNOWN)
        sentences = [s for text in KNOWN for s in encoder.encode(encoder.tokenize(text))]
        model.fit(sentences, vocabulary_size=encoder.vocabulary_.size)
        yield _saved(save_language_model, encoder, model)


def _saved(save: Callable[..., None], *what: Any) -> bytes:
    save(*what, FILE)
    return FILE.read_bytes()


if __name__ == "__main__":
    np.seterr(all="ignore")  # weights that are hostile give numbers that are no good, and may
    fuzz(read, list(_seeds()), mutate_members, longest=LONGEST)
