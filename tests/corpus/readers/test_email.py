from __future__ import annotations

from email.message import EmailMessage
from time import process_time

import pytest

from byline.corpus import extract_text, read_text
from byline.corpus.readers.email import read_mailbox
from byline.corpus.readers.email_headers import is_email, is_mailbox
from byline.errors import CorpusError

BODY = "Dear Ben,\n\nThe rope, über alles, is long.\n\nAnn\n"
QUOTED = "\nOn 4 Mar 2024, at 10:12, Ben Sail wrote:\n\n> Is it long?\n"


def message(body: str = BODY + QUOTED, charset: str = "utf-8", cte: str = "8bit") -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Ann Crème <ann@example.org>"
    mail["To"] = "ben@example.org"
    mail["Subject"] = "Über das Seil"
    mail["Message-ID"] = "<1@example.org>"
    mail.set_content(body, charset=charset, cte=cte)
    return mail


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("utf-8", "quoted-printable"), ("utf-8", "base64"), ("iso-8859-1", "quoted-printable"),
     ("utf-8", "8bit"), ("windows-1252", "base64")],
)  # fmt: skip
def test_a_message_is_decoded_and_the_quotation_counted(charset: str, encoding: str) -> None:
    extracted = extract_text(bytes(message(charset=charset, cte=encoding)), "letter.eml")
    assert extracted.text == "Dear Ben,\n\nThe rope, über alles, is long.\n\nAnn"
    assert (extracted.author, extracted.title) == ("Ann Crème", "Über das Seil")
    assert [(part.kind, part.n) for part in extracted.excluded] == [
        ("e-mail headers", 1), ("quoted messages", 1),
    ]  # fmt: skip


def test_a_message_from_standard_input_is_recognised_by_its_content() -> None:
    data = bytes(message())
    assert is_email(data)
    assert extract_text(data, "standard input").author == "Ann Crème"
    assert not is_email(b"From: Ann\nTo: Ben\n\nA letter.\n")


def test_of_two_versions_the_plain_one_is_read_and_attachments_are_counted() -> None:
    mail = message(BODY)
    mail.add_alternative("<p>Another version</p>", subtype="html")
    mail.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="a.pdf")
    mail.add_attachment(message())
    extracted = extract_text(bytes(mail), "a.eml")
    assert "Another" not in extracted.text
    kinds = {part.kind: part.n for part in extracted.excluded}
    assert kinds == {"e-mail headers": 1, "attachments": 1, "attached messages": 1}


HTML_QUOTATIONS = (
    '<div class="gmail_quote"><div>On Mon Ben wrote:</div><blockquote>Is it?</blockquote></div>',
    '<blockquote type="cite">Is it?<blockquote type="cite">What?</blockquote></blockquote>',
    '<hr><div id="divRplyFwdMsg"><b>From:</b> Ben</div><div>Is it?</div>',
    '<div style="border-top:solid"><p><b>From:</b> Ben<br><b>Sent:</b> Monday<br><b>To:</b> Ann<br>'
    "<b>Subject:</b> Rope</p></div><p>Is it?</p>",
    "<p>On 4 Mar 2024, at 10:12, Ben Sail &lt;ben@example.org&gt; wrote:</p><p>Is it?</p>",
    '<div class="yahoo_quoted">Is it?</div>',
)


@pytest.mark.parametrize("quotation", HTML_QUOTATIONS)
def test_a_message_in_html_alone_is_read_without_the_quotation(quotation: str) -> None:
    mail = message()
    mail.set_content(
        f"<html><body><p>The rope &amp; the knot.</p><p>Ann</p>{quotation}</body></html>",
        subtype="html",
    )
    extracted = extract_text(bytes(mail), "a.eml")
    assert extracted.text == "The rope & the knot.\n\nAnn"
    assert "quoted messages" in {part.kind for part in extracted.excluded}


def test_lines_that_flow_are_joined_exactly() -> None:
    data = (
        b"From: a@example.org\nMessage-ID: <1>\nContent-Type: text/plain; format=flowed\n\n"
        b"The rope is \nlong.\nIt holds.\n-- \nAnn\n"
    )
    assert extract_text(data, "a.eml").text == "The rope is long.\n\nIt holds."


