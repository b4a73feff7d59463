"""Process managers that take a program and its arguments apart: ``pm2 start vllm --name v -- serve m``."""

from .program import program_name

__all__ = ["managed"]

_PLAIN = ("--no-autorestart", "--watch", "--time", "--no-daemon", "--attach", "-f", "--force", "--no-treekill", "--wait-ready")
"""Options of pm2 that take no value; the others do."""


def managed(words: list[str]) -> list[str]:
    """The command that ``pm2 start`` runs, as if typed by itself; any other command as it is."""
    if "start" not in words:
        return words
    at = next((i for i, word in enumerate(words[:6]) if program_name(word) == "pm2"), None)
    if at is None or words[at + 1 : at + 2] != ["start"]:
        return words
    cut = words.index("--") if "--" in words else len(words)
    script, index = "", at + 2
    while index < cut:
        word = words[index]
        if not word.startswith("-"):
            script = script or word
        elif "=" not in word and word not in _PLAIN:
            index += 1
        index += 1
    if " " in script:
        return ["bash", "-c", script]
    return [script, *words[cut + 1 :]] if script else words
