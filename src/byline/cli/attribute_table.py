"""``byline attribute-table``: attribute all texts of a table, of any size."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Self

import typer

from byline import __version__
from byline.cli.attribute import mention_open_set
from byline.cli.known_options import ColumnsOption
from byline.cli.options import (
    FalseAttributionRateOption,
    ModelArgument,
    OpenSetOption,
    open_set_criterion,
)
from byline.cli.output import (
    CommandInterrupted,
    check_output,
    json_text,
    print_message,
    write_text,
)
from byline.cli.process_options import jobs_option, runs_on_cluster
from byline.cli.progress import show_progress
from byline.errors import CorpusError, OutputError, UsageError
from byline.formatting import quantity

if TYPE_CHECKING:
    from byline.attribution.open_set import Criterion
    from byline.corpus.readers.table_stream import TableText

_MOST_EXAMPLES = 3  # of rows that cannot be read


@runs_on_cluster
def attribute_table(
    model: ModelArgument,
    table: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE",
            help="Table with one questioned text per row: JSON Lines, CSV (both also as .gz) or "
            "Parquet (also a folder of its parts), with a column text and, if you want, a column "
            "id (or see --columns).",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write: JSON Lines, with one object per text; or Parquet, if its name "
            "ends in .parquet.",
        ),
    ],
    top: Annotated[int, typer.Option(min=1, metavar="N", help="Write N candidates per text.")] = 5,
    columns: ColumnsOption = None,
    open_set: OpenSetOption = False,
    false_attribution_rate: FalseAttributionRateOption = None,
    jobs: Annotated[
        int,
        jobs_option("Set the number of processes. Each of them loads the model."),
    ] = 1,
) -> None:
    """Attribute all texts of a table, and write one line of JSON or one row per text.

    The table is read row by row, so that it can have any size. If the command is interrupted, run
    it again to continue.
    """
    from byline.answering import answer
    from byline.corpus.readers.columns import parse_columns
    from byline.corpus.readers.table_stream import TableStream
    from byline.processes.parallel import run_parallel
    from byline.report.answer_lines import batches, loaded_model
    from byline.report.answer_table import check_parquet, is_parquet

    rate = open_set_criterion(open_set, false_attribution_rate)
    check_output(output, model, table)
    if is_parquet(output):
        check_parquet()
    stream = TableStream(table, parse_columns(columns))
    attributor = loaded_model(model)
    answer(attributor, [], open_set=rate, model=model)  # checks the rate before any file is written
    if rate is None:
        mention_open_set(attributor, model)
    run = AnswersFile(output, _settings(model, table, columns, top, rate))
    with run, show_progress("attribute-table") as progress:
        remaining = run.skip_answered(batches(stream))
        calls = ((number, model, batch, rate, top) for number, batch in enumerate(remaining))
        for lines in _in_order(run_parallel(_answer_batch, calls, jobs)):
            run.write(lines)
            progress(stream.done, stream.total, f"{run.n_texts:,} texts")
    run.finish()
    print_message("note", f"{output} was written: {run.describe()}")
    if run.errors:
        raise CorpusError(
            f"{quantity(run.n_errors, 'row')} of {table} could not be read, for example "
            f"{'; '.join(run.errors)}. Their lines in {output} have no answer but an error. "
            "Correct these rows, and attribute them again."
        )


def _answer_batch(
    number: int, model: Path, batch: Sequence[TableText], rate: Criterion | None, top: int
) -> tuple[int, list[str]]:
    from byline.report.answer_lines import answer_lines

    return number, answer_lines(model, batch, rate, top)


def _in_order(results: Iterable[tuple[int, list[str]]]) -> Iterator[list[str]]:
    """Yield the lines of the batches in order; processes finish them in any order."""
    waiting: dict[int, list[str]] = {}
    following = 0
    for number, lines in results:
        waiting[number] = lines
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _settings(
    model: Path, table: Path, columns: str | None, top: int, rate: Criterion | None
) -> dict[str, Any]:
    """Return what must be the same when a run continues."""
    from byline.answering import Provenance
    from byline.corpus.readers.data_set import data_set_parts
    from byline.report.answer_lines import loaded_model

    contents = [file.stat() for file in data_set_parts(table) or [table]]
    return {
        "model_sha256": Provenance.of(loaded_model(model), rate).model_sha256,
        "table": [{"size": each.st_size, "changed": each.st_mtime_ns} for each in contents],
        "columns": columns,
        "top": top,
        "false_attribution_rate": rate,
        "byline": __version__,
    }


class AnswersFile:
    """A file of answers that grows batch by batch, and continues after an interruption.

    Until it is complete, its name ends in ``.partial``, and it contains JSON Lines, because a
    Parquet file cannot be continued. A second file records the model, the table and the settings,
    so that the answers of two runs are not mixed.

    Parameters
    ----------
    output : Path
    settings : dict
        JSON values.

    Raises
    ------
    UsageError
        There is a partial file with other settings.
    """

    def __init__(self, output: Path, settings: dict[str, Any]) -> None:
        self.output = output
        self.partial = output.with_name(f"{output.name}.partial")
        self._record = output.with_name(f"{output.name}.partial.json")
        self.n_texts = self.n_declined = self.n_errors = 0
        self.errors: list[str] = []
        check_output(self.partial)
        if not self.partial.exists():
            write_text(self._record, json_text(settings))
        elif not self._is_record_of(settings):
            raise UsageError(
                f"{self.partial} is left from a run with another model, table or settings. Give "
                "the same ones to continue it, or delete it to start again."
            )

    def _is_record_of(self, settings: dict[str, Any]) -> bool:
        try:
            return self._record.read_bytes() == json_text(settings).encode()
        except OSError:
            return False

    def __enter__(self) -> Self:
        try:
            self._file: BinaryIO = self.partial.open("a+b")
            self._file.seek(0)
        except OSError as error:
            raise OutputError(f"{self.partial} cannot be written: {error.strerror}.") from error
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._file.close()
        if kind is KeyboardInterrupt:
            raise CommandInterrupted(
                f"interrupted: {self.partial} contains {self.n_texts:,} answers; run the same "
                "command again to continue"
            )

    def skip_answered(self, batches: Iterable[list[TableText]]) -> Iterator[list[TableText]]:
        """Yield the batches that the file does not contain completely."""
        is_complete = True
        for batch in batches:
            if is_complete:
                start = self._file.tell()
                lines = [self._file.readline() for _ in batch]
                is_complete = all(line.endswith(b"\n") for line in lines)
                if is_complete:
                    self._count(lines)
                    continue
                self._file.truncate(start)
                if self.n_texts:
                    print_message("note", f"continuing after {self.n_texts:,} texts")
            yield batch

    def write(self, lines: Sequence[str]) -> None:
        """Add the answers of one batch."""
        try:
            self._file.write("".join(f"{line}\n" for line in lines).encode())
            self._file.flush()
        except OSError as error:
            raise OutputError(
                f"{self.partial} cannot be written: {error.strerror}. Run the same command again "
                "to continue."
            ) from error
        self._count(lines)

    def finish(self) -> None:
        """Give the complete file its name, or write its answers as Parquet."""
        from byline.report.answer_table import is_parquet, write_answer_table

        try:
            if is_parquet(self.output):
                write_answer_table(self.partial, self.output)
                self.partial.unlink()
            else:
                self.partial.replace(self.output)
        except OSError as error:
            raise OutputError(f"{self.output} cannot be written: {error.strerror}.") from error
        self._record.unlink(missing_ok=True)

    def describe(self) -> str:
        """Return how many texts were answered and declined."""
        n_attributed = self.n_texts - self.n_declined - self.n_errors
        answered = f"{n_attributed:,} of {quantity(self.n_texts, 'text')} attributed"
        return f"{answered}, {self.n_declined:,} declined, {self.n_errors:,} not readable"

    def _count(self, lines: Iterable[str | bytes]) -> None:
        for line in lines:
            entry = self._entry(line)
            self.n_texts += 1
            self.n_declined += entry.get("declined") is not None
            if "error" in entry:
                self.n_errors += 1
                if len(self.errors) < _MOST_EXAMPLES:
                    self.errors.append(f"{entry['path']}: {entry['error']}")

    def _entry(self, line: str | bytes) -> dict[str, Any]:
        try:
            entry: dict[str, Any] = json.loads(line)
        except ValueError as error:
            raise UsageError(
                f"{self.partial}, line {self.n_texts + 1} is damaged. Delete this line and all "
                "later ones to continue from there, or delete the file to start again."
            ) from error
        return entry
