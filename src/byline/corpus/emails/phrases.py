"""What e-mail programs write around a message, in English, German, French, Spanish and others.

Every pattern is meant for one line of limited length, except `CONTACT`, which is searched in one.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

MAX_LINE = 400  # characters; a longer line is a paragraph, and nothing that a program wrote

_SENDERS = "From|Von|De|Da|Van"
_SUBJECTS = "Subject|Betreff|Objet|Asunto|Oggetto|Onderwerp|Assunto"
_DATES = (
    "Date|Sent|Datum|Gesendet|Envoyé(?: le)?|Fecha|Enviado(?: el)?|Enviada em|Data|Inviato"
    "|Verzonden"
)
_OTHERS = (
    "To|Cc|Bcc|Reply-To|Importance|Priority|Attachments?|Organi[sz]ation|User-Agent|Message-ID"
    "|Received|Return-Path|MIME-Version|In-Reply-To|References|Delivered-To|X-[A-Za-z-]{1,40}"
    "|Content-[A-Za-z-]{1,40}|An|Kopie|Antwort an|Wichtigkeit|Anlagen?|À|Répondre à|Importance"
    "|Pièces? jointes?|Para|Responder a|Datos adjuntos|Importancia|A|Per|Allegati|Aan|Bijlagen?"
)
# Programs that turn bold text into plain text write *From:* or **From:**.
FIELD = regex.compile(
    rf"\*{{0,2}}(?:(?P<sender>{_SENDERS})|(?P<subject>{_SUBJECTS})|(?P<date>{_DATES})|{_OTHERS})"
    r"[ \u00a0]?:\*{0,2}(?:\s++(?P<value>.*))?"
)
RULE = regex.compile(r"[_\-=*]{5,}")

_FORWARDED = "|".join(
    (
        "Original Message", "Original E-?mail", "Reply Message", r"Forwarded (?:by|message)\b.*",
        "(?:Ursprüngliche|Original-?|Originale?) ?Nachricht", "Weitergeleitete (?:Nachricht|Mail)",
        "Message d['’]origine", "(?:Message|Courriel) (?:transféré|original|initial)",
        "Mensaje (?:original|reenviado)", "Messaggio (?:originale|inoltrato)",
        "Mensagem (?:original|encaminhada)", "Oorspronkelijk bericht", "Doorgestuurd bericht",
    )
)  # fmt: skip
FORWARD = regex.compile(
    rf"[-_]{{2,}}+ ?(?:{_FORWARDED}) ?[-_]*+:?"
    r"|Begin forwarded message ?:|Anfang der weitergeleiteten (?:Nachricht|E-Mail) ?:"
    r"|Début du message (?:transféré|réexpédié) ?:|Inicio del mensaje reenviado ?:",
    regex.IGNORECASE,
)

_WROTE = "wrote|writes|schrieb(?: am| um| folgendes)?|geschrieben|a écrit|escribió|ha scritto"
_WROTE += "|escreveu|schreef"
# "On Mon, 4 Mar 2024 at 10:12, Ann Crane <ann@example.org> wrote:", on up to three lines.
ATTRIBUTION = regex.compile(
    rf"(?:On|Am|Le|El|Il|Em|Op)\b.{{4,240}}?\b(?:{_WROTE})\b.{{0,120}}:"
    r"|\d{4}-\d\d-\d\d \d{1,2}:\d\d\b.{0,80}<[^<>\s]{1,80}@[^<>\s]{1,80}>:"
    r"|-{2,12} ?On\b.{4,200} wrote ?-{2,12}"
)
ATTRIBUTION_START = regex.compile(r"(?:On|Am|Le|El|Il|Em|Op|-{2,12} ?On)\b|\d{4}-\d\d-\d\d \d")
NAME_FIRST_ATTRIBUTION = regex.compile(
    rf".{{1,80}}<[^<>\s]{{1,80}}@[^<>\s]{{1,80}}>.{{0,60}}?\b(?:{_WROTE})\b.{{0,80}}:"
)
MAX_ATTRIBUTION_LINES = 3
# What shows that a program wrote the line, and not the author of a history: an address, a time
# with a date, or a date with an abbreviated month.
_DATE = r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d\d\b"
MACHINE_DATE = regex.compile(
    rf"@[^\s<>]{{1,80}}\.|\b\d{{1,2}}(?::|[ \u00a0]?h[ \u00a0]?)\d\d\b.{{0,200}}(?:{_DATE})"
    rf"|(?:{_DATE}).{{0,200}}\b\d{{1,2}}(?::|[ \u00a0]?h[ \u00a0]?)\d\d\b"
    r"|\b\d{1,2}[./-]\d{1,2}[./-](?:\d\d|(?:199|20\d)\d)\b"
    r"|\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?,? (?:\d{1,2},? )?(?:199|20\d)\d\b"
)
# In a line that begins with the day of the week, or in a text with a salutation, less is enough.
_DAYS_OF_THE_WEEK = (
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch"
    r"|Sonnabend|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves"
    r"|viernes|s[áa]bado|domingo|(?:lune|marte|mercole|giove|vener)dì|sabato|domenica"
    r"|(?:segunda|terça|quarta|quinta|sexta)-feira|(?:maan|dins|woens|donder|vrij|zater|zon)dag"
    r"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Mo|Di|Mi|Do|Fr|Sa|So|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie"
    r"|sáb|dom|gio|sab|seg|ter|qua|qui|sex|ma|di|wo|do|vr|za|zo)[.,]"
)
_RECENT_YEAR = r"\b(?:199|20\d)\d\b"
DAY_AND_DATE = regex.compile(
    rf"(?:On|Am|Le|El|Il|Em|Op) (?:{_DAYS_OF_THE_WEEK}).{{0,5}}\b\d{{1,2}}\b.{{1,30}}{_RECENT_YEAR}"
    rf"|On (?:{_DAYS_OF_THE_WEEK}),? \p{{L}}{{3,9}}\.? \d{{1,2}},? {_RECENT_YEAR}",
    regex.IGNORECASE,
)
RECENT_DATE = regex.compile(rf"\b\d{{1,2}}\b.{{1,20}}{_RECENT_YEAR}")
ANY_DATE = regex.compile(rf"{_DATE}|@|\b\d{{1,2}}[:.h]\d\d\b")

_PROGRAMS = (
    "iPhone|iPad|iPod|iOS|Android|Samsung|Galaxy|BlackBerry|Nokia|Huawei|Xiaomi|Windows|Outlook"
    "|Mail|Gmail|Yahoo|AOL|Proton|K-9|Thunderbird|Web ?mail|Smartphone|Handy|Telefon|Téléphone"
    "|Móvil|Mobile|Mobilger[äa]t|Cellulare|Tablet|GMX|WEB\\.DE|Courrier|Correo|Posta"
)
DEVICE = regex.compile(
    r"(?:Sent|Gesendet|Envoyé|Enviado|Inviato|Verzonden) "
    r"(?:from|via|von|de|desde|da|vanaf|met|do) m\w{1,4}(?: [\w.]+){1,3}"
    r"|(?:Sent (?:from|via|with|using)|(?:Von meinem|Gesendet (?:von|mit|über))"
    r"|Diese Nachricht wurde von|Envoyé (?:de|depuis|à partir d[eu]|avec)|Enviado (?:desde|con|do)"
    r"|Inviato (?:da|con)|Verzonden (?:vanaf|met|via)|Get|Download|Holen Sie sich|Laden Sie"
    r"|Télécharge[rz]|Obtenir|Obten(?:er|ga)|Obtén|Descargar?|Scarica)\b.{0,60}?"
    rf"\b(?:{_PROGRAMS})\b.{{0,80}}|Outlook für \w{{3,8}} (?:beziehen|herunterladen)\b.{{0,80}}",
    regex.IGNORECASE,
)

_DISCLAIMERS: Sequence[str] = (
    # English
    r"intended (?:solely |only |exclusively )?for the (?:use of the )?"
    r"(?:person|individual|addressee|recipient|named|intended|entity)",
    r"not (?:the|an) (?:intended recipient|addressee)", r"if you (?:have )?received? this "
    r"(?:e-?mail|message|communication|transmission)[^.]{0,40} (?:in error|by mistake)",
    r"this (?:e-?mail|message|communication|transmission)\b.{0,80}\b"
    r"(?:confidential|privileged|legally protected)",
    r"\b(?:confidentiality|legal) (?:notice|disclaimer)\b\W{0,3}(?:this|the|$)",
    r"consider the environment before printing",
    r"(?:please )?(?:don['’]t|do not) print this (?:e-?mail|message)",
    r"scanned (?:for viruses|by)\b.{0,60}", r"\bvirus-free\b.{0,30}(?:avast|avg|norton|www)",
    r"you received this (?:message|e-?mail) because", r"to unsubscribe from this (?:group|list)",
    r"views expressed .{0,60}are (?:those|solely those) of the (?:author|sender)",
    # German
    r"\bdiese (?:e-?mail|nachricht|mitteilung)\b.{0,120}\bvertraulich",
    r"nicht der (?:richtige|beabsichtigte|vorgesehene) (?:adressat|empfänger)",
    r"\bdiese (?:e-?mail|nachricht) irrtümlich erhalten", r"ausschließlich für den adressaten",
    r"(?:mail|nachricht)\b.{0,60}(?:wirklich )?ausdrucken\b|bevor sie diese (?:e-?)?mail "
    r"(?:aus)?drucken",
    r"unerlaubte[s]? kopieren|unbefugte weitergabe dieser", r"auf viren (?:geprüft|überprüft)",
    # French
    r"\bce (?:message|courriel|courrier|mail|e-?mail)\b.{0,160}\b(?:confidentiel|destinataires?)",
    r"n['’]êtes pas (?:le|la|l['’]un des) (?:véritable )?destinataires?",
    r"reçu ce (?:message|courriel|mail|e-?mail) par erreur",
    r"(?:n['’]imprime[rz]|d['’]imprimer) (?:ce|cet) (?:message|courriel|mail|e-?mail)",
    r"pense[rz] à l['’]environnement avant",
    # Spanish
    r"\best[ea] (?:mensaje|correo|e-?mail|comunicación)\b.{0,160}\b(?:confidencial|destinatari)",
    r"no es (?:usted )?el destinatario|usted no es el destinatario",
    r"recibido este (?:mensaje|correo|e-?mail) por error",
    r"antes de imprimir este (?:mensaje|correo|e-?mail)",
    # Italian, Dutch
    r"\bquest[oa] (?:messaggio|e-?mail)\b.{0,160}\b(?:riservat|confidenzial|destinatari)",
    r"\b(?:dit|deze) (?:bericht|e-?mail)\b.{0,160}\b(?:vertrouwelijk|geadresseerde)",
)  # fmt: skip
DISCLAIMER = regex.compile("|".join(_DISCLAIMERS), regex.IGNORECASE)

# What a server puts above a message from outside.
BANNER = regex.compile(
    r"\W{0,4}(?:(?:caution|warning|external|achtung|vorsicht|attention|atención|precaución)\b.{0,60}"
    r"|this )(?:e-?mail|message|mail|nachricht|courriel|correo)\b.{0,80}"
    r"\b(?:outside|external|außerhalb|extern|extérieur|externe|externo)\b.*",
    regex.IGNORECASE,
)

SIGNATURE = regex.compile(r"--|—-?")
# A line of an address below a message.
CONTACT = regex.compile(
    r"[\w.+-]{1,60}+@[\w-]{1,60}+\.\w|\bhttps?://|\bwww\."
    r"|\b(?:Tel|Telefon|Telephone|Phone|Mobile?|Mob|Handy|Cell|Fax|Tél|Portable|Teléfono|Móvil"
    r"|T|M|F|P|D)\b[.:\s]{1,3}[+(]?\d[\d\s()/.-]{5,}",
    regex.IGNORECASE,
)
QUOTED = regex.compile(r">")
SPEAKER_CHANGE = regex.compile(r">>")  # in captions
