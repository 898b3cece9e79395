"""Errata on what the paper states about accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from statistics import fmean

from byline.experiments.reproductions.ge_sun_2016.errata.evidence import (
    AUTHORS_RULE,
    Entry,
    Erratum,
    RunEvidence,
    make_erratum,
    points,
)
from byline.experiments.reproductions.ge_sun_2016.published import course_number
from byline.experiments.reproductions.ge_sun_2016.scoring_rules import SHARED
from byline.formatting import join_names, percent, percent_range, quantity, signed

STAGES = (1, 5, 10)


def arg_max(evidence: RunEvidence) -> Erratum:
    """Show the accuracy if a text were attributed to the highest perplexity."""
    found = [
        entry
        for entry in evidence.find("confusion", split=evidence.split, rule=AUTHORS_RULE)
        if entry["model"] in (evidence.ngram, evidence.network)
    ]
    return make_erratum(
        "Equation (classifier) has arg max where arg min is meant",
        "A text is attributed to the author whose model has the lowest perplexity. Equation "
        "(concept) has a similar slip: it takes the maximum over t, the position, where the word "
        "at t is meant.",
        (
            f"{entry['label']}: the lowest perplexity gives the correct course for "
            f"{percent(entry['accuracy'])} of the single sentences, the highest for "
            f"{percent(entry['accuracy_of_highest'])}."
            for entry in found
        ),
        [
            (
                f"{entry['label']}, arg min / arg max",
                f"{percent(entry['accuracy'])} / {percent(entry['accuracy_of_highest'])}",
            )
            for entry in found
        ],
    )


def rules(evidence: RunEvidence) -> Erratum:
    """Compare the rule of the program with the paper's equations."""
    return make_erratum(
        "The program sums the perplexities of sentences",
        "According to the equations, the perplexity of a text is that of the whole sequence of its "
        "words, so that log-probabilities are summed. The authors' program sums the perplexities "
        "of the sentences instead, so that one unusual short sentence outweighs ten good ones. If "
        "unknown words are left out, log-probabilities favour the model that knows the fewest "
        "words.",
        *_by_rules(evidence, AUTHORS_RULE, "log-likelihood"),
    )


def vocabularies(evidence: RunEvidence) -> Erratum:
    """Show the effect of separate vocabularies on accuracy."""
    return make_erratum(
        "Every course has its own vocabulary",
        "To the model of a course, all words that the course lacks are one unknown word. The more "
        "words a course lacks, the more probable its unknown word is, so that words which a course "
        "does not know count in its favour. The third rule corrects this: it uses one vocabulary "
        "for all courses, and divides the probability of the unknown word among the words that it "
        "represents.",
        *_by_rules(evidence, "log-likelihood", SHARED),
    )


def _by_rules(
    evidence: RunEvidence, first: str, second: str
) -> tuple[list[str], list[tuple[str, str]]]:
    """Compare the accuracy of all models by two rules, as a sentence and as figures."""
    figures = {
        (entry["label"], n): f"{one} / {two}"
        for entry in evidence.find("accuracy", split=evidence.split, rule=first)
        for other in evidence.find(
            "accuracy", split=evidence.split, rule=second, model=entry["model"]
        )
        for n in STAGES
        if (one := _at(entry, n)) and (two := _at(other, n))
    }
    chosen = evidence.published.accuracy_sentences
    values = "; ".join(f"{label} {value}" for (label, n), value in figures.items() if n == chosen)
    heading = f"Accuracy at {quantity(chosen, 'sentence')}, by {first} / {second}"
    return (
        [f"{heading}: {values}."] if values else [],
        [
            (f"{label}, {quantity(n, 'sentence')}, {first} / {second}", value)
            for (label, n), value in figures.items()
        ],
    )


def _at(entry: Entry, sentences: int) -> str | None:
    """Format the mean accuracy at a number of sentences, if it is known."""
    if sentences not in entry["sentences"]:
        return None
    return percent(entry["mean"]["mean"][entry["sentences"].index(sentences)])


