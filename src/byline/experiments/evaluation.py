"""How often an attributor is right on texts it has not learnt from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any

from sklearn.base import BaseEstimator, clone
from sklearn.dummy import DummyClassifier

from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.corpus import Corpus
from byline.errors import CorpusError
from byline.experiments import splits
from byline.experiments.attributing import FoldResult, attribute_fold
from byline.experiments.decisions import Decision
from byline.experiments.leakage import find_leakage
from byline.experiments.metrics import Calibration, Metrics, metrics_of
from byline.experiments.passages import QuestionedTexts, questioned_texts
from byline.experiments.splits import Fold, Folds, Protocol
from byline.progress import Progress
from byline.text import TextEncoder


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What an evaluation came to.

    Attributes
    ----------
    corpus : str
        Name of the known texts.
    n_authors, n_documents : int
        Candidates, and documents of the corpus, those held out included.
    split : dict
        How texts were held out: "protocol", and what goes with it.
    settings : dict
        The attributor's parameters by name; of an estimator among them its class.
    whole : Metrics
        Of questioned texts as they were held out.
    by_length : tuple of Metrics
        Of runs of consecutive sentences, one a length.
    caveats : tuple of str
        What the reader should know before trusting the metrics.
    decisions : tuple of Decision
        One a questioned text and length.
    """

    corpus: str
    n_authors: int
    n_documents: int
    split: Mapping[str, Any]
    settings: Mapping[str, Any]
    whole: Metrics
    by_length: tuple[Metrics, ...]
    caveats: tuple[str, ...]
    decisions: tuple[Decision, ...]

    def to_dict(self) -> dict[str, Any]:
        """All but the decisions, as values that JSON takes; the whole texts' metrics outermost."""
        return {
            "corpus": self.corpus,
            "n_authors": self.n_authors,
            "n_documents": self.n_documents,
            **self.whole.to_dict(),
            "by_length": [metrics.to_dict() for metrics in self.by_length],
            "split": dict(self.split),
            "settings": dict(self.settings),
            "caveats": list(self.caveats),
        }


def evaluate(
    corpus: Corpus,
    attributor: AuthorshipAttributor | StackedAttributor,
    *,
    split: Protocol = "document",
    folds: Folds | None = None,
    test: Corpus | None = None,
    sentences: Sequence[int] = (),
    random_state: int = 0,
    progress: Progress | None = None,
) -> Evaluation:
    """Learn from one part of a corpus, attribute the other, and count.

    Parameters
    ----------
    corpus : Corpus
    attributor : AuthorshipAttributor or StackedAttributor
        The prototype; cloned for every fold.
    split : {"document", "work", "sentence"}
    folds : int or "leave-one-out", optional
        See :func:`byline.experiments.splits.split`.
    test : Corpus, optional
        Questioned texts of their own; ``corpus`` is then known as a whole and not split.
    sentences : sequence of int
        Lengths of further questioned texts: runs of that many consecutive sentences.
    random_state : int
        Of the split; the attributor has its own.
    progress : Progress, optional
        Told of every model learnt; the last one of a fold says that attributing begins.

    Raises
    ------
    UsageError, TrainingError
        See :func:`byline.experiments.splits.split` and the attributor's ``fit``; also a length
        that no questioned text has.
    CorpusError
        ``test`` has authors that ``corpus`` lacks.
    """
    encoder = _encoder_of(attributor)
    if test is None:
        folds_ = splits.split(corpus, split, folds, random_state=random_state, encoder=encoder)
        how: dict[str, Any] = {
            "protocol": split,
            "folds": len(folds_) if folds is None else folds,
            "random_state": random_state,
        }
    else:
        folds_ = [_known_and_test(corpus, test)]
        how = {"protocol": "test", "test": test.name}
        split = "document"
    caveats = find_leakage(folds_, split, one_corpus=test is None)
    questions = questioned_texts(folds_, sentences, split, encoder)
    decided: list[FoldResult] = []
    for number, (fold, asked) in enumerate(zip(folds_, questions, strict=True)):
        told = within_fold(progress, number, len(folds_))
        fitted = fit_to(attributor, fold.known, told)
        decided.append(attribute_fold(fitted, asked, number))
    return _sum_up(corpus, attributor, folds_, questions, decided, how, caveats)


