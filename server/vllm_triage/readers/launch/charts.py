"""Helm values that hold no command: the chart writes it. Two charts are known, and what each writes is stated here.

vLLM production stack: ``helm/templates/deployment-vllm-multi.yaml`` (commit 010004e): ``vllm serve MODEL_URL`` with
the flags of ``vllmConfig``. llm-d modelservice: ``templates/_helpers.tpl``, ``vllmServeModelCommand`` and
``imageDefaultModelCommand``.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .containers import image_version
from .draft import Draft
from .program import find_server
from .resources import devices_of

__all__ = ["llm_d_containers", "production_stack"]

_VALUES = (
    ("maxModelLen", "--max-model-len"), ("dtype", "--dtype"), ("tensorParallelSize", "--tensor-parallel-size"),
    ("maxNumSeqs", "--max-num-seqs"), ("gpuMemoryUtilization", "--gpu-memory-utilization"), ("maxLoras", "--max-loras"),
)  # fmt: skip


def production_stack(root: Mapping[str, Any]) -> list[Draft]:
    """Launches of the production stack's values, one for each ``modelSpec``, or of its ``VLLMRuntime`` resource."""
    runtime = root.get("spec")
    if root.get("kind") == "VLLMRuntime" and isinstance(runtime, Mapping):
        return [_model_spec(_as_model_spec(runtime))]
    spec = root.get("servingEngineSpec")
    models = spec.get("modelSpec") if isinstance(spec, Mapping) else root.get("modelSpec")
    if isinstance(models, Mapping):
        models = [models]
    if not isinstance(models, list):
        return []
    return [
        _model_spec(model) for model in models if isinstance(model, Mapping) and isinstance(model.get("modelURL"), str)
    ]


def _model_spec(model: Mapping[str, Any]) -> Draft:
    words = [str(model["modelURL"])]
    if _on(model.get("enableLoRA")):
        words.append("--enable-lora")
    if _on(model.get("enableTool")):
        words.append("--enable-auto-tool-choice")
    if isinstance(model.get("toolCallParser"), str):
        words += ["--tool-call-parser", model["toolCallParser"]]
    notes: list[str] = []
    config = model.get("vllmConfig")
    if isinstance(config, Mapping):
        words += _engine_flags(config, notes)
    words += _cache_transfer(model, config)
    if isinstance(model.get("chatTemplate"), str):
        words += ["--chat-template", f"/templates/{model['chatTemplate']}"]
    draft = Draft("production-stack", "serve", words, notes=notes)
    draft.where = f"modelSpec {model['name']}" if isinstance(model.get("name"), str) else ""
    draft.version = image_version(f"{model.get('repository', '')}:{model.get('tag', '')}")
    draft.gpu_count = int(model["requestGPU"]) if str(model.get("requestGPU", "")).isdigit() else None
    if isinstance(model.get("requestGPUType"), str) and not model["requestGPUType"].startswith("nvidia.com"):
        draft.gpu = model["requestGPUType"]
    draft.env = _env(model.get("env"))
    if isinstance(config, Mapping) and str(config.get("v0", "")) == "1":
        draft.env.setdefault("VLLM_USE_V1", "0")
    return draft


