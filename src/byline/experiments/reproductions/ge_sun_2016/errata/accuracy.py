"""Errata of what the paper says about accuracy."""

from __future__ import annotations

from collections.abc import Iterator

from byline.experiments.reproductions.ge_sun_2016.errata.evidence import (
    THEIR_RULE,
    Entry,
    Erratum,
    Evidence,
    count,
    percent,
    points,
    signed,
    write,
)
from byline.experiments.reproductions.ge_sun_2016.scoring_rules import SHARED

STAGES = (1, 5, 10)


def arg_max(evidence: Evidence) -> Erratum:
    """Show what naming the highest perplexity would come to."""
    found = [
        entry
        for entry in evidence.find("confusion", split=evidence.split, rule=THEIR_RULE)
        if entry["model"] in (evidence.ngram, evidence.network)
    ]
    return write(
        "Equation (classifier) has arg max where arg min is meant",
        "The author named is the one whose model finds the text the least perplexing. Equation "
        "(concept) likewise takes the maximum over t, the position, where the word at t is meant.",
        (
            f"{entry['label']}: the lowest perplexity names the right course for "
            f"{percent(entry['right'])} of the single sentences, the highest for "
            f"{percent(entry['right_by_highest'])}."
            for entry in found
        ),
        [(f"{entry['label']}, arg min / arg max", _right(entry)) for entry in found],
    )


def _right(entry: Entry) -> str:
    return f"{percent(entry['right'])} / {percent(entry['right_by_highest'])}"


def rules(evidence: Evidence) -> Erratum:
    """Set the program's rule beside the paper's equations."""
    return write(
        "The program adds up perplexities of sentences",
        "By the equations a text's perplexity is that of the whole sequence of its words, so that "
        "log-probabilities are added up. The authors' program adds up the perplexities of the "
        "text's sentences, where one odd short sentence outweighs ten good ones. Where unknown "
        "words are left out, log-probabilities favour the model that knows the fewest words.",
        *_by_rules(evidence, THEIR_RULE, "log-likelihood"),
    )


def vocabularies(evidence: Evidence) -> Erratum:
    """Show what it costs that the models do not share a vocabulary."""
    return write(
        "Every course has a vocabulary of its own",
        "All words that a course lacks are one unknown word to its model, and the more it lacks, "
        "the cheaper that word is: what a course does not know speaks for it. The third rule puts "
        "this right: over one vocabulary for all courses, in which the unknown word's probability "
        "is shared out over the words that it stands for.",
        *_by_rules(evidence, "log-likelihood", SHARED),
    )


def _by_rules(
    evidence: Evidence, first: str, second: str
) -> tuple[list[str], list[tuple[str, str]]]:
    """Compare the accuracy of all models by two rules: sentences at one length, figures at all."""
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
    told = "; ".join(f"{label} {value}" for (label, n), value in figures.items() if n == chosen)
    heads = f"Accuracy at {count(chosen, 'sentence')}, by {first} / {second}"
    return (
        [f"{heads}: {told}."] if told else [],
        [
            (f"{label}, {count(n, 'sentence')}, {first} / {second}", value)
            for (label, n), value in figures.items()
        ],
    )


def _at(entry: Entry, sentences: int) -> str | None:
    """Write the mean accuracy at a number of sentences, where there is one."""
    if sentences not in entry["sentences"]:
        return None
    return percent(entry["mean"]["mean"][entry["sentences"].index(sentences)])


def gain(evidence: Evidence) -> Erratum:
    """Set the claimed gain in accuracy beside the measured ones."""
    published = evidence.published
    n = published.accuracy_sentences
    found = list(evidence.compared(n))
    return write(
        "The gain in accuracy",
        f"The abstract has the network {published.accuracy_gain} % more accurate than the n-grams "
        f"at {n} sentences. No table, figure or sentence of section 4 has that number, nor does "
        "the text say whether it means percentage points.",
        (
            f"Here, {_against(evidence, entry)}, by {entry['rule']}: {points(entry)}."
            for entry in found
        ),
        [
            (f"{_against(evidence, entry)}, {entry['rule']}, {n} sentences", points(entry))
            for entry in found
        ],
    )


def _against(evidence: Evidence, entry: Entry) -> str:
    return f"{evidence.label(entry['model'])} against {evidence.label(entry['rival'])}"


def few_sentences(evidence: Evidence) -> Erratum:
    """Check that the network is the more accurate, the more so the fewer the sentences."""
    found = [
        entry
        for stage in STAGES
        for entry in evidence.compared(stage, THEIR_RULE)
        if entry["rival"] == evidence.ngram
    ]
    return write(
        "More accurate, the more so the fewer the sentences",
        "Section 4 has the network slightly more accurate than the n-grams, especially when there "
        "are few sentences.",
        (
            f"Here at {count(entry['sentences'], 'sentence')}, by their program's rule: "
            f"{points(entry)}; the network is better in {entry['wins']} of {entry['n_authors']} "
            f"courses and worse in {entry['losses']}."
            for entry in found
        ),
        [
            (f"{count(entry['sentences'], 'sentence')}: network / n-grams", _accuracies(entry))
            for entry in found
        ],
    )


def _accuracies(entry: Entry) -> str:
    return f"{percent(entry['accuracy'])} / {percent(entry['rival_accuracy'])}"


def exchanging(evidence: Evidence) -> Erratum:
    """Do to these curves what the authors' plotting program does."""
    found = [
        entry
        for entry in evidence.outcome["exchanges"]
        if entry["split"] == evidence.split and entry["rival"] == evidence.ngram
    ]
    return write(
        "The plotting program exchanges curves",
        "Wherever the neural model's accuracy in a course and split is lower on average over all "
        "lengths, the authors' plotting program exchanges the curves of the two models, and their "
        "confusions; so figures drawn by it cannot show the network below the n-grams. What is "
        "drawn here is what was measured.",
        (
            f"By {entry['rule']}, {entry['n_lower']} of {entry['n_curves']} curves would be "
            f"exchanged here, and a difference of {signed(entry['difference'], 2)} points at "
            f"{entry['sentences']} sentences would be drawn as "
            f"{signed(entry['exchanged_difference'], 2)}."
            for entry in found
        ),
        [
            (
                f"{entry['rule']}: exchanged curves; difference as measured / as drawn",
                f"{entry['n_lower']} of {entry['n_curves']}; {_drawn(entry)}",
            )
            for entry in found
        ],
    )


def _drawn(entry: Entry) -> str:
    return f"{signed(entry['difference'], 2)} / {signed(entry['exchanged_difference'], 2)} points"


def nearly_perfect(evidence: Evidence) -> Erratum:
    """Compare accuracy with that on lectures which no model has seen a sentence of."""
    found = list(_at_ten(evidence))
    return write(
        "Nearly perfect at ten sentences, with every lecture on both sides of the split",
        "The conclusion has nearly perfect accuracy for more than 10 sentences. The splits are by "
        "sentence, so that the models have learnt from sentences of the same lectures, and all "
        "sentences are drawn at random from a whole course.",
        (f"Here, {what}: {value}." for what, value in found),
        found,
    )


def _at_ten(evidence: Evidence) -> Iterator[tuple[str, str]]:
    for split, how in ((evidence.split, "split by sentence"), (evidence.whole, "lectures whole")):
        for entry in evidence.find("accuracy", split=split, rule=THEIR_RULE):
            share = _at(entry, STAGES[-1])
            if share and entry["model"] in (evidence.ngram, evidence.network):
                yield f"{entry['label']}, {how}, {STAGES[-1]} sentences", share
