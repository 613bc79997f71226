"""Tables: what LaTeX commands stand for in Unicode."""

import unicodedata


def _pairs(table: str) -> dict[str, str]:
    """`"alpha α  beta β"` -> {"alpha": "α", "beta": "β"}."""
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


# Combining characters of the text accents \"u, \v{C}, ... and of the maths accents \hat{x}, ...
ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307", '"': "\u0308", "r": "\u030a",
    "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328", "b": "\u0331",
}  # fmt: skip
MATH_ACCENTS = {
    "grave": "\u0300", "acute": "\u0301", "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304",
    "overline": "\u0304", "breve": "\u0306", "dot": "\u0307", "ddot": "\u0308", "mathring": "\u030a", "check": "\u030c", "vec": "\u20d7",
    "not": "\u0338",
}  # fmt: skip

# Letters and signs of running text
TEXT = _pairs(
    """
    ss ß o ø O Ø l ł L Ł ae æ AE Æ oe œ OE Œ aa å AA Å i ı j ȷ dh ð DH Ð th þ TH Þ dj đ DJ Đ ng ŋ NG Ŋ ij ĳ IJ Ĳ SS ẞ
    S § P ¶ dag † ddag ‡ textdagger † textdaggerdbl ‡ textsection § textparagraph ¶ copyright © textcopyright © pounds £ textsterling £
    euro € texteuro € EUR € texttrademark ™ textregistered ® ldots … dots … textellipsis … textless < textgreater > textbar | textbardbl ‖
    textbackslash \\ backslash \\ textasciitilde ~ textasciicircum ^ textunderscore _ textdollar $ textendash – textemdash —
    textquoteright ’ textquoteleft ‘ textquotedblleft “ textquotedblright ” textquotesingle ' textquotedbl " textasciigrave `
    guillemotleft « guillemotright » guilsinglleft ‹ guilsinglright › quotedblbase „ quotesinglbase ‚ lq ‘ rq ’
    textdegree ° degree ° textmu µ micro µ textpm ± texttimes × textdiv ÷ textonehalf ½ textonequarter ¼ textthreequarters ¾
    textonesuperior ¹ texttwosuperior ² textthreesuperior ³ textordfeminine ª textordmasculine º textbullet • textperiodcentered ·
    textexclamdown ¡ textquestiondown ¿ textnumero № textmultiply × textminus − textbraceleft { textbraceright } textcent ¢ textyen ¥
    LaTeX LaTeX TeX TeX BibTeX BibTeX slash / percent % textpercent % textampersand & textnumbersign #
    textalpha α textbeta β textgamma γ textdelta δ textOmega Ω textohm Ω ohm Ω celsius ℃ textcelsius ℃
    """
)

GREEK = _pairs(
    """
    alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ varkappa ϰ lambda λ mu μ nu ν xi ξ
    omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω digamma ϝ
    Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω varGamma Γ varDelta Δ varSigma Σ varOmega Ω
    """
)

# Relations and arrows: written with a blank on both sides
RELATIONS = _pairs(
    """
    leq ≤ le ≤ leqslant ≤ geq ≥ ge ≥ geqslant ≥ neq ≠ ne ≠ ll ≪ gg ≫ lll ⋘ ggg ⋙ approx ≈ approxeq ≊ sim ∼ simeq ≃ cong ≅ equiv ≡ propto ∝
    varpropto ∝ asymp ≍ doteq ≐ triangleq ≜ coloneqq ≔ lesssim ≲ gtrsim ≳ prec ≺ succ ≻ preceq ⪯ succeq ⪰ in ∈ notin ∉ ni ∋ subset ⊂
    supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ sqsubseteq ⊑ mid | parallel ∥ perp ⊥ vdash ⊢ models ⊨ to → rightarrow → longrightarrow ⟶
    leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Longrightarrow ⇒ implies ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⇔ mapsto ↦ longmapsto ↦
    uparrow ↑ downarrow ↓ Uparrow ⇑ Downarrow ⇓ updownarrow ↕ nearrow ↗ searrow ↘ hookrightarrow ↪ rightharpoonup ⇀ rightleftharpoons ⇌
    rightsquigarrow ⇝ leadsto ⇝ twoheadrightarrow ↠ xrightarrow → wedge ∧ land ∧ vee ∨ lor ∨ cup ∪ cap ∩ setminus ∖ oplus ⊕ otimes ⊗
    ominus ⊖ odot ⊙ sqcup ⊔ sqcap ⊓ uplus ⊎ rtimes ⋊ ltimes ⋉
    """
)

