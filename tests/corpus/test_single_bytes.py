"""Encodings of one byte per character are recognised by the letters that result."""

from __future__ import annotations

import pytest

from byline.corpus.decoding import decode
from byline.corpus.single_bytes import choose_encoding

TEXTS = {
    "Czech": (
        (
            "Večer přišla žena k řece. „Školní děti už šly domů,“ řekla tiše. Šťastný kůň "
            "ještě stál u cesty a Žofie mu přinesla čerstvý ovoš. Ťukal na okno, ale nikdo "
            "neslyšel."
        ),
        ("iso8859-2", "cp1250"),
    ),
    "Slovak": (
        (
            "Večer prišla žena k rieke. Ľudia už išli domov, povedala ticho. Šťastný kôň ešte"
            " stál pri ceste a Žofia mu priniesla čerstvé jablká. Ťažko povedať, či ľutovala."
        ),
        ("iso8859-2", "cp1250"),
    ),
    "Polish": (
        (
            "Wieczorem przyszła kobieta nad rzekę. Śnieg już stopniał, powiedziała cicho. "
            "Źrebię jeszcze stało przy ścieżce, a Żaneta dała mu świeże jabłko. Ćma siadła na"
            " ścianie."
        ),
        ("iso8859-2", "cp1250"),
    ),
    "Slovene": (
        (
            "Zvečer je prišla žena k reki. Šolski otroci so že šli domov, je rekla tiho. "
            "Žalosten konj je še stal ob cesti in Češnja je cvetela ob hiši."
        ),
        ("iso8859-2", "cp1250"),
    ),
    "Hungarian": (
        (
            "Este egy asszony jött a folyóhoz. Az iskolás gyerekek már hazamentek, mondta "
            "csöndesen. Őszi szél fújt, és a fűzfák között eltűnt a kis út. Űrhajó nem szállt"
            " fölötte."
        ),
        ("iso8859-2", "cp1250"),
    ),
    "Romanian": (
        (
            "Seara a venit o femeie la râu. Copiii s-au dus acasă, a spus încet. Şapte cai "
            "stăteau lângă drum şi ţăranul le-a dat mere. Îi plăcea toamna."
        ),
        ("iso8859-2", "cp1250"),
    ),
    "Greek": (
        (
            "Το βράδυ ήρθε μια γυναίκα στο ποτάμι. Άλλοι είχαν ήδη φύγει, είπε σιγά. Άσπρο "
            "άλογο στεκόταν ακόμη στον δρόμο και η Άννα του έδωσε μήλο. Όταν ήρθε ο Ήλιος, "
            "έφυγε."
        ),
        ("iso8859-7", "cp1253"),
    ),
    "Russian": (
        (
            "Вечером к реке пришла женщина. Дети уже ушли домой, тихо сказала она. Счастливый"
            " конь ещё стоял у дороги, и Жанна дала ему яблоко. Шёл дождь."
        ),
        ("iso8859-5", "cp1251", "koi8-r", "mac_cyrillic", "cp866"),
    ),
    "Ukrainian": (
        (
            "Увечері до річки прийшла жінка. Діти вже пішли додому, тихо сказала вона. "
            "Щасливий кінь ще стояв біля дороги, і Їжак дав йому яблуко. Євген їхав."
        ),
        ("cp1251", "koi8-u", "iso8859-5"),
    ),
    "Bulgarian": (
        (
            "Вечерта една жена дойде при реката. Децата вече си бяха отишли, каза тя тихо. "
            "Щастливият кон още стоеше край пътя и Жана му даде ябълка."
        ),
        ("iso8859-5", "cp1251"),
    ),
    "Serbian": (
        (
            "Увече је жена дошла на реку. Деца су већ отишла кући, рекла је тихо. Срећни коњ "
            "је још стајао крај пута, а Љубица му је дала јабуку. Ђорђе није чуо."
        ),
        ("iso8859-5", "cp1251"),
    ),
    "Arabic": (
        (
            "في المساء جاءت امرأة إلى النهر. قالت بهدوء إن الأطفال ذهبوا إلى البيت. كان "
            "الحصان السعيد لا يزال واقفا عند الطريق وأعطته تفاحة طازجة."
        ),
        ("iso8859-6", "cp1256"),
    ),
    "Hebrew": (
        (
            "בערב באה אישה אל הנהר. הילדים כבר הלכו הביתה, אמרה בשקט. הסוס השמח עוד עמד ליד "
            "הדרך והיא נתנה לו תפוח."
        ),
        ("iso8859-8", "cp1255"),
    ),
    "Turkish": (
        (
            "Akşam bir kadın ırmağa geldi. Çocuklar artık eve gitti, dedi yavaşça. Mutlu at "
            "hâlâ yolun kıyısında duruyordu ve Şule ona taze bir elma verdi. İğde ağacı çiçek"
            " açtı. Ğ az."
        ),
        ("iso8859-9", "cp1254"),
    ),
    "French": (
        (
            "Le soir, une femme vint à la rivière. Les élèves étaient déjà rentrés, dit-elle "
            "d'une voix brève. Où était le château ? Noël fut gai, ça oui."
        ),
        ("iso8859-1", "iso8859-15", "cp1252"),
    ),
    "German": (
        (
            "Am Abend kam eine Frau an den Fluß. Die Schüler wären längst zu Hause, sagte sie"
            " müde. Öde Straßen, kühle Luft; Äpfel lagen im Gras."
        ),
        ("iso8859-1", "iso8859-15", "cp1252"),
    ),
    "Spanish": (
        (
            "Por la tarde llegó una mujer al río. Los niños ya se habían ido, dijo en voz "
            "baja. ¿Quién vendrá mañana? Ningún caballo la oyó, según él."
        ),
        ("iso8859-1", "cp1252"),
    ),
    "Italian": (
        (
            "La sera una donna arrivò al fiume. I ragazzi erano già tornati, perché faceva "
            "freddo. Così andò più giù, e lì trovò la città."
        ),
        ("iso8859-1", "cp1252"),
    ),
    "Portuguese": (
        (
            "À noite uma mulher chegou ao rio. As crianças já não estavam lá, disse com "
            "emoção. O avô dormia; amanhã virão três irmãos."
        ),
        ("iso8859-1", "cp1252"),
    ),
    "Swedish": (
        (
            "På kvällen kom en kvinna till ån. Barnen hade redan gått hem, sade hon lågt. "
            "Hästen stod ännu vid vägen och hon gav den ett äpple. Över ön blåste det."
        ),
        ("iso8859-1", "cp1252"),
    ),
    "Danish": (
        (
            "Om aftenen kom en kvinde til åen. Børnene var allerede gået hjem, sagde hun "
            "sagte. Hesten stod endnu ved vejen, og hun gav den et æble. Øen lå øde."
        ),
        ("iso8859-1", "cp1252"),
    ),
    "Latvian": (
        (
            "Vakarā pie upes atnāca sieviete. Bērni jau bija aizgājuši mājās, viņa klusi "
            "sacīja. Šķūnī vēl stāvēja zirgs, un Žanna tam deva ābolu. Ģirts ņēma ķiršus."
        ),
        ("iso8859-13", "cp1257"),
    ),
    "Lithuanian": (
        (
            "Vakare prie upės atėjo moteris. Vaikai jau išėjo namo, tyliai pasakė ji. Žirgas "
            "dar stovėjo prie kelio, ir Šarūnė jam davė obuolį. Ąžuolas šlamėjo, čia gražu, "
            "žmonių mažėja."
        ),
        ("iso8859-13", "cp1257"),
    ),
    "Estonian": (
        (
            "Õhtul tuli üks naine jõe äärde. Lapsed olid juba koju läinud, ütles ta vaikselt."
            " Hobune seisis ikka tee ääres ja ta andis talle õuna. Šokolaad ja žanr."
        ),
        ("iso8859-13", "cp1257", "iso8859-15"),
    ),
}
# Other sentences than those by which the rules were made.
SHORT_TEXTS = {
    "Czech": ("Město leží v údolí a děti šly přes most.", ("iso8859-2", "cp1250")),
    "Slovak": (
        "Pršalo, a preto sme šli späť k mojej sestre; ľahko sme našli cestu.",
        ("iso8859-2", "cp1250"),
    ),
    "Polish": (
        "Jeżeli masz książkę, proszę, oddaj ją siostrze; będę wdzięczny.",
        ("iso8859-2", "cp1250"),
    ),
    "Slovene": ("Sašo še ne želi čaja, ker že spi.", ("iso8859-2", "cp1250")),
    "Hungarian": ("A tűz mellett ülő öreg nő hűvös estékről mesélt.", ("iso8859-2", "cp1250")),
    "Greek": ("Άνοιξε την πόρτα και μπήκε μέσα. Άρχισε να βρέχει.", ("iso8859-7", "cp1253")),
    "Russian": (
        "Мост через реку давно сломан, и мы ждём лодку.",
        ("iso8859-5", "cp1251", "koi8-r"),
    ),
    "Arabic": ("كتبت رسالة طويلة إلى أخي في المدينة.", ("iso8859-6", "cp1256")),
    "Turkish": ("Şimdi gökyüzü açık, ırmağın kıyısı sessiz.", ("iso8859-9", "cp1254")),
    "French": ("Là-bas, l'été dernier, un garçon rêvait d'être marin.", ("iso8859-1", "cp1252")),
    "German": ("Früher hörten wir große Glocken über den Dächern.", ("iso8859-1", "cp1252")),
}


