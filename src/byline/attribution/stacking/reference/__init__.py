"""A reference population: texts by other people, from which cases like the user's are simulated.

`population` selects the texts, `mirroring` draws cases of the same shape from them, `simulation`
trains base classifiers on these cases, and `validation` fits the rule of the weights to them and
measures how well it answers them.
"""

from byline.attribution.stacking.reference.population import ReferencePopulation
from byline.attribution.stacking.reference.validation import ReferenceValidation

__all__ = ["ReferencePopulation", "ReferenceValidation"]