def test_raw_bytes_in_headers_and_wrong_encodings_are_read() -> None:
    data = (
        "From: Ann Crème <a@example.org>\nMessage-ID: <1>\nSubject: Über\n"
        "Content-Type: text/plain; charset=us-ascii\n\nÜber das Seil.\n"
    ).encode()
    extracted = extract_text(data, "a.eml")
    assert (extracted.author, extracted.title) == ("Ann Crème", "Über")
    assert extracted.text == "Über das Seil."
    windows = data.replace(b"us-ascii", b"iso-8859-1").replace("Ü".encode(), b"\x93")
    assert "“ber das Seil" in extract_text(windows, "a.eml").text


def test_a_file_without_headers_is_no_email() -> None:
    with pytest.raises(CorpusError, match="is no e-mail"):
        extract_text(b"\nDear Ben, the rope.\n", "a.eml")


def _mailbox(*mails: EmailMessage) -> bytes:
    return b"".join(
        b"From ann@example.org Mon Mar  4 10:12:00 2024\n" + bytes(mail) + b"\n" for mail in mails
    )


def test_a_mailbox_has_one_turn_per_message_and_one_name_per_address() -> None:
    other = message("An answer.\n")
    other.replace_header("From", "ann@example.org")
    ben = message("From the harbour\n\n>From here it is far.\n")
    ben.replace_header("From", "Ben Sail <ben@example.org>")
    data = _mailbox(message(), other, ben)
    assert is_mailbox(data)
    dialogue = read_mailbox(data, "a.mbox")
    assert [turn.speaker for turn in dialogue.turns] == ["Ann Crème", "Ann Crème", "Ben Sail"]
    assert dialogue.turns[2].text == "From the harbour\n\nFrom here it is far."


def test_a_mailbox_is_a_questioned_text_if_it_has_one_sender() -> None:
    assert extract_text(_mailbox(message(), message()), "a.mbox").text.count("über alles") == 2
    ben = message()
    ben.replace_header("From", "Ben Sail <ben@example.org>")
    mixed = extract_text(_mailbox(message(), ben), "a.mbox")
    assert mixed.speakers == ("Ann Crème", "Ben Sail")
    assert extract_text(_mailbox(message(), ben), "a.mbox", speaker="ben").author == "Ben Sail"


def test_other_content_is_no_mailbox() -> None:
    with pytest.raises(CorpusError, match="is no mailbox"):
        extract_text(b"From nowhere\n", "a.mbox")


def test_parts_within_parts_are_limited() -> None:
    data = b"From: a@example.org\nMessage-ID: <1>\n"
    for n in range(300):
        data += b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n)
    with pytest.raises(CorpusError, match="parts within parts"):
        extract_text(data + b"x\n" * 1000, "a.eml")


@pytest.mark.parametrize(
    "filling",
    [b"word ", b"\n", b"> q\n", b"=20", b"From ", b"From a Mon Mar 4 10:12:00 2024\n",
     b"Content-Type: text/plain; x=\"", b";", b"=?utf-8?q?a?= ", b"--b\n", b"<p>"],
)  # fmt: skip
def test_time_grows_with_the_length(filling: bytes) -> None:
    def seconds(n: int) -> float:
        head = b"From a@b Mon Mar  4 10:12:00 2024\nFrom: a\nMessage-ID: 1\n"
        head += b"Content-Type: text/html; charset=utf-8\nSubject: "
        data = head + filling * (n // len(filling)) + b"\n\n" + filling * (n // len(filling))
        start = process_time()
        read_mailbox(data, "a.mbox")
        return process_time() - start

    short = max(min(seconds(20_000) for _ in range(2)), 0.005)
    assert min(seconds(80_000) for _ in range(2)) < 12 * short


def test_reading_an_email_as_a_questioned_text_gives_its_words(tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path), "letter.eml")
    path.write_bytes(bytes(message(cte="base64")))
    assert read_text(path).startswith("Dear Ben")
