"""Launches that say everything in environment variables: ``MODEL_NAME``, ``MAX_MODEL_LEN``, ``GPU_MEMORY_UTILIZATION``.

vLLM reads no such variable. Images around it do (RunPod's worker takes every engine argument by its name in capitals, and the
model as ``MODEL_NAME``), and put a command together that the paste does not show.
"""

from collections.abc import Mapping

from ...facts.flags import table
from ...facts.versions import NEWEST
from ..lazy import Lazy
from .draft import Draft
from .ray_serve import typed

__all__ = ["by_environment", "idle_settings", "looks_like_settings", "settings_of"]

_MODELS = ("MODEL_NAME", "MODEL_ID", "MODEL", "HF_MODEL_ID", "MODEL_PATH", "MODEL_REPO")
_TELLING = frozenset({
    "max_model_len", "gpu_memory_utilization", "tensor_parallel_size", "max_num_seqs", "max_num_batched_tokens", "kv_cache_dtype",
    "enable_prefix_caching", "enable_chunked_prefill", "enforce_eager", "pipeline_parallel_size", "data_parallel_size", "quantization",
    "served_model_name", "dtype", "trust_remote_code",
})  # fmt: skip
_LINE = Lazy(r"(?:export[ ]+)?([A-Z][A-Z0-9_]*)[ ]?=[ ]?(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s#]*))[ \t]*(?:#.*)?")
_MOST_LINES = 400


def by_environment(env: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The engine arguments that variables are named after, by destination, and the variables' names.

    Empty unless one names the model or two are well-known options: a variable of one common word means nothing by itself.
    """
    known = table(NEWEST).by_dest
    values: dict[str, str] = {}
    names: list[str] = []
    for name, value in env.items():
        bare = name.removeprefix("SM_").removeprefix("VLLM_")
        dest = "model" if bare in _MODELS else bare.lower()
        if (dest == "model" or dest in known) and value and dest not in values and dest not in _OWN:
            values[dest] = value
            names.append(name)
    told = len(_TELLING & values.keys())
    return (values, tuple(names)) if told >= 2 or (told and "model" in values) else ({}, ())


_OWN = frozenset({"port", "host", "host_ip", "api_key"})
"""Named like an option and read by vLLM itself or by everyone: no sign of anything."""


def settings_of(env: Mapping[str, str], source: str) -> Draft | None:
    """A launch of the arguments that variables are named after; None when there are none."""
    values, names = by_environment(env)
    if not values:
        return None
    draft = Draft(source, "serve", [], dict(env), values={dest: typed(value) for dest, value in values.items()})
    draft.notes.append(
        f"vLLM itself reads no variable {', '.join(names[:6])}: they are read as the arguments that whatever starts vLLM here is "
        "taken to make of them"
    )
    return draft


def idle_settings(env: Mapping[str, str]) -> list[str]:
    """What to say of such variables where vLLM's own image starts the server: they have no effect."""
    names = by_environment(env)[1]
    return [f"vLLM reads no variable {', '.join(names[:6])}: set in the environment they have no effect"] if names else []


def looks_like_settings(text: str) -> dict[str, str] | None:
    """The variables of a text that holds nothing else (a ``.env`` file); None for any other."""
    lines = [line.strip() for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]]
    lines = [line for line in lines if line and not line.startswith("#")]
    found = [_LINE.fullmatch(line) for line in lines]
    if not lines or None in found:
        return None
    return {match[1]: next((part for part in match.groups()[1:] if part), "") for match in found if match is not None}
