"""What one .bib file may cost: within these limits every file, however hostile, ends within seconds and 400 MB."""

LARGEST_FILE = 40_000_000  # bytes; text outside the first Unicode plane takes four times as much memory, twice
MOST_ENTRIES = 100_000  # entries, macros and comments
MOST_PROBLEMS = 10_000
LONGEST_VALUE = 1_000_000  # characters
MOST_PIECES = 10_000  # joined with # in one value
MOST_BRACES = 200_000  # in one block
MOST_ADDED = 10_000_000  # characters that macros and crossref parents add to a file
MOST_FIELDS = 1_000  # in one block
MOST_NAMES = 10_000  # authors of one entry ...
MOST_NAMES_IN_ALL = 1_000_000  # ... and of a file; from there on the first FEWEST_NAMES of an entry are read
FEWEST_NAMES = 10
