"""Classifiers over texts that are no language models: baselines, and a strong rival."""

from byline.attribution.classifiers.base import TextClassifier
from byline.attribution.classifiers.blocks import NgramBlock
from byline.attribution.classifiers.delta import BurrowsDelta
from byline.attribution.classifiers.most_frequent import MostFrequentAuthor
from byline.attribution.classifiers.ngram_svm import NgramSVM
from byline.attribution.classifiers.pieces import InPieces
from byline.attribution.classifiers.ridge import NgramFeature, NgramRidge

__all__ = [
    "BurrowsDelta",
    "InPieces",
    "MostFrequentAuthor",
    "NgramBlock",
    "NgramFeature",
    "NgramRidge",
    "NgramSVM",
    "TextClassifier",
]
