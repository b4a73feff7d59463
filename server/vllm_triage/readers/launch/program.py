"""Which program a command starts: the vLLM server behind any wrapper, or something else.

Wrappers are not listed one by one: whatever stands before ``vllm serve`` or ``-m vllm.entrypoints.openai.api_server``
started it. Only commands that merely mention it (``echo``, ``pip``, ``pkill``) and sentences are told apart.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..lazy import Lazy
from .nouns import Entrypoint

__all__ = [
    "Found",
    "find_flags",
    "find_server",
    "may_matter",
    "mentions_server",
    "nested_scripts",
    "other_engine",
    "program_name",
]

_VLLM = Lazy(r"(?:.*[/\\])?!?[vV](?:llm|LLM)[\w.-]*?(?:\.exe|@[\w.]+)?$")
_MODULE = Lazy(r"vllm\.entrypoints\.(?:openai\.api_server|api_server|grpc_server|openai\.rpc\.\w+)$")
_SCRIPT = Lazy(r"(?:.*[/\\])?(?:openai[/\\])?api_server\.py$")
_CLI_MODULES = frozenset({"vllm", "vllm.entrypoints.cli.main", "vllm.scripts"})
_ANYWHERE = Lazy(
    r"vllm(?:\.entrypoints|-openai|(?<=\bvllm)[\w.@-]*[\"']?\s*,?\s*(?:\\\s*)?[\"']?serve\b)|api_server\b"
)
"""Of a lowered text: a pattern that minds no case looks at every letter."""
_INTEREST = (
    "vllm", "api_server", "--model", "--tensor", "--max", "--gpu", "--served", "sglang", "trtllm", "tensorrt_llm",
    "text-generation", "lmdeploy", "llama",
)  # fmt: skip
_TALKERS = frozenset({
    "echo", "printf", "grep", "egrep", "rg", "pgrep", "pkill", "kill", "killall", "pip", "pip3", "pipx", "apt",
    "apt-get", "yum", "dnf", "brew", "git", "which", "whereis", "man", "alias", "unalias", "cat", "less", "tail",
    "head", "ls", "cd", "rm", "cp", "mv", "mkdir", "touch", "chmod", "chown", "curl", "wget", "http", "open",
    "sleep", "ps", "test", "[", "[[", "type", "say", "complete", "read", "trap", "rem", "::", "write-host",
    "write-output", "log", "info", "warn", "error", "die", "tee", "sed", "awk", "jq",
})  # fmt: skip
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash", "fish"})
_STARTERS = _SHELLS | frozenset({
    "sudo", "doas", "env", "nohup", "exec", "time", "nice", "ionice", "numactl", "taskset", "setsid", "stdbuf",
    "unbuffer", "timeout", "chrt", "systemd-run", "uv", "uvx", "conda", "mamba", "micromamba", "poetry",
    "pipenv", "pixi", "hatch", "rye", "srun", "mpirun", "mpiexec", "torchrun", "accelerate", "deepspeed", "ray",
    "nsys", "ncu", "rocprof", "rocprofv3", "strace", "perf", "tmux", "screen", "ssh", "kubectl", "oc", "docker",
    "podman", "nerdctl", "singularity", "apptainer", "enroot", "command", "builtin", "coproc", "xargs", "watch",
    "proxychains", "catchsegv", "gdb", "valgrind", "export", "set", "start", "cmd", "call", "python", "python3",
    "pdm", "modal", "sky", "dstack", "flox", "nix", "nix-shell", "bazel", "tini", "dumb-init", "gosu", "su-exec",
    "catatonit", "start-process",
})  # fmt: skip
_MODEL_LIKE = Lazy(r"--?[a-zA-Z]|[\w.~-]*/|[$<%{]|.*\d.*-|.*-.*\d|[A-Za-z]:\\")
_SENTENCE_WORD = Lazy(r"[A-Za-z][A-Za-z',.:!?;)]*|[-*•]|\d+[.)]")
_SCRIPT_OPTION = Lazy(r"-[a-zA-Z]*c[a-zA-Z]*|--command|-Command|-lc|send-keys|/c|/k")
_TELLING = Lazy(
    r"--(?:tensor[-_]parallel[-_]size|max[-_]model[-_]len|gpu[-_]memory[-_]utilization|max[-_]num[-_]seqs|served[-_]model[-_]name|"
    r"max[-_]num[-_]batched[-_]tokens|kv[-_]cache[-_]dtype|enforce[-_]eager|enable[-_]prefix[-_]caching|speculative[-_]config|"
    r"enable[-_]chunked[-_]prefill|pipeline[-_]parallel[-_]size|data[-_]parallel[-_]size|trust[-_]remote[-_]code)(?:=|$)"
)
_MODEL_FLAG = Lazy(r"--model(?:=|$)")
_OTHERS = (
    ("SGLang", Lazy(r"sglang[._]launch_server|(?:^|/)sglang$")),
    ("TensorRT-LLM", Lazy(r"(?:^|/)trtllm-serve$|tensorrt_llm\.")),
    ("Text Generation Inference", Lazy(r"text-generation-launcher|text-generation-inference")),
    ("LMDeploy", Lazy(r"(?:^|/)lmdeploy$")),
    ("llama.cpp", Lazy(r"(?:^|/)llama-server$|llama_cpp\.server|llama[._-]?cpp|ik[_-]llama")),
    ("ATOM", Lazy(r"^atom\.entrypoints")),
    ("Ollama", Lazy(r"(?:^|/)ollama$")),
)
_ANY_OTHER = Lazy(r"sglang|trtllm|tensorrt_llm|text-generation|lmdeploy|llama|atom\.|ollama")
_CLIENTS = Lazy(r"bench|guidellm|lm_eval|lm-eval|genai-perf|aiperf|benchmark|locust|evalscope|load_test", re.I)


class Found(NamedTuple):
    """A server start inside a command's words."""

    entrypoint: Entrypoint
    before: list[str]
    """The words before the program: wrappers and their options."""
    arguments: list[str]