def cases(texts: dict[str, tuple[str, tuple[str, ...]]]) -> list[tuple[str, str]]:
    return [(text, encoding) for text, encodings in texts.values() for encoding in encodings]


@pytest.mark.parametrize("n_times", [1, 20])
@pytest.mark.parametrize(("text", "encoding"), cases(TEXTS) + cases(SHORT_TEXTS))
def test_texts_are_read_with_their_letters(text: str, encoding: str, n_times: int) -> None:
    for mark, plain in (("„", '"'), ("“", '"'), ("–", "-")):
        if encoding.startswith(("iso", "koi8", "mac", "cp866")):
            text = text.replace(mark, plain)
    whole = "\n".join([text] * n_times)
    assert decode(whole.encode(encoding), "a.txt").text == whole


def test_an_encoding_that_is_invalid_elsewhere_is_not_chosen() -> None:
    czech = "Příliš žluťoučký kůň úpěl ďábelské ódy.".encode("iso8859-2")
    data = czech + b"\x98"  # not in cp1250, and a control character in ISO 8859
    assert choose_encoding(data, czech, "cp1250") == "iso8859-2"
    assert choose_encoding(czech + "„ž“".encode("cp1250"), czech, "cp1250") == "iso8859-2"


def test_english_with_few_other_letters() -> None:
    text = "The café was closed, and the naïve coöperation of Señor Núñez did not help. " * 3
    assert decode(text.encode("cp1252"), "a.txt").text == text
