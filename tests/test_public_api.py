"""The names a user may rely on are pinned, and each is documented."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import FunctionType, ModuleType
from typing import Any

import pytest
import typer.main

from byline.cli.main import app

PUBLIC = {
    "byline": ["attribute", "evaluate", "load", "train", "verify"],
    "byline.answering": [
        "Answer",
        "AuthorSimilarity",
        "VerificationAnswer",
        "VerificationMaterial",
        "measure_similarity",
        "verify_texts",
        "KnownCorpus",
        "Provenance",
        "Sensitivity",
        "SensitivityPlan",
        "Variation",
        "VariedAnswer",
        "answer",
        "answer_caveats",
        "check_known_texts",
        "check_trained_on",
        "compare_known_texts",
        "plan_sensitivity",
        "reading_options",
        "run_variations",
    ],
    "byline.display": ["Displayable"],
    "byline.attribution": [
        "ALL_OTHERS",
        "Attribution",
        "AuthorshipAttributor",
        "AuthorshipVerifier",
        "BurrowsDelta",
        "CANNOT_TELL",
        "Candidate",
        "END_MARK",
        "Evidence",
        "ChunkedClassifier",
        "LOG_ODDS",
        "MostFrequentAuthor",
        "NONE_OF_THE_CANDIDATES",
        "NgramBlock",
        "NgramEvidence",
        "NgramFeature",
        "NgramProfiles",
        "NgramRidge",
        "NgramSVM",
        "NgramTypeEvidence",
        "NumericFeatures",
        "OpenSetDecision",
        "ReferencePopulation",
        "ReferenceValidation",
        "ScoredToken",
        "SentenceEvidence",
        "SimilarCases",
        "StackedAttributor",
        "TextClassifier",
        "TextFeatures",
        "TextLanguageModel",
        "TokenEvidence",
        "TypeEvidence",
        "Verification",
        "delta_attributor",
        "explain",
        "explain_answer",
        "load_attributor",
        "load_language_model",
        "profile_attributor",
        "save_attributor",
        "save_language_model",
    ],
    "byline.attribution.exploration": [
        "CROSS_PERPLEXITY",
        "DISTANCES",
        "TextExploration",
        "TextMatrix",
        "count_features",
        "explore_features",
        "frequent_features",
        "relative_frequencies",
        "text_distances",
    ],
    "byline.attribution.similarity": [
        "AuthorTree",
        "CrossPerplexity",
        "Join",
        "author_tree",
        "cross_perplexity",
    ],
    "byline.attribution.calibration": [
        "ReliabilityBin",
        "Bounds",
        "CrossEntropyCurve",
        "CalibrationMetrics",
        "LogisticCalibrator",
        "CalibrationOutcomes",
        "Reliability",
        "TippettCurve",
        "brier_score",
        "brier_scores",
        "cllr",
        "cllr_min",
        "clustered_interval",
        "cross_entropy_curve",
        "elub_bounds",
        "errors_by_chance",
        "likelihood_ratios",
        "log_loss",
        "log_losses",
        "target_and_nontarget_llrs",
        "pav_posteriors",
        "reliability",
        "reliability_of_confidences",
        "tippett",
        "verbal_scale",
        "verbal_scale_steps",
    ],
    "byline.attribution.rolling": [
        "ChangePoint",
        "Segment",
        "RollingAttribution",
        "RollingChapter",
        "Window",
        "rolling_attribution",
    ],
    "byline.attribution.keyness": [
        "AuthorKeywords",
        "Context",
        "GroupKeyword",
        "GroupKeywords",
        "GroupSize",
        "Keyword",
        "Measure",
        "NgramCounts",
        "WordUse",
        "choose_slice_size",
        "compare_groups",
        "count_in_parts",
        "craig_zeta",
        "deviation_of_proportions",
        "eder_zeta",
        "juilland_d",
        "keywords_in_text",
        "keywords_of_authors",
        "log_likelihood_ratios",
        "log_odds_ratios",
        "log_ratios",
        "name_words",
        "slice_shares",
    ],
    "byline.attribution.verification": [
        "VerificationCalibrator",
        "AuthorVerification",
        "AuthorshipVerifier",
        "NO",
        "VerificationPerformance",
        "VerificationProblem",
        "Verification",
        "YES",
        "roc_auc",
        "c_at_1",
        "verify_author",
        "verify_authors",
        "JointVerification",
        "SOMEBODY_ELSE",
    ],
    "byline.corpus": [
        "Chapter",
        "Corpus",
        "Document",
        "DuplicatePolicy",
        "ExcludedPart",
        "ExtractedText",
        "FeatureTable",
        "FileFormat",
        "Finding",
        "Heading",
        "Keep",
        "LineRules",
        "ReadResult",
        "ReadingOptions",
        "check_corpus",
        "decode_text",
        "extract_text",
        "find_chapters",
        "read_corpus",
        "read_feature_table",
        "read_text",
        "unwrap",
    ],
    "byline.corpus.checking": [
        "AuthorSize",
        "CleaningStep",
        "Examination",
        "examine",
        "read_for_checking",
    ],
    "byline.corpus.cleaning": [
        "Change",
        "CleanedCorpus",
        "check_folder",
        "clean_corpus",
        "write_folder",
    ],
    "byline.experiments": [
        "AccuracyEstimate",
        "AuthorMetrics",
        "Decision",
        "Evaluation",
        "FittedCurve",
        "Fold",
        "LearningCurve",
        "LearningCurvePoint",
        "Metrics",
        "OpenSetEvaluation",
        "OpenSetMetrics",
        "ShortlistRecall",
        "evaluate",
        "evaluate_fitted",
        "evaluate_learning_curve",
        "evaluate_open_set",
        "hold_out",
        "metrics_of",
        "read_decisions",
        "split",
        "write_decisions",
    ],
    "byline.lm": [
        "AdaptedNgramLM",
        "EpochRecord",
        "FeedForwardLM",
        "FeedForwardTraining",
        "JointNgramIndex",
        "LanguageModel",
        "Measurement",
        "MixtureLM",
        "ModelState",
        "NgramLM",
        "PretrainedLM",
        "RecurrentLM",
        "RecurrentTraining",
        "Scoring",
        "TokenScores",
        "TrainingCallback",
        "TrainingHistory",
        "read_arpa",
        "register_language_model",
        "write_arpa",
    ],
    "byline.report": [
        "CaseInput",
        "CaseMaterial",
        "CaseOrigin",
        "ReportSection",
        "attribution_summary",
        "case_html",
        "case_summary",
        "evaluation_html",
        "evaluation_summary",
        "experiment_html",
        "experiment_summary",
        "experiment_tables",
        "learning_curve_html",
        "learning_curve_summary",
        "open_set_html",
        "open_set_summary",
        "print_attribution",
        "print_calibration",
        "print_evaluation",
        "print_learning_curve",
        "print_open_set",
        "print_profile",
    ],
    "byline.text": [
        "AuthorProfile",
        "CorpusProfile",
        "NUMBER_TOKEN",
        "PorterStemmer",
        "PretokenizedEncoder",
        "SubwordEncoder",
        "TextEncoder",
        "UNK_ID",
        "UNK_TOKEN",
        "Vocabulary",
        "letter_words",
        "normalize",
        "profile_texts",
        "split_characters",
        "split_sentences",
        "split_words",
    ],
}
SELF_EVIDENT = {"self", "cls", "path", "console"}
SECTION = r"^{}\n-+\n(.*?)(?=^\S[^\n]*\n-+$|\Z)"


def _public_objects() -> dict[str, Any]:
    """All public functions and classes by name; constants have no docstring."""
    objects = {
        f"{package}.{name}": getattr(import_module(package), name, None)
        for package, names in PUBLIC.items()
        for name in names
    }
    return {name: thing for name, thing in objects.items() if callable(thing)}


def _methods(cls: type) -> Iterator[FunctionType]:
    """Public methods and properties that a class of ours defines or inherits from one of ours."""
    for owner in cls.__mro__:
        if owner.__module__.startswith("byline."):
            for name, member in vars(owner).items():
                function = getattr(member, "fget", getattr(member, "__func__", member))
                if not name.startswith("_") and isinstance(function, FunctionType):
                    yield function


def _section(thing: Any, title: str) -> str:
    """The body of a section of a numpydoc docstring; empty where it has none."""
    pattern = re.compile(SECTION.format(title), re.MULTILINE | re.DOTALL)
    found = pattern.search(inspect.getdoc(thing) or "")
    return found[1] if found else ""


def _documented(thing: Any, title: str) -> set[str]:
    """Names listed in a section: ``a, b : float`` lists two."""
    heads = re.findall(r"^\*{0,2}(\w[^:\n]*)", _section(thing, title), re.MULTILINE)
    return {name.strip(" *") for head in heads for name in head.split(",")}


def _unspoken(thing: Any) -> set[str]:
    """Parameters that the docstring passes over."""
    parameters = set(inspect.signature(thing).parameters) - SELF_EVIDENT
    return {
        name
        for name in parameters - _documented(thing, "Parameters")
        if not re.search(rf"\b{name}\b", inspect.getdoc(thing) or "")
    }


def _needs_returns(function: Callable[..., Any]) -> bool:
    """Whether a result is a container that no class of ours describes."""
    annotation = str(inspect.signature(function).return_annotation)
    described = any(cls.__name__ in annotation for cls in CLASSES.values())
    return not described and bool(re.search(r"NDArray|dict|list|tuple", annotation))


OBJECTS = _public_objects()
FUNCTIONS = {name: thing for name, thing in OBJECTS.items() if inspect.isfunction(thing)}
CLASSES = {name: thing for name, thing in OBJECTS.items() if inspect.isclass(thing)}


@pytest.mark.parametrize("package", PUBLIC)
def test_no_submodule_replaces_a_public_name(package: str) -> None:
    module = import_module(package)
    for submodule in iter_modules(getattr(module, "__path__", ())):
        import_module(f"{package}.{submodule.name}")
    for name in PUBLIC[package]:
        assert not isinstance(getattr(module, name), ModuleType)


@pytest.mark.parametrize("package", PUBLIC)
def test_public_names_are_pinned(package: str) -> None:
    module = import_module(package)
    assert sorted(module.__all__) == sorted(PUBLIC[package])
    assert [name for name in PUBLIC[package] if not hasattr(module, name)] == []
    assert set(PUBLIC[package]) <= set(dir(module))


def test_a_package_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match=r"'byline\.experiments' has no attribute 'evalute'"):
        import_module("byline.experiments").evalute  # noqa: B018


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_document_their_parameters_and_result(name: str) -> None:
    function = FUNCTIONS[name]
    assert inspect.getdoc(function)
    assert _unspoken(function) == set()
    assert _section(function, "Returns") or not _needs_returns(function)


@pytest.mark.parametrize("name", CLASSES)
def test_classes_document_what_they_are_made_of(name: str) -> None:
    cls = CLASSES[name]
    assert inspect.getdoc(cls)
    assert inspect.isabstract(cls) or issubclass(cls, Enum) or _unspoken(cls) == set()


@pytest.mark.parametrize("name", OBJECTS)
def test_no_parameter_is_invented(name: str) -> None:
    thing = OBJECTS[name]
    functions = _methods(thing) if inspect.isclass(thing) else [thing]
    for function in functions:
        invented = _documented(function, "Parameters") - set(inspect.signature(function).parameters)
        assert (function.__qualname__, invented) == (function.__qualname__, set())


@pytest.mark.parametrize("name", CLASSES)
def test_methods_are_documented(name: str) -> None:
    for method in _methods(CLASSES[name]):
        assert inspect.getdoc(getattr(CLASSES[name], method.__name__)), method.__qualname__


# A changed default changes the results of everybody who does not set it. After a change that is
# intended, write the table again, and read the differences:
#     python3 scripts/dev.py test tests/test_public_api.py --update-snapshots
NO_SETTINGS = (Exception, Enum)
TABLE = Path(__file__).with_name("defaults.txt")


def _shown(value: Any) -> str:
    """Return a default value as text; for a class, its name."""
    if isinstance(value, Enum):
        return repr(str(value.value))
    if callable(value):
        return str(value.__name__)
    return repr(value)


def _of_functions() -> Iterator[str]:
    for package, names in PUBLIC.items():
        module = import_module(package)
        for name in sorted(names):
            shown = getattr(module, name)
            if not callable(shown) or (
                inspect.isclass(shown) and issubclass(shown, Exception | Enum)
            ):
                continue
            methods = {"": shown}
            if inspect.isclass(shown):
                public = vars(shown).items()
                methods |= {f".{n}": f for n, f in public if inspect.isfunction(f) and n[0] != "_"}
            for method, function in methods.items():
                for parameter in inspect.signature(function).parameters.values():
                    if parameter.default is not parameter.empty:
                        default = _shown(parameter.default)
                        yield f"{package}.{name}{method} {parameter.name}={default}"


def _of_options(command: Any, path: str) -> Iterator[str]:
    commands = getattr(command, "commands", {})
    for name in sorted(commands):
        yield from _of_options(commands[name], f"{path} {name}")
    for parameter in [] if commands else command.params:
        if parameter.param_type_name == "option":
            yield f"{path} {parameter.opts[0]}={_shown(parameter.default)}"


def test_the_defaults_are_those_in_the_table(pytestconfig: pytest.Config) -> None:
    lines = [*_of_functions(), *_of_options(typer.main.get_command(app), "byline")]
    if pytestconfig.getoption("--update-snapshots"):
        TABLE.write_text("\n".join([*lines, ""]), encoding="utf-8")
    assert lines == TABLE.read_text(encoding="utf-8").splitlines()
    assert {"byline.answering.measure_similarity folds=5", "byline compare --folds=5"} <= {*lines}
