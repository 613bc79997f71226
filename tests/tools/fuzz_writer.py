"""Writes hostile papers into .bib files, a hundred a file, and reads them back with three readers: `fuzz_writer.py N [SEED]`.

Checked for every file: pybtex (strict), bibtexparser and our reader find the same keys and fields, each text is read back as it was, no
command but our own stands in it, the user's bytes stay, a second run changes nothing.
"""

import html
import random
import re
import sys
import tempfile
import unicodedata
from pathlib import Path

import bibtexparser
from bibtexparser.bparser import BibTexParser
from pybtex.database import parse_string

from paperrec.paper import Paper
from paperrec.ports import Context
from paperrec.recommendation import Recommendation
from paperrec.text import printable
from paperrec_adapters.bibtex import BibtexSink
from paperrec_adapters.bibtex.source import parse

A_FILE = 100  # papers
USER = '% mine\n@string(jx = "Journal of X")\n@Article{ keep1 ,\n  Title = "Kept   spacing", journal = jx # ", B", year = 1999\n}\n'
PIECES = (
    *"{}\\%&#_$~^\"'`@,=-<>()[]|;:!?*/",
    *("{}", "}}", "{{", "\\{", "\\}", "\\\\", "^^5c", "^^M", "--", "---", "``", "''", "$$", "$x_1$", "a^n", "~b", "{bert}", "{a, b}"),
    *(
        "\\input{/etc/passwd}",
        "\\write18{x}",
        "\\csname end\\endcsname",
        "\\catcode`\\@=0",
        "\\def\\x{y}",
        "\\begin{document}",
        "\\verb|x|",
    ),
    *("}, evil = {x", "},\n@misc{evil,", '" # "x', "@comment{", "@string{a = {b}}", "% >>> paperrec", "% <<< paperrec", "\n}\n", "\r\n"),
    *(" and ", " and others", "others", "et al.", "family=Evil", ", Jr.", "van der ", ",,,", "{OpenAI}", "; "),
    *("BERT", "mRNA", "C#", "3D", "Étude", "Größe", "Čapek", "Łódź", "分子", "Дом", "😀", "é", "ﬁ", "\u00a0", "\u2011", "\u0301", "\u200d"),
    *("\0", "\x07", "\x1b[31m", "\x1b]8;;x\x07", "\x9b1m", "\u202e", "\ufeff", "\ud800", "\u2028", "\ue000", "\uffff"),
    *("<i>x</i>", "a < b", "&amp;", "&#x41;", "](x)", "](javascript:1)", "nan", "None", "null", " ", "  ", "\t"),
    *("sheep", "walks", "of", "the", "slopes", "a", "model", "for", "goats", "under", "snow"),
)
COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)", re.DOTALL)
OURS = frozenset(r"\textbackslash \textbraceleft \textbraceright \textasciitilde \{ \} \% \& \# \_ \$ \^".split())
URLS = (
    "https://example.org/a_b?x=1%20&y=~#z",
    "javascript:alert(1)",
    "https://x/{y}",
    "http://x y",
    "file:///etc/passwd",
    "https://é.example/分",
)


def text(chance: random.Random, longest: int) -> str:
    """A text of hostile pieces, words and letters from anywhere."""
    pieces = [
        chance.choice(PIECES) if chance.random() < 0.97 else chr(chance.randrange(0x110000)) for _ in range(chance.randrange(longest))
    ]
    return chance.choice((" ", "")).join(pieces)


def paper(chance: random.Random, number: int) -> Paper:
    """A hostile paper that differs from all others."""
    return Paper(
        key=text(chance, 4),
        title=text(chance, 12) + f" no {number}",
        abstract=text(chance, 60) if chance.random() < 0.8 else "",
        authors=tuple(text(chance, 5) for _ in range(chance.randrange(4))),
        year=chance.choice((None, 2021, 0, 1999)),
        venue=text(chance, 5) if chance.random() < 0.5 else "",
        doi=chance.choice(("", f"10.5555/a_{number}%", f"10.5555/<{number}>", f"10.5555/}}{number}", "10.5555/ , evil={x")),
        arxiv_id=chance.choice(("", f"2601.{number % 100000:05}", "2601.1}, evil = {x", "\\input{x}")),
        arxiv_class=text(chance, 2),
        url=chance.choice(("", *URLS)),
        title_derived=chance.random() < 0.2,
    )


