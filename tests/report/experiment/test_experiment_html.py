from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

Outcome = dict[str, Any]
Render = Callable[[Outcome], Any]
MakeOutcome = Callable[..., Outcome]
LOADING = {"src", "srcset", "data", "action", "poster", "{http://www.w3.org/1999/xlink}href"}
NAMES = (
    "The texts",
    "Training, validation and test parts",
    "Search for the best settings",
    "Perplexity",
    "Accuracy by length of text",
    "Accuracy by author",
    "Confusions of authors",
    "Scoring rules, and accuracy among the first n",
    "Points that were not reproduced",
    "Provenance",
)


@pytest.fixture(scope="module", params=["full", "hostile", "begun", "unknown"])
def page(
    request: pytest.FixtureRequest,
    outcome_of: MakeOutcome,
    begun: Outcome,
    hostile_names: list[str],
    unknown: Callable[[float | None], Outcome],
    render: Render,
) -> Any:
    made: dict[str, Callable[[], Outcome]] = {
        "full": outcome_of,
        "hostile": lambda: outcome_of(hostile_names),
        "begun": lambda: begun,
        "unknown": lambda: unknown(None),
    }
    return render(made[request.param]())


def text_of(element: Any) -> str:
    return re.sub(r"[ \n]+", " ", "".join(element.itertext())).strip(" ")


def width_of(row: Any) -> int:
    return sum(int(cell.get("colspan", 1)) for cell in row)


def test_a_page_loads_nothing_and_runs_nothing(page: Any) -> None:
    assert not re.search(r"https?:|//\w|@import|url\(", page.html)
    strange = {"script", "link", "img", "iframe", "object", "base", "use"}
    assert strange & {element.tag for element in page.elements} == set()
    for element in page.elements:
        assert not LOADING & set(element.attrib)
        assert not [name for name in element.attrib if name.startswith("on")]
        assert element.get("href", "#").startswith("#")


def test_a_page_can_be_written(page: Any) -> None:
    page.html.encode("utf-8")


def test_links_and_descriptions_have_targets(page: Any) -> None:
    ids = Counter(element.get("id") for element in page.elements if element.get("id"))
    assert set(ids.values()) == {1}
    for element in page.elements:
        named = [element.get(name) for name in ("aria-labelledby", "aria-describedby")]
        assert {name for name in named if name} <= set(ids)
    assert {link.get("href")[1:] for link in page.all("a")} <= set(ids)


def test_a_page_is_accessible_to_screen_readers(page: Any) -> None:
    assert len(page.all("h1")) == len(page.all("main")) == 1
    for table in page.all("table"):
        assert text_of(table.find("caption"))
    assert all(cell.get("scope") for cell in page.all("th"))
    hidden = [svg for e in page.elements if e.get("aria-hidden") for svg in e.iter("svg")]
    for image in page.all("svg"):
        assert image in hidden or (image.get("role") == "img" and image.get("aria-labelledby"))


def test_tables_scroll_in_regions_that_have_a_name(page: Any) -> None:
    regions = page.of_class("scroll")
    for region in regions:
        assert (region.get("tabindex"), region.get("role")) == ("0", "region")
        assert region.get("aria-label")
    assert {*page.all("table")} == {table for region in regions for table in region.iter("table")}


