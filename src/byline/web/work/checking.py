"""What should be mended in the known texts before anything is learnt from them."""

from __future__ import annotations

from byline.corpus import Corpus
from byline.corpus.checking import examine
from byline.progress import Progress
from byline.report.corpus_check import examination_summary
from byline.web.jobs import CheckResult
from byline.web.tasks import Check
from byline.web.work.shop import NAME, Shop

ANY_FOLDER = "KNOWN"


def check(task: Check, shop: Shop, progress: Progress) -> CheckResult:
    """Check the known texts that are on the page.

    Raises
    ------
    CorpusError
        One was removed in the meantime.
    """
    documents = shop.documents(task.texts, with_known=True, with_lines=True)
    unit = shop.model(task.model).attributor.encoder_.unit
    examination = examine(Corpus(documents, NAME), unit=unit, progress=progress)
    folder = ANY_FOLDER if shop.known_path is None else str(shop.known_path)
    return CheckResult(examination_summary(examination, folder))
