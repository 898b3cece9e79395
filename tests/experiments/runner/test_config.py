from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from byline.errors import UsageError
from byline.experiments.runner.config import find_config, load_config, merge_settings, parse_config
from byline.text import TextEncoder

SMALLEST: dict[str, Any] = {
    "title": "t",
    "corpora": {"c": {"path": "known", "form": "text"}},
    "splits": {"s": {"corpus": "c", "unit": "sentence", "seeds": [0, 1]}},
    "models": {"m": {"label": "bigrams", "kind": "ngram", "settings": {"order": 2}}},
}


def with_(**changes: Any) -> dict[str, Any]:
    return merge_settings(SMALLEST, changes)


def test_missing_keys_have_defaults() -> None:
    config = parse_config(SMALLEST, "x.toml")
    assert config.authors is None
    assert config.corpora["c"].columns is config.corpora["c"].duplicates is None
    paper = TextEncoder.like_ge_sun_2016().normalization
    assert config.corpora["c"].normalization == paper
    assert config.evaluation.sentences == tuple(range(1, 21))
    assert config.seeds_of("m", "s") == (0, 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sead": 1}, "sead: there is no such key; known keys are authors, corpora"),
        (
            {"corpora": {"c": {"from": "x"}}},
            "corpora.c.from: there is no such key; known keys are columns, duplicates, form, norm",
        ),
        ({"corpora": {"c": {"normalization": "edition,-quots"}}}, "corpora.c.normalization: "),
        ({"corpora": {"c": {"columns": {"writer": "user"}}}}, "the fields are author, text"),
        ({"corpora": {"c": {"duplicates": "merge"}}}, "corpora.c.duplicates: input should be 'err"),
        ({"models": {"m": {"label": 3}}}, "models.m.label: input should be a valid string"),
        ({"models": {"m": {"settings": {"ordr": 2}}}}, "models.m: settings: ordr: a model of kind"),
        ({"models": {"m": {"preset": "ge-sun-2016"}}}, "models.m: preset='ge-sun-2016'"),
        ({"splits": {"s": {"corpus": "d"}}}, "splits.s.corpus: 'd' is unknown; known are c"),
        ({"splits": {"s": {"seeds": []}}}, "splits.s.seeds"),
        ({"splits": {"s": {"seeds": [-1]}}}, "splits.s.seeds.0"),
        ({"models": {"m": {"seeds": {"s": [2]}}}}, "models.m.seeds.s: '2' is unknown"),
        ({"models": {"m": {"seeds": {"z": [0]}}}}, "models.m.seeds: 'z' is unknown"),
        ({"models": {"m": {"settings_from": "search"}}}, "there is no section [search]"),
        ({"evaluation": {"comparisons": [["m", "n"]]}}, "evaluation.comparisons: 'n'"),
        ({"profile": {"corpus": "z"}}, "profile.corpus: 'z'"),
        ({"models": {"m": {"settings": {"order": "two"}}}}, "models.m: The 'order' parameter"),
        ({"models": {"m": {"settings": {"order": 0}}}}, "models.m: The 'order' parameter"),
        ({"models": {"m": 3}}, "models.m: input should be a table"),
        ({"splits": {"s": {"seeds": [0, 1, 0]}}}, "splits.s.seeds: 0 is listed more than once"),
        ({"authors": ["a", "b", "a"]}, "authors: a is listed more than once"),
        ({"evaluation": {"stages": [7], "sentences": [1]}}, "stages: [7] must also be listed"),
        ({"evaluation": {"comparisons": [["m", "m"]]}}, "they are the same"),
        (
            {
                "models": {"n": {"label": "", "kind": "ngram", "attribution": False}},
                "evaluation": {"comparisons": [["m", "n"]]},
            },
            "n has attribution = false",
        ),
        (
            {
                "models": {
                    "n": {
                        "label": "n",
                        "kind": "feedforward",
                        "settings": {"learning_rate": float("nan")},
                    }
                }
            },
            "models.n: The 'learning_rate' parameter",
        ),
        (
            {
                "models": {
                    "n": {"label": "n", "kind": "feedforward", "settings": {"random_state": 3}}
                }
            },
            "models.n: settings: random_state cannot be set",
        ),
        (
            {"splits": {"search": {"corpus": "c", "unit": "sentence", "seeds": [0]}}},
            "splits.search",
        ),
        (
            {"models": {"m": {"settings": {"sentence_end": False}}}},
            "models.m: settings: sentence_e",
        ),
        (
            {"models": {"n": {"label": "n", "kind": "feedforward", "preset": "ge-sun-2016"}}},
            "models.n: settings: sentence_start=False",
        ),
    ],
)
def test_an_error_lists_what_is_known(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_config(with_(**changes), "x.toml")
    assert message in str(error.value)
    assert "x.toml" in str(error.value)


def test_all_errors_are_listed_at_once() -> None:
    with pytest.raises(UsageError) as error:
        parse_config(with_(sead=1, seed="x"), "x.toml")
    assert "sead" in str(error.value)
    assert "seed: input should be" in str(error.value)


def test_a_missing_key_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"corpora: is missing"):
        parse_config({k: v for k, v in SMALLEST.items() if k != "corpora"}, "x.toml")


def test_a_range_must_ascend() -> None:
    search = {
        "model": "m",
        "split": "s",
        "authors": ["a"],
        "settings": 3,
        "ranges": {"learning_rate": {"low": 1.0, "high": 1.0}},
    }
    with pytest.raises(UsageError, match=r"ranges\.learning_rate: low must be below high"):
        parse_config(with_(search=search), "x.toml")


def test_quick_replaces_values_inside_tables() -> None:
    # Lists are replaced as a whole, tables are merged.
    assert merge_settings({"a": {"b": [1, 2], "c": 3}}, {"a": {"b": [9]}}) == {
        "a": {"b": [9], "c": 3}
    }


def test_the_shipped_configuration_and_its_quick_version() -> None:
    path, shipped = find_config(Path("ge_sun_2016.toml"))
    assert shipped
    full, quick = load_config(path), load_config(path, quick=True)
    assert full.splits["by-sentence"].seeds == tuple(range(10))
    assert full.authors is None
    assert quick.authors is not None
    assert set(quick.evaluation.excluded_from_mean) < set(quick.authors)
    assert quick.models["nn4"].settings == {"epochs": 6}
    assert quick.models["gt4"] == full.models["gt4"]


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "marked.toml"
    path.write_text("title = 'x'", encoding="utf-8-sig")
    with pytest.raises(UsageError, match="corpora: is missing"):
        load_config(path)


def test_a_name_that_is_too_long_for_a_file_is_not_found() -> None:
    with pytest.raises(UsageError, match="there is no configuration aaa"):
        find_config(Path("a" * 300))


def test_a_file_takes_precedence_over_a_shipped_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ge_sun_2016.toml").write_text("title = 'mine'", encoding="utf-8")
    assert find_config(Path("ge_sun_2016.toml")) == (Path("ge_sun_2016.toml"), False)


def test_invalid_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no .*ships with Byline: ge_sun_2016\.toml"):
        find_config(tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text("title = ", encoding="utf-8")
    with pytest.raises(UsageError, match="not a valid TOML file"):
        load_config(bad)
    bad.write_bytes(b"title = '\xff'")
    with pytest.raises(UsageError, match="not a valid TOML file"):
        load_config(bad)
    bad.write_text("title = 'x'", encoding="utf-8")
    with pytest.raises(UsageError, match=r"has no section \[quick\], which quick=True needs"):
        load_config(bad, quick=True)
    with pytest.raises(UsageError, match="cannot be read"):
        load_config(tmp_path)