def fields_by_pybtex(block: str) -> dict[str, dict[str, str]]:
    """Keys and fields as pybtex in its strict mode finds them; people as a count."""
    found = {}
    for key, entry in parse_string(block, "bibtex").entries.items():
        found[key] = {name.lower(): value for name, value in entry.fields.items()}
        if entry.persons:
            found[key]["author"] = str(sum(map(len, entry.persons.values())))
    return found


def fields_by_bibtexparser(block: str) -> dict[str, dict[str, str]]:
    """Keys and fields as bibtexparser finds them; people as a count."""
    found = {}
    for entry in bibtexparser.loads(block, BibTexParser(common_strings=True, ignore_nonstandard_types=False)).entries:
        found[entry["ID"]] = {name: value for name, value in entry.items() if name not in ("ID", "ENTRYTYPE")}
        if "author" in found[entry["ID"]]:
            found[entry["ID"]]["author"] = str(len(split_names(entry["author"])))
    return found


def split_names(value: str) -> list[str]:
    """Cut at each "and" outside braces."""
    names, depth = [""], 0
    for word in value.split():
        if word == "and" and not depth:
            names.append("")
        else:
            names[-1] += word
        depth += word.count("{") - word.count("}")
    return names


def squeezed(value: str) -> str:
    return " ".join(value.split())


def faults(block: str, papers: list[Paper], added: int) -> list[str]:
    """What is wrong with a written block."""
    strict, other = fields_by_pybtex(block), fields_by_bibtexparser(block)
    read = parse(block.encode(), "written").papers
    wrong = []
    if not len(strict) == len(other) == len(read) == added:
        wrong.append(f"{added} written; pybtex {len(strict)}, bibtexparser {len(other)}, ours {len(read)}")
    if {k: {n: squeezed(v) for n, v in f.items()} for k, f in strict.items()} != {
        k: {n: squeezed(v) for n, v in f.items()} for k, f in other.items()
    }:
        wrong += [f"{key}: {strict[key]} / {other.get(key)}" for key in strict if strict[key] != other.get(key)][:1]
    wrong += [f"command {found}" for found in set(COMMAND.findall(block)) - OURS]
    by_number = {number_of(p): p for p in papers}
    for p in read:
        wanted = by_number[number_of(p)]
        for name in ("title", "abstract"):
            if not same(getattr(wanted, name), getattr(p, name)):
                wrong.append(f"{name}: {getattr(wanted, name)!r} was read back as {getattr(p, name)!r}")
    return wrong


def number_of(written: Paper) -> str:
    return written.title.rpartition(" ")[2]


MARKS = re.compile(r"[-–—'‘’`\"“”\s<>\ue000\ue001\u200d\u0300-\u036f]+")


def same(before: str, after: str) -> bool:
    """Whether two texts are one, but for what reading changes in any plain text: quotes, dashes, tags, entities, forms of one letter."""
    return plain(printable(before)) == plain(after)


def plain(value: str) -> str:
    unescaped = html.unescape(html.unescape(value))
    return MARKS.sub("", unicodedata.normalize("NFKD", re.sub(r"</?i>|\]\]>", "", unescaped)))


def main(count: int, seed: int) -> int:
    chance = random.Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="fuzz-writer-"))
    total = left_out = bad = 0
    for number in range(-(-count // A_FILE)):
        path = folder / "mine.bib"
        path.write_text(USER, encoding="utf-8")
        papers = [paper(chance, number * A_FILE + n) for n in range(A_FILE)]
        recommendations = [Recommendation(p, 1.0, rank) for rank, p in enumerate(papers, 1)]
        written = BibtexSink.open(str(path), Context()).write(recommendations)
        content = path.read_text(encoding="utf-8")
        wrong = [] if content.startswith(USER) else ["the user's bytes changed"]
        wrong += faults(content.removeprefix(USER), papers, written.added)
        again = BibtexSink.open(str(path), Context()).write(recommendations)
        if again.added or path.read_text(encoding="utf-8") != content:
            wrong.append(f"the second run added {again.added}")
        total, left_out, bad = total + len(papers), left_out + len(written.problems), bad + len(wrong)
        for line in wrong[:5]:
            print(f"seed {seed}, file {number}: {line[:400]}")
    path.unlink(missing_ok=True)
    folder.rmdir()
    print(f"{total:,} papers in {-(-count // A_FILE):,} files (seed {seed}): {left_out:,} left out and told, {bad} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
