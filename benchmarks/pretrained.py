"""Attribute texts by a pretrained model that is trained further for each author.

The method of Huang, Murakami & Grieve (2025): training of GPT-2 is continued on the known texts of
each author, and a questioned text is attributed to the author under whose model its perplexity is
lowest. They report an accuracy of 74.9 % on ccat50. The numbers of epochs and the learning rate are
this script's own, so that it takes less than ten minutes on one data-centre GPU: an estimate of
seven minutes from the number of operations on an H200.

This script has not been run with the weights of GPT-2, which are not distributed with Byline. It
was only tried with a tiny model on a few authors. The folder BASE is what `save_pretrained` of
transformers writes for a model and for its tokenizer.

    python benchmarks/pretrained.py CORPORA/ccat50 BASE
    python benchmarks/pretrained.py CORPORA/ccat50 BASE --tuning lora --epochs 5 --authors 3
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from byline.corpus import Corpus, read_corpus
from byline.formatting import percent
from byline.lm import PretrainedLM
from byline.lm.pretrained.base_model import import_libraries
from byline.text import SubwordEncoder


def first_authors(corpus: Corpus, n: int | None, texts: int | None) -> dict[str, list[str]]:
    """Return the texts of the first authors, by author."""
    found: dict[str, list[str]] = {author: [] for author in corpus.candidates[:n]}
    for document in corpus:
        if document.author in found:
            found[document.author].append(document.text)
    return {author: own[:texts] for author, own in found.items()}


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", type=Path, help="folder with the folders train and test")
    parser.add_argument("base", type=Path, help="folder of the pretrained model")
    parser.add_argument("--tuning", choices=["full", "lora"], default="full")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--learning-rate", type=float, default=5e-5)
    parser.add_argument("--authors", type=int, help="use the first authors only")
    parser.add_argument("--texts", type=int, help="use the first texts of each author only")
    parser.add_argument("--seconds", type=float, default=540, help="train no author after this")
    parser.add_argument("--device", help="cpu or cuda; by default a GPU if there is one")
    return parser.parse_args()


def main() -> None:
    """Train, score and print the accuracy."""
    given = options()
    # Products with the precision of TF32 take a fraction of the time on a data-centre GPU.
    import_libraries().set_float32_matmul_precision("high")
    known, questioned = (
        first_authors(read_corpus(given.corpus / part), given.authors, given.texts)
        for part in ("train", "test")
    )
    encoder = SubwordEncoder(str(given.base), normalization="none", max_passage_tokens=None)
    encoder.fit([text for texts in known.values() for text in texts])
    documents = [encoder.transform(texts) for texts in questioned.values()]
    flat = [document for texts in documents for document in texts]
    started, columns = time.perf_counter(), []
    for author, texts in known.items():
        if time.perf_counter() - started > given.seconds:
            break
        model = PretrainedLM(
            str(given.base),
            tuning=given.tuning,
            epochs=given.epochs,
            learning_rate=given.learning_rate,
            validation_fraction=0.0,
            device=given.device,
        )
        begun = time.perf_counter()
        passages = [passage for text in encoder.transform(texts) for passage in text]
        model.fit(passages, vocabulary_size=encoder.vocabulary_.size)
        trained = time.perf_counter()
        columns.append(model.score_samples(flat))
        cost = model.history_[-1].training_cost
        n_tokens = sum(map(len, passages))
        print(
            f"{author}: {n_tokens:,} tokens, training perplexity {np.exp(cost):.1f}, "
            f"{trained - begun:.1f} s of training, {time.perf_counter() - trained:.1f} s of scoring"
        )
    n_trained = len(columns)
    owners = np.repeat(np.arange(len(known)), list(map(len, questioned.values())))
    # Texts by authors whose models were not trained in time have no right answer.
    rows = owners < n_trained
    scores = np.stack(columns, axis=1)[rows]
    accuracy = float((scores.argmax(axis=1) == owners[rows]).mean())
    print(
        f"{n_trained} of {len(known)} authors, {given.tuning}, {given.epochs} epochs: accuracy "
        f"{percent(accuracy, 1)} of {int(rows.sum()):,} texts, "
        f"{time.perf_counter() - started:.0f} s"
    )


if __name__ == "__main__":
    main()
