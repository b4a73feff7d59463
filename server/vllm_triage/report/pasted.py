"""A paste in the wrong argument is put where it belongs: people paste a log, or all they have, as the command."""

from typing import TypeVar

from .arguments import ToolArguments

__all__ = ["settled"]

_T = TypeVar("_T", bound=ToolArguments)


def settled(arguments: _T) -> _T:
    """The arguments with what the ``command`` measures added to the ``evidence``.

    A startup log is the launch and the measured pool in one; a scrape or a benchmark result is no launch at all, and
    then there is no command. A launch of one line, and a tool that takes no evidence, are left as they are.
    """
    command, evidence = getattr(arguments, "command", None), getattr(arguments, "evidence", None)
    if not command or evidence is None or ("\n" not in command.strip() and command.lstrip()[:1] not in ("{", "[")):
        return arguments
    from ..readers.evidence import read_evidence  # noqa: PLC0415 (two dozen readers that a bare launch does without)
    from ..readers.launches import read_launches  # noqa: PLC0415

    if read_evidence([command]).sources in ((), ("empty",), ("not recognised",)):
        return arguments
    launch = command if read_launches(command).launches else None
    return arguments.model_copy(update={"command": launch, "evidence": (*evidence, command)})
