"""Why a paper was recommended, as the note that hangs on its item."""

from html import escape

from paperrec.recommendation import Reason, Recommendation
from paperrec_adapters.zotero_items.wording import cut_characters, one_line

_LONGEST_LIST = 350_000  # characters; the service takes notes of 500,000, and some is needed for what stands above
_LONGEST_TEXT = 5_000  # characters of one reason, before it is escaped


def reasons_note(recommendation: Recommendation) -> str:
    """The HTML of the note: score and level, interest, and each reason with its part of the score.

    Nothing of a text is HTML in it, and it is never too long.
    """
    said = [f"Score {recommendation.score:.1f}" + (f" ({_safe(recommendation.level)})" if recommendation.level else "")]
    if recommendation.interest:
        said.append(f"for your interest in {_safe(recommendation.interest)}")
    paragraphs = [f"<p>{', '.join(said)}</p>"]
    if recommendation.note:
        paragraphs.append(f"<p>{_safe(recommendation.note)}</p>")
    return "\n".join(("<h1>Why paperrec recommends this</h1>", *paragraphs, *_listed(recommendation.reasons)))


def _listed(reasons: tuple[Reason, ...]) -> list[str]:
    lines: list[str] = []
    length = 0
    for at, reason in enumerate(reasons):
        line = f"<li>{_part(reason.part)} {_safe(reason.text)}</li>"
        length += len(line) + 1
        if length > _LONGEST_LIST:
            lines.append(f"<li>and {len(reasons) - at:,} more</li>")
            break
        lines.append(line)
    return ["<ul>", *lines, "</ul>"] if lines else []


def _part(part: float) -> str:
    return f"{round(part, 1) + 0.0:+.1f}".replace("-", "−")


def _safe(text: str) -> str:
    return escape(cut_characters(one_line(text), _LONGEST_TEXT))
