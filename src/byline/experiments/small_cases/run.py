"""Run the benchmark of small cases on the folder of the corpora."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from byline.errors import CorpusError, UsageError
from byline.experiments.small_cases.answers import CaseAnswers, answer_case
from byline.experiments.small_cases.cases import Case, CaseSettings, case_of_number
from byline.experiments.small_cases.cells import CaseCell, CellCounts, measure_cells
from byline.experiments.small_cases.division import Side
from byline.experiments.small_cases.grid import (
    FEWEST_TEXTS,
    MOST_CASES,
    SHARE_OF_RARE_LENGTHS,
    TEXTS_PER_CASE,
    WHOLE_WORDS,
    Grid,
    parse_settings,
    settings_of_grid,
)
from byline.experiments.small_cases.results_file import ResultsFile
from byline.experiments.small_cases.sources import Source, read_sources
from byline.formatting import join_names
from byline.processes.parallel import run_parallel
from byline.progress import Progress


@dataclass(frozen=True, slots=True)
class PlannedCase:
    """A case that is taken from its source again when its turn comes.

    Attributes
    ----------
    source : Source
    settings : CaseSettings
    number : int
        Of the case among those with the same corpus and settings.
    seed : int
    digest : str
        Identifies the case and the seed.
    """

    source: Source
    settings: CaseSettings
    number: int
    seed: int
    digest: str

    @property
    def key(self) -> tuple[str, str, int]:
        """Corpus, name of the settings, and number."""
        return self.source.corpus, self.settings.name, self.number


@dataclass(frozen=True, slots=True)
class SmallCasesResult:
    """The result of the benchmark of small cases.

    Attributes
    ----------
    data : str
    side : {"development", "test", "both"}
    grid : {"short", "full"}
        From which the settings were taken, if none were given.
    seed : int
    corpora : tuple of str
    impossible : dict of corpus to list of str
        Settings of the grid for which a corpus does not have the texts.
    n_cases : int
    n_questioned : int
        Number of questioned texts of all cases and lengths.
    cpu_seconds : float
        Of training and answering, also in earlier runs with the same file of results.
    failures : dict of method to dict of str to int
        Why training failed, and in how many cases.
    counts : CellCounts
    by_corpus : dict of corpus to CellCounts
    cells : tuple of CaseCell
    """

    data: str
    side: Side
    grid: Grid
    seed: int
    corpora: tuple[str, ...]
    impossible: dict[str, list[str]]
    n_cases: int
    n_questioned: int
    cpu_seconds: float
    failures: dict[str, dict[str, int]]
    counts: CellCounts
    by_corpus: dict[str, CellCounts]
    cells: tuple[CaseCell, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return asdict(self)


def run_small_cases(
    data: Path,
    *,
    side: Side = "test",
    grid: Grid = "short",
    settings: Sequence[str] = (),
    corpora: Sequence[str] = (),
    seed: int = 0,
    jobs: int = 1,
    results: Path | None = None,
    progress: Progress | None = None,
) -> SmallCasesResult:
    """Take small cases from corpora, answer them by several methods, and measure the answers.

    Parameters
    ----------
    data : Path
        Each corpus is a folder in it.
    side : {"development", "test", "both"}
    grid : {"short", "full"}
    settings : sequence of str
        Names of the settings of all corpora, in place of the grid's (see `parse_settings`).
    corpora : sequence of str
        Only these corpora; all by default.
    seed : int
        Seed of the cases and of the classifiers.
    jobs : int
        Number of processes, each of which answers a case at a time.
    results : Path, optional
        A file to which the answers to each case are added as soon as they are known. Cases whose
        answers are in it are not answered again.
    progress : Progress, optional
        Called after each case.

    Raises
    ------
    UsageError
        There are no settings or no corpus of a name, or the file of results has something else.
    CorpusError
        As `read_sources`; or no corpus has the texts for any of the settings.
    OutputError
        The file of results cannot be read or written.

    See Also
    --------
    byline.report.small_cases.print_small_cases : Print the result.
    """
    file = None if results is None else ResultsFile(results)
    known = {} if file is None else file.read()
    sources = read_sources(data, side, corpora)
    by_corpus: dict[str, list[Source]] = {}
    for source in sources:
        by_corpus.setdefault(source.corpus, []).append(source)
    chosen = list(map(parse_settings, dict.fromkeys(settings)))
    settings_of = {name: chosen or settings_of_grid(grid, name) for name in by_corpus}
    plan, impossible = _plan(by_corpus, settings_of, grid, seed)
    if not plan:
        raise CorpusError(
            f"{data}: {join_names(list(by_corpus))} has no texts on this side ({side}) for any of "
            "the settings; name other settings, another corpus or another side"
        )
    found = {each.key: known[each.digest] for each in plan if each.digest in known}
    missing = [each for each in plan if each.key not in found]
    for answers in run_parallel(answer_case, _calls(missing), jobs):
        if file is not None:
            file.append(answers)
        found[answers.corpus, answers.settings, answers.number] = answers
        if progress is not None:
            progress(len(found), len(plan), f"{answers.corpus}, {answers.settings}")
    ordered = [found[each.key] for each in plan]
    _check_methods(ordered, results)
    ordered.sort(key=lambda each: list(by_corpus).index(each.corpus))
    cells = tuple(measure_cells(ordered))
    return SmallCasesResult(
        data=str(data),
        side=side,
        grid=grid,
        seed=seed,
        corpora=tuple(by_corpus),
        impossible=impossible,
        n_cases=len(ordered),
        n_questioned=sum(len(each.lengths) for each in ordered),
        cpu_seconds=sum(each.cpu_seconds for each in ordered),
        failures=_count_failures(ordered),
        counts=CellCounts.of(cells),
        by_corpus={
            name: CellCounts.of([cell for cell in cells if cell.corpus == name])
            for name in by_corpus
        },
        cells=cells,
    )


def _plan(
    by_corpus: Mapping[str, Sequence[Source]],
    settings_of: Mapping[str, Sequence[CaseSettings]],
    grid: Grid,
    seed: int,
) -> tuple[list[PlannedCase], dict[str, list[str]]]:
    """Return all cases, and the settings for which there are none, by corpus.

    The first case of all settings comes first, so that a run that is ended early has some of all.
    """
    plan: list[PlannedCase] = []
    impossible: dict[str, list[str]] = {}
    for corpus, sources in by_corpus.items():
        for settings in settings_of[corpus]:
            cases = _cases_of_settings(sources, settings, grid, seed)
            plan += cases
            if not cases:
                impossible.setdefault(corpus, []).append(settings.name)
    return sorted(plan, key=lambda each: each.number), impossible


def _cases_of_settings(
    sources: Sequence[Source], settings: CaseSettings, grid: Grid, seed: int
) -> list[PlannedCase]:
    """Return cases until there are enough questioned texts of each length."""
    cases = []
    n_texts = dict.fromkeys(settings.questioned_words, 0)
    for number in range(MOST_CASES[grid]):
        source = sources[number % len(sources)]
        case = take_case(source, settings, number, seed)
        if case is None:
            continue
        cases.append(PlannedCase(source, settings, number, seed, case.digest(seed)))
        for n_words, texts in case.questioned.items():
            n_texts[n_words] += len(texts)
        rare = SHARE_OF_RARE_LENGTHS[grid] * max(n_texts.values())
        if all(n >= FEWEST_TEXTS for n in n_texts.values() if n > rare):
            break
    return cases


def take_case(source: Source, settings: CaseSettings, number: int, seed: int) -> Case | None:
    """Return a case of the benchmark; None if the source does not have the texts that it needs.

    Parameters
    ----------
    source : Source
    settings : CaseSettings
    number : int
    seed : int
    """
    return case_of_number(
        source,
        settings,
        number,
        seed=seed,
        per_author=-(-TEXTS_PER_CASE // settings.n_candidates),
        whole_words=WHOLE_WORDS,
    )


def _calls(plan: Iterable[PlannedCase]) -> Iterator[tuple[Case, str, int, int]]:
    """Yield cases only when their turn comes, because some have the texts of whole novels."""
    for planned in plan:
        case = take_case(planned.source, planned.settings, planned.number, planned.seed)
        if case is not None:
            yield case, planned.source.corpus, planned.number, planned.seed


def _check_methods(answers: Sequence[CaseAnswers], results: Path | None) -> None:
    """Check that all cases were answered by the same methods."""
    complete = {tuple(each.answers) for each in answers if not each.failures}
    if len(complete) > 1:
        names = sorted({name for each in complete for name in each})
        raise UsageError(
            f"{results}: the cases were not all answered by the same methods "
            f"({join_names(names)}); choose another results file"
        )


def _count_failures(answers: Sequence[CaseAnswers]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for each in answers:
        for method, reason in each.failures.items():
            of_method = counts.setdefault(method, {})
            of_method[reason] = of_method.get(reason, 0) + 1
    return counts
