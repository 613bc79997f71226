"""Text from anywhere comes out as plain words on one line, what is shown is harmless, and an abstract gets a fair title."""

import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paperrec.text import derive_title, first_sentence, plain, plain_text, printable
from paperrec.text.printing import ESCAPES, INVISIBLE, SUSPECT, visible
from paperrec.text.spacing import tidy_line

SHARED = Path(os.environ.get("PAPERREC_SHARED", Path(__file__).parents[2] / "shared"))
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
PIECES = (
    *(r"\\ \{ \} { } $ $$ < > & ~ ` `` '' -- --- % # ^ _ * ** [ ] ]( ( ) \( \) \[ \]".split()),
    *(r"\frac \sqrt \sqrt[ \alpha \leq \text \emph \cite \url{ \href{ \begin{equation} \end{equation} \ensuremath{ \what \' \v \u".split()),
    *(
        "<i> </i> <p> <br/> <mml:mi> <!-- --> <annotation> </annotation> <![CDATA[ &lt; &amp;lt; &#0; &#x1b; &nbsp; http:// https://x.y/".split()
    ),
    *("\x1b[31m", "\x1b]8;;", "\x07", "\x9b", "\x00", "\ud800", "\u202e", "\ue000", "\ue0000\ue001", "\u200d", "\n\n", "\n# ", "e\u0301"),
    *("word", "a", "5", " ", " ", ". ", "\\textsuperscript{", "We propose ", "Abc-D (AD), a ", " called XyZ"),
)
MESSES = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
ANY_TEXT = st.text(st.characters(), max_size=80) | MESSES  # lone surrogates among them


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (r"{\"u}\"{o}\"a \'e {\'E}tude na\"{\i}ve \'\i{} {\'\i}", "üöä é Étude naïve í í"),
        (
            r"\v{C}apek \v Simek \c{C}a {\c c} \H{o} {\H u} \k{a} \r{a} \u{g} \.{I} \={a} \d{s} \~n \^{e} \`a",
            "Čapek Šimek Ça ç ő ű ą å ğ İ ā ṣ ñ ê à",
        ),
        (
            r"{\L}\'od\'z, stra{\ss}e, \o re, {\O}rsted, \aa{} \AA, \ae sthetic, {\oe}uvre",
            "Łódź, straße, øre, Ørsted, å Å, æsthetic, œuvre",
        ),
        (r"Erd\H{o}s--R{\'e}nyi, Barab\'asi, Czerwi\'nski, {\DJ}or{\dj}e", "Erdős–Rényi, Barabási, Czerwiński, Đorđe"),
        ("Scho\u0308n", "Schön"),
    ],
)
def test_accents_become_letters(raw: str, plain: str) -> None:
    assert plain_text(raw) == plain


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (r"\textbf{Bold} {\it moves} \emph{and \textsc{More}} \mbox{kept}", "Bold moves and More kept"),
        (r"{Dust at z \raisebox{-0.5ex}\textasciitilde 3 and H\ensuremath{\alpha} lines}", "Dust at z ~3 and Hα lines"),
        (r"as shown \cite[p.~3]{doe1999} and \citep{roe2001}, sheep walk", "as shown and, sheep walk"),
        (
            r"see \url{https://example.org/a_b~c--d%20e} or \href{https://example.org/~x}{this page}",
            "see https://example.org/a_b~c--d%20e or this page",
        ),
        ("at https://example.org/a_b~c--d. Then~more", "at https://example.org/a_b~c--d. Then more"),
        (
            r"It{\textquoteright}s ``quoted'' --- 3--4 {\textendash} 5\,\% \& \#1 snake\_case \{set\}",
            "It’s “quoted” — 3–4 – 5 % & #1 snake_case {set}",
        ),
        (r"one\\two\newline three\footnote{four}", "one two three four"),
        (r"\unknown{kept} \weird[opt]{kept too} {\sc small}", "kept kept too small"),
        (r"\apj", "apj"),
        (r"\textsuperscript{13}C, H\textsubscript{2}O and \textsuperscript{$\alpha$}X", "¹³C, H₂O and αX"),
        ("Soil is {[}sic] wet.\n   All rights\treserved.", "Soil is [sic] wet. All rights reserved."),
        ("eﬃcient ﬂow of oﬀers", "efficient flow of offers"),
    ],
)
def test_commands_go_and_their_words_stay(raw: str, plain: str) -> None:
    assert plain_text(raw) == plain


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (r"$\rho >0$ and $p \leq 0.05$", "ρ >0 and p ≤ 0.05"),
        (r"$x_i \in \mathbb{R}^d$", "x_i ∈ R^d"),
        (r"CO$_2$, CO$_{2}$, n$^{\circ}$5, $x^2$, $10^{-3}$", "CO₂, CO₂, n°5, x², 10⁻³"),
        (r"$X\rightarrow\mu^+\mu^-$ at $\sqrt{s}=13$ TeV", "X → μ⁺μ⁻ at √s=13 TeV"),
        (r"$\tilde{\mathcal{O}}((\alpha^{-1}+\varepsilon^{-1})/\gamma^2)$", "Õ((α⁻¹+ε⁻¹)/γ²)"),
        (r"$\frac{a}{b}$, $\frac12$, $\frac{n+1}{2}$, $\sqrt[3]{x}$, $\hat{y}_{i+1}$", "a/b, 1/2, (n+1)/2, ³√x, ŷ_(i+1)"),
        (r"$\left( a,\; b \right)$ and $O(n\log n)$", "( a, b ) and O(n log n)"),
        (r"\(a+b\) then \[c = d\] then $$e$$ then \begin{equation}f\end{equation} end", "a+b then c = d then e then f end"),
        (r"$\mathrm{poly}(n)$, $\text{if } x$, $\operatorname{rank} A$, $\mystery x$", "poly(n), if x, rank A, mystery x"),
        (r"Up to $10\times$ or 6.9$\times$, $\infty$, $\sum_{i=1}^n$", "Up to 10× or 6.9×, ∞, ∑_(i=1)ⁿ"),
        ("if $a<b$ and $c>d$", "if a<b and c>d"),
    ],
)
def test_maths_stays_readable(raw: str, plain: str) -> None:
    assert plain_text(raw) == plain


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (r"Costs \$5", "Costs $5"),
        ("$5 and $6 million", "$5 and $6 million"),
        ("a $5-$6 fee", "a $5-$6 fee"),
        ("from $100 to $x$ sheep", "from $100 to x sheep"),
        ("a lone $", "a lone $"),
    ],
)
def test_money_is_not_maths(raw: str, plain: str) -> None:
    assert plain_text(raw) == plain


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("Effects of &lt;i&gt;E. coli&lt;/i&gt; on H<sub>2</sub>O &amp; CO$_2$", "Effects of E. coli on H2O & CO₂"),
        (
            r"<jats:title>Abstract</jats:title><jats:p>We find <jats:italic>p</jats:italic> &lt; 0.05 in 30% of runs.</jats:p>",
            "We find p < 0.05 in 30% of runs.",
        ),
        ("Plants {\\textless}i{\\textgreater}grow{\\textless}/i{\\textgreater} 20{\\%} faster", "Plants grow 20% faster"),
        ("<h2>Aims</h2><p>One</p><p class='a b'>Two<br/>three</p><ul><li>four</li></ul>", "Aims One Two three four"),
        ("p < 0.05, a<b and c>d, x &lt; y, List<T>, <unknown>", "p < 0.05, a<b and c>d, x < y, List<T>, <unknown>"),
        ("x &amp;lt; y, caf&eacute;, &#8212;, R&D, AT&T; &nonsense;", "x < y, café, —, R&D, AT&T; &nonsense;"),
        ('N=<mml:math display="inline"><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math>.', "N=x2."),
        ("a<script>alert(1)</script>b", "a alert(1) b"),
        ("one<!-- two -->three <![CDATA[four]]>", "onethree four"),
    ],
)
def test_tags_and_entities_go_but_comparisons_stay(raw: str, plain: str) -> None:
    assert plain_text(raw) == plain


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (
            "*emphasis*, **S**calable, kno**W**ledge, ***both***, _under_ and __twice__",
            "emphasis, Scalable, knoWledge, both, under and twice",
        ),
        ("2*3*4, a lone * here, p* and q*, snake_case_name, footnote*", "2*3*4, a lone * here, p* and q*, snake_case_name, footnote*"),
        ("`code` and ``quoted''", "code and “quoted”"),
        ("[a page](https://example.org/x_y), [](https://example.org), f[x](y), [1]", "a page, https://example.org, f[x](y), [1]"),
        ("# Heading\n\ntext #1", "Heading text #1"),
        (r"**1.5-3.6×** and $a * b * c$ or 5\*", "1.5-3.6× and a * b * c or 5*"),
    ],
)
def test_markdown_goes_where_asked_for(raw: str, plain: str) -> None:
    assert plain_text(raw, markdown=True) == plain


