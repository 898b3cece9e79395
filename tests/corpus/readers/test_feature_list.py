"""Lists of words or other features."""

from __future__ import annotations

import pytest

from byline.corpus.readers.feature_list import parse_feature_list
from byline.errors import UsageError


def test_a_feature_list_is_read_without_comments() -> None:
    assert parse_feature_list("\ufeff# words\n\n the \nof\r\n", "list.txt") == ["the", "of"]
    with pytest.raises(
        UsageError, match=r"list\.txt contains features more than once: of\. Delete"
    ):
        parse_feature_list("of\nof", "list.txt")
    with pytest.raises(UsageError, match="no features"):
        parse_feature_list("# of", "list.txt")