def _as_model_spec(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    """The operator's resource in the words of the chart's values; both write the same command."""
    model, config = _mapping(spec, "model"), _mapping(spec, "vllmConfig")
    deployment = _mapping(spec, "deploymentConfig")
    repository, _, tag = str(_mapping(deployment, "image").get("name", "")).rpartition(":")
    moved = {key: model[key] for key in ("maxModelLen", "dtype", "maxNumSeqs") if key in model}
    return {
        **model,
        "modelURL": str(model.get("modelURL", "")),
        "repository": repository,
        "tag": tag,
        "env": config.get("env"),
        "requestGPU": _mapping(deployment, "resources").get("gpu"),
        "vllmConfig": {**config, **moved, "enableChunkedPrefill": config.get("enableChunkedPrefill", "false")},
    }


def _mapping(node: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = node.get(key)
    return value if isinstance(value, Mapping) else {}


def _engine_flags(config: Mapping[str, Any], notes: list[str]) -> list[str]:
    words: list[str] = []
    if "enableChunkedPrefill" in config:
        words.append(
            "--enable-chunked-prefill" if _on(config["enableChunkedPrefill"]) else "--no-enable-chunked-prefill"
        )
    if _on(config.get("enablePrefixCaching")):
        words.append("--enable-prefix-caching")
    else:
        words.append("--no-enable-prefix-caching")
        notes.append("the chart turns prefix caching off unless enablePrefixCaching is true")
    for key, flag in _VALUES:
        if key in config:
            words += [flag, str(config[key])]
    extra = config.get("extraArgs")
    if isinstance(extra, list):
        words += [str(item) for item in extra if isinstance(item, str)]
    return words


def _cache_transfer(model: Mapping[str, Any], config: Any) -> list[str]:
    cache = model.get("lmcacheConfig")
    if not isinstance(cache, Mapping) or not _on(cache.get("enabled")):
        return []
    role = cache.get("kvRole") if isinstance(cache.get("kvRole"), str) else "kv_both"
    old = isinstance(config, Mapping) and str(config.get("v0", "")) == "1" and "enablePD" not in cache
    connector = "LMCacheConnector" if old else "LMCacheConnectorV1"
    return ["--kv-transfer-config", f'{{"kv_connector":"{connector}","kv_role":"{role}"}}']


def llm_d_containers(root: Mapping[str, Any]) -> list[Draft]:
    """Launches of llm-d's modelservice values: the containers of ``decode`` and ``prefill``."""
    roles = [
        name for name in ("decode", "prefill") if isinstance(root.get(name), Mapping) and "containers" in root[name]
    ]
    if not roles:
        return []
    artifacts = root.get("modelArtifacts")
    artifacts = artifacts if isinstance(artifacts, Mapping) else {}
    drafts: list[Draft] = []
    for role in roles:
        part = root[role]
        if str(part.get("create", "true")).lower() == "false" or str(part.get("replicas", "1")) == "0":
            continue
        for container in _list(part.get("containers")):
            draft = _llm_d(container, part, role, artifacts)
            drafts += [draft] if draft is not None else []
    return drafts


def _llm_d(
    container: Mapping[str, Any], part: Mapping[str, Any], role: str, artifacts: Mapping[str, Any]
) -> Draft | None:
    args = [str(item) for item in container.get("args") or [] if isinstance(item, str)]
    command = [str(item) for item in container.get("command") or [] if isinstance(item, str)]
    how = container.get("modelCommand", "custom")
    if how in ("vllmServe", "imageDefault"):
        words = _llm_d_head(how, part, artifacts) + args
        draft = Draft("llm-d", "serve", words)
    elif found := find_server([*command, *args]):
        draft = Draft("llm-d", found.entrypoint, found.arguments)
    else:
        return None
    draft.where = f"{role} container {container.get('name', 'vllm')}"
    draft.env = _env(container.get("env"))
    draft.version = image_version(str(container.get("image", "")))
    draft.gpu_count = devices_of(container) or _parallel(part, "tensor") * _parallel(part, "dataLocal")
    kinds = part.get("acceleratorTypes")
    values = kinds.get("labelValues") if isinstance(kinds, Mapping) else None
    if isinstance(values, list) and len(values) == 1:
        draft.gpu = str(values[0])
    return draft


def _llm_d_head(how: str, part: Mapping[str, Any], artifacts: Mapping[str, Any]) -> list[str]:
    uri, name = str(artifacts.get("uri", "")), str(artifacts.get("name", ""))
    model = name if "\ue000" in uri or not uri else re.sub(r"^\w[\w+]*://\"?", "", uri).rstrip('"')
    words = [model] if how == "vllmServe" else ["--model", model]
    for key, flag in (
        ("tensor", "--tensor-parallel-size"),
        ("data", "--data-parallel-size"),
        ("dataLocal", "--data-parallel-size-local"),
    ):
        if _parallel(part, key) > 1:
            words += [flag, str(_parallel(part, key))]
    return [*words, "--served-model-name", name] if name else words


def _parallel(part: Mapping[str, Any], key: str) -> int:
    sizes = part.get("parallelism")
    value = str(sizes.get(key, "1")) if isinstance(sizes, Mapping) else "1"
    return int(value) if value.isdigit() else 1


def _list(value: Any) -> Iterator[Mapping[str, Any]]:
    for item in value if isinstance(value, list) else []:
        if isinstance(item, Mapping):
            yield item


def _env(node: Any) -> dict[str, str]:
    return {
        str(item["name"]): item["value"]
        for item in _list(node)
        if isinstance(item.get("value"), str) and "name" in item
    }


def _on(value: Any) -> bool:
    return str(value).strip().lower() in ("true", "yes", "on", "1")