def test_markdown_stays_where_not_asked_for() -> None:
    assert plain_text("*a* _b_ [c](https://example.org)") == "*a* _b_ [c](https://example.org)"


def test_a_percent_sign_cuts_nothing() -> None:
    assert plain_text("It is 5% faster.\nAnd 30\\% smaller. % Last words.") == "It is 5% faster. And 30% smaller. % Last words."


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("a\x00b\x1b[31mc\x1b]8;;https://example.org\x07d\u202ee\u200bf\ufeffg\ud800h", "abcdefgh"),
        ("&#27;[31mred &#8238;x", "[31mred x"),
        ("sof\u00adt join\u200der", "soft joiner"),
        ("می\u200cخواهم क\u094d\u200dष", "می\u200cخواهم क\u094d\u200dष"),
        ("kept � mark", "kept � mark"),
    ],
)
def test_what_cannot_be_seen_goes_but_the_joiners_of_scripts_that_need_them(raw: str, plain: str) -> None:
    assert plain_text(raw) == plain


@settings(max_examples=400, deadline=None)
@given(ANY_TEXT, st.booleans())
def test_any_text_becomes_one_clean_line(raw: str, markdown: bool) -> None:
    text = plain_text(raw, markdown=markdown)
    assert text == " ".join(text.split())
    assert text == unicodedata.normalize("NFC", text)
    assert not UNSEEN.search(text)
    assert "\ue000" in raw or "\ue000" not in text
    assert plain_text(raw, markdown=markdown) == text