def evaluate_fitted(
    attributor: AuthorshipAttributor | StackedAttributor,
    fold: Fold,
    *,
    sentences: Sequence[int] = (),
) -> Evaluation:
    """Evaluate an attributor that has learnt from ``fold.known`` on ``fold.questioned``.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        Fitted.
    fold : Fold
    sentences : sequence of int
        As in :func:`evaluate`.
    """
    corpus = Corpus([*fold.known, *fold.questioned], fold.known.name)
    caveats = find_leakage([fold], "document")
    questions = questioned_texts([fold], sentences, "document", attributor.encoder_)
    decided = attribute_fold(attributor, questions[0], 0)
    how = {"protocol": "hold-out", "n_held_out": len(fold.questioned)}
    return _sum_up(corpus, attributor, [fold], questions, [decided], how, caveats)


def fit_to(
    attributor: AuthorshipAttributor | StackedAttributor,
    known: Corpus,
    progress: Progress | None = None,
) -> AuthorshipAttributor | StackedAttributor:
    """Fit a clone of an attributor to known texts; a stack holds their works out one by one."""
    fitted: AuthorshipAttributor | StackedAttributor = clone(attributor)
    return fitted.fit(known.texts, known.authors, groups=known.works, progress=progress)


def _encoder_of(attributor: AuthorshipAttributor | StackedAttributor) -> TextEncoder:
    """Return what will cut texts into the tokens that count, not yet fitted."""
    if isinstance(attributor, AuthorshipAttributor):
        return attributor.encoder or TextEncoder()
    members = [member for _, member in attributor.members or ()]
    models = [member for member in members if isinstance(member, AuthorshipAttributor)]
    return _encoder_of(models[0]) if models else TextEncoder()


def _known_and_test(corpus: Corpus, test: Corpus) -> Fold:
    strangers = sorted(set(test.candidates) - set(corpus.candidates))
    if strangers:
        raise CorpusError(
            f"{test.name}: {', '.join(strangers)} wrote none of the known texts in {corpus.name}, "
            f"whose authors are {', '.join(corpus.candidates)}; "
            "spell authors alike in both, or leave these out"
        )
    return Fold(corpus, test)


def within_fold(progress: Progress | None, fold: int, n_folds: int) -> Progress | None:
    """Count the steps of one fold's learning as a part of all folds'; attributing follows them."""
    if progress is None:
        return None

    def told(done: int, total: int, what: str) -> None:
        place = f"fold {fold + 1} of {n_folds}: " if n_folds > 1 else ""
        stage = what if done < total else "attributing"
        progress(fold * total + done, n_folds * total, place + stage)

    return told


def _sum_up(
    corpus: Corpus,
    attributor: AuthorshipAttributor | StackedAttributor,
    folds: Sequence[Fold],
    questions: Sequence[QuestionedTexts],
    decided: Sequence[FoldResult],
    how: Mapping[str, Any],
    caveats: tuple[str, ...],
) -> Evaluation:
    most_frequent = [_most_frequent_author(fold.known) for fold in folds]
    decisions = [decision for each in decided for decision in each.decisions]
    whole, *by_length = [
        metrics_of(
            [decision for decision in decisions if decision.sentences == length],
            corpus.candidates,
            most_frequent,
            n_dropped_sentences=sum(asked.n_dropped[length] for asked in questions),
            calibration=Calibration.of([each.certainties[length] for each in decided]),
        )
        for length in questions[0].pieces
    ]
    return Evaluation(
        corpus=corpus.name,
        n_authors=len(corpus.candidates),
        n_documents=len(corpus),
        split=how,
        settings=_settings(attributor),
        whole=whole,
        by_length=tuple(by_length),
        caveats=caveats,
        decisions=tuple(decisions),
    )


def _most_frequent_author(known: Corpus) -> str:
    baseline = DummyClassifier(strategy="most_frequent").fit(known.texts, known.authors)
    return str(baseline.predict([""])[0])


def _settings(attributor: AuthorshipAttributor | StackedAttributor) -> dict[str, Any]:
    return {name: _setting(value) for name, value in sorted(attributor.get_params().items())}


def _setting(value: Any) -> Any:
    """Name an estimator by its class, also in a list of them, as JSON cannot hold it."""
    if isinstance(value, BaseEstimator):
        return type(value).__name__
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return list(map(_setting, value)) if isinstance(value, list | tuple) else value
