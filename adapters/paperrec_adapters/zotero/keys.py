"""Names that we choose, so that the same wish sent twice is one thing there: keys of new objects and tokens of writes."""

import hashlib

_ALPHABET = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"  # what the web service takes in a key
_KEY_LENGTH = 8
_TOKEN_LENGTH = 32  # the longest that it takes


def object_key(library: str, name: str) -> str:
    """The key of a new object, always the same for one thing in one library.

    >>> object_key("users/1", "arxiv:2601.00001")
    'TKTRX46Z'
    """
    number = int.from_bytes(hashlib.sha256(f"{library}|{name}".encode("utf-8", "surrogatepass")).digest(), "big")
    letters = []
    for _ in range(_KEY_LENGTH):
        number, letter = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[letter])
    return "".join(letters)


def write_token(body: bytes, attempt: int) -> str:
    """The token of a write: equal for an equal wish, also in the next run, so that a write whose answer was lost is not done again."""
    return hashlib.sha256(body + b"|" + str(attempt).encode()).hexdigest()[:_TOKEN_LENGTH]