def program_name(word: str) -> str:
    """The program's own name, without its folder."""
    return word.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")


def may_matter(text: str) -> bool:
    """False for a text that can start no inference server: most lines of most scripts, told apart cheaply."""
    lowered = text.lower()
    for needle in _INTEREST:  # noqa: SIM110 (asked of every command: a generator would take three times as long)
        if needle in lowered:
            return True
    return False


def mentions_server(text: str) -> bool:
    """A quick look: could this text start a vLLM server at all?"""
    lowered = text.lower()
    if "vllm" not in lowered and "api_server" not in lowered:
        return False
    return _ANYWHERE.search(lowered) is not None


def find_server(words: Sequence[str]) -> Found | None:
    """The vLLM server these words start, or None."""
    if "serve" not in words and not any("api_server" in word or "vllm." in word for word in words):
        return None
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        if following == "serve" and _VLLM.match(word):
            return _started("serve", words, index, index + 2)
        if word == "-m" and _MODULE.match(following):
            return _started("api_server", words, _interpreter(words, index), index + 2)
        if word == "-m" and following in _CLI_MODULES and words[index + 2 : index + 3] == ["serve"]:
            return _started("serve", words, _interpreter(words, index), index + 3)
        if word.startswith("-mvllm.") and _MODULE.match(word[2:]):
            return _started("api_server", words, _interpreter(words, index), index + 1)
        if _SCRIPT.match(word) and (index == 0 or "python" in words[index - 1] or words[index - 1].startswith("-")):
            return _started("api_server", words, max(index - 1, 0), index + 1)
    return None


def _interpreter(words: Sequence[str], index: int) -> int:
    while index > 0 and words[index - 1].startswith("-"):
        index -= 1
    return max(index - 1, 0)


