"""Ray Serve LLM: ``llm_configs`` with ``model_loading_config`` and ``engine_kwargs``, as YAML or as Python
``LLMConfig(...)``.

The engine's arguments are vLLM's own by name (Ray's configuration reference, ``engine_kwargs``); the model is
``model_source`` or, without one, ``model_id``, which is also the name it is served under.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from .draft import Draft

__all__ = ["ray_launch", "ray_launches", "typed"]

_MAX_NODES = 20_000


def ray_launches(root: Mapping[str, Any]) -> list[Draft]:
    """A launch for every LLM configuration in the tree."""
    return [ray_launch(config) for config in _configs(root)]


def _configs(root: Any) -> Iterator[Mapping[str, Any]]:
    stack: list[Any] = [root]
    seen: set[int] = set()
    while stack and len(seen) < _MAX_NODES:
        node = stack.pop()
        if not isinstance(node, dict | list) or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Mapping):
            if isinstance(node.get("model_loading_config"), Mapping) or (
                isinstance(node.get("engine_kwargs"), Mapping) and "model_id" in node
            ):
                yield node
                continue
            stack.extend(reversed(list(node.values())))
        else:
            stack.extend(reversed(node))


def ray_launch(config: Mapping[str, Any]) -> Draft:
    """One LLM configuration as a launch."""
    loading = config.get("model_loading_config")
    loading = loading if isinstance(loading, Mapping) else config
    source = loading.get("model_source")
    if isinstance(source, Mapping):  # a bucket to copy the model from
        source = source.get("bucket_uri")
    name = loading.get("model_id")
    values: dict[str, Any] = {"model": source if isinstance(source, str) else name}
    kwargs = config.get("engine_kwargs")
    if isinstance(kwargs, Mapping):
        values.update({str(key): typed(value) for key, value in kwargs.items()})
    draft = Draft("ray-serve", "serve", [], values=values)
    if isinstance(name, str):
        draft.where = f"model {name}"
        if source is not None and "served_model_name" not in values:
            values["served_model_name"] = name
    if isinstance(config.get("accelerator_type"), str):
        draft.gpu = config["accelerator_type"]
    runtime = config.get("runtime_env")
    env = runtime.get("env_vars") if isinstance(runtime, Mapping) else None
    if isinstance(env, Mapping):
        draft.env = {str(key): str(value) for key, value in env.items()}
    return draft


def typed(value: Any) -> Any:
    """YAML's text as a value where the type shows in the text."""
    if isinstance(value, Mapping):
        return {str(key): typed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item) for item in value]
    if isinstance(value, str):
        lowered = value.strip().lower()
        if lowered in ("true", "false"):
            return lowered == "true"
        if lowered in ("null", "~", ""):
            return None
        for kind in (int, float):
            try:
                return kind(value)
            except ValueError:
                continue
    return value
