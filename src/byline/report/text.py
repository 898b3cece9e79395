"""Summaries as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table

from byline.formatting import (
    bounded_percent,
    isolated,
    isolated_path,
    number,
    percent,
    percent_range,
    signed,
)
from byline.report.baselines import answers_sentences
from byline.report.case_sentences import contributions_sentence
from byline.report.graphics import behind, has_perplexities
from byline.report.keywords import print_keywords
from byline.report.sensitivity import print_sensitivity
from byline.report.summary import Summary, how_split
from byline.report.terminal import empty_table, in_sentences, plain, shorten_name
from byline.text import AuthorProfile, CorpusProfile

PROFILE_COLUMNS = (
    *("texts", "sent.", "words", "w./s.", "vocab.", "stems", "pruned"),
    *("500", "1,000", "2,000", "<unk>"),
)
PROFILE_EXPLANATION = (
    "words: tokens and one end mark per sentence; w./s.: words per sentence; vocab., stems, "
    "pruned: size of the vocabulary before stemming, after stemming and after pruning "
    "(including <unk>); 500, 1,000, 2,000: percentage of the words that are among so many most "
    "frequent ones; <unk>: percentage of the words that pruning makes unknown"
)
N_CANDIDATES = 5
N_TOKENS = 6
PERPLEXITY = "Perplexity: of the language models only, which may rank the candidates differently."


def print_attribution(console: Console, summary: Summary, *, top: int = N_CANDIDATES) -> None:
    """Print the ranking of each questioned text, or why there is none, and the evidence.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As :func:`byline.report.attribution_summary` returns it; caveats, the words that decided
        and keywords words where it has them.
    top : int
        Number of candidates to print.

    Examples
    --------
    >>> import io
    >>> from rich.console import Console
    >>> from byline.report import attribution_summary
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> known = ["The cat sat on the mat. The cat slept.", "A dog ran in a park. A dog barked."]
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> attributor = attributor.fit(known, ["Ann", "Bob"])
    >>> attributions = attributor.attribute(["The cat sat."], paths=["letter.txt"])
    >>> console = Console(file=io.StringIO(), width=80)
    >>> print_attribution(console, attribution_summary(attributions))
    >>> console.file.getvalue().splitlines()[0]
    'letter.txt'
    """
    for entry in summary["questioned"]:
        if entry["path"]:
            console.print(plain(isolated_path(entry["path"])), style="bold")
        if entry["ranking"] and not _is_calibrated(entry):
            console.print(plain(f"  uncalibrated: {entry['calibration_unavailable_reason']}"))
        _print_ranking(console, entry, top)
        _print_sentences(console, entry)
        if entry.get("sensitivity"):
            print_sensitivity(console, entry["sensitivity"])
        if entry.get("evidence"):
            _print_evidence(console, entry["evidence"])
        if entry.get("keywords"):
            print_keywords(console, entry["keywords"])
        console.print()
    bases = {entry["calibration_basis"] for entry in summary["questioned"] if entry["ranking"]}
    for basis in bases - {None}:  # one, because all answers are by one model
        console.print(
            f"Probability: calibrated on {basis}. It assumes that one of the candidates is the "
            "author and that all of them were equally likely beforehand. log10 LR: this candidate "
            "against the others, from the same probabilities."
            + (f" {PERPLEXITY}" if any(map(has_perplexities, summary["questioned"])) else "")
        )


def print_evaluation(console: Console, summary: Summary) -> None:
    """Print the accuracy and its baseline, the accuracy by text length, and the caveats.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As :func:`byline.report.evaluation_summary` returns it.

    Examples
    --------
    >>> from byline.report import evaluation_summary
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import evaluate_fitted, hold_out
    >>> from byline.lm import NgramLM
    >>> texts = {"Ann": "The cat sat on the mat. The cat slept.", "Bob": "A dog ran. A dog barked."}
    >>> documents = [
    ...     Document(author, f"{text} Then it was {n}.", f"{author}/{n}.txt")
    ...     for author, text in texts.items()
    ...     for n in range(3)
    ... ]
    >>> fold = hold_out(Corpus(documents, "toy"))
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> attributor = attributor.fit(fold.known.texts, fold.known.authors)
    >>> evaluation = evaluate_fitted(attributor, fold, sentences=())
    >>> import io
    >>> from rich.console import Console
    >>> console = Console(file=io.StringIO(), width=80)
    >>> print_evaluation(console, evaluation_summary(evaluation))
    >>> console.file.getvalue().splitlines()[0]
    'toy: 6 documents by 2 authors; held out: 2 whole documents, once'
    """
    console.print(
        plain(
            f"{summary['corpus']}: {summary['n_documents']} documents by {summary['n_authors']} "
            f"authors; held out: {how_split(summary['split'])}"
        )
    )
    console.print(_accuracies(summary))
    console.print(
        "Accuracy: share of texts whose highest-ranked candidate is the true author, including "
        "texts that Byline would decline to attribute. The 95 % interval is Wilson's, which "
        "assumes independent texts."
    )
    for sentence in answers_sentences(summary):
        console.print(plain(sentence))
    for caveat in summary["caveats"]:
        console.print(plain(f"Note: {caveat}."))


def print_profile(console: Console, profile: CorpusProfile) -> None:
    """Print the corpus profile of Ge & Sun (2016, Table 1 and coverage), one row per author.

    Parameters
    ----------
    console : rich.console.Console
    profile : CorpusProfile

    Examples
    --------
    >>> from byline.text import profile_texts
    >>> import io
    >>> from rich.console import Console
    >>> console = Console(file=io.StringIO(), width=100)
    >>> print_profile(console, profile_texts({"Ann": ["The looms hum. The loom is new."]}))
    >>> console.file.getvalue().split()[:3]
    ['author', 'texts', 'sent.']
    """
    table = empty_table("author", *PROFILE_COLUMNS, texts=1)
    for row in profile.rows:
        table.add_row(shorten_name(row.author), *profile_cells(row))
    console.print(table)
    console.print(PROFILE_EXPLANATION)


def profile_cells(row: AuthorProfile) -> list[str]:
    """Return the statistics of an author as they are printed, in the order of the columns."""
    counts = (row.n_documents, row.n_sentences, row.n_words)
    stemmed = "–" if row.vocabulary_stemmed is None else f"{row.vocabulary_stemmed:,}"
    return [
        *(f"{count:,}" for count in counts),
        f"{row.words_per_sentence:.2f}",
        f"{row.vocabulary_original:,}",
        stemmed,
        f"{row.vocabulary_pruned:,}",
        *(f"{100 * share:.1f}" for share in (*row.coverage.values(), row.unknown_share)),
    ]


def _print_ranking(console: Console, entry: Summary, top: int) -> None:
    if entry["declined"]:
        why = "" if entry["open_set"] else "cannot tell: "
        console.print(plain(f"  {why}{entry['declined']}"))
        return
    if entry["open_set"]:
        console.print(plain(f"  {entry['open_set']['sentence']}"))
    if _is_calibrated(entry):
        console.print(_probabilities(entry, top))
        return
    headings = ("log-likelihood per token", "distance from the best", "perplexity")
    table = empty_table("", "author", *headings, texts=2)
    distances = behind(entry)
    for place, candidate in enumerate(entry["ranking"][:top]):
        table.add_row(
            str(place + 1),
            shorten_name(candidate["author"]),
            number(candidate["log_likelihood_per_token"], 3),
            number(distances[place], 3),
            number(candidate["perplexity"], 1),
        )
    console.print(table)


def _sentences(entry: Summary) -> Iterator[str]:
    """Yield what decided, and how often answers in cases of this size are correct."""
    decided = contributions_sentence(entry)
    if decided:
        yield decided
    measured, like_this = entry.get("measured_accuracy"), entry.get("cases_like_this_one")
    if measured and not like_this and not entry.get("known_copy"):
        which = "if a candidate is the author" if entry["open_set"] else "in such cases"
        yield f"Accuracy {which}: {measured['sentence']}"
    for cases in (entry["similar_cases"], like_this):
        if cases:
            yield cases["sentence"]


def _is_calibrated(entry: Summary) -> bool:
    return bool(entry["ranking"]) and entry["ranking"][0]["probability"] is not None


def _probabilities(entry: Summary, top: int) -> Table:
    headings = ["", "author", "probability", "log10 LR", "in words"]
    with_models = has_perplexities(entry)
    table = empty_table(*headings, *(["perplexity"] if with_models else []), texts=2)
    table.columns[4].justify = "left"
    for place, candidate in enumerate(entry["ranking"][:top]):
        table.add_row(
            str(place + 1),
            shorten_name(candidate["author"]),
            bounded_percent(candidate["probability"]),
            signed(candidate["log10_lr"]),
            candidate["support"],
            *([number(candidate["perplexity"], 1)] if with_models else []),
        )
    return table


def _print_sentences(console: Console, entry: Summary) -> None:
    """Print which base classifiers decided, how similar cases were answered, and the caveats."""
    for sentence in _sentences(entry):
        console.print(plain(f"  {sentence}"))
    for caveat in entry.get("caveats", ()):
        if caveat["code"] != "uncalibrated":  # which is printed above the ranking
            console.print(plain(f"  Caveat: {caveat['sentence']}"))


def _print_evidence(console: Console, evidence: Summary) -> None:
    digits = 2 if evidence["base_classifiers"] else 1
    for side in ("first", "second"):
        tokens = ", ".join(
            f"“{isolated(entry['token'])}” {signed(entry['log_lr'], digits)}"
            for entry in evidence[f"tokens_for_{side}"][:N_TOKENS]
        )
        if tokens:
            console.print(plain(f"  evidence for {isolated(evidence[side])} (nats): {tokens}"))


def _accuracies(summary: Summary) -> Table:
    table = empty_table(
        "length", "texts", "accuracy", "95 % interval", "declined", "macro-F1", texts=1
    )
    for row in (summary, *summary["by_length"]):
        table.add_row(
            in_sentences(row["sentences"]),
            number(row["n_questioned"], 0),
            percent(row["accuracy"]),
            _interval(row),
            number(row["n_declined"], 0),
            number(row["macro_f1"], 3),
        )
    baseline = summary["baselines"]["most_frequent_author"]
    table.add_row("most frequent author", "", percent(baseline["accuracy"]), _interval(baseline))
    return table


def _interval(row: dict[str, Any]) -> str:
    low, high = row["accuracy_interval"]
    return percent_range(low, high)