def _started(entrypoint: Entrypoint, words: Sequence[str], program: int, first: int) -> Found | None:
    before, arguments = list(words[:program]), list(words[first:])
    if (
        words[program : program + 1]
        and words[program][:1] + words[program][-3:] in ("vLLM", "VLLM")
        and not _is_model(arguments)
    ):
        return None  # the product's name in a sentence
    positional = next((i for i, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    if entrypoint == "serve" and positional > 1 and not _is_model(arguments):
        return None  # two words and no flag: a sentence
    if before:
        if program_name(before[0]) in _TALKERS or (before[0].endswith((":", "：")) and not arguments):
            return None
        sentence = _SENTENCE_WORD.fullmatch(before[0]) and before[0] not in _STARTERS
        if sentence and not _is_model(arguments):
            return None
    return Found(entrypoint, before, arguments)


def _is_model(arguments: Sequence[str]) -> bool:
    return bool(arguments) and _MODEL_LIKE.match(arguments[0]) is not None


def find_flags(words: Sequence[str]) -> Found | None:
    """vLLM's own flags given to a program that is not vLLM: a wrapper script, an image, or nothing at all.

    Counted where ``--model`` and two flags that only vLLM has stand together (one, or two without a model, where no
    program stands before them); never for a client, nor for a Python module of another name.
    """
    if not any(word.startswith("--") for word in words) or any(_CLIENTS.search(word) for word in words[:3] if not word.startswith("-")):
        return None
    telling = [i for i, word in enumerate(words) if _TELLING.match(word)]
    model = next((i for i, word in enumerate(words) if _MODEL_FLAG.match(word)), None)
    if words[0].startswith("--"):
        return Found("serve", [], list(words)) if len(telling) + (model is not None) >= 2 and telling else None
    if model is None or len(telling) < 2 or program_name(words[0]) in _TALKERS or _other_module(words[: telling[0]]):
        return None
    first = min(telling[0], model)
    return Found("serve", list(words[:first]), list(words[first:]))


def _other_module(before: Sequence[str]) -> bool:
    """True for a Python module that is not vLLM's own and carries no such name (``-m dynamo.vllm`` hands its flags on)."""
    at = list(before).index("-m") if "-m" in before else len(before)
    return at < len(before) and "vllm" not in "".join(before[at + 1 : at + 2])


def other_engine(words: Sequence[str]) -> str | None:
    """The name of another inference engine that these words start."""
    head = [word for word in words[:6] if not word.startswith("--")]
    if not _ANY_OTHER.search(" ".join(head)) or program_name(head[0]) in _TALKERS:
        return None
    return next((name for name, pattern in _OTHERS if any(pattern.search(word) for word in head)), None)


def nested_scripts(words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Scripts handed on as one word (``bash -c '...'``, ``tmux send-keys '...'``, ``ssh host '...'``), with their
    arguments."""
    if not any(" " in word or "\n" in word or "\t" in word or word.startswith("--") for word in words):
        return []
    if program_name(words[0]) in _TALKERS:
        return []
    found: list[tuple[str, list[str]]] = []
    heads = {program_name(word) for word in words[:8]}
    passing = heads & (
        _SHELLS | {"ssh", "tmux", "screen", "eval", "srun", "su", "parallel", "watch", "script", "wsl", "sbatch"}
    )
    for index, word in enumerate(words):
        if word.startswith(("--wrap=", "--command=")):
            found.append((word.partition("=")[2], []))
        elif len(word.split(None, 1)) < 2 or not mentions_server(word):
            continue
        elif index and (
            _SCRIPT_OPTION.fullmatch(words[index - 1]) or passing or words[index - 1] in ("--", "--wrap", "--command")
        ):
            # `sh -c SCRIPT name args...`: the first word behind the script is its name, the rest are its arguments
            found.append((word, list(words[index + 2 :])))
    return found