@given(st.lists(st.text("abcxyzäß中Ω0189", min_size=1, max_size=8), max_size=12).map(" ".join), st.booleans())
def test_plain_words_stay_as_they_are(words: str, markdown: bool) -> None:
    assert plain_text(words, markdown=markdown) == unicodedata.normalize("NFC", words)


def test_what_python_prints_is_neither_suspect_nor_white_space_but_for_the_blank() -> None:
    printed = "".join(filter(str.isprintable, map(chr, range(sys.maxunicode + 1))))
    assert re.findall(SUSPECT, printed) == []
    assert "".join(printed.split()) == printed.replace(" ", "")


@given(ANY_TEXT)
def test_a_short_cut_leads_where_the_rule_leads(text: str) -> None:
    assert visible(text) == re.sub(INVISIBLE, "", re.sub(ESCAPES, "", text))
    assert tidy_line(text) == " ".join(unicodedata.normalize("NFC", text).split())
    if "://" not in text:
        found, alone = ([(m.span(), m.groups()) for m in rule.finditer(text)] for rule in (plain._MATHS, plain._MATHS_ALONE))
        assert alone == found


@given(ANY_TEXT.map(lambda text: text.replace("\ue000", "").replace("\ue001", "")), st.booleans())  # the placeholders of formulas
def test_a_text_without_a_mark_is_one_in_which_no_rule_finds_anything(raw: str, markdown: bool) -> None:
    text = re.sub(INVISIBLE, "", re.sub(ESCAPES, "", raw)).translate(plain._LIGATURES)
    assert plain_text(raw, markdown=markdown) == " ".join(unicodedata.normalize("NFC", plain._unmarked(text, markdown)).split())


@given(
    st.lists(
        st.sampled_from([r"\emph{sheep}", r"$x^2$", r"{\'e}", "5\\%", "<i>walk</i>", "a -- b", "&amp;", "$\\alpha \\leq 1$"]), max_size=12
    )
)
def test_cleaned_text_is_not_changed_again(pieces: list[str]) -> None:
    once = plain_text(" ".join(pieces))
    assert plain_text(once) == once


