from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from time import process_time
from typing import NamedTuple

import pytest

from byline.corpus import Document
from byline.corpus.checking.edits import apply_edits
from byline.corpus.checking.emails import find_email_parts
from byline.corpus.emails.parts import email_parts


class Mail(NamedTuple):
    name: str
    text: str
    own: str


class _Language(NamedTuple):
    """The phrases of one language: an own message, another person's, and what programs add."""

    own: str
    closing: str
    other: str
    gmail: str
    gmail_broken: str
    apple: str
    bare: str
    outlook: str
    original: str
    forwarded: str
    apple_forwarded: str
    device: str
    disclaimer: str


_LANGUAGES = {
    "en": _Language(
        own="Dear Ben,\n\nthe rope is long enough for both boats, so we can sail on Friday.",
        closing="Best wishes,\nAnn",
        other="Is the rope long enough? The harbour master wants to know by noon.",
        gmail="On Mon, Mar 4, 2024 at 10:12 AM Ben Sail <ben@example.org> wrote:",
        gmail_broken="On Mon, Mar 4, 2024 at 10:12 AM Benjamin Archibald Sail\n"
        "<ben@example.org> wrote:",
        apple="On 4 Mar 2024, at 10:12, Ben Sail wrote:",
        bare="On Mar 4, 2024, Ben Sail wrote:",
        outlook="From: Ben Sail <ben@example.org>\nSent: Monday, March 4, 2024 10:12 AM\n"
        "To: Ann Quill\nSubject: The rope",
        original="-----Original Message-----",
        forwarded="---------- Forwarded message ---------",
        apple_forwarded="Begin forwarded message:",
        device="Sent from my iPhone",
        disclaimer="This e-mail and any attachments are confidential and intended solely for the\n"
        "addressee. If you are not the intended recipient, please notify the sender\n"
        "and delete it.",
    ),
    "de": _Language(
        own="Lieber Ben,\n\ndas Seil reicht für beide Boote, wir können am Freitag segeln.",
        closing="Herzliche Grüße\nAnn",
        other="Reicht das Seil? Der Hafenmeister will es bis Mittag wissen.",
        gmail="Am Mo., 4. März 2024 um 10:12 Uhr schrieb Ben Segel <ben@example.org>:",
        gmail_broken="Am Mo., 4. März 2024 um 10:12 Uhr schrieb Benjamin Archibald Segel <\n"
        "ben@example.org>:",
        apple="Am 04.03.2024 um 10:12 schrieb Ben Segel <ben@example.org>:",
        bare="Am 04.03.2024 schrieb Ben Segel:",
        outlook="Von: Ben Segel <ben@example.org>\nGesendet: Montag, 4. März 2024 10:12\n"
        "An: Ann Feder\nBetreff: Das Seil",
        original="-----Ursprüngliche Nachricht-----",
        forwarded="-------- Weitergeleitete Nachricht --------",
        apple_forwarded="Anfang der weitergeleiteten Nachricht:",
        device="Von meinem iPhone gesendet",
        disclaimer="Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige\n"
        "Adressat sind, informieren Sie bitte den Absender und vernichten Sie diese Mail.",
    ),
    "fr": _Language(
        own="Cher Ben,\n\nla corde suffit pour les deux bateaux, nous partons donc vendredi.",
        closing="Bien à toi,\nAnne",
        other="La corde est-elle assez longue ? Le capitaine veut le savoir avant midi.",
        gmail="Le lun. 4 mars 2024 à 10:12, Ben Voile <ben@example.org> a écrit :",
        gmail_broken="Le lun. 4 mars 2024 à 10:12, Benjamin Archibald Voile <ben@example.org>\n"
        "a écrit\u00a0:",
        apple="Le 4 mars 2024 à 10:12, Ben Voile <ben@example.org> a écrit :",
        bare="Le 04/03/2024, Ben Voile a écrit :",
        outlook="De : Ben Voile <ben@example.org>\nEnvoyé : lundi 4 mars 2024 10:12\n"
        "À : Anne Plume\nObjet : La corde",
        original="-----Message d'origine-----",
        forwarded="---------- Message transféré ---------",
        apple_forwarded="Début du message transféré :",
        device="Envoyé de mon iPhone",
        disclaimer="Ce message et ses pièces jointes sont confidentiels et réservés à leurs\n"
        "destinataires. Si vous avez reçu ce message par erreur, merci de le détruire.",
    ),
    "es": _Language(
        own="Querido Ben:\n\nla cuerda alcanza para los dos barcos, así que salimos el viernes.",
        closing="Un abrazo,\nAna",
        other="¿Es bastante larga la cuerda? El capitán quiere saberlo antes del mediodía.",
        gmail="El lun, 4 mar 2024 a las 10:12, Ben Vela (<ben@example.org>) escribió:",
        gmail_broken="El lun, 4 mar 2024 a las 10:12, Benjamín Arquibaldo Vela\n"
        "(<ben@example.org>) escribió:",
        apple="El 4 mar 2024, a las 10:12, Ben Vela <ben@example.org> escribió:",
        bare="El 04/03/2024, Ben Vela escribió:",
        outlook="De: Ben Vela <ben@example.org>\nEnviado el: lunes, 4 de marzo de 2024 10:12\n"
        "Para: Ana Pluma\nAsunto: La cuerda",
        original="-----Mensaje original-----",
        forwarded="---------- Mensaje reenviado ---------",
        apple_forwarded="Inicio del mensaje reenviado:",
        device="Enviado desde mi iPhone",
        disclaimer="Este mensaje es confidencial y va dirigido exclusivamente a su destinatario.\n"
        "Si usted no es el destinatario, le rogamos que lo destruya.",
    ),
}
_SIGNATURE = "Ann Quill\nRope Works Ltd\nTel. +44 20 7946 0000\nwww.example.org"


