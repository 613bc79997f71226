"""Contracts for adapters: inherit one in a test class, make the adapter, and pytest checks what every run relies on."""

from collections.abc import Sequence

from paperrec.paper import Paper, fingerprint
from paperrec.ports import Sink, Source
from paperrec.recommendation import Reason, Recommendation

SAMPLE = (
    Paper(
        key="full",
        title="Walks of sheep on 100% steep slopes",
        abstract="We follow sheep.",
        authors=("Doe, Ann", "Roe, Bo"),
        year=2021,
        doi="10.5555/s_1",
    ),
    Paper(key="bare", title="Only a title"),
    Paper(key="arxiv", title="Größe & Form {of} $5", abstract="Ein Satz; 分子.", arxiv_id="2601.00001"),
    Paper(key="untitled", title="A system for goats", title_derived=True, abstract="We present a system for goats."),
)


def recommendations(papers: Sequence[Paper] = SAMPLE) -> tuple[Recommendation, ...]:
    """Papers as a list that a sink may be given."""
    count = len(papers)
    return tuple(Recommendation(p, float(count - i), i + 1, (Reason("other", "it fits", float(count - i)),)) for i, p in enumerate(papers))


class SourceContract:
    """What every source keeps."""

    def make_source(self) -> Source:
        """A source with at least one paper."""
        raise NotImplementedError

    def test_it_gives_papers_with_text_and_a_name(self) -> None:
        papers = self.make_source().read().papers
        assert papers
        for paper in papers:
            assert paper.title or paper.abstract
            assert fingerprint(paper)

    def test_reading_twice_gives_the_same(self) -> None:
        source = self.make_source()
        assert source.read() == source.read()

    def test_no_text_holds_a_control_character(self) -> None:
        for paper in self.make_source().read().papers:
            text = "".join((paper.key, paper.title, paper.abstract, paper.venue, paper.url, *paper.authors, *paper.keywords))
            assert not [c for c in text if ord(c) < 32 or 127 <= ord(c) < 160]


class SinkContract:
    """What every sink keeps."""

    def make_sink(self) -> Sink:
        """A sink on an empty place; every call gives a sink on the same place."""
        raise NotImplementedError

    def contents(self) -> bytes:
        """What the place holds now; b"" for nothing."""
        raise NotImplementedError

    def test_a_dry_run_writes_nothing(self) -> None:
        before = self.contents()
        written = self.make_sink().write(recommendations(), dry_run=True)
        assert (self.contents(), written.added) == (before, len(SAMPLE))

    def test_writing_again_changes_nothing(self) -> None:
        self.make_sink().write(recommendations())
        before = self.contents()
        assert before
        self.make_sink().write(recommendations())
        assert self.contents() == before

    def test_every_paper_arrives(self) -> None:
        written = self.make_sink().write(recommendations())
        assert (written.added + written.present, written.problems) == (len(SAMPLE), ())