def gain(evidence: RunEvidence) -> Erratum:
    """Compare the claimed gain in accuracy with the measured ones."""
    published = evidence.published
    n = published.accuracy_sentences
    found = list(evidence.compared(n))
    return make_erratum(
        "The gain in accuracy",
        f"The abstract states that the network is {published.accuracy_gain} % more accurate than "
        f"the n-grams at {n} sentences. No table, figure or sentence of section 4 has this number, "
        "and the text does not state whether it means percentage points.",
        (
            f"Here, {_against(evidence, entry)}, by {entry['rule']}: {points(entry)}."
            for entry in found
        ),
        [
            (f"{_against(evidence, entry)}, {entry['rule']}, {n} sentences", points(entry))
            for entry in found
        ],
    )


def _against(evidence: RunEvidence, entry: Entry) -> str:
    return f"{evidence.label(entry['model'])} against {evidence.label(entry['rival'])}"


def few_sentences(evidence: RunEvidence) -> Erratum:
    """Check that the advantage of the network is larger for shorter texts."""
    found = [
        entry
        for stage in STAGES
        for entry in evidence.compared(stage, AUTHORS_RULE)
        if entry["rival"] == evidence.ngram
    ]
    return make_erratum(
        "A larger advantage for shorter texts",
        "Section 4 states that the network is slightly more accurate than the n-grams, especially "
        "when there are few sentences.",
        (
            f"Here, at {quantity(entry['sentences'], 'sentence')} and by the rule of their "
            f"program: {points(entry)}. The network is better for {entry['wins']} of "
            f"{entry['n_authors']} courses and worse for {entry['losses']}."
            for entry in found
        ),
        [
            (
                f"{quantity(entry['sentences'], 'sentence')}: network / n-grams",
                f"{percent(entry['accuracy'])} / {percent(entry['rival_accuracy'])}",
            )
            for entry in found
        ],
    )


def exchanging(evidence: RunEvidence) -> Erratum:
    """Apply the exchange of the authors' plotting program to the curves of this run."""
    found = [
        entry
        for entry in evidence.results["exchanges"]
        if entry["split"] == evidence.split and entry["rival"] == evidence.ngram
    ]
    return make_erratum(
        "The plotting program exchanges curves",
        "If the mean accuracy of the neural model over all lengths is lower for a course and "
        "split, the authors' plotting program exchanges the curves and the confusions of the two "
        "models. Its figures therefore cannot show the network below the n-grams. The figures of "
        "this report show what was measured.",
        (
            f"By {entry['rule']}, {entry['n_lower']} of {entry['n_curves']} curves would be "
            f"exchanged here. A difference of {signed(entry['difference'])} percentage points at "
            f"{entry['sentences']} sentences would appear as "
            f"{signed(entry['exchanged_difference'])}."
            for entry in found
        ),
        [
            (
                f"{entry['rule']}: curves exchanged; difference in points, measured / drawn",
                f"{entry['n_lower']} of {entry['n_curves']}; {signed(entry['difference'])} / "
                f"{signed(entry['exchanged_difference'])}",
            )
            for entry in found
        ],
    )


def nearly_perfect(evidence: RunEvidence) -> Erratum:
    """Compare the accuracy on lectures of which no model has seen a sentence."""
    found = list(_at_last_stage(evidence))
    return make_erratum(
        "Nearly perfect at ten sentences, with every lecture on both sides of the split",
        "The conclusion states that accuracy is nearly perfect for more than 10 sentences. The "
        "splits are by sentence, so that the models were trained on sentences of the same "
        "lectures, and all sentences are drawn at random from a whole course.",
        (f"Here, {what}: {value}." for what, value in found),
        found,
    )


def _at_last_stage(evidence: RunEvidence) -> Iterator[tuple[str, str]]:
    splits = ((evidence.split, "split by sentence"), (evidence.whole, "split by lecture"))
    for split, description in splits:
        for entry in evidence.find("accuracy", split=split, rule=AUTHORS_RULE):
            share = _at(entry, STAGES[-1])
            if share and entry["model"] in (evidence.ngram, evidence.network):
                yield f"{entry['label']}, {description}, {STAGES[-1]} sentences", share