def mails() -> Iterator[Mail]:
    """Yield each style in each language."""
    for code, each in _LANGUAGES.items():
        own = f"{each.own}\n\n{each.closing}"
        quoted = "\n".join(f"> {line}" for line in each.other.split(". "))
        for style, after in (
            ("gmail", f"{each.gmail}\n\n{quoted}"),
            ("gmail-unmarked", f"{each.gmail}\n\n{each.other}"),
            ("gmail-broken", f"{each.gmail_broken}\n\n{quoted}"),
            ("gmail-broken-unmarked", f"{each.gmail_broken}\n{each.other}"),
            ("apple", f"{each.apple}\n\n{quoted}"),
            ("apple-unmarked", f"{each.apple}\n\n{each.other}"),
            ("bare-unmarked", f"{each.bare}\n\n{each.other}"),
            ("outlook", f"{each.outlook}\n\n{each.other}"),
            ("outlook-rule", f"{'_' * 32}\n{each.outlook}\n\n{each.other}"),
            ("original-message", f"{each.original}\n{each.outlook}\n\n{each.other}"),
            ("forwarded", f"{each.forwarded}\n{each.outlook}\n\n{each.other}"),
            ("apple-forwarded", f"{each.apple_forwarded}\n\n{each.outlook}\n\n{each.other}"),
            ("device", f"{each.device}"),
            ("device-quoted", f"{each.device}\n\n{each.apple}\n\n{quoted}"),
            ("signature", f"-- \n{_SIGNATURE}"),
            ("contact-lines", _SIGNATURE),
            ("disclaimer", each.disclaimer),
            ("signature-disclaimer-outlook", f"-- \n{_SIGNATURE}\n\n{each.disclaimer}\n\n"
             f"{each.outlook}\n\n{each.other}"),
        ):  # fmt: skip
            yield Mail(f"{code}-{style}", f"{own}\n\n{after}\n", own)
        yield Mail(
            f"{code}-answers-between",
            f"{each.gmail}\n\n> {each.other}\n\n{each.own}\n\n> {each.other}\n\n{each.closing}\n",
            f"{each.own}\n\n{each.closing}",
        )
        lines = f"> {each.other}\n> {each.other}"
        yield Mail(
            f"{code}-answers-between-lines",
            f"{each.gmail}\n\n{lines}\n\n{each.own}\n\n{lines}\n\n{each.closing}\n",
            f"{each.own}\n\n{each.closing}",
        )
        yield Mail(f"{code}-nothing-added", f"{own}\n", own)


