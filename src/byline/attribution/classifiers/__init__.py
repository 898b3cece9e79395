"""Text classifiers that are not language models: n-gram classifiers, Delta and baselines."""

from byline.attribution.classifiers.base import TextClassifier
from byline.attribution.classifiers.baselines import MostFrequentAuthor
from byline.attribution.classifiers.blocks import NgramBlock
from byline.attribution.classifiers.burrows_delta import BurrowsDelta
from byline.attribution.classifiers.chunked import ChunkedClassifier
from byline.attribution.classifiers.ngram_profiles import NgramProfiles
from byline.attribution.classifiers.ngram_svm import NgramSVM
from byline.attribution.classifiers.numeric_features import NumericFeatures, TextFeatures
from byline.attribution.classifiers.ridge import NgramFeature, NgramRidge

__all__ = [
    "BurrowsDelta",
    "ChunkedClassifier",
    "MostFrequentAuthor",
    "NgramBlock",
    "NgramFeature",
    "NgramProfiles",
    "NgramRidge",
    "NgramSVM",
    "NumericFeatures",
    "TextClassifier",
    "TextFeatures",
]
