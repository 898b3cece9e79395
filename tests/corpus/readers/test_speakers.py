from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from byline.corpus import Corpus, extract_text, read_corpus, read_text
from byline.corpus.checking import examine, read_for_checking
from byline.corpus.cleaning import clean_corpus
from byline.corpus.reading import read_corpus_with_findings
from byline.errors import BylineWarning, CorpusError, UsageError


def chat(one: str, other: str) -> str:
    return "".join(
        f"{1 + n:02d}/03/2024, 08:{n + 10} - {name}: I say {words} {n}\n"
        for n, (name, words) in enumerate([(one, "the rope is long"), (other, "nah")] * 14)
    )


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(data)
    return root


def read(path: Path, speakers: str = "own") -> Corpus:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        return read_corpus(path, min_authors=1, speakers=speakers)


CHATS = {
    "ann/1.txt": chat("Ann", "Ben"),
    "ben/1.txt": chat("Ann", "Ben Sail"),
    "cleo/letter.txt": "The river rose.",
}


def test_a_chat_in_an_authors_folder_is_read_as_that_authors_words(tmp_path: Path) -> None:
    corpus = read(write(tmp_path, CHATS))
    assert [(d.author, d.path) for d in corpus] == [
        ("ann", "ann/1.txt"), ("ben", "ben/1.txt"), ("cleo", "cleo/letter.txt"),
    ]  # fmt: skip
    assert "nah" not in corpus[0].text
    assert corpus[1].text.count("nah") == 14
    assert [(part.kind, part.n) for part in corpus[0].excluded] == [("turns of other speakers", 14)]


def test_checking_and_cleaning_keep_the_owners_messages(tmp_path: Path) -> None:
    corpus, findings = read_for_checking(write(tmp_path, CHATS))
    examination = examine(corpus, findings=findings)
    codes = {finding.code for finding in examination.findings}
    assert codes & {"own-name-line", "page-header", "several-speakers"} == set()
    cleaned = clean_corpus(corpus)
    assert cleaned.corpus[0].text.count("the rope is long") == 14


def test_every_speaker_is_an_author_on_request(tmp_path: Path) -> None:
    corpus = read(write(tmp_path, CHATS), "split")
    assert [(d.author, d.path) for d in corpus] == [
        ("ann", "ann/1.txt, Ann"), ("ben", "ann/1.txt, Ben"),
        ("ann", "ben/1.txt, Ann"), ("ben", "ben/1.txt, Ben Sail"), ("cleo", "cleo/letter.txt"),
    ]  # fmt: skip


def test_a_loose_chat_is_divided_beside_folders(tmp_path: Path) -> None:
    write(tmp_path, {"ann/1.txt": "The river rose.", "chat.txt": chat("Ann", "Dan")})
    corpus, findings = read_corpus_with_findings(tmp_path)
    assert "Every speaker of 1 file is an author: chat.txt" in findings[0].message
    assert {(d.author, d.path) for d in corpus} == {
        ("ann", "ann/1.txt"), ("ann", "chat.txt, Ann"), ("Dan", "chat.txt, Dan"),
    }  # fmt: skip


def test_a_chat_without_the_author_of_its_folder_is_reported(tmp_path: Path) -> None:
    write(tmp_path, {"zoe/1.txt": chat("Ann", "Ben"), "cleo/1.txt": "The river rose."})
    corpus, findings = read_corpus_with_findings(tmp_path)
    assert "1 text contains several speakers: zoe/1.txt (Ann (14 turns)" in findings[0].message
    assert corpus[1].text.count("I say") == 28


INTERVIEW = "Ann Crane: Is it long?\nBen: Very, and it holds.\n" * 4
PLAY = "MILLER. Where is the ship?\n\nANNE. It left at noon.\n\n" * 6
VOICES = "WEBVTT\n\n" + "".join(
    f"00:0{n}.000 --> 00:0{n + 1}.000\n<v {name}>I say {n}, {name}.</v>\n\n"
    for n, name in enumerate(["Roger", "Ann Crane"] * 2)
)


@pytest.mark.parametrize(
    ("name", "content"),
    [("i.txt", INTERVIEW), ("p.txt", PLAY), ("q.txt", "Q: Is it?\nA: Yes.\n" * 3),
     ("v.vtt", VOICES), ("c.srt", "".join(
         f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{who}: I say {n}.\n\n"
         for n, who in enumerate(["JOHN", "MARY"] * 3, start=1)))],
)  # fmt: skip
def test_several_speakers_under_one_author_are_a_finding(
    name: str, content: str, tmp_path: Path
) -> None:
    root = write(tmp_path, {f"zoe/{name}": content, "cleo/1.txt": "The river rose."})
    corpus, findings = read_for_checking(root)
    found = [each for each in examine(corpus, findings=findings).findings
             if each.code == "several-speakers"]  # fmt: skip
    assert [each.paths for each in found] == [(f"zoe/{name}",)]
    assert 'speakers="split"' in found[0].message
    assert len(read(root, "split").candidates) == 3


