#!/usr/bin/env python3
"""Print what ranking costs, as ratios to what other tools' rankers cost on the same texts in the same run.

    python tests/tools/ranking_speed.py            1,000 library papers, 10,000 candidates; then the cold start
    python tests/tools/ranking_speed.py --rounds 9

The other rankers are rebuilt from their published settings (arxiv-sanity-lite; ASReview ELAS u3 and u4). The texts are made up here, with
words as frequent as in real abstracts (Zipf) and words of their own for each of 40 subjects. CPU seconds; the median of interleaved rounds.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from statistics import median

import numpy as np

from paperrec.evaluate.baselines import arxiv_sanity, asreview_u3, asreview_u4
from paperrec.features.stopwords import STOP_WORDS
from paperrec.paper import Paper
from paperrec.pipeline import choose, rank

_N_WORDS = 60_000
_N_SUBJECTS = 40
_SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu".split()


def _word(number: int) -> str:
    spelled = ""
    while True:
        number, syllable = divmod(number, len(_SYLLABLES))
        spelled += _SYLLABLES[syllable]
        if not number:
            return spelled + ("n" if len(spelled) < 3 else "")


def made_up_papers(n: int, seed: int, n_subjects: int = _N_SUBJECTS) -> list[Paper]:
    """Papers of one of 40 subjects each: titles of 10 words, abstracts of 180, two in five of them stop words; 4 authors."""
    chance = np.random.default_rng(seed)
    words = np.array([_word(number) for number in range(_N_WORDS)])
    small = np.array(sorted(STOP_WORDS, key=len))
    papers = []
    for number in range(n):
        subject = int(chance.integers(n_subjects))
        common = np.minimum(chance.zipf(1.25, 54), _N_WORDS) - 1
        prose = small[np.minimum(chance.zipf(1.3, 76), len(small)) - 1]
        special = (np.minimum(chance.zipf(1.3, 60), 1_000) + 200 + 1_000 * subject) % _N_WORDS
        drawn = chance.permutation(np.concatenate([words[common], words[special], prose]))
        authors = tuple(f"{_word(int(a)).title()}, {_word(int(a) % 97).title()}" for a in chance.integers(100, 30_000, 4))
        papers.append(Paper(key=f"p{number}", title=" ".join(drawn[:10]), abstract=" ".join(drawn[10:]), authors=authors, year=2020))
    return papers


def _texts(papers: Sequence[Paper]) -> list[str]:
    return [f"{paper.title} {paper.abstract}" for paper in papers]


def _cpu_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _cold(code: str) -> float:
    """CPU seconds of a fresh interpreter that runs `code`, its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--library", type=int, default=1_000)
    parser.add_argument("--candidates", type=int, default=10_000)
    args = parser.parse_args()
    library, candidates = made_up_papers(args.library, 1, 8), made_up_papers(args.candidates, 2)
    jobs: dict[str, Callable[[], object]] = {"paperrec rank": lambda: rank(library, candidates)}
    rank(library[:10], candidates[:10])
    _cpu_seconds(jobs["paperrec rank"])
    print(f"largest memory so far, texts included: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
    jobs |= {
        "paperrec choose": lambda: choose(library, candidates),
        "arxiv-sanity-lite": lambda: arxiv_sanity(*map(_texts, (library, candidates))),
        "ASReview ELAS u4": lambda: asreview_u4(*map(_texts, (library, candidates))),
        "ASReview ELAS u3": lambda: asreview_u3(*map(_texts, (library, candidates))),
    }
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(args.rounds):
        for name, work in jobs.items():
            seconds[name].append(_cpu_seconds(work))
    ours = median(seconds["paperrec rank"])
    print(f"{args.library} library papers, {args.candidates} candidates, {args.rounds} rounds")
    for name, spent in seconds.items():
        print(f"  {name:20s} {median(spent):6.2f} CPU-s   {ours / median(spent):5.2f} of it is paperrec rank")
    cold: dict[str, list[float]] = {"import": [], "made": [], "ranked": []}
    for _ in range(args.rounds):
        cold["import"].append(_cold("import sklearn.svm"))
        cold["made"].append(_cold(_MADE))
        cold["ranked"].append(_cold(_MADE + "from paperrec.pipeline import choose; choose(library, candidates)"))
    whole = median(cold["ranked"]) - median(cold["made"])
    ratio = whole / median(cold["import"])
    print(f"cold, 1,000 library papers and 57 candidates without reading them: {whole:.2f} CPU-s, {ratio:.2f} of import sklearn.svm")


_MADE = """
from paperrec.paper import Paper
texts = [" ".join(f"w{(i * 7919 + j * j * 31) % (300 + 40 * j)}" for j in range(190)) for i in range(1057)]
papers = [Paper(key=str(i), title=t[:60], abstract=t, year=2020) for i, t in enumerate(texts)]
library, candidates = papers[:1000], papers[1000:]
"""

if __name__ == "__main__":
    main()
