"""JSON that another tool wrote: read whole, or refused with one message that says what was expected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from minis.errors import BadInput, Mistake, bad
from minis.toml_file import read_bytes

MOST_BYTES = 256 * 2**20
"""A map with its picture inside is some ten megabytes; a longer file is something else."""


def read_json(path: Path, *, what: str, most_bytes: int = MOST_BYTES) -> Any:
    """The data of a JSON file.

    Raises BadInput for a file that is not there, empty, too large, no text, no JSON, nested too deeply, or that holds
    a number that is none.
    """
    name = str(path)
    data = read_bytes(path, what=what, most_bytes=most_bytes)
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise bad(f"is not text (byte {error.start} is not UTF-8); expected {what}", file=name) from None
    except json.JSONDecodeError as error:
        message = f"this is not JSON: {error.msg}; expected {what}"
        raise BadInput([Mistake(message, name, error.lineno, error.colno)]) from None
    except RecursionError:
        raise bad(f"is nested too deeply; expected {what}", file=name) from None
    except _NoNumber as error:
        raise bad(f"holds {error}, which is no number; expected {what}", file=name) from None
    except ValueError:
        raise bad(f"holds a number of too many digits; expected {what}", file=name) from None


class _NoNumber(Exception):
    """NaN or Infinity, which are no JSON."""


def _no_constant(word: str) -> Any:
    raise _NoNumber(word)