def _matrices(evidence: RunEvidence) -> list[Entry]:
    return [
        entry
        for entry in evidence.find("confusion", split=evidence.split, rule=AUTHORS_RULE)
        if entry["model"] in (evidence.ngram, evidence.network)
    ]


def one_instructor(evidence: RunEvidence) -> Erratum:
    """Check the statements about the two courses of one instructor."""
    matrices = [entry for entry in _matrices(evidence) if entry["pairs"]]
    claims = evidence.find(
        "pair_claim",
        split=evidence.split,
        rule=AUTHORS_RULE,
        model=evidence.network,
        rival=evidence.ngram,
    )
    return make_erratum(
        "Courses 7 and 16, of one instructor",
        "Section 4 states that the confusions (7, 16) and (16, 7) are the largest in their rows, "
        "and larger for the network than for the n-grams. It infers that the network is more "
        "biased towards the author than towards the content. The program that drew the figures "
        "exchanges the confusions of the two models where the network's accuracy is lower.",
        [*map(_ranks, matrices), *map(_claim, claims)],
        [
            *(
                (f"{entry['label']}: {pair['author']} as {pair['predicted']}", _pair(pair))
                for entry in matrices
                for pair in entry["pairs"]
            ),
            *(
                (f"{c['author']} as {c['predicted']}, network minus n-grams", points(c, 100))
                for c in claims
            ),
        ],
    )


def _ranks(entry: Entry) -> str:
    ranks = [f"rank {pair['rank']} in the row of {pair['author']}" for pair in entry["pairs"]]
    return f"Here, for {entry['label']}, the confusions of the pair have {join_names(ranks)}."


def _claim(claim: Entry) -> str:
    low, high = claim["low"], claim["high"]
    if low > 0:
        found = "more often than the n-grams"
    elif high < 0:
        found = "less often than the n-grams"
    else:
        found = "about as often as the n-grams; the difference is not significant"
    return (
        f"The network attributes sentences of {claim['author']} to {claim['predicted']} {found}: "
        f"{points(claim, 100)}."
    )


def _pair(pair: Entry) -> str:
    other = pair["largest_other_author"]
    largest = f"; largest other: {other}, {percent(pair['largest_other'])}" if other else ""
    interval = f"95 % interval {percent_range(pair['low'], pair['high'])}"
    return f"{percent(pair['share'])} ({interval}), rank {pair['rank']} in the row{largest}"


def one_field(evidence: RunEvidence) -> Erratum:
    """Check whether courses of one field are confused more often than others."""
    found = [
        (entry["label"], means)
        for entry in _matrices(evidence)
        if (means := _means(evidence, entry))
    ]
    return make_erratum(
        "Courses of one field",
        "Section 4 states that instructors of one field are confused more often than others: "
        "courses 1 and 2, and courses 11, 12 and 13.",
        (
            f"{label}: on average over pairs, {percent(same, 2)} of a course's single sentences "
            f"are attributed to another course of its field, and {percent(other, 2)} to another "
            "course of another field."
            for label, (same, other) in found
        ),
        [
            (f"{label}: same field / other pairs", f"{percent(same, 2)} / {percent(other, 2)}")
            for label, (same, other) in found
        ],
    )


def _means(evidence: RunEvidence, entry: Entry) -> tuple[float, float] | None:
    """Return the mean confusion of pairs of one field, and of other pairs of two instructors."""
    same_person = {(pair["author"], pair["predicted"]) for pair in entry["pairs"]}
    same: list[float] = []
    other: list[float] = []
    for author, predicted, share in _confusions(entry):
        if (author, predicted) not in same_person:
            (same if _is_one_field(evidence, author, predicted) else other).append(share)
    return (fmean(same), fmean(other)) if same and other else None


def _confusions(entry: Entry) -> Iterator[tuple[str, str, float]]:
    for (row, author), (column, predicted) in permutations(enumerate(entry["labels"]), 2):
        yield author, predicted, entry["shares"][row][column]


def _is_one_field(evidence: RunEvidence, author: str, predicted: str) -> bool:
    courses = {course_number(author), course_number(predicted)}
    return any(courses <= set(field) for field in evidence.published.fields)
