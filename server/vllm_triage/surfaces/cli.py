"""The command line as a process: ``vllm-triage parse|kv|classify|compat|diagnose|simulate|explain INPUT``, ``call`` and ``mcp``.

Exit status: 0 nothing wrong, 1 there are findings, 2 the input is bad. ``call`` is plumbing: 0 when the tool answered.
"""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

__all__ = ["main", "run"]

STOPPED = 130
"""As a shell reports a program that Ctrl-C ended."""


_UNUSED = ("secrets", "tokenize")
"""Imported by what pydantic imports, and used by none of what is called here; the first loads OpenSSL."""


def _hurry() -> None:
    """Spare a process of a fifth of a second what it has no use for.

    It ends before there is garbage worth collecting. It has no pydantic plugins: looking for them would load
    importlib.metadata, zipfile and email, a tenth of the whole. Its documented switch, PYDANTIC_DISABLE_PLUGINS, is read
    after those are loaded, and spares nothing. Should pydantic look elsewhere one day, it finds them. Of two modules
    more only the name is needed: they are loaded when something in them is.
    """
    gc.disable()
    no_plugins = ModuleType("pydantic.plugin._loader")
    vars(no_plugins)["get_plugins"] = tuple
    sys.modules.setdefault(no_plugins.__name__, no_plugins)
    for name in _UNUSED:
        sys.modules.setdefault(name, _later(name))


def _later(name: str) -> ModuleType:
    """A module that is loaded when something in it is asked for (importlib's LazyLoader loads it at the next import)."""
    stand_in = ModuleType(name)

    def found(attribute: str) -> object:
        if sys.modules.get(name) is stand_in:
            del sys.modules[name]
        return getattr(import_module(name), attribute)

    vars(stand_in)["__getattr__"] = found
    return stand_in


def run() -> NoReturn:
    """The process of ``vllm-triage``: run the command given, and leave at once.

    All is written then, and no thread is left: taking the interpreter apart piece by piece would be for nobody.
    """
    status = main()
    if sys.argv[1:2] == ["mcp"]:
        sys.exit(status)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if argv is None and words[:1] != ["mcp"]:
        _hurry()
    from ..report.tools import is_domain_error  # noqa: PLC0415 (loaded with the collector off)
    from .commands import BAD_INPUT, OK, dispatch  # noqa: PLC0415

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = dispatch(words)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader went away (| head): not an error, and nothing more can be said
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        print("vllm-triage: stopped", file=sys.stderr)
        return STOPPED
    except ValueError as error:
        if not is_domain_error(error):
            raise
        print(f"vllm-triage: {error}", file=sys.stderr)
        return BAD_INPUT
