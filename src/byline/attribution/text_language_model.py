"""`TextLanguageModel`: a language model of strings, as users of kenlm and nltk.lm know it."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from byline.attribution.inputs import check_number, check_texts
from byline.attribution.model_files.language_models import AnyEncoder
from byline.attribution.model_files.saving import load_language_model, save_language_model
from byline.errors import UsageError
from byline.lm import LanguageModel, Measurement, NgramLM, Scoring, read_arpa, write_arpa
from byline.plugins import LANGUAGE_MODELS, naming_package
from byline.text import TextEncoder, Vocabulary
from byline.text.pretokenized import PretokenizedEncoder
from byline.text.subwords import token_unit

LOG_10 = math.log(10)
ARPA_SUFFIXES = (".arpa", ".arpa.gz")
_MARKS = ("<unk>", "<s>", "</s>")


class ScoredToken(NamedTuple):
    """The score of one token of a text; the first three fields are those of kenlm.

    Attributes
    ----------
    log10_probability : float or None
        Logarithm to base 10; None if the scoring excludes the token from the sum.
    order : int or None
        Length of the longest n-gram that was found, 0 for an unknown token; None if the model is
        no `NgramLM`.
    is_oov : bool
        Whether the token is out of vocabulary.
    token : str
        ``</s>`` at the end of a sentence.

    See Also
    --------
    TextLanguageModel.full_scores : Scores the tokens of a text.

    Examples
    --------
    >>> ScoredToken(-1.5, 2, False, "loom").token
    'loom'
    """

    log10_probability: float | None
    order: int | None
    is_oov: bool
    token: str


class TextLanguageModel:
    """A language model of strings: an encoder and a model of ids.

    Texts are divided into sentences and tokens by the encoder, as the training texts were. In each
    sentence, the first token has ``<s>`` as context, and ``</s>`` is scored after the last token,
    unless the model was fitted without them or a ``scoring`` says otherwise.

    Parameters
    ----------
    encoder : TextEncoder or PretokenizedEncoder
    model : LanguageModel

    See Also
    --------
    byline.lm.LanguageModel : The same for sentences of ids, in nats.
    AuthorshipAttributor : One language model per author.

    Notes
    -----
    =====================  ========================================================================
    library                the same as here
    =====================  ========================================================================
    kenlm                  ``score``, ``perplexity``, ``full_scores`` and ``in`` have the same
                           names and units: logarithms to base 10, with ``</s>``, and with
                           unknown words, which have a probability. kenlm scores a string as one
                           sentence of tokens that are separated by spaces. To get this here, use
                           a `PretokenizedEncoder`, or ``load(path, tokenized=True)``.
    nltk.lm                ``perplexity`` has the same meaning. ``logscore`` of a token is
                           ``log10_probability / log10(2)``, because nltk uses base 2.
                           ``generate(n, random_state=seed)`` is ``sample(n, seed)``.
                           ``word in lm.vocab`` is ``word in model``.
    =====================  ========================================================================

    Examples
    --------
    >>> from byline.lm import NgramLM
    >>> from byline.text import TextEncoder
    >>> model = TextLanguageModel(TextEncoder(min_count=1), NgramLM(order=2))
    >>> model = model.fit(["The loom is new. The ship is old.", "The ship is new."])
    >>> round(model.score("The loom is old."), 2), round(model.perplexity("The loom is old."), 1)
    (-3.44, 3.7)
    >>> [(each.token, each.order) for each in model.full_scores("The ship sank")]
    [('the', 2), ('ship', 2), ('sank', 0), ('</s>', 1)]
    >>> "Loom" in model, "sank" in model
    (True, False)
    >>> print(model.sample(8, seed=1))
    the
    .
    is new loom is new <unk>
    """

    def __init__(self, encoder: AnyEncoder, model: LanguageModel) -> None:
        self.encoder = encoder
        self.model = model

    def __repr__(self) -> str:
        """Return the encoder and the model as Python code."""
        return f"TextLanguageModel({self.encoder!r}, {self.model!r})"

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, tokenized: bool = False) -> Self:
        """Load a model of `byline lm fit`, or an ARPA file of any program.

        Parameters
        ----------
        path : path
            The name of an ARPA file ends in ``.arpa`` or ``.arpa.gz``. It does not record how its
            training texts were divided into tokens, so the defaults of `TextEncoder` are used.
        tokenized : bool
            Whether texts are used as they are: one sentence per line, tokens separated by spaces.

        Raises
        ------
        ModelFileError
            The file does not exist, is damaged, or is no language model.
        PluginError
            The model belongs to a package that is not installed.
        """
        encoder: AnyEncoder
        model: LanguageModel
        if is_arpa_name(path):
            words, model = read_arpa(path)
            encoder = TextEncoder()
            encoder.vocabulary_ = Vocabulary(words, (0,) * len(words))
        else:
            encoder, model = load_language_model(path)
        if tokenized and isinstance(encoder, TextEncoder):
            encoder = PretokenizedEncoder.with_vocabulary(encoder.vocabulary_)
        return cls(encoder, model)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the encoder and the model to a file, as `byline lm fit` does.

        Parameters
        ----------
        path : path
            If its name ends in ``.arpa`` or ``.arpa.gz``, the file has the ARPA format, which can
            store an n-gram model, but not how texts are divided into tokens.

        Raises
        ------
        OutputError
            The file cannot be written.
        UsageError
            The model cannot be saved in this format.
        """
        if not is_arpa_name(path):
            save_language_model(self.encoder, self.model, path)
        elif isinstance(self.model, NgramLM):
            check_is_fitted(self.model)
            write_arpa(path, self.model, self.encoder.vocabulary_.tokens)
        else:
            raise UsageError(
                f"{os.fspath(path)}: an ARPA file can only store an n-gram model, not a "
                f"{self.model.kind} model; choose another name"
            )

    def fit(self, texts: Iterable[str], **options: Any) -> Self:
        """Build the vocabulary and train the model.

        Parameters
        ----------
        texts : sequence of str
        **options
            Further arguments of the model's ``fit``, such as ``callbacks`` of a network.

        Raises
        ------
        TrainingError
            The texts contain no token.
        """
        documents = [self.encoder.tokenize(text) for text in check_texts(texts)]
        self.encoder.fit_tokenized(documents)
        sentences = [ids for document in documents for ids in self.encoder.encode(document)]
        with naming_package(LANGUAGE_MODELS, self.model):
            self.model.fit(sentences, vocabulary_size=self.encoder.vocabulary_.size, **options)
        return self

    def score(self, text: str, scoring: Scoring | None = None) -> float:
        """Return the logarithm, to base 10, of the probability of a text.

        Parameters
        ----------
        text : str
        scoring : Scoring, optional
            Which tokens are scored, if it differs from the training of the model.
        """
        return self.measure(text, scoring).log_prob / LOG_10

    def perplexity(self, text: str, scoring: Scoring | None = None) -> float:
        """Return the perplexity of a text: ``10 ** (-score / number of scored tokens)``.

        Unlike in kenlm, where there is one ``</s>`` per string, there is one per sentence. NaN if
        no token is scored.
        """
        return self.measure(text, scoring).perplexity

    def measure(self, text: str, scoring: Scoring | None = None) -> Measurement:
        """Return the log-probability of a text in nats, and the number of scored tokens."""
        [text] = check_texts([text], "text")
        return self.model.measure([self.encoder.encode(self.encoder.tokenize(text))], scoring)

    def full_scores(self, text: str, scoring: Scoring | None = None) -> list[ScoredToken]:
        """Score each token of a text, and ``</s>`` after each sentence.

        The sum of all ``log10_probability`` that are not None is `score`.
        """
        [text] = check_texts([text], "text")
        scoring = scoring or self.model.scoring
        tokens = self.encoder.tokenize(text)
        end = ["</s>"] * scoring.sentence_end
        names = [token for sentence in tokens for token in [*sentence, *end]]
        sentences = self.encoder.encode(tokens)
        orders: Sequence[int | None] = [None] * len(names)
        if isinstance(self.model, NgramLM):
            scores = self.model.score_tokens(sentences, scoring)
            log_probs, in_sum, is_oov = scores.log_probs, scores.in_sum, scores.is_oov
            orders = scores.orders.tolist()
        else:
            log_probs = self.model.event_log_probs(sentences, scoring)
            selection = self.model.select_events(sentences, scoring)
            in_sum, is_oov = selection.in_sum, selection.is_oov
        columns = ((log_probs / LOG_10).tolist(), in_sum.tolist(), orders, is_oov.tolist(), names)
        return [
            ScoredToken(log10 if counts else None, order, oov, token)
            for log10, counts, order, oov, token in zip(*columns, strict=True)
        ]

    def sample(self, n_words: int, seed: int = 0) -> str:
        """Generate random text of ``n_words`` tokens.

        Parameters
        ----------
        n_words : int
            The last sentence is cut off at this number.
        seed : int
            The same seed gives the same text.

        Returns
        -------
        str
            One sentence per line; tokens are separated by spaces, except for characters. A token
            outside the vocabulary is ``<unk>``.
        """
        check_is_fitted(self.encoder)
        check_number("n_words", n_words, 0)
        check_number("seed", seed, 0)
        rng = np.random.default_rng(seed)
        vocabulary = self.encoder.vocabulary_
        between = " " if token_unit(self.encoder) == "word" else ""
        lines: list[str] = []
        while n_words > 0:
            ids = self.model.sample(rng, max_tokens=n_words)
            n_words -= len(ids)
            if len(ids):
                lines.append(between.join(vocabulary.decode(ids.tolist())))
        return "\n".join(lines)

    def __contains__(self, word: object) -> bool:
        """Return whether a string is one token of the vocabulary, in the form of the encoder.

        ``<unk>``, ``<s>`` and ``</s>`` are not words.
        """
        check_is_fitted(self.encoder)
        if not isinstance(word, str) or word in _MARKS:
            return False
        tokens = [token for sentence in self.encoder.tokenize(word) for token in sentence]
        return len(tokens) == 1 and tokens[0] in self.encoder.vocabulary_


def is_arpa_name(path: str | os.PathLike[str]) -> bool:
    """Return whether the name of a file says that it has the ARPA format."""
    return os.fspath(path).lower().endswith(ARPA_SUFFIXES)
