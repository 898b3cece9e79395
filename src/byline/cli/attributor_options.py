"""Options of the attributor, and the objects that they describe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Self

import typer

from byline.cli.feature_options import ClassifierOption
from byline.cli.model_options import LmKind, ModelSettings
from byline.cli.options import MODEL_PANEL, given_options, refuse_options
from byline.cli.plugin_choice import choice_or_plugin
from byline.cli.process_options import jobs_option
from byline.named_settings import setting
from byline.plugins import CLASSIFIERS, plugin_names

if TYPE_CHECKING:
    from byline.attribution import AuthorshipAttributor, StackedAttributor, TextClassifier
    from byline.lm import FeedForwardLM, LanguageModel, RecurrentLM


class AttributionMethod(StrEnum):
    """How texts are attributed."""

    STACKED = "stacked"
    LANGUAGE_MODELS = "language-models"
    DELTA = "delta"
    PROFILES = "profiles"
    AUTO = "auto"


# Those that state calibrated probabilities.
CALIBRATED_METHODS = (
    AttributionMethod.STACKED.value,
    AttributionMethod.DELTA.value,
    AttributionMethod.PROFILES.value,
)
# Training takes minutes per network, and a fraction of a second per n-gram model.
DEFAULT_N_SAMPLES: Mapping[str, int] = {
    LmKind.NGRAM: 3,
    LmKind.FEEDFORWARD: 1,
    LmKind.RECURRENT: 1,
    LmKind.PRETRAINED: 1,
}
_WITH_MODELS = {
    AttributionMethod.AUTO,
    AttributionMethod.STACKED,
    AttributionMethod.LANGUAGE_MODELS,
}
_OPTIONS_OF_DELTA = {"method", "language", "normalize", "seed", "jobs", "open_set"}


@dataclass(frozen=True, kw_only=True)
class AttributorSettings(ModelSettings):
    """How the authors' models are trained and combined."""

    method: Annotated[
        str,
        typer.Option(
            parser=choice_or_plugin(AttributionMethod, CLASSIFIERS),
            metavar="METHOD",
            help="Choose the method. auto: stacked for at most 200 candidates, and profiles for "
            "more, unless no candidate has a second work or an option of language models is "
            "given. stacked: combine language models with other classifiers, and calibrate the "
            "probabilities. language-models: use language models only, which is faster; authors "
            "can be added later. delta: use Cosine Delta only, with calibrated probabilities; "
            "this is the quickest, but less accurate. "
            "profiles: compare weighted n-grams with a profile of each candidate, with calibrated "
            "probabilities; for hundreds or thousands of candidates. PLUGIN: use only a classifier "
            "of another installed package, with calibrated probabilities.",
        ),
    ] = AttributionMethod.AUTO
    classifier: ClassifierOption = None
    samples: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Set the number of equal-sized random samples per author, each of which is used "
            "to train a language model. By default 3 for ngram and 1 for networks.",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    unequal: Annotated[
        bool,
        typer.Option(
            "--unequal",
            help="Train on all known texts instead of equal-sized samples. This favours authors "
            "with more text.",
            rich_help_panel=MODEL_PANEL,
        ),
    ] = False
    background: Annotated[
        bool,
        typer.Option(
            "--background",
            help="Train one language model on all authors together, the background model, and "
            "adapt it to each author.",
            rich_help_panel=MODEL_PANEL,
        ),
    ] = False
    mixture: Annotated[
        bool,
        typer.Option(
            "--mixture",
            help="Mix each network with an n-gram model (feedforward, recurrent). This is slow, "
            "but the most accurate setting for single sentences.",
            rich_help_panel=MODEL_PANEL,
        ),
    ] = False
    cache: Annotated[
        float,
        typer.Option(
            min=0,
            max=0.99,
            metavar="WEIGHT",
            help="Set the weight of a cache model, which predicts each word from the preceding "
            "words of the questioned text, so that repeated words count for less. Try 0.5 for "
            "texts of another genre.",
            rich_help_panel=MODEL_PANEL,
        ),
    ] = 0.0
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate",
            help="Calibrate the language models of --method language-models on held-out known "
            "texts and simulated cases. Training takes several times as long. The method stacked "
            "always calibrates.",
            rich_help_panel=MODEL_PANEL,
        ),
    ] = False
    jobs: Annotated[
        int,
        jobs_option("Set the number of training processes."),
    ] = 1

    def attributor(self) -> AuthorshipAttributor | StackedAttributor:
        """Return an unfitted attributor with these settings."""
        from byline.attribution import StackedAttributor
        from byline.attribution.stacking import LANGUAGE_MODELS as NAME
        from byline.attribution.stacking import default_base_classifiers

        is_stacked = self.method in (AttributionMethod.STACKED, AttributionMethod.AUTO)
        if self.classifier and not is_stacked:
            refuse_options(
                self, ["classifier"], f"is only valid with {setting('method', 'stacked')}"
            )
        if self.method == AttributionMethod.DELTA:
            return self.delta()
        if self.method == AttributionMethod.PROFILES:
            return self.profiles()
        if is_stacked:
            classifiers = default_base_classifiers(self.language_models(), random_state=self.seed)
            classifiers += [(name, self.plugin_classifier(name)) for name in self.classifier or ()]
        elif self.method != AttributionMethod.LANGUAGE_MODELS:
            self._refuse_language_model_options(setting("method", self.method))
            classifiers = [(self.method, self.plugin_classifier(self.method))]
        elif self.calibrate:
            classifiers = [(NAME, self.language_models())]
        else:
            return self.language_models(jobs=self.jobs)
        return StackedAttributor(
            classifiers,
            random_state=self.seed,
            n_jobs=self.jobs,
            normalization=self.normalize,
        )

    def delta(self) -> StackedAttributor:
        """Return an unfitted Cosine Delta; it has no language models, and no options of theirs."""
        from byline.attribution.stacking import delta_attributor

        self._refuse_language_model_options(setting("method", "delta"))
        return delta_attributor(self.language, random_state=self.seed, normalization=self.normalize)

    def profiles(self) -> StackedAttributor:
        """Return an unfitted stack of author profiles; it has no language models either."""
        from byline.attribution import profile_attributor

        self._refuse_language_model_options(setting("method", "profiles"))
        return profile_attributor(
            self.language,
            random_state=self.seed,
            n_jobs=self.jobs,
            normalization=self.normalize,
        )

    def plugin_classifier(self, name: str) -> TextClassifier:
        """Return an unfitted classifier of another installed package.

        Its parameters ``language`` and ``random_state`` are those of the other classifiers.
        """
        from byline.attribution.model_files.classifiers import CLASSIFIER_KINDS

        if name not in plugin_names(CLASSIFIERS):
            raise typer.BadParameter(
                f"{setting('classifier', name)}: no installed package declares this classifier"
            )
        classifier = CLASSIFIER_KINDS.make(name)
        given = {"language": self.language, "random_state": self.seed}
        names = classifier.get_params(deep=False)
        classifier.set_params(**{k: v for k, v in given.items() if k in names})
        return classifier

    def _refuse_language_model_options(self, method: str) -> None:
        why = f"is an option of language models, which {method} does not use"
        refuse_options(self, self._options_of_language_models, why)

    @property
    def _options_of_language_models(self) -> list[str]:
        return sorted({field.name for field in fields(self)} - _OPTIONS_OF_DELTA)

    def for_authors(self, authors: Sequence[str], works: Sequence[str]) -> Self:
        """Replace the method ``auto`` by the one that suits the number of authors.

        Profiles need an author with a second work, which can be held out.
        """
        from byline.attribution.stacking import MANY_AUTHORS

        if self.method != AttributionMethod.AUTO:
            return self
        n_authors = len(set(authors))
        has_second_work = len(set(zip(authors, works, strict=True))) > n_authors
        for_models = given_options(self, self._options_of_language_models)
        is_stack = for_models or self.classifier or not has_second_work
        has_profiles = n_authors > MANY_AUTHORS and not is_stack
        chosen = AttributionMethod.PROFILES if has_profiles else AttributionMethod.STACKED
        return replace(self, method=chosen)

    def for_texts(self, texts: Iterable[str]) -> Self:
        """Replace ``auto`` by the unit that suits the texts; classifiers find words themselves."""
        return super().for_texts(texts) if self.method in _WITH_MODELS else self

    def language_models(self, *, jobs: int = 1) -> AuthorshipAttributor:
        """Return unfitted language models, one per author."""
        from byline.attribution import AuthorshipAttributor

        if self.unequal and self.samples is not None:
            raise typer.BadParameter(
                f"{setting('samples')} contradicts {setting('unequal', True)}; give only one of "
                "them"
            )
        return AuthorshipAttributor(
            self.language_model(),
            self.encoder(),
            balance="none" if self.unequal else "equal-samples",
            n_samples=self.samples or DEFAULT_N_SAMPLES.get(self.lm, 3),
            background="pooled" if self.background else "none",
            cache=self.cache,
            random_state=self.seed,
            n_jobs=jobs,
        )

    def language_model(self) -> LanguageModel:
        """Return an unfitted language model: a single one or a mixture."""
        model = super().language_model()
        if not self.mixture:
            return model
        if self.lm in (LmKind.NGRAM, LmKind.PRETRAINED):
            networks = setting("lm", ("feedforward", "recurrent"))
            raise typer.BadParameter(f"{setting('mixture', True)} is only valid with {networks}")
        from byline.lm import MixtureLM

        return MixtureLM((self.ngram_model(), model), weights=(0.5, 0.5))

    def ngram_model(self) -> LanguageModel:
        """Return an unfitted n-gram model, which adapts the background if there is one."""
        if not self.background:
            return super().ngram_model()
        from byline.lm.ngrams.adapted import AdaptedNgramLM

        model = AdaptedNgramLM(order=self.default_order)
        if self.of_characters:
            model.set_params(strength=0.0)
        return model

    def recurrent_prototype(self) -> RecurrentLM:
        """Return the recurrent network that the options modify."""
        from byline.lm import RecurrentLM

        return RecurrentLM.for_adaptation() if self.background else super().recurrent_prototype()

    def feedforward_prototype(self) -> FeedForwardLM:
        """Return the feed-forward network that the options modify."""
        from byline.lm import FeedForwardLM

        return (
            FeedForwardLM.for_adaptation() if self.background else super().feedforward_prototype()
        )