MAILS = list(mails())


def own_words(text: str, *, is_email: bool = False) -> str:
    kept, done = [], 0
    for part in email_parts(text, is_email=is_email):
        kept.append(text[done : part.start])
        done = part.end
    return "".join([*kept, text[done:]])


@pytest.mark.parametrize("mail", MAILS, ids=[mail.name for mail in MAILS])
def test_what_the_sender_wrote_stays_alone(mail: Mail) -> None:
    cleaned = apply_edits(mail.text, find_email_parts(Document("ann", mail.text, "a.txt")))
    assert cleaned.split() == mail.own.split()
    assert own_words(mail.text, is_email=True).split() == mail.own.split()


@pytest.mark.parametrize(
    "line",
    [
        "On Monday, 3 March 2025, Ben Sail wrote:",
        "On Mon, Mar 3, 2025, Ben wrote:",
        "On Monday March 3 2025, Ben Sail wrote:",
        "Am Montag, 3. März 2025 schrieb Ben Segel:",
        "Le lundi 3 mars 2025, Ben Voile a écrit :",
        "El lunes, 3 de marzo de 2025, Ben Vela escribió:",
    ],
)
def test_a_line_with_a_day_of_the_week_begins_a_quotation(line: str) -> None:
    text = f"{OWN}\n{line}\n\nIs the rope long?\nIt is urgent.\n"
    [part] = email_parts(text)
    assert (text[: part.start].rstrip(), part.end) == (OWN.rstrip(), len(text.rstrip()))


@pytest.mark.parametrize("salutation", ["Dear Ben,", "Hi!", "From: Ann\nTo: Ben\nSubject: Rope"])
def test_a_date_begins_a_quotation_in_a_text_with_a_salutation(salutation: str) -> None:
    quotation = "On 3 March 2025, Ben Sail wrote:\nIs the rope long?\n"
    assert email_parts(f"{OWN}\n{quotation}") == []
    text = f"{salutation}\n\n{OWN}\n{quotation}"
    assert text[email_parts(text)[-1].start :] == quotation


def test_what_is_removed_has_a_code() -> None:
    text = next(mail.text for mail in MAILS if mail.name == "en-signature-disclaimer-outlook")
    codes = [part.code for part in email_parts(text)]
    assert codes == ["email-signature", "email-disclaimer", "quoted-lines"]


OWN = "The rope is long enough for both boats.\n\nSo we sail on Friday.\n"


@pytest.mark.parametrize(
    "passage",
    [
        "On the 4th of March, 1805, the captain wrote:\nThe rope is too short.\n",
        "On March 4, 2003, the Harbour News wrote:\nThe rope is too short.\n",
        "On some Sundays of 2003 the captain wrote:\nThe rope is too short.\n",
        "On the last Sunday of 2003, the captain wrote:\nThe rope is too short.\n",
        "Le soir, il a écrit :\nLa corde est longue.\n",
        "From: the captain\nTo: the harbour master\nThe rope is too short.\n",
        "Sent from my mother in the harbour, it came too late.\n",
        "If you receive this letter, burn it.\n",
        "-- he said --\nand left.\n" * 12,
        "> a mark in the margin\n",
    ],
)
def test_prose_that_resembles_an_email_stays(passage: str) -> None:
    assert email_parts(f"{OWN * 3}\n{passage}\n{OWN * 3}") == []


def test_an_email_inside_a_long_work_stays() -> None:
    # 313 paragraphs of 64 characters are 20,032: more than 20,000, but not without the first one.
    novel = "The river rose in the night, and nobody in the house heard it.\n\n" * 313
    block = "From: Ben\nTo: Ann\nSubject: The rope\nDate: 4 March 2024\n\nIt is short.\n\n"
    assert email_parts(novel + block + novel) == []


