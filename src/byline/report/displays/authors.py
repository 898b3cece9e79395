"""How verifications and the similarity of authors show themselves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from byline.answering import AuthorSimilarity, VerificationAnswer
from byline.attribution.training_record.record import text_sha256
from byline.attribution.verification import AuthorVerification
from byline.corpus import Document
from byline.report.data_table import DataTable
from byline.report.displays.display import Display
from byline.report.html import render
from byline.report.keywords import keywords_summary
from byline.report.similarity import (
    print_similarity,
    similarity_html,
    similarity_section,
    similarity_summary,
)
from byline.report.summary import Summary
from byline.report.verification_answers import (
    print_verification_answers,
    verification_answers_case,
    verification_answers_html,
    verification_answers_summary,
)
from byline.report.verification_case import MaterialText, VerificationOrigin
from byline.typography.scripts import count_words

_RATED = ("log_odds", "z", "count", "other_count", "rate", "other_rate")
_AUTHORS = ("author", "answer", "probability", "log10_lr", "declined")


def verification_display(answer: VerificationAnswer) -> Display:
    """Return how a verification shows itself."""
    return Display(
        summary=partial(_in_one_level, answer),
        write=lambda console: print_verification_answers(
            console, verification_answers_summary([answer])
        ),
        section=partial(_section, answer),
        page=lambda: verification_answers_html(_case(answer)),
        tables={"authors": lambda: DataTable(_AUTHORS, _rows(answer))},
    )


def _case(answer: VerificationAnswer) -> Summary:
    texts = answer.material
    questioned = Document("", answer.text, answer.path or "questioned text")
    material = (
        _described("questioned text", questioned, named=False),
        *(_described("known text", each) for each in texts.known),
        *(_described("reference text", each) for each in texts.population),
    )
    origin = VerificationOrigin(None, texts.seed, material)
    return verification_answers_case([answer], origin)


def _described(role: str, document: Document, *, named: bool = True) -> MaterialText:
    author = document.author if named else None
    digest, n_words = text_sha256(document.text), count_words(document.text)
    return MaterialText(role, author, document.path, n_words, digest, "text")


def _in_one_level(answer: VerificationAnswer) -> Summary:
    document = _case(answer)
    [entry] = document.pop("questioned")
    return {**document, **entry}


def _section(answer: VerificationAnswer) -> str:
    case = _case(answer)
    template = "notebook_joint_verification" if "authors" in case else "notebook_verification"
    return render(f"{template}.html.j2", case)


def _rows(answer: VerificationAnswer) -> Iterator[tuple[str | float | None, ...]]:
    separate = {each.author: each for each in answer.separate}
    for author in answer.probabilities or separate:
        own: AuthorVerification | None = separate.get(author)
        yield (
            author,
            answer.answer,
            answer.probabilities.get(author),
            None if own is None else own.verification.log10_lr,
            answer.declined,
        )


def similarity_display(found: AuthorSimilarity) -> Display:
    """Return how the similarity of authors shows itself."""
    return Display(
        summary=partial(similarity_summary, found),
        write=lambda console: print_similarity(console, similarity_summary(found)),
        section=lambda: similarity_section(similarity_summary(found)),
        page=lambda: similarity_html(similarity_summary(found)),
        tables={
            "perplexity": partial(_matrix, found, "perplexity"),
            "distances": partial(_matrix, found, "distances"),
            "keywords": partial(_keywords, found),
        },
    )


def _matrix(found: AuthorSimilarity, name: str) -> DataTable:
    authors, values = found.crossed.authors, getattr(found.crossed, name).tolist()
    rows = ([author, *row] for author, row in zip(authors, values, strict=True))
    return DataTable(("author", *authors), rows)


def _keywords(found: AuthorSimilarity) -> DataTable:
    rows = (
        (own["author"], each["ngram"], *(each[name] for name in _RATED))
        for own in keywords_summary(found.keywords)
        for each in own["ngrams"]
    )
    return DataTable(("author", "keyword", *_RATED), rows)
