"""From bytes to JSON values, one a paper: lines, an array, a document; what cannot be read is told and costs no other."""

import codecs
import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from paperrec.ports import Problem

_LISTS = ("papers", "recommendations", "items")  # where a document keeps its records
_MOST_BAD = 100  # records of one array; each costs a look over the whole of it
_ARRAY = re.compile(rb"\s*\[\s*\{")
_DECODER = json.JSONDecoder(parse_constant=lambda name: None, strict=False)  # NaN is nothing; a tab in a text is a tab


class Unread(str):
    """Why a piece of JSON could not be read."""

    __slots__ = ()


def in_utf8(data: bytes, name: str, problems: list[Problem]) -> bytes:
    """The bytes without a mark, and in UTF-8 where the mark is that of UTF-16: so do shells of Windows write."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").encode()
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.append(Problem(f"{name}:{line}", f"line {line}: not UTF-8; such lines are read as cp1252", "encoding-guessed"))
    return data


def records(data: bytes) -> Iterator[tuple[int, str, Any]]:
    """(place, how to say it, record or Unread) of each record."""
    first = next((line for line in io.BytesIO(data) if line.strip()), b"")
    is_one_value = isinstance(_loaded(first), Unread) or len(first.strip()) == len(data.strip())
    whole = _loaded(data) if is_one_value else Unread()
    if not isinstance(whole, Unread):
        found: Iterable[Any] = map(_bare, whole) if isinstance(whole, list) else _inside(whole)
    elif is_one_value and _ARRAY.match(data):
        found = _of_broken(_text(data))
    else:
        for n, line in enumerate(io.BytesIO(data), 1):
            if line.strip():
                yield from ((n, f"line {n}", record) for record in _inside(_loaded(line)))
        return
    yield from ((n, f"record {n}", record) for n, record in enumerate(found, 1))


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _loaded(data: bytes) -> Any:
    try:
        return _DECODER.decode(_text(data))
    except RecursionError:
        return Unread("nested too deep")
    except ValueError:
        return Unread("not valid JSON")


def _of_broken(array: str) -> Iterator[Any]:
    """The records of an array that is cut off or broken; after a bad one, reading goes on at the next line that begins as its line does."""
    position, n_bad = array.index("{"), 0
    while position >= 0:
        try:
            record, end = _DECODER.raw_decode(array, position)
        except (ValueError, RecursionError):
            n_bad += 1
            indent = array[array.rfind("\n", 0, position) + 1 : position]
            goes_on = n_bad < _MOST_BAD and not indent.strip()
            line = array.find(f"\n{indent}{{", position) if goes_on else -1
            yield Unread("not valid JSON" if line >= 0 else "not valid JSON, and what follows it is not read")
            position = array.find("{", line) if line >= 0 else -1
        else:
            yield _bare(record)
            position = array.find("{", end)


def _inside(value: Any) -> list[Any]:
    """The records in a document of paperrec's or its like; any other value is one record."""
    bare = _bare(value)
    if not isinstance(bare, dict) or "title" in bare or "abstract" in bare:
        return [bare]
    listed = next((bare[name] for name in _LISTS if isinstance(bare.get(name), list)), [bare])
    return [_bare(entry) for entry in listed]


def _bare(value: Any) -> Any:
    """The paper in a recommendation; any other value as it is."""
    return value["paper"] if isinstance(value, dict) and isinstance(value.get("paper"), dict) and "title" not in value else value
