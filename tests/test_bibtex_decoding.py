"""From bytes to text: right letters, or a guess that is told."""

import pytest

from paperrec.errors import SettingsError
from paperrec_adapters.bibtex.decoding import Decoded, decode
from paperrec_adapters.bibtex.source import parse

WORDS = "@misc{a, title = {Größe und Maß, Ähnlichkeit für déjà vu}}\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "ascii"])
def test_valid_utf_8_is_no_guess(encoding: str) -> None:
    text = WORDS if encoding != "ascii" else "@misc{a, title={A}}\n"
    assert decode(text.encode(encoding), "") == Decoded(text)


@pytest.mark.parametrize("mark", ["utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_wide_letters_are_known_by_mark_or_zeros(mark: str) -> None:
    found = decode(WORDS.encode(mark), "")
    assert (found.text, found.code) == (WORDS, "encoding-guessed")


@pytest.mark.parametrize(
    ("declaration", "encoding"),
    [
        ("% Encoding: ISO8859_15\n", "iso8859-15"),
        ("%% Saved with string encoding Western (Mac OS Roman)\n", "mac_roman"),
        ("% -*- coding: cp1250 -*-\n", "cp1250"),
    ],
)
def test_what_a_file_says_of_itself_is_believed_if_it_is_not_utf_8(declaration: str, encoding: str) -> None:
    assert decode((declaration + WORDS.replace("à", "a")).encode(encoding), "").text == declaration + WORDS.replace("à", "a")
    assert decode((declaration + WORDS).encode(), "") == Decoded(declaration + WORDS)


@pytest.mark.parametrize("name", ["undefined", "idna", "utf-16", "utf-7", "unicode_escape", "punycode", "zlib", "rot13", "no-such"])
def test_an_encoding_that_cannot_be_meant_is_not_believed(name: str) -> None:
    data = f"% Encoding: {name}\n{WORDS}".encode("cp1252")
    assert decode(data, "").text == f"% Encoding: {name}\n{WORDS}"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("大规模图的随机游走方法研究", "gb18030"), ("ランダムウォークの研究と応用", "shift_jis"), ("그래프 에서의 무작위 보행", "euc_kr")],
)
def test_east_asian_files_are_known_by_what_they_decode_to(text: str, encoding: str) -> None:
    entry = f"@misc{{a, title = {{{text}}}}}\n"
    found = decode(entry.encode(encoding), "")
    assert found.text == entry
    assert encoding in found.why


def test_only_the_lines_that_are_not_utf_8_are_read_as_cp1252() -> None:
    good = "title = {Größe},\n"
    found = decode(good.encode() * 3 + good.encode("cp1252") + b"plain\n", "")
    assert found == Decoded(good * 4 + "plain\n", "encoding-mixed", "line 4: not UTF-8 as the rest; 1 such lines were read as cp1252", 4)


def test_a_mark_does_not_vouch_for_the_rest() -> None:
    found = decode(b"\xef\xbb\xbf" + WORDS.encode("cp1252"), "")
    assert (found.text, found.code) == (WORDS, "encoding-guessed")


def test_every_byte_is_read_as_some_letter() -> None:
    text = decode(bytes(range(1, 256)), "").text
    assert len(text) == 255 - 0
    assert "\ufffd" not in text


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_there_is_one_kind_of_newline(newline: str, encoding: str) -> None:
    assert decode(WORDS.replace("\n", newline).encode(encoding), "").text == WORDS


def test_what_cannot_be_read_is_never_replaced_in_silence() -> None:
    told = decode("@misc{a,\ntitle={é}}".encode("latin-1"), "utf-8")
    assert (told.why, told.line) == ("line 2 is not utf-8; what could not be read stands as \ufffd", 2)
    assert "\ufffd" in decode(WORDS.encode("utf-16") + b"\x00\xd8\x00", "").why


@pytest.mark.parametrize("name", ["nonsense", "idna", "undefined", "hex", "a\0b", "\udcff"])
def test_an_encoding_that_does_not_exist_is_a_wrong_option(name: str) -> None:
    with pytest.raises(SettingsError, match="there is no encoding of this name"):
        decode(WORDS.encode(), name)


def test_a_guess_is_told_at_its_line() -> None:
    batch = parse(b"@misc{a, title={A}}\n@misc{b, title={\xc3\xa9}}\n@misc{c, title={\xe9}}\n", "x.bib")
    assert [(p.where, p.code) for p in batch.problems] == [("x.bib:3", "encoding-mixed")]
    assert [p.title for p in batch.papers] == ["A", "é", "é"]
