"""Compare the styles of known authors, with the keywords of each."""

from __future__ import annotations

from dataclasses import dataclass

from byline.attribution import AuthorshipAttributor
from byline.attribution.keyness import AuthorKeywords, NgramCounts, keywords_of_authors
from byline.attribution.similarity import CrossPerplexity, cross_perplexity
from byline.corpus import Corpus
from byline.display import Displayable
from byline.progress import Progress
from byline.text import TextEncoder


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorSimilarity(Displayable):
    """How similar the authors of a corpus are, and what distinguishes them.

    ``print(similarity)`` prints what `byline compare` prints.

    Attributes
    ----------
    crossed : CrossPerplexity
        The perplexity of each author's texts under each author's language model.
    keywords : tuple of AuthorKeywords
        The keywords of each author.
    corpus : str
        The name of the known texts.
    n_documents, folds, random_state : int
        Number of known texts, number of folds, and seed.
    language_model : str
        A description of the authors' language models.
    normalization : str
        The rules that the texts were normalised by.

    See Also
    --------
    measure_similarity : Compute it.

    Examples
    --------
    >>> import numpy as np
    >>> crossed = CrossPerplexity(("Ann", "Bob"), np.eye(2), np.full(2, 50))
    >>> AuthorSimilarity(
    ...     crossed=crossed,
    ...     keywords=(),
    ...     corpus="toy",
    ...     n_documents=6,
    ...     folds=3,
    ...     random_state=0,
    ...     language_model="NgramLM",
    ... ).to_pandas("distances").Bob.tolist()
    [0.0, 0.0]
    """

    crossed: CrossPerplexity
    keywords: tuple[AuthorKeywords, ...]
    corpus: str
    n_documents: int
    folds: int
    random_state: int
    language_model: str
    normalization: str = "edition"


def measure_similarity(
    corpus: Corpus,
    attributor: AuthorshipAttributor,
    *,
    folds: int = 5,
    n_keywords: int = 10,
    keep_names: bool = False,
    random_state: int = 0,
    language_model: str | None = None,
    progress: Progress | None = None,
) -> AuthorSimilarity:
    """Measure the similarity of authors by cross-perplexity, and find their keywords.

    Parameters
    ----------
    corpus : Corpus
        The known texts.
    attributor : AuthorshipAttributor
        An unfitted attributor with the language model and the encoder to be used.
    folds : int
        Number of cross-validation folds.
    n_keywords : int
        Number of keywords per author.
    keep_names : bool
        Whether words and n-grams with names can be keywords.
    random_state : int
        Seed of the folds.
    language_model : str, optional
        What reports call the models; by default the class of the language model.
    progress : Progress, optional

    See Also
    --------
    byline.attribution.similarity.cross_perplexity : The matrix alone.

    Examples
    --------
    >>> from byline.corpus import Document
    >>> from byline.lm import NgramLM
    >>> texts = {"Ann": "The cat sat on the mat. The cat slept.", "Bob": "A dog ran. A dog barked."}
    >>> documents = [
    ...     Document(author, f"{text} Then it was {n}.", f"{author}/{n}.txt")
    ...     for author, text in texts.items()
    ...     for n in range(3)
    ... ]
    >>> models = AuthorshipAttributor(NgramLM(order=1), n_samples=1)
    >>> found = measure_similarity(Corpus(documents, "toy"), models, folds=3)
    >>> found.crossed.nearest("Ann", 1), found.language_model
    (['Bob'], 'NgramLM')
    """
    crossed = cross_perplexity(
        attributor,
        corpus.texts,
        corpus.authors,
        groups=corpus.works,
        folds=folds,
        random_state=random_state,
        progress=progress,
    )
    encoder = TextEncoder() if attributor.encoder is None else attributor.encoder
    counts = NgramCounts.of(corpus, encoder)
    keywords = keywords_of_authors(counts, at_most=n_keywords, keep_names=keep_names)
    return AuthorSimilarity(
        crossed=crossed,
        keywords=tuple(keywords),
        corpus=corpus.name,
        n_documents=len(corpus),
        folds=folds,
        random_state=random_state,
        language_model=language_model or type(attributor.language_model).__name__,
        normalization=encoder.normalization,
    )