SIGNS = _pairs(
    """
    times × div ÷ pm ± mp ∓ cdot · cdotp · ast * star ⋆ circ ∘ bullet • infty ∞ partial ∂ nabla ∇ sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ oint ∮
    bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂ bigvee ⋁ bigwedge ⋀ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ emptyset ∅ varnothing ∅ top ⊤
    bot ⊥ angle ∠ triangle △ square □ Box □ blacksquare ■ diamond ⋄ Diamond ◇ lozenge ◊ clubsuit ♣ heartsuit ♥ spadesuit ♠ diamondsuit ♦
    ell ℓ hbar ℏ hslash ℏ Re ℜ Im ℑ aleph ℵ beth ℶ wp ℘ imath ı jmath ȷ prime ′ backprime ‵ dagger † ddagger ‡ checkmark ✓ cdots ⋯ ldots …
    dots … dotsc … dotsb ⋯ vdots ⋮ ddots ⋱ langle ⟨ rangle ⟩ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lbrace { rbrace } lbrack [ rbrack ] vert |
    lvert | rvert | Vert ‖ lVert ‖ rVert ‖ surd √ mho ℧ eth ð complement ∁ wr ≀ amalg ⨿ therefore ∴ because ∵ flat ♭ natural ♮ sharp ♯
    degree ° copyright © pounds £ S § P ¶ backslash \\ colon : lt < gt > And & sun ☉ odotsun ⊙ earth ⊕
    """
)

MATH = GREEK | SIGNS  # what stands for itself; RELATIONS get blanks around them

# Functions set upright: kept apart from their neighbours
OPERATORS = frozenset(
    """
    arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin
    sinh sup tan tanh mod bmod argmax argmin poly polylog tr Tr rank diag sign sgn Var Cov softmax
    """.split()
)

# Commands that change only the look: their argument is the text
FONTS = frozenset(
    """
    mathcal mathbb mathbf mathrm mathit mathsf mathtt mathfrak mathscr mathds mathnormal boldsymbol bm pmb bf it rm sf tt sc text
    textbf textit textrm textsf texttt textsc textnormal textup textsl emph operatorname mbox hbox fbox boxed mathop mathrel mathbin
    mathord mathopen mathclose mathpunct underline underbrace overbrace overrightarrow overleftarrow cancel smash displaystyle
    textstyle scriptstyle scriptscriptstyle ensuremath math mathstrut limits nolimits left right big Big bigg Bigg bigl bigr Bigl
    Bigr biggl biggr Biggl Biggr middle protect relax nonumber notag hfill strut null boldmath unboldmath
    """.split()
)

# Commands whose first braced arguments are no text, and how many
UNREAD = dict.fromkeys(
    """
    begin end bibinfo cite citealp citeauthor citep citet citeyear autocite parencite textcite nocite color eqref foreignlanguage
    hphantom hspace href includegraphics input include label noopsort pageref phantom raisebox ref selectlanguage tag textcolor
    vphantom vspace usepackage documentclass overset underset stackrel
    """.split(),
    1,
) | {"fontsize": 2, "rule": 2, "setlength": 2}

BLANKS = frozenset(
    "quad qquad enspace enskip thinspace medspace thickspace space nobreakspace newline linebreak par item hskip footnote thanks".split()
)

SUPERSCRIPTS = dict(zip("0123456789+-−=()n′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ′", strict=True)) | {"∘": "°"}
SUBSCRIPTS = dict(zip("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True))


def accent_commands() -> dict[str, str]:
    """LaTeX in ASCII for the letters and signs that have such a form: `é` -> `{\\'e}`, `ß` -> `{\\ss}`."""
    letters = "AEIOUYaeiouyCDGHJKLNRSTWZcdghjklnrstwz"
    found = {
        composed: f"{{\\{accent}{' ' if accent.isalpha() else ''}{letter}}}"
        for accent, combining in ACCENTS.items()
        for letter in letters
        if len(composed := unicodedata.normalize("NFC", letter + combining)) == 1
    }
    found |= {sign: f"{{\\{name}}}" for name, sign in reversed(TEXT.items()) if len(sign) == 1 and not sign.isascii()}
    found |= {
        sign: f"\\ensuremath{{\\{name}}}"
        for name, sign in (GREEK | SIGNS | RELATIONS).items()
        if len(sign) == 1 and sign not in found and not sign.isascii()
    }
    return found
