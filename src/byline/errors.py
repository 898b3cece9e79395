"""The exceptions and warnings that a user can meet; each family of errors has its exit code.

A message states what is wrong, where, and what to do. The command line prints only the message and
ends with ``exit_code``; ``--debug`` adds the traceback.
"""


class BylineError(Exception):
    """Base class of all errors that Byline raises on purpose.

    Examples
    --------
    >>> from byline.corpus import read_corpus
    >>> try:
    ...     read_corpus("no such folder")
    ... except BylineError as error:
    ...     print(type(error).__name__, error.exit_code)
    CorpusError 3
    """

    exit_code = 1


class UsageError(BylineError, ValueError):
    """An option or parameter has a value that cannot be used."""

    exit_code = 2


class CorpusError(BylineError):
    """Documents cannot be read, or cannot be used as they are."""

    exit_code = 3


class ModelFileError(BylineError):
    """A model file is damaged, was changed, has another type, or has a newer format."""

    exit_code = 4


class MissingBaseError(ModelFileError):
    """The pretrained model with which a model file was trained is missing or has changed."""


class TrainingError(BylineError):
    """There is too little text to train on or to split, or the training failed."""

    exit_code = 5


class DivergenceError(TrainingError):
    """The training of a network diverged, so its weights are not a model."""


class MissingExtraError(BylineError):
    """An optional dependency is needed; the message contains the command that installs it."""

    exit_code = 6


class PluginError(BylineError):
    """Another installed package adds something to Byline that is broken or has a taken name."""

    exit_code = 9


class OutputError(BylineError):
    """A result cannot be written to its destination."""

    exit_code = 7


class ExperimentError(BylineError):
    """Jobs of an experiment failed, or no process is left that could do them."""

    exit_code = 8


class BylineWarning(UserWarning):
    """Something that the reader of a result should know before relying on it."""
