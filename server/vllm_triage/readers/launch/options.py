"""Mappings whose keys are vLLM's own options, wherever a tool's configuration keeps them (``vllm_config``,
``engine_args``...)."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...facts.flags import table
from ...facts.versions import NEWEST
from ..lazy import Lazy
from .draft import Draft
from .ray_serve import typed

__all__ = ["option_mappings"]

_TELLING = Lazy(
    r"(?:tensor|pipeline|data)[-_]parallel[-_]size|max[-_]model[-_]len|gpu[-_]memory[-_]utilization|max[-_]num[-_]seqs|"
    r"max[-_]num[-_]batched[-_]tokens|served[-_]model[-_]name|kv[-_]cache[-_]dtype|enable[-_]prefix[-_]caching|enforce[-_]eager|"
    r"enable[-_]chunked[-_]prefill|speculative[-_]config|kv[-_]transfer[-_]config|enable[-_]expert[-_]parallel|trust[-_]remote[-_]code"
)
_MAX_NODES = 20_000


def option_mappings(root: Mapping[str, Any]) -> list[Draft]:
    """A launch for every mapping that holds at least two of vLLM's well-known options."""
    model = _model(root)
    drafts = []
    for path, node in _mappings(root):
        values = {_bare(key): typed(value) for key, value in node.items()}
        if any(str(key).startswith("vllm_") for key in node):  # a role's variables: what is no option is its own
            values = {key: value for key, value in values.items() if key == "model" or key in table(NEWEST).by_dest}
        if "model" not in values and model:
            values["model"] = model
        drafts.append(Draft("yaml", "serve", [], values=values, where=path))
    return drafts


def _bare(key: Any) -> str:
    """An option's destination, whatever its key is dressed in: dashes, the name of the engine."""
    return str(key).lstrip("-").replace("-", "_").removeprefix("vllm_")


def _mappings(root: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    stack: list[tuple[str, Any]] = [("", root)]
    seen: set[int] = set()
    while stack and len(seen) < _MAX_NODES:
        path, node = stack.pop()
        if not isinstance(node, dict | list) or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Mapping):
            if sum(_TELLING.fullmatch(_bare(key)) is not None for key in node) >= 2:
                yield path, node
                continue
            stack.extend((f"{path}.{key}".lstrip("."), value) for key, value in reversed(list(node.items())))
        else:
            stack.extend((path, item) for item in reversed(node))


def _model(root: Mapping[str, Any]) -> str | None:
    """The model a configuration names beside its options."""
    for key in ("model", "model_id", "model_name", "modelId", "model_path"):
        value = root.get(key)
        if isinstance(value, Mapping):
            value = next(
                (value[name] for name in ("id", "name", "path", "repo") if isinstance(value.get(name), str)), None
            )
        if isinstance(value, str) and value:
            return value
    return None
