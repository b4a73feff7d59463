"""KServe: ``InferenceService`` with a model and arguments, and ``LLMInferenceService``, whose command KServe writes.

What KServe writes is taken from its own files (release 0.20): ``config/llmisvcconfig/config-llm-template.yaml`` for
the command of an ``LLMInferenceService``; the Hugging Face runtime's ``--model_id`` and ``--model_name``.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from .containers import image_version
from .draft import Draft
from .resources import devices_of

__all__ = ["kserve_launches"]

_PARALLEL = (
    ("tensor", "--tensor-parallel-size"), ("pipeline", "--pipeline-parallel-size"), ("data", "--data-parallel-size"),
    ("dataLocal", "--data-parallel-size-local"),
)  # fmt: skip


def kserve_launches(root: Mapping[str, Any]) -> list[Draft]:
    """Launches of an inference service whose containers hold no command of their own."""
    spec = root.get("spec")
    if not isinstance(spec, Mapping):
        return []
    if root.get("kind") == "LLMInferenceService":
        return list(_llm_service(spec))
    predictor = spec.get("predictor")
    model = predictor.get("model") if isinstance(predictor, Mapping) else None
    if isinstance(model, Mapping) and isinstance(model.get("modelFormat"), Mapping):
        return [_predictor(model)]
    return []


def _predictor(model: Mapping[str, Any]) -> Draft:
    arguments = [str(item) for item in model.get("args") or [] if isinstance(item, str)]
    words: list[str] = []
    named = False
    index = 0
    while index < len(arguments):
        flag, equals, value = arguments[index].partition("=")
        index += 1
        spelled = flag.replace("-", "_")
        if spelled in ("__model_id", "__model_name", "__backend"):
            if not equals and index < len(arguments):
                value = arguments[index]
                index += 1
            words += {"__model_id": ["--model", value], "__model_name": ["--served-model-name", value]}.get(spelled, [])
            named = named or spelled == "__model_id"
        else:
            named = named or flag == "--model"
            words.append(arguments[index - 1])
    draft = Draft("kserve", "serve", words)
    uri = model.get("storageUri")
    if isinstance(uri, str) and not named:
        draft.words = ["--model", _from_uri(uri), *words]
        draft.notes.append(f"KServe brings the model from {uri} and serves it from /mnt/models")
    draft.env = _env(model.get("env"))
    draft.gpu_count = devices_of(model)
    draft.version = image_version(str(model.get("image", "")))
    return draft


def _llm_service(spec: Mapping[str, Any]) -> Iterator[Draft]:
    model = spec.get("model")
    model = model if isinstance(model, Mapping) else {}
    for part, where in ((spec, ""), (spec.get("prefill"), "prefill")):
        if not isinstance(part, Mapping):
            continue
        container: Mapping[str, Any] = _container(part) or {}
        if container.get("command"):
            continue  # read as any container
        words = [_from_uri(str(model.get("uri", "")))]
        if isinstance(model.get("name"), str):
            words += ["--served-model-name", model["name"]]
        words += _parallel(part.get("parallelism"))
        env = _env(container.get("env"))
        words += _split(env.get("VLLM_ADDITIONAL_ARGS", ""))
        words += [item for item in container.get("args") or [] if isinstance(item, str)]
        draft = Draft("kserve", "serve", words, env=env, where=where)
        draft.notes.append(
            "the command is the one KServe writes for an LLMInferenceService, which serves from /mnt/models"
        )
        draft.gpu_count = devices_of(container)
        draft.version = image_version(str(container.get("image", "")))
        yield draft


def _split(text: str) -> list[str]:
    """Words as the ``eval`` of KServe's command splits them."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _parallel(sizes: Any) -> list[str]:
    if not isinstance(sizes, Mapping):
        return []
    words = [word for key, flag in _PARALLEL if str(sizes.get(key, "")).isdigit() for word in (flag, str(sizes[key]))]
    return [*words, "--enable-expert-parallel"] if str(sizes.get("expert", "")).lower() == "true" else words


def _container(part: Mapping[str, Any]) -> Mapping[str, Any] | None:
    template = part.get("template")
    containers = template.get("containers") if isinstance(template, Mapping) else None
    if not isinstance(containers, list):
        return None
    return next((item for item in containers if isinstance(item, Mapping)), None)


def _from_uri(uri: str) -> str:
    """A model on the Hugging Face hub by its name; anything else as KServe mounts it."""
    on_the_hub = uri.startswith("hf://") or (uri and not re.match(r"\w+://", uri))
    return uri.removeprefix("hf://") if on_the_hub else "/mnt/models"


def _env(node: Any) -> dict[str, str]:
    items = node if isinstance(node, list) else []
    return {
        str(item["name"]): item["value"]
        for item in items
        if isinstance(item, Mapping) and isinstance(item.get("value"), str) and "name" in item
    }