def test_headings_skip_no_level(page: Any) -> None:
    levels = [int(e.tag[1]) for e in page.elements if re.fullmatch(r"h[1-6]", e.tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_rows_have_as_many_cells_as_their_heading(page: Any) -> None:
    for table in page.all("table"):
        assert len({width_of(row) for row in table.iter("tr")}) == 1


def test_all_sections_are_present(page: Any) -> None:
    headings = [text_of(heading) for heading in page.all("h2") if heading.get("id")]
    for number, (heading, name) in enumerate(zip(headings, NAMES, strict=True), 1):
        assert heading.startswith(f"{number} {name}")


def test_light_dark_and_paper(page: Any) -> None:
    for condition in ("screen and (prefers-color-scheme: dark)", "@media print"):
        assert condition in page.html


def test_nothing_is_called_a_probability(page: Any) -> None:
    assert not re.search("probab|confiden|posterior", page.text, re.IGNORECASE)


def test_malicious_names_are_shown_as_text(
    outcome_of: MakeOutcome, hostile_names: list[str], render: Render
) -> None:
    page = render(outcome_of(hostile_names))
    for name in hostile_names[:3]:
        assert name in page.text
    assert "caf\\udce9" in page.text


def test_figures_have_a_caption_and_a_chart(outcome: Outcome, render: Render) -> None:
    page = render(outcome)
    for figure in page.all("figure"):
        assert text_of(figure.find("figcaption")).endswith(".")
        assert len(list(figure.iter("svg"))) >= 1
    # vocabulary, coverage; 3 searches; 4 groups of 2 curves, 3 stages and 2 confusion matrices
    assert len(page.all("figure")) == 2 + 3 + 4 * (2 + 3 + 2)


def test_points_have_titles(outcome: Outcome, render: Render) -> None:
    titles = {text_of(title) for title in render(outcome).all("title")}
    assert "Neural 4-gram, 1: 72\u202f%" in titles
    assert "course-02, stems: 3,050" in titles
    assert any(re.fullmatch("course-01 → course-01: .*%", t) for t in titles)


def test_missing_results_are_stated(begun: Outcome, render: Render) -> None:
    page = render(begun)
    assert page.all("figure") == []
    for wording in (
        "There are no results yet",
        "There is no description of the texts yet",
        "There was no search",
        "No model has been measured yet",
        "Accuracy is unknown",
        "Confusions are unknown",
        "No job is finished yet",
    ):
        assert wording in page.text


@pytest.mark.parametrize("instead", [None, float("nan"), float("inf")])
def test_unknown_figures_are_dashes(
    instead: float | None, unknown: Callable[[float | None], Outcome], render: Render
) -> None:
    page = render(unknown(instead))
    assert "This run has no results for this figure." in page.text
    assert not re.search(r"\b(nan|inf|None)\b", page.text)


def test_a_claim_with_an_unknown_interval_has_no_conclusion(
    outcome: Outcome, render: Render
) -> None:
    for row in outcome["comparisons"]:
        row.update(difference=float("nan"), low=float("nan"), high=float("nan"))
    assert "The interval is unknown, so that no conclusion is possible." in render(outcome).text


def test_failed_jobs_are_listed_at_the_top(outcome: Outcome, render: Render) -> None:
    failures = [{"job": f"a.{n}", "error": f"<b>{n}</b> & more"} for n in range(20)]
    outcome["jobs"] |= {"failed": 20, "done": 880, "failures": failures}
    page = render(outcome)
    top = page.text.partition("1 The texts")[0]
    assert "20 jobs failed." in top
    for number in range(20):
        assert f"a.{number}: <b>{number}</b> & more" in top


def test_an_unfinished_run_is_marked(outcome: Outcome, render: Render) -> None:
    outcome["jobs"] |= {"total": 900, "done": 500, "failed": 1}
    assert "Incomplete. 399 of 900 jobs have not run yet." in render(outcome).text
    outcome["jobs"] |= {"total": 900, "done": 899, "failed": 1}
    assert "Incomplete." not in render(outcome).text


def test_a_quick_run_is_marked(outcome: Outcome, render: Render) -> None:
    assert "Quick version." not in render(outcome).text
    assert "Quick version." in render(outcome | {"quick": True}).text


def test_key_figures(outcome: Outcome, render: Render) -> None:
    (cards,) = render(outcome).of_class("headline")
    values = [text_of(card) for card in cards]
    assert values[0].startswith("82.1 mean perplexity, Neural 4-gram, by-sentence")
    assert "printed 81.7; recorded by the authors 82.1" in values[0]
    assert values[1].startswith("69.0 mean perplexity, Good-Turing 4-gram")
    # 1.5 / sqrt(5) = 0.67, and an interval of 1 to each side
    assert values[2].startswith("+0.67 percentage points of accuracy at 5 sentences, Neural 4-gram")
    assert "95\u202f% interval \u22120.3 to +1.7; claimed +3.43." in values[2]


def test_without_a_claim_the_best_accuracy_is_shown(outcome: Outcome, render: Render) -> None:
    page = render(outcome | {"comparisons": []})
    (cards,) = page.of_class("headline")
    # Of 1, 5, 10 and 20 sentences; wrong 0.22 * exp(-0.35 * 4) = 0.054 of the time
    assert text_of(cards[2]).startswith(
        "94.6\u202f% of texts of 5 sentences correctly attributed, Kneser-Ney 4-gram"
    )
    assert "Does the result support the paper’s claim?" not in page.text


def test_perplexities_are_shown_with_the_printed_ones(outcome: Outcome, render: Render) -> None:
    page = render(outcome)
    row = outcome["perplexity"][0]["columns"][0]["rows"][2]
    (shown,) = [e for e in page.all("td") if text_of(e).startswith(f"{row['mean']:.1f} ± ")]
    mean, published = row["mean"], row["published"]["mean"]
    assert text_of(shown) == f"{mean:.1f} ± {row['sd']:.1f} printed {published:.1f} ± 2.4 (+0.4)"


def test_an_infinite_perplexity_is_shown_and_explained(outcome: Outcome, render: Render) -> None:
    assert "∞" not in render(outcome).text
    column = outcome["perplexity"][0]["columns"][0]
    for figures, n in ((column["rows"][2], 3), (column["average"], 1)):
        figures.update(mean=None, sd=None, difference=None, n_infinite=n)
    outcome["counting"][0].update(mean=None, n_infinite=3)
    page = render(outcome)
    cells = [text_of(cell) for cell in page.all("td") if text_of(cell).startswith("∞")]
    assert sum("3 of 10 splits" in cell for cell in cells) == 1
    assert sum("1 of 10 authors" in cell for cell in cells) == 2  # in both tables
    assert cells.count("∞") == 1
    assert page.text.count("makes the perplexity infinite") == 1


def test_claims_on_pairs_are_in_percentage_points(outcome: Outcome, render: Render) -> None:
    page = render(outcome)
    rows = [text_of(row) for row in page.all("tr")]
    claims = [row for row in rows if row.startswith(("course-01 to", "course-02 to"))]
    assert any(re.search(r"\+0\.00.*no significant difference", row) for row in claims)
    assert any(re.search(r"\+2\.00.*more often", row) for row in claims)


def test_both_claims_are_at_the_top(outcome: Outcome, render: Render) -> None:
    top = render(outcome).text.partition("1 The texts")[0]
    assert "The paper claims a gain of +3.43 percentage points of accuracy for the network." in top
    assert (
        "course-02 attributed to course-01, Neural 4-gram against Good-Turing 4-gram: +2.00" in top
    )
    assert top.count("against Good-Turing 4-gram: ") == 2  # the first rule alone


def test_without_a_paper_it_is_not_mentioned(outcome: Outcome, render: Render) -> None:
    outcome["config"]["published"] = None
    outcome["errata"] = []
    for row in [*outcome["comparisons"], *outcome["profile"]["rows"]]:
        row.update(dict.fromkeys(row.keys() & {"claim", "published", "published_row"}))
    for table in outcome["perplexity"]:
        for column in table["columns"]:
            for row in [*column["rows"], column["average"]]:
                row.update(published=None, recorded=None, difference=None)
    page = render(outcome)
    (main,) = page.all("main")
    assert not re.search(r"paper|printed|\bEq\.|authors’ program|\(Table|\(Figure", text_of(main))
    headings = [text_of(heading) for heading in page.all("h2") if heading.get("id")]
    assert headings[-2:] == ["8 Scoring rules, and accuracy among the first n", "9 Provenance"]


def test_why_long_texts_are_missing(outcome: Outcome, render: Render) -> None:
    short = {"split": "by-sentence", "author": "course-03", "n_sentences": 7, "longest": 20}
    outcome["too_short"] = [short]
    said = "there are no texts of 8 to 20 sentences: the shortest test part, by course-03, has 7"
    assert said in render(outcome).text
    outcome["accuracy"] = []
    text = render(outcome).text
    assert said in text
    assert "Accuracy is unknown" not in text


def test_a_search_that_has_not_started(outcome: Outcome, render: Render) -> None:
    outcome["config"]["search"] = {"authors": ["course-01", "course-09"]}
    assert "The search has not started for course-09." in render(outcome).text
    text = render(outcome | {"search": []}).text
    assert "The search has not started for course-01, course-09." in text
    assert "There was no search" not in text


def test_a_search_of_which_every_trial_failed(outcome: Outcome, render: Render) -> None:
    (search, *_) = outcome["search"]
    for trial in search["trials"]:
        trial.update(cost=None, perplexity=None, stopped="failed")
    search.update(best=None, tuned=None)
    assert render(outcome).text.count("All trials failed") == 1


def test_impossible_comparisons_are_listed(outcome: Outcome, render: Render) -> None:
    outcome["config"]["evaluation"]["comparisons"] = [["nn4", "kn4"], ["nn4", "ngram1"]]
    text = render(outcome).text
    said = "Neural 4-gram against Good-Turing 1-gram: there is no text that both"
    assert text.count(said) == 4  # two splits, two rules
    assert "Neural 4-gram against Kneser-Ney 4-gram: there is no text" not in text


def test_tables_are_listed_with_their_files(outcome: Outcome, render: Render) -> None:
    named = set(re.findall(r"report-tables/([\w-]+)\.csv", render(outcome).html))
    assert {"profile", "perplexity", "accuracy", "stages", "confusion", "search"} <= named


def test_charts_of_fifty_authors_scroll(outcome_of: MakeOutcome, render: Render) -> None:
    page = render(outcome_of([f"author {number} of fifty" for number in range(50)]))
    scrolling = page.of_class("scroll")
    charts = [e for e in page.of_class("chart") if float(e.get("width")) > 500]
    assert charts
    assert all(any(chart in region.iter() for region in scrolling) for chart in charts)


def test_a_mean_over_fewer_authors_is_not_compared(outcome: Outcome, render: Render) -> None:
    whole = render(outcome).text
    column = outcome["perplexity"][0]["columns"][0]
    n_authors = len(outcome["authors"])
    column["rows"] = column["rows"][:2]
    page = render(outcome)
    assert f"2 of {n_authors} authors" not in whole
    feet = [text_of(cell) for foot in page.all("tfoot") for cell in foot.iter() if cell.tag == "td"]
    assert any(foot.startswith("–") and f"2 of {n_authors} authors" in foot for foot in feet)
