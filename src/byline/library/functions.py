"""The five functions of ``import byline``, with the defaults of the commands."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from byline import experiments
from byline.answering import Answer, VerificationAnswer, answer, reading_options, verify_texts
from byline.attribution import AuthorshipAttributor, StackedAttributor, load_attributor
from byline.attribution.inputs import check_names
from byline.attribution.model_files.saving import Attributor
from byline.attribution.open_set import Criterion
from byline.cli.attributor_options import AttributorSettings
from byline.cli.feature_options import add_features, give_questioned_features
from byline.cli.known_options import KnownTextSettings
from byline.cli.open_set import open_set_stack
from byline.cli.options import open_set_criterion
from byline.cli.train import TrainSettings
from byline.corpus import Corpus, Keep
from byline.errors import UsageError
from byline.experiments import Evaluation, OpenSetEvaluation
from byline.experiments.fitting import fit_corpus
from byline.experiments.splits import Folds, Protocol
from byline.library.settings import divide_settings, python_errors, settings_of_command
from byline.library.texts import (
    AnyPath,
    Known,
    check_further_texts,
    known_again,
    known_corpus,
    listed,
    optional_path,
    other_corpus,
    read_texts_and_files,
    reference_population,
)
from byline.progress import Progress


def load(path: AnyPath) -> Attributor:
    """Load a model that `byline train` or `byline.attribution.save_attributor` saved.

    Parameters
    ----------
    path : str or path
        The model file.

    Raises
    ------
    ModelFileError, UsageError
        The file does not exist, is damaged, or is not a model; or ``path`` is not a path.

    Examples
    --------
    >>> import byline
    >>> from byline.errors import ModelFileError
    >>> try:
    ...     byline.load("no such file.byline")
    ... except ModelFileError as error:
    ...     print(str(error)[:44])
    cannot read the model no such file.byline: N
    """
    return load_attributor(path)


def train(
    known: Known,
    authors: Sequence[str] | None = None,
    *,
    works: Sequence[str] | Sequence[int] | None = None,
    reference: AnyPath | Corpus | None = None,
    features: AnyPath | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Attributor:
    """Train a model of each author's style, as `byline train` does.

    Parameters
    ----------
    known : str, path, Corpus or sequence of str
        The path of known texts, in any format that the command reads; a corpus; or texts.
    authors : sequence of str, optional
        The author of each text, if texts are given.
    works : sequence of str or int, optional
        The work of each text, if texts are given. Texts of one work are held out together.
    reference : str, path or Corpus, optional
        Texts by other people, with which cases like yours are simulated.
    features : str or path, optional
        A table of numeric features with one row per text, which becomes one more base classifier.
    progress : Progress, optional
    **settings
        The options of the command, such as ``method="delta"``, ``open_set=True``, ``seed=1``,
        ``language="de"`` or ``duplicates="drop"``.

    Returns
    -------
    StackedAttributor or AuthorshipAttributor
        The latter with ``method="language-models"`` and without ``calibrate=True``.

    Raises
    ------
    UsageError
        There is no such setting, or settings contradict each other.
    CorpusError, TrainingError
        The texts cannot be read, or are too few.

    See Also
    --------
    byline.attribution.save_attributor : Save the model.

    Examples
    --------
    >>> import byline
    >>> texts = [f"The cat sat on the mat {n} times. " * 200 for n in range(4)]
    >>> texts += [f"A dog ran in a park at {n}. " * 200 for n in range(4)]
    >>> model = byline.train(texts, ["Ann"] * 4 + ["Bob"] * 4, method="delta")
    >>> model.classes_.tolist()
    ['Ann', 'Bob']
    """
    with python_errors():
        own, reading = divide_settings(settings, TrainSettings)
        check_further_texts(own, reference, features)
        options = reading.options(own.normalize)
        shared: dict[str, Any] = {"unit": own.unit.value, "language": own.language}
        corpus = known_corpus(known, authors, works, reading, options, **shared)
        others = reference_population(reference, corpus, reading, options, **shared)
        attributor = (
            own.for_authors(corpus.authors, corpus.works).for_texts(corpus.texts).attributor()
        )
        add_features(attributor, optional_path(features), corpus)
    fitted = fit_corpus(attributor, corpus, reference=others, progress=progress)
    return fitted.set_line_rules(corpus.line_rules)


def attribute(
    model: Attributor | AnyPath,
    texts: Iterable[AnyPath],
    known: Known | None = None,
    *,
    open_set: bool | Criterion = False,
    evidence: bool = True,
    features: AnyPath | None = None,
    keep: Collection[Keep | str] = (),
    speaker: str | None = None,
    keep_names: bool = False,
) -> list[Answer]:
    """Attribute questioned texts, as `byline attribute` does.

    Parameters
    ----------
    model : AuthorshipAttributor, StackedAttributor, str or path
        A fitted model, or its file.
    texts : iterable of str and path
        Strings are texts. Paths (`pathlib.Path`) are files, which are read as by the command.
    known : str, path or Corpus, optional
        The texts that the model was trained on, for keywords and quotations.
    open_set : bool, float or "even-odds"
        Whether the author may be none of the candidates; or the accepted rate of false
        attributions.
    evidence : bool
        Whether the answers have evidence, which is computed when it is first used.
    features : str or path, optional
        For a model with numeric features: a table with a row for each file.
    keep : collection of str
        What to read from files that is not running text; see `byline.corpus.ReadingOptions`.
    speaker : str, optional
        Read only the words of this speaker from files that are dialogues.
    keep_names : bool
        Whether keywords can contain names.

    Returns
    -------
    list of Answer, (n_texts,)

    Raises
    ------
    UsageError, CorpusError, ModelFileError
        The model or a file cannot be used; the message states what to do.

    See Also
    --------
    byline.answering.answer : The same for a fitted model and strings.

    Examples
    --------
    >>> import byline
    >>> texts = [f"The cat sat on the mat {n} times. " * 200 for n in range(4)]
    >>> texts += [f"A dog ran in a park at {n}. " * 200 for n in range(4)]
    >>> model = byline.train(texts, ["Ann"] * 4 + ["Bob"] * 4, method="delta")
    >>> byline.attribute(model, ["The cat sat on the mat again. " * 200])[0].author
    'Ann'
    """
    attributor = load_attributor(model) if isinstance(model, str | os.PathLike) else model
    if not isinstance(attributor, AuthorshipAttributor | StackedAttributor):
        raise UsageError(
            f"the model has the type {type(model).__name__}; give the path of a model file, or a "
            "model from byline.train"
        )
    options = reading_options(attributor, keep)
    questioned, paths = read_texts_and_files(texts, options, speaker)
    contents = [each.text for each in questioned]
    names = [Path(path) for path in paths or ["text 1"]]
    give_questioned_features(attributor, optional_path(features), contents, names)
    given = None if known is None else known_again(known, attributor, options)
    return answer(
        attributor,
        contents,
        given,
        open_set,
        evidence,
        paths=paths,
        left_out=[each.left_out for each in questioned],
        chapters=[each.chapters() for each in questioned],
        keep_names=keep_names,
    )


def verify(
    known: Known,
    texts: Iterable[AnyPath],
    author: str | Collection[str],
    authors: Sequence[str] | None = None,
    *,
    works: Sequence[str] | Sequence[int] | None = None,
    reference: AnyPath | Corpus | None = None,
    language: str = "en",
    normalize: str = "edition",
    seed: int = 0,
    speaker: str | None = None,
    progress: Progress | None = None,
    **reading_settings: Any,
) -> list[VerificationAnswer]:
    """Verify whether a given author wrote texts, as `byline verify` does.

    Parameters
    ----------
    known : str, path, Corpus or sequence of str
        Texts by this author and by others, as in `train`.
    texts : iterable of str and path
        The questioned texts, as in `attribute`.
    author : str or collection of str
        The author in question; or several, to ask which of them wrote each text.
    authors, works : sequence of str, optional
        As in `train`.
    reference : str, path or Corpus, optional
        Reference texts by other authors, to be used instead of those in ``known``.
    language : str
        ISO 639 code, for lower-casing.
    normalize : str
        The rules by which typographic differences are removed.
    seed : int
        Of all random samples.
    speaker : str, optional
        As in `attribute`.
    progress : Progress, optional
    **reading_settings
        What is read from files: ``keep``, ``speakers``, ``columns`` and ``duplicates``.

    Returns
    -------
    list of VerificationAnswer, (n_texts,)

    Raises
    ------
    UsageError, CorpusError, TrainingError
        The texts cannot be used, or are too few; the message states what to do.

    See Also
    --------
    byline.answering.verify_texts : The same for a corpus and strings.

    Examples
    --------
    >>> import byline
    >>> texts = ["The sea rose, and nobody heard it at night. " * 200]
    >>> byline.verify(texts, ["It rained."], "Ben", ["Ada"])
    Traceback (most recent call last):
    byline.errors.UsageError: the corpus has no text by 'Ben'; choose from Ada
    """
    named = check_names(author)
    with python_errors():
        reading = settings_of_command(KnownTextSettings, reading_settings)
        options = reading.options(normalize)
        corpus = known_corpus(
            known, authors, works, reading, options, unit="char", language=language, min_authors=1
        )
        options = replace(options, line_rules=corpus.line_rules)
        others = None
        if reference is not None:
            others = other_corpus(reference, reading, options, unit="char", language=None)
        questioned, paths = read_texts_and_files(texts, options, speaker)
    return verify_texts(
        corpus,
        named,
        [each.text for each in questioned],
        reference=others,
        paths=paths,
        language=language,
        normalization=normalize,
        random_state=seed,
        left_out=[each.left_out for each in questioned],
        progress=progress,
    )


def evaluate(
    known: Known,
    authors: Sequence[str] | None = None,
    *,
    works: Sequence[str] | Sequence[int] | None = None,
    test: AnyPath | Corpus | None = None,
    split: Protocol = "document",
    folds: Folds | None = None,
    sentences: Sequence[int] = (),
    reference: AnyPath | Corpus | None = None,
    features: AnyPath | None = None,
    baselines: Sequence[str] = (),
    open_set: bool = False,
    false_attribution_rate: float | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Evaluation | OpenSetEvaluation:
    """Estimate the accuracy by cross-validation on the known texts, as `byline evaluate` does.

    Parameters
    ----------
    known, authors, works, reference, features
        As in `train`.
    test : str, path or Corpus, optional
        Questioned texts, instead of a part of the known texts.
    split : {"document", "work", "sentence"}
        The unit that is held out as a whole.
    folds : int or "leave-one-out", optional
        Number of parts that are held out in turn; by default 5, or fewer if needed.
    sentences : sequence of int
        Lengths of passages that are attributed, too.
    baselines : sequence of str
        Simple methods to compare with, such as ``["delta", "svm"]`` or ``["all"]``.
    open_set : bool
        Leave out authors in turn, and measure false and missed attributions.
    false_attribution_rate : float, optional
        With ``open_set``, the accepted rate; by default even odds.
    progress : Progress, optional
    **settings
        The options of the command, as in `train`.

    Returns
    -------
    Evaluation, or OpenSetEvaluation with ``open_set``

    Raises
    ------
    UsageError, CorpusError, TrainingError
        As in `train`.

    Examples
    --------
    >>> import byline
    >>> texts = [f"The cat sat on the mat {n} times. " * 200 for n in range(4)]
    >>> texts += [f"A dog ran in a park at {n}. " * 200 for n in range(4)]
    >>> found = byline.evaluate(texts, ["Ann"] * 4 + ["Bob"] * 4, method="delta", folds=2)
    >>> found.whole.accuracy
    1.0
    """
    rate = open_set_criterion(open_set, false_attribution_rate)
    with python_errors():
        own, reading = divide_settings(settings, AttributorSettings)
        check_further_texts(own, reference, features)
        options = reading.options(own.normalize)
        shared: dict[str, Any] = {"unit": own.unit.value, "language": own.language}
        corpus = known_corpus(known, authors, works, reading, options, **shared)
        own = own.for_authors(corpus.authors, corpus.works).for_texts(corpus.texts)
        attributor = own.attributor()
        others = replace(options, line_rules=corpus.line_rules)
        asked = None
        if test is not None:
            asked = other_corpus(
                test, reading, others, unit=own.unit.value, language=None, min_authors=1
            )
        add_features(attributor, optional_path(features), corpus, asked)
        stack = open_set_stack(attributor) if open_set else None
    common: dict[str, Any] = {
        "split": split,
        "folds": folds,
        "test": asked,
        "reference": reference_population(reference, corpus, reading, options, **shared),
        "random_state": own.seed,
        "progress": progress,
    }
    if stack is not None and rate is not None:
        return experiments.evaluate_open_set(corpus, stack, false_attribution_rate=rate, **common)
    return experiments.evaluate(
        corpus, attributor, sentences=sentences, baselines=listed(baselines), **common
    )
