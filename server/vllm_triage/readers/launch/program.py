"""Which program a command starts: the vLLM server behind any wrapper, or something else.

Wrappers are not listed one by one: whatever stands before ``vllm serve`` or
``-m vllm.entrypoints.openai.api_server`` started it. Only commands that merely mention it (``echo``, ``pip``,
``pkill``) are told apart.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .nouns import Entrypoint

__all__ = ["Found", "find_server", "mentions_server", "nested_scripts"]

_VLLM = re.compile(r"(?:.*/)?vllm[\w.-]*(?:\.exe)?$", re.I)
_MODULE = re.compile(r"vllm\.entrypoints\.(?:openai\.(?:api_server|rpc\.\w+)|api_server|grpc_server|launcher)$")
_SCRIPT = re.compile(r"(?:.*/)?(?:entrypoints/)?(?:openai/)?api_server\.py$")
_CLI_MODULES = frozenset({"vllm", "vllm.entrypoints.cli.main", "vllm.scripts"})
_ANYWHERE = re.compile(r"\bvllm[\w.-]*\s+(?:\\\s+)?serve\b|vllm[.\w]*[./]entrypoints|api_server|vllm-openai", re.I)
_TALKERS = frozenset(
    "echo printf grep egrep rg pgrep pkill kill killall pip pip3 apt apt-get yum dnf brew git which whereis man alias unalias "
    "cat less tail head ls cd rm cp mv mkdir touch chmod chown curl wget http open logger export-note wait sleep ps "
    "test [ [[ type say complete read trap".split()
)
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash", "fish"})
_STARTERS = frozenset(
    "sudo doas env nohup exec time nice ionice numactl taskset setsid stdbuf unbuffer timeout chrt systemd-run uv uvx run conda mamba "
    "micromamba poetry pipenv pixi hatch rye srun mpirun mpiexec torchrun accelerate deepspeed ray nsys ncu rocprof strace "
    "perf tmux screen ssh kubectl oc docker podman nerdctl singularity apptainer enroot command builtin coproc xargs watch "
    "proxychains catchsegv gdb valgrind export set start cmd call python python3 then do else".split()
)
_MODEL_LIKE = re.compile(r"-|[\w.~-]*/|[$<%{]|.*[\d].*-|.*-.*\d|[A-Za-z]:\\")


@dataclass(slots=True)
class Found:
    """A server start inside a command's words."""

    entrypoint: Entrypoint
    before: list[str]
    """The words before the program: wrappers and their options."""
    arguments: list[str]


def mentions_server(text: str) -> bool:
    """A quick look: could this text start a vLLM server at all?"""
    return _ANYWHERE.search(text) is not None


def find_server(words: Sequence[str]) -> Found | None:
    """The vLLM server these words start, or None."""
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        if following == "serve" and _VLLM.match(word):
            return _started("serve", words, index, index + 2)
        if word == "-m" and _MODULE.match(following):
            return _started("api_server", words, _interpreter(words, index), index + 2)
        if word == "-m" and following in _CLI_MODULES and words[index + 2:index + 3] == ["serve"]:
            return _started("serve", words, _interpreter(words, index), index + 3)
        if word.startswith("-mvllm.") and _MODULE.match(word[2:]):
            return _started("api_server", words, _interpreter(words, index), index + 1)
        if _SCRIPT.match(word) and index and "python" in words[index - 1]:
            return _started("api_server", words, index - 1, index + 1)
    return None


def _interpreter(words: Sequence[str], index: int) -> int:
    while index > 0 and words[index - 1].startswith("-"):
        index -= 1
    return max(index - 1, 0)


def _started(entrypoint: Entrypoint, words: Sequence[str], program: int, first: int) -> Found | None:
    before, arguments = list(words[:program]), list(words[first:])
    head = before[0].rsplit("/", 1)[-1] if before else ""
    if head in _TALKERS:
        return None
    if before and _is_prose(before[0]) and not (arguments and _MODEL_LIKE.match(arguments[0])):
        return None
    return Found(entrypoint, before, arguments)


def _is_prose(word: str) -> bool:
    """True for a word that starts a sentence rather than a command."""
    return word.rsplit("/", 1)[-1] not in _STARTERS and re.fullmatch(r"[A-Za-z',.:!?]+", word) is not None


def nested_scripts(words: Sequence[str]) -> list[str]:
    """Scripts handed on as one word: ``bash -c '...'``, ``tmux send-keys '...'``, ``ssh host '...'``."""
    if not words or words[0].rsplit("/", 1)[-1] in _TALKERS:
        return []
    found = []
    for index, word in enumerate(words):
        if " " not in word.strip() or not mentions_server(word):
            continue
        previous = words[index - 1] if index else ""
        if re.fullmatch(r"-[a-zA-Z]*c[a-zA-Z]*|--command|--wrap|send-keys|-lc|eval", previous) or _passes_on(words[:index]):
            found.append(word)
        elif word.startswith("--wrap="):
            found.append(word[7:])
    return found


def _passes_on(words: Sequence[str]) -> bool:
    heads = {word.rsplit("/", 1)[-1] for word in words}
    return bool(heads & (_SHELLS | {"ssh", "tmux", "screen", "eval", "srun", "su", "parallel", "watch", "script", "wsl"}))
