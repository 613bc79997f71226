"""How long a large .bib file takes to read: python tests/tools/bib_scale.py [ENTRIES]

Makes a file of made-up entries, the same at every run (28 % with an abstract, some LaTeX, as in users' libraries), reads it, reads it
again from the cache, and prints entries, CPU seconds and the peak of memory for each.
"""

import random
import resource
import sys
import tempfile
import time
from pathlib import Path

WORDS = """
    ability account agent analysis approach balance barley behaviour bridge budget canal carbon causal cell circuit climate cluster coast
    colour control copper crop crystal data decay delta density design dialect diffusion drift dynamics edge energy ensemble error estimate
    evidence evolution feature fibre field flow forest frequency gene glacier gradient graph growth harbour heat horizon ice imaging income
    index kernel lake language lattice layer learning light liquid machine magnet mapping margin market matter memory method migration
    mineral mirror mixture model molecule motion network neuron noise ocean orbit particle pattern phase planet plasma policy pollen power
    pressure protein quantum rain random ratio reaction reef region retrieval river sample sediment selection sensor signal soil solar
    spectrum storm structure surface survey symmetry system temperature texture theory tide tissue trade transfer tree turbulence valley
    variance vector velocity village virus voltage water wave weather wind
""".split()
GIVEN = ["Ada", "Bo", "Chidi", "Dag", "Elif", "Fen", "Greta", "Hana", "Ivo", "J{\\'u}lia", "K.", "Lars-Erik", "M. N.", "Noor", "Ola"]
FAMILY = [
    "Aalto",
    "Berg",
    'M{\\"u}ller',
    "de la Cruz",
    "Eriksen",
    "Fern{\\'a}ndez",
    "Garc{\\'\\i}a",
    "van der Velde",
    "Ito",
    "Jansen",
    "Kova{\\v{c}}",
]
MARKED = [
    "$\\alpha$-decay",
    "CO$_2$",
    "{DNA}",
    "\\emph{in situ}",
    "5\\%",
    "{\\'e}tude",
    'na{\\"\\i}ve',
    "R\\&D",
    "``closed''",
    "{B}ayesian",
]
JOURNALS = ["Journal of Made-Up Results", "Annals of Nowhere", "Letters on {N}othing", "Proceedings of the Society \\& Friends"]


def sentence(chance: random.Random, n_words: int) -> str:
    words = [chance.choice(MARKED) if chance.random() < 0.03 else chance.choice(WORDS) for _ in range(n_words)]
    return " ".join(words).capitalize()


def entry(chance: random.Random, number: int) -> str:
    authors = " and ".join(f"{chance.choice(FAMILY)}, {chance.choice(GIVEN)}" for _ in range(chance.randint(1, 6)))
    fields = {
        "title": "{" + sentence(chance, chance.randint(5, 14)) + "}",
        "author": "{" + authors + "}",
        "journal": "{" + chance.choice(JOURNALS) + "}",
        "year": f"{{{chance.randint(1980, 2026)}}}",
        "month": chance.choice(("jan", "jun", "oct", "dec")),
        "volume": f"{{{chance.randint(1, 90)}}}",
        "pages": f"{{{chance.randint(1, 400)}--{chance.randint(401, 800)}}}",
    }
    if chance.random() < 0.45:
        fields["doi"] = f"{{10.5555/made.up.{number}}}"
    if chance.random() < 0.36:
        fields["url"] = f"{{https://example.org/papers/{number}}}"
    if chance.random() < 0.24:
        fields["keywords"] = "{" + ", ".join(chance.choices(WORDS, k=4)) + "}"
    if chance.random() < 0.23:
        fields["file"] = f"{{:papers/{number}.pdf:PDF}}"
    if chance.random() < 0.28:
        fields["abstract"] = "{" + ". ".join(sentence(chance, chance.randint(14, 26)) for _ in range(8)) + ".}"
    return f"@article{{key{number},\n" + "".join(f"  {name} = {value},\n" for name, value in fields.items()) + "}\n"


def main() -> None:
    from paperrec.ports import Context
    from paperrec_adapters.bibtex import BibtexSource

    n_entries = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.bib")
        with path.open("w", encoding="utf-8") as file:
            file.writelines(entry(chance, number) for number in range(n_entries))
        print(f"{n_entries:,} entries, {path.stat().st_size / 1e6:.1f} MB")
        source = BibtexSource.open(str(path), Context(cache_dir=Path(folder, "cache")))
        for what in ("read", "from the cache"):
            before = time.process_time()
            batch = source.read()
            seconds = time.process_time() - before
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{what}: {len(batch.papers):,} papers, {len(batch.problems):,} problems, {seconds:.2f} CPU s, peak {peak:.0f} MB")
        print("pybtex was", "loaded" if "pybtex" in sys.modules else "not needed")


if __name__ == "__main__":
    main()