def test_messages_by_one_sender_in_one_file_lose_only_their_headers() -> None:
    def message(day: int, sender: str, words: str) -> str:
        return f"From: {sender}\nTo: Cleo\nSubject: Rope\nDate: {day} March 2024\n\n{words}\n\n"

    ann, ben = "Ann Quill <ann@example.org>", "Ben Sail <ben@example.org>"
    text = (
        message(3, ann, "The first.")
        + message(4, ann, "The second.")
        + message(2, ben, "An answer by somebody else.")
        + message(5, "Quill, Ann <ann@example.org>", "The third.")
    )
    assert own_words(text).split("\n") != []
    assert " ".join(own_words(text).split()) == "The first. The second. The third."


def test_a_warning_of_the_server_above_the_message_is_removed() -> None:
    banner = "WARNING: This email originated from outside of the office. Do not click links.\n"
    assert own_words(f"{banner}\n{OWN}").strip() == OWN.strip()


def test_a_forwarded_message_without_own_words_stays_in_plain_text() -> None:
    text = f"-----Original Message-----\n{OWN}"
    assert email_parts(text) == []
    assert own_words(text, is_email=True) == "\n"


def test_a_short_answer_above_a_rule_stays_and_the_quoted_message_goes() -> None:
    text = f"Yes.\n{'_' * 32}\nFrom: Ben\nSent: Monday\nTo: Ann\nSubject: Rope\n\nIs it long?\n"
    assert own_words(text).strip() == "Yes."


@pytest.mark.parametrize("own", ["Yes.\n", "Dear Ben,\n\nI will come on Tuesday.\n"])
def test_one_or_two_lines_above_the_headers_of_a_quoted_message_are_no_title(own: str) -> None:
    headers = "From: Ben\nSent: Monday, March 3, 2025\nTo: Ann\nSubject: Rope\n"
    assert own_words(f"{own}\n{headers}\nIs it long?\n").strip() == own.strip()


def test_headers_below_a_name_or_a_banner_are_those_of_the_text() -> None:
    headers = "From: Ann\nSent: Monday, March 3, 2025\nTo: Ben\nSubject: Rope\n"
    banner = "WARNING: This email originated from outside of the office. Do not click links."
    for above in ("Ann Lee", banner):
        assert OWN.strip() in own_words(f"{above}\n\n{headers}\n{OWN}")


def test_a_closing_phrase_above_contact_lines_stays() -> None:
    text = f"{OWN}\nI will bring the rope.\n\nBest wishes,\n{_SIGNATURE}\n"
    assert own_words(text).split() == [
        *OWN.split(),
        *["I", "will", "bring", "the", "rope.", "Best", "wishes,"],
    ]


def test_a_dash_between_scenes_is_no_signature() -> None:
    scene = "The river rose in the night, and nobody in the house heard it. " * 5
    assert email_parts(f"{scene}\n\n--\n\n{scene}\n\n{scene}\n") == []


def test_parts_do_not_overlap() -> None:
    text = f"{OWN}-- \nAnn\nOn 4 Mar 2024, at 10:12, Ben wrote:\n> Is it long?\n> Yes?\n"
    parts = email_parts(text)
    assert all(a.end < b.start for a, b in pairwise(parts))


@pytest.mark.parametrize(
    "filling",
    ["On ", "On 4 Mar 2024, at 10:12, Ben wrote:\n", "From: a\n", "> q\n", "-- \n", "<a@b.c> ", "x",
     "this message is "],
)  # fmt: skip
def test_time_grows_with_the_length(filling: str) -> None:
    def seconds(n: int) -> float:
        text = (filling * (n // len(filling) + 1))[:n]
        start = process_time()
        email_parts(text)
        return process_time() - start

    short = max(min(seconds(20_000) for _ in range(3)), 0.002)
    assert min(seconds(80_000) for _ in range(2)) < 12 * short