BOMBS = {
    "braces": "{" * 300_000,
    "closing braces": "}" * 300_000,
    "backslashes": "\\" * 1_000_000,
    "open maths": "\\[" * 200_000 + "\\(" * 200_000,
    "dollars": "$" * 1_000_000,
    "dollars apart": "$ x" * 300_000,
    "angles": "<" * 1_000_000,
    "ampersands": "&" * 1_000_000,
    "stars": "**a " * 200_000,
    "underscores": "_a" * 300_000,
    "backquotes": "`a" * 300_000,
    "brackets": "[a" * 300_000,
    "links": "[a](" * 200_000,
    "fractions": "\\frac{" * 100_000,
    "fractions in maths": "$\\frac{" * 100_000,
    "accents in maths": "$" + "\\hat{" * 190 + "$",
    "environments": "\\begin{equation}" * 50_000,
    "citations": "\\cite[" * 100_000,
    "open arguments": "\\cite{" * 100_000,
    "addresses": "http://" * 100_000,
    "escapes": "\x1b]" * 300_000,
    "comments": "<!--" * 200_000,
    "tags": "<b a=" * 100_000,
    "proposals": "We propose " * 100_000,
    "names": "We propose AbC (" * 50_000,
    "acronyms": "(AB" * 200_000,
    "full stops": "A. " * 300_000,
    "one word": "a" * 1_000_000,
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS.keys())
def test_a_hostile_text_ends(bomb: str) -> None:
    text = plain_text(bomb, markdown=True)
    printable(bomb)
    first_sentence(bomb)
    assert len(derive_title(bomb)) <= 120
    assert len(text) <= len(bomb)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain – text", "plain – text"),
        ("red \x1b[31mnews\x1b]8;;https://example.org\x07\n\u202eabc\tdef\r\n", "red news abc def "),
        ("\x1b]52;c;aGk=\x1b\\x \x9b31my \x90q\x9cz\x7f", "x y z"),
        ("a\u2028b\u2066c\ud800d\x85e", "a bcd e"),
    ],
)
def test_only_harmless_characters_reach_a_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT)
def test_printable_text_is_harmless_and_not_changed_again(text: str) -> None:
    shown = printable(text)
    assert not UNSEEN.search(shown)
    assert printable(shown) == shown


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Sheep walk. They run.", "Sheep walk."),
        (
            "Sheep, e.g. Merinos, walk vs. run, i.e. Doe et al. saw 2.5 steps in Fig. 3. Then rest.",
            "Sheep, e.g. Merinos, walk vs. run, i.e. Doe et al. saw 2.5 steps in Fig. 3.",
        ),
        ("By J. K. Doe and U.S. Roe. More.", "By J. K. Doe and U.S. Roe."),
        ("We follow Doe et al. However, we walk.", "We follow Doe et al."),
        ("Do sheep walk? Yes!", "Do sheep walk?"),
        ("He said “run.” They ran.", "He said “run.”"),
        ("羊在走。它们跑。", "羊在走。"),
        ("no end at all", "no end at all"),
        ("  \n ", ""),
    ],
)
def test_the_first_sentence_ends_where_it_ends(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


def test_a_long_sentence_is_cut_at_a_word() -> None:
    assert first_sentence("Sheep walk over hills and valleys, far away.", 30) == "Sheep walk over hills and…"
    assert first_sentence("x" * 50, 10) == "x" * 9 + "…"


@pytest.mark.parametrize(
    ("abstract", "title"),
    [
        (
            "Sheep are slow. We propose Dynamic Herding of Sparse Flocks (DHSF), a way to herd that saves steps. DHSF is fast.",
            "DHSF: Dynamic Herding of Sparse Flocks",
        ),
        ("To help, we introduce the Gated Herd Search (GHS) framework, which walks.", "GHS: Gated Herd Search"),
        ("Dogs bark. In this paper, we present FlockNet, a planner for shepherds.", "FlockNet: a planner for shepherds"),
        ("We introduce ShepBench (Shepherding Benchmark), a set of 40 tasks for dogs.", "ShepBench: Shepherding Benchmark"),
        ("Dogs bark. This paper proposes a planner for hills, namely HillGen, to walk.", "HillGen: a planner for hills"),
        ("We describe a planner for dogs that saves steps, which we call FlockNet.", "FlockNet: a planner for dogs that saves steps"),
        ("Dogs bark. We present FlockNet. FlockNet is a planner for old dogs.", "FlockNet: a planner for old dogs"),
        ("Dogs bark. We release a dataset, HerdSet, with a million sheep.", "HerdSet: a dataset"),
        ("Dogs bark. We close this gap with HerdEval, a benchmark of dogs. HerdEval has tasks.", "HerdEval: a benchmark of dogs"),
        ("Dogs bark. We bridge the two by proposing BarkMuon (Bark-wise Muon), a trainer.", "BarkMuon: Bark-wise Muon"),
        ("We develop Otter, a swimming model for rivers of every size.", "Otter: a swimming model for rivers of every size"),
        ("We present the first study of Walking Animals in Valleys, WAV, using bells.", "WAV: Walking Animals in Valleys"),
        ("Dogs bark. Our method, BarkLess, is simple. We show that quiet dogs herd sheep as well as loud dogs.",
         "BarkLess: quiet dogs herd sheep as well as loud dogs"),
    ],
)  # fmt: skip
def test_a_work_s_own_name_leads_its_title(abstract: str, title: str) -> None:
    assert derive_title(abstract) == title


@pytest.mark.parametrize(
    ("abstract", "title"),
    [
        ("We propose a new way to herd sheep with BERT, a language model of old.", "A new way to herd sheep with BERT"),
        (
            "We propose a fast planner for Large Language Models (LLMs) on steep hills.",
            "A fast planner for Large Language Models on steep hills",
        ),
        ("FlockNet is old. We build FlockNet, a planner, again. It is slow to walk.", "FlockNet is old"),
        ("Dogs bark. We tackle this with ShepNet, a known planner of paths.", "Dogs bark"),
        (
            "We introduce reinforcement learning (RL) to the herding of sheep in the hills.",
            "Reinforcement learning to the herding of sheep in the hills",
        ),
        (
            "We evaluate FlockNet, HillGen and HerdEval (HE) on hills. Sheep walk.",
            "We evaluate FlockNet, HillGen and HerdEval (HE) on hills",
        ),
        ("We design a dog of the kind that is known from PupNet (Doe et al., 2019).", "A dog of the kind that is known from PupNet"),
    ],
)
def test_another_s_name_does_not_lead_a_title(abstract: str, title: str) -> None:
    assert derive_title(abstract) == title


@pytest.mark.parametrize(
    ("abstract", "title"),
    [
        ("Here we study the walks of sheep on steep and stony hills, using bells.", "The walks of sheep on steep and stony hills"),
        ("We formulate the problem of herding old sheep in the dark, where dogs are few.", "Herding old sheep in the dark"),
        (
            "Dogs bark. We propose a planner that weighs steps, barks, and bells for each dog. It walks.",
            "A planner that weighs steps, barks, and bells for each dog",
        ),
        ("Dogs bark. We show that sheep follow the oldest dog on every hill, explaining why.", "Sheep follow the oldest dog on every hill"),
        ("Dogs bark at sheep. We study this. We show that it is so.", "Dogs bark at sheep"),
        ("Sheep walk over hills.", "Sheep walk over hills"),
        ("...", "..."),
        ("", ""),
    ],
)
def test_without_a_name_the_title_says_what_was_done_or_found_else_the_first_sentence(abstract: str, title: str) -> None:
    assert derive_title(abstract) == title


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT, st.integers(1, 150))
def test_every_text_gets_a_title_within_the_limit(text: str, limit: int) -> None:
    title = derive_title(text, limit)
    assert bool(title) == bool(text.split())
    assert len(title) <= limit
    assert derive_title(text, limit) == title


def test_the_module_is_cheap_to_import() -> None:
    code = "import sys, paperrec.text; print(sorted({'numpy', 'pybtex', 'pylatexenc', 'sklearn'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real abstracts are not part of the project")
def test_real_abstracts_lose_their_marks_and_no_sentence() -> None:
    ends = re.compile(r"[.!?](?=\W*(?:\s|$))")
    n_paragraphs = 0
    for path in sorted((SHARED / "seeds").glob("*.txt")):
        for paragraph in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
            text = plain_text(paragraph, markdown=True)
            assert not re.search(r"\$|\\|\*\*|\]\(", text)
            assert len(ends.findall(text)) == len(ends.findall(paragraph))
            n_paragraphs += len(paragraph) > 200
    assert n_paragraphs == 57
