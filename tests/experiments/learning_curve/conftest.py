from __future__ import annotations

from collections.abc import Iterator

import pytest

from byline.experiments.learning_curve import resampling


@pytest.fixture(scope="module", autouse=True)
def few_resamples() -> Iterator[None]:
    """Fit few curves, because each takes milliseconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resampling, "N_RESAMPLES", 20)
        yield
