"""Choose how a result shows itself by its class."""

from __future__ import annotations

from functools import singledispatch

from byline.answering import Answer, AuthorSimilarity, VerificationAnswer
from byline.attribution.exploration import TextExploration
from byline.attribution.keyness import GroupKeywords
from byline.attribution.rolling import RollingAttribution
from byline.experiments import Evaluation, LearningCurve, OpenSetEvaluation
from byline.report.displays.answers import answer_display
from byline.report.displays.authors import similarity_display, verification_display
from byline.report.displays.display import Display
from byline.report.displays.evaluations import (
    evaluation_display,
    learning_curve_display,
    open_set_display,
)
from byline.report.displays.exploration import exploration_display
from byline.report.displays.keywords import group_keywords_display
from byline.report.displays.texts import profile_display, rolling_display
from byline.text import CorpusProfile


@singledispatch
def display_of(result: object) -> Display:
    """Return how a result shows itself.

    Raises
    ------
    TypeError
        Byline does not know the class of the result.
    """
    raise TypeError(f"a {type(result).__name__} has no display")


display_of.register(Answer, answer_display)
display_of.register(VerificationAnswer, verification_display)
display_of.register(AuthorSimilarity, similarity_display)
display_of.register(Evaluation, evaluation_display)
display_of.register(OpenSetEvaluation, open_set_display)
display_of.register(LearningCurve, learning_curve_display)
display_of.register(TextExploration, exploration_display)
display_of.register(RollingAttribution, rolling_display)
display_of.register(GroupKeywords, group_keywords_display)
display_of.register(CorpusProfile, profile_display)
