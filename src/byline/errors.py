"""Every exception and warning a user can meet, each family with its exit code.

A message says what was wrong, where, and how to mend it. The command line prints the
message alone and ends with ``exit_code``; ``--debug`` brings the traceback.
"""


class BylineError(Exception):
    """Root of all errors that Byline raises on purpose."""

    exit_code = 1


class UsageError(BylineError, ValueError):
    """An option or parameter has a value that cannot be used."""

    exit_code = 2


class CorpusError(BylineError):
    """The documents handed over cannot be read, or cannot be used as they are."""

    exit_code = 3


class ModelFileError(BylineError):
    """A model file is damaged, altered, of another kind, or of a newer format."""

    exit_code = 4


class TrainingError(BylineError):
    """There is too little to learn or to split, or learning came to nothing."""

    exit_code = 5


class DivergenceError(TrainingError):
    """The training of a network went astray: its weights are no model."""


class MissingExtraError(BylineError):
    """An optional dependency is needed; the message holds the line that installs it."""

    exit_code = 6


class OutputError(BylineError):
    """A result cannot be written where it was asked for."""

    exit_code = 7


class ExperimentError(BylineError):
    """Jobs of an experiment failed, or there is nothing any more that could do them."""

    exit_code = 8


class BylineWarning(UserWarning):
    """Something the reader of a result should know before trusting it."""
