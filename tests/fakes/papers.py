"""Papers on a subject, made of its words and of prose that every paper has."""

import numpy as np

from paperrec.paper import Paper

SUBJECTS = {
    "graphs": "graph neural message passing node edge molecule kernel spectral convolution vertex adjacency laplacian embedding".split(),
    "law": "tax court statute liability contract tort jurisdiction legal claim verdict appeal judge clause damages".split(),
    "phages": "phage bacteria immunity crispr infection lysis receptor strain genome plasmid toxin host viral defence".split(),
    "oceans": "ocean salinity current tide plankton thermocline upwelling sediment coral reef seawater acidity gyre buoy".split(),
}
PROSE = "we show that this new method gives better results and study the problem of how it can be used in practice".split()


def paper_on(subject: str, seed: int, n_words: int = 60, share: float = 0.5, key: str = "") -> Paper:
    """A paper of which a `share` of the words is of the subject, the rest prose that every paper has."""
    chance = np.random.default_rng(seed)
    words = [str(chance.choice(SUBJECTS[subject] if chance.random() < share else PROSE)) for _ in range(n_words)]
    return Paper(key=key or f"{subject}{seed}", title=" ".join(words[:6]), abstract=" ".join(words[6:]), year=2020)


def library_of(subject: str, n: int, start: int = 0) -> list[Paper]:
    return [paper_on(subject, start + i) for i in range(n)]


CROWD = [paper_on(subject, 500 + i, key=f"crowd-{subject}{i}") for subject in ("law", "oceans") for i in range(30)]