def test_voices_of_captions_with_the_name_of_the_author_are_selected(tmp_path: Path) -> None:
    root = write(tmp_path, {"crane/v.vtt": VOICES, "cleo/1.txt": "The river rose."})
    assert read(root)[1].text == "I say 1, Ann Crane.\n\nI say 3, Ann Crane."


def test_the_names_of_speakers_stay_in_an_interview_unless_it_is_split(tmp_path: Path) -> None:
    root = write(tmp_path, {"crane/i.txt": INTERVIEW, "cleo/1.txt": "The river rose."})
    assert read(root)[1].text.startswith("Ann Crane:")
    assert read(root, "split")[1].text == "\n\n".join(["Is it long?"] * 4)


def test_a_questioned_chat_is_refused_until_a_speaker_is_named(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(chat("Ann", "Ben"), encoding="utf-8")
    with pytest.raises(CorpusError, match=r"Ann \(14 turns\) and Ben \(14 turns\).*speaker=.NAME."):
        read_text(path)
    assert "nah" not in read_text(path, speaker="ann")
    with pytest.raises(UsageError, match="no single speaker called 'Zoe'"):
        read_text(path, speaker="Zoe")


def test_a_questioned_interview_gives_a_warning_and_can_be_divided() -> None:
    extracted = extract_text(INTERVIEW.encode(), "i.txt")
    assert extracted.speakers == ()
    assert "several speakers: Ann Crane (4 turns) and Ben (4 turns)" in extracted.warnings[0]
    own = extract_text(INTERVIEW.encode(), "i.txt", speaker="ben")
    assert set(own.text.split("\n\n")) == {"Very, and it holds."}


def test_a_text_without_speakers_has_none_to_select() -> None:
    with pytest.raises(UsageError, match=r"letter\.txt names no speakers"):
        extract_text(b"The river rose.", "letter.txt", speaker="Ann")


def test_an_unknown_value_of_speakers_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Possible values are own, split"):
        read_corpus(tmp_path, speakers="both")


def mail(sender: str, words: str) -> str:
    return (
        f"From: {sender}\nMessage-ID: <{words}>\nSubject: Rope\n\n{words}\n\n"
        "On 4 Mar 2024, at 10:12, Zoe wrote:\n> Is it?\n\n"
    )


ANN, BEN = "Ann Quill <ann@example.org>", "Ben Sail <ben@example.org>"
SEPARATOR = "From MAILER Mon Mar  4 10:12:00 2024\n"
MBOX = "".join(SEPARATOR + mail(*each) for each in ((ANN, "One."), (BEN, "Two."), (ANN, "Three.")))


def test_a_mailbox_is_a_corpus_with_one_text_per_message(tmp_path: Path) -> None:
    path = tmp_path / "all.mbox"
    path.write_text(MBOX, encoding="utf-8")
    assert [(d.author, d.path, d.text) for d in read(path)] == [
        ("Ann Quill", "all.mbox, message 1", "One."),
        ("Ann Quill", "all.mbox, message 3", "Three."),
        ("Ben Sail", "all.mbox, message 2", "Two."),
    ]


def test_of_a_mailbox_in_a_folder_the_messages_of_its_author_are_read(tmp_path: Path) -> None:
    root = write(tmp_path, {"quill/sent.mbox": MBOX, "ben/1.eml": mail(BEN, "Four.")})
    assert [(d.author, d.text) for d in read(root)] == [
        ("ben", "Four."), ("quill", "One."), ("quill", "Three."),
    ]  # fmt: skip


def test_loose_emails_are_by_their_senders_whatever_they_are_called(tmp_path: Path) -> None:
    root = write(tmp_path, {"Re_ rope.eml": mail(ANN, "One."), "Re_ knot.eml": mail(BEN, "Two.")})
    assert [(d.author, d.text) for d in read(root)] == [("Ben Sail", "Two."), ("Ann Quill", "One.")]


def test_an_export_of_slack_has_its_users_as_authors_and_one_text_per_channel(
    tmp_path: Path,
) -> None:
    def day(*said: tuple[str, str]) -> str:
        return json.dumps(
            [{"type": "message", "user": user, "text": text, "ts": "1.0"} for user, text in said]
        )

    users = [
        {"id": "U1", "profile": {"real_name": "Ann"}},
        {"id": "U2", "profile": {"real_name": "Ben"}},
    ]
    files = {
        "users.json": json.dumps(users), "channels.json": "[]",
        "general/2024-03-01.json": day(("U1", "Is it?"), ("U2", "It is.")),
        "general/2024-03-02.json": day(("U1", "Good."), ("U2", "Yes.")),
    }  # fmt: skip
    root = write(tmp_path / "slack", files)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    packed = tmp_path / "slack.zip"
    packed.write_bytes(archive.getvalue())
    for path in (root, packed):
        assert [(d.author, d.path, d.text) for d in read(path)] == [
            ("Ann", "general.json, Ann", "Is it?\n\nGood."),
            ("Ben", "general.json, Ben", "It is.\n\nYes."),
        ]


def test_other_json_files_are_skipped_and_reported(tmp_path: Path) -> None:
    root = write(tmp_path, {"ann/1.txt": "One.", "ben/1.txt": "Two.", "meta.json": '{"a": 1}'})
    corpus, findings = read_corpus_with_findings(root)
    assert len(corpus) == 2
    assert "1 file of unknown format was skipped: meta.json" in findings[0].message


TELEGRAM_HTML = (
    "<!DOCTYPE html><html><head><title>Exported Data</title></head><body><div class='page_wrap'>"
    "<div class='message service'><div class='body'>1 March 2024</div></div>"
    "<div class='message default clearfix'><div class='from_name'> Ann </div>"
    "<div class='text'>Is it<br>long?</div></div>"
    "<div class='message default clearfix joined'><div class='text'>Well?</div></div>"
    "<div class='message default clearfix'><div class='from_name'>Ben</div>"
    "<div class='text'>Very.</div></div></div></body></html>"
)


def test_a_page_of_telegram_is_a_chat() -> None:
    extracted = extract_text(TELEGRAM_HTML.encode(), "messages.html", speaker="Ann")
    assert extracted.text == "Is it long?\n\nWell?"


def test_a_json_file_that_is_no_chat_is_refused() -> None:
    with pytest.raises(CorpusError, match="is no chat that Byline knows"):
        extract_text(b'{"a": 1}', "a.json")


def tei(body: str, persons: str = "") -> str:
    return (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><author>Zoe'
        f"</author></titleStmt></fileDesc>{persons}</teiHeader><text><front><sp><speaker>EDITOR"
        f"</speaker><p>Read it.</p></sp></front><body>{body}</body></text></TEI>"
    )


TEI_PLAY = tei(
    "<div><head>ACT I</head><stage>Enter Ann.</stage>"
    '<sp who="#a"><speaker>ANN.</speaker><l>The river</l><l>rose.</l></sp>'
    "<sp><speaker>BEN.</speaker><p>It <stage>laughs</stage> fell.</p></sp>"
    '<sp who="#a"><p>It <choice><sic>ros</sic><corr>rose</corr></choice>.</p></sp>'
    "<sp><speaker>Ben</speaker><p>No.</p></sp></div>",
    '<particDesc><person xml:id="a"><persName>Ann Crane</persName></person></particDesc>',
)


def test_a_tei_play_is_one_authors_and_can_be_split_by_speaker(tmp_path: Path) -> None:
    pytest.importorskip("lxml")
    root = write(tmp_path, {"zoe/play.xml": TEI_PLAY, "cleo/1.txt": "The river rose."})
    corpus, findings = read_corpus_with_findings(root)
    assert findings == []
    assert corpus[1].text.startswith("ACT I\n\nThe river rose.\n\nIt fell.")
    split = read(root, "split")
    assert [(d.author, d.path, d.text) for d in split[1:]] == [
        ("Ann Crane", "zoe/play.xml, Ann Crane", "The river rose.\n\nIt rose."),
        ("BEN", "zoe/play.xml, BEN", "It fell.\n\nNo."),
    ]
    parts = {part.kind: (part.n, part.example) for part in split[1].excluded}
    assert parts["text outside speeches"] == (1, "ACT I")
    assert parts["front matter"][0] == 1
    assert parts["stage directions"][0] == 2
    assert parts["speakers' names"][0] == 3
    path = root / "zoe" / "play.xml"
    assert read_text(path, speaker="crane") == "The river rose.\n\nIt rose."


def test_utterances_in_tei_are_by_several_authors(tmp_path: Path) -> None:
    pytest.importorskip("lxml")
    spoken = tei('<u who="#a">The river rose.</u><u who="#b">No.</u>')
    root = write(tmp_path, {"zoe/talk.xml": spoken, "cleo/1.txt": "The river rose."})
    _, findings = read_corpus_with_findings(root)
    assert "zoe/talk.xml (a (1 turn) and b (1 turn))" in findings[0].message
    assert read(root, "split").candidates == ["a", "b", "cleo"]
