"""What should be mended in the known texts before anything is learnt from them."""

from __future__ import annotations

from dataclasses import asdict

from byline.corpus import Corpus, check_corpus
from byline.corpus.fingerprints import WordHasher
from byline.errors import CorpusError
from byline.progress import Progress
from byline.web.jobs import CheckResult
from byline.web.tasks import Check
from byline.web.work.shop import NAME, Shop


def check(task: Check, shop: Shop, progress: Progress) -> CheckResult:
    """Check the known texts that are on the page.

    Raises
    ------
    CorpusError
        One was removed in the meantime.
    """
    try:
        documents = shop.documents(task.texts, with_known=True)
    except FileNotFoundError as error:
        raise CorpusError("a known text was removed in the meantime; try again") from error
    corpus = Corpus(documents, NAME)
    unit = shop.model(task.model).attributor.encoder_.unit
    findings = check_corpus(corpus, unit=unit)
    hasher = WordHasher()
    sizes = {author: [0, 0] for author in corpus.candidates}
    for document in corpus:
        sizes[document.author][0] += 1
        sizes[document.author][1] += len(hasher.hash_words(document.text))
    authors = [{"author": a, "n_texts": n, "n_words": w} for a, (n, w) in sizes.items()]
    return CheckResult({"findings": [asdict(each) for each in findings], "authors": authors})
