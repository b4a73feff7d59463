"""The command line as a process: ``vllm-triage parse|kv|classify|compat|diagnose|explain INPUT``, ``call`` and ``mcp``.

Exit status: 0 nothing wrong, 1 there are findings, 2 the input is bad. ``call`` is plumbing: 0 when the tool answered.
"""

import gc
import os
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    if argv is None:
        gc.disable()  # the process ends before there is anything worth collecting; ``mcp`` turns it on again
    from ..report.tools import is_domain_error  # noqa: PLC0415 (loaded with the collector off)
    from .commands import BAD_INPUT, OK, dispatch  # noqa: PLC0415

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = dispatch(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader went away (| head): not an error, and nothing more can be said
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except ValueError as error:
        if not is_domain_error(error):
            raise
        print(f"vllm-triage: {error}", file=sys.stderr)
        return BAD_INPUT
