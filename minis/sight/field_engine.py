"""The kernels of `minis.sight.field` as they stand, or compiled by numba where the extra `fast` is installed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import CodeType, FunctionType
from typing import Any, Literal

import numpy as np

from minis.errors import bad
from minis.sight import field_rows, field_spans, field_stops, field_sweep, field_walk

Engine = Literal["python", "numba"]
Kernels = dict[str, Callable[..., Any]]

MODULES = (field_spans, field_stops, field_walk, field_sweep, field_rows)
"""Modules of kernels, each after those that it calls."""


CALLED = "_all"
"""How the names of kernels end that are called from outside; the others call each other alone."""


def engine_of(engine: Engine | None) -> Engine:
    """The engine that was asked for; of None the fastest that is installed. Raises BadInput where it is not there.

    >>> engine_of("python")
    'python'
    """
    if engine is None:
        return "numba" if _has_numba() else "python"
    if engine not in ("python", "numba"):
        raise bad(f"expected the engine 'python' or 'numba', not {engine!r}")
    if engine == "numba" and not _has_numba():
        raise bad("the engine 'numba' is not installed: pip install 'minis[fast]'")
    return engine


def engine_note() -> str:
    """What the installed engine is, and what the extra `fast` would bring; empty where that is installed."""
    if _has_numba():
        return ""
    return (
        "sight lines are worked out in plain Python; pip install 'minis[fast]' makes many at once some 30 times faster"
    )


@cache
def kernels(engine: Engine) -> Kernels:
    """Every kernel by its name."""
    plain = {name: value for module in MODULES for name, value in _own_functions(module)}
    if engine == "python":
        return dict(plain)
    return _compiled(plain)


def as_kernel_takes(values: Any, engine: Engine) -> Any:
    """A record of arrays as an engine takes it: plain Python is quicker with lists."""
    if engine == "numba":
        return values
    return values._make(value.tolist() if isinstance(value, np.ndarray) else value for value in values)


def _has_numba() -> bool:
    return find_spec("numba") is not None


def _own_functions(module: Any) -> Iterable[tuple[str, FunctionType]]:
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield name, value


def _compiled(plain: dict[str, FunctionType]) -> Kernels:
    """The same functions compiled; each calls the compiled ones.

    The name under which numba keeps what it compiled holds a digest of all kernels: numba itself looks at one file
    only, and a kernel calls those of others.
    """
    numba = import_module("numba")
    digest = hashlib.sha256("".join(_text(f.__code__) for f in plain.values()).encode()).hexdigest()[:8]
    names: dict[str, Any] = {}
    for module in MODULES:
        names |= vars(module)
    for name, function in plain.items():
        copy = FunctionType(function.__code__, names, name, function.__defaults__)
        copy.__qualname__, copy.__module__ = f"{name}_{digest}", function.__module__
        options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
        options["no_cpython_wrapper"] = not name.endswith(CALLED)
        try:
            names[name] = numba.njit(copy, cache=True, **options)
        except RuntimeError:  # nowhere to keep what is compiled: a read-only home
            names[name] = numba.njit(copy, **options)
    return {name: names[name] for name in plain}


def _text(code: CodeType) -> str:
    constants = [_text(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return f"{code.co_code.hex()}{constants}{code.co_names}"
