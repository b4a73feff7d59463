"""The shape of the model a launch names: from the catalogue, or from the config.json given."""

from collections.abc import Mapping
from functools import lru_cache

from ..domain import Json, ModelShape
from ..facts import models
from ..facts.versions import between
from ..readers.model_config import read_model_config
from ..readers.model_files import ModelFiles

__all__ = ["known_shape", "overrides_in_force", "shape_of", "shape_of_files", "suggestions"]


def shape_of(config: Mapping[str, Json], name: str, overrides: Mapping[str, Json]) -> ModelShape:
    """The shape of a given config.json, with `overrides` applied as ``--hf-overrides`` are.

    Raises:
        UnknownArchitecture: when its attention is not known.
    """
    return read_model_config(_overridden(config, overrides), name)


def shape_of_files(files: ModelFiles, name: str, overrides: Mapping[str, Json]) -> ModelShape:
    """The shape of a model read from its own files, with what they say of its weights.

    Raises:
        UnknownArchitecture: when its attention is not known.
    """
    shape = shape_of(files.config, name, overrides)
    return shape.but(stored=files.stored, notes=(*shape.notes, f"read from {files.place}", *files.notes))


def known_shape(name: str, overrides: Mapping[str, Json]) -> ModelShape | None:
    """The catalogue's model of that name, None when it has none.

    Raises:
        UnknownArchitecture: when `overrides` turn it into a model whose attention is not known.
    """
    return _from_catalogue(name, overrides) if overrides else _plain(name)


@lru_cache(maxsize=256)
def _plain(name: str) -> ModelShape | None:
    return _from_catalogue(name, {})


def _from_catalogue(name: str, overrides: Mapping[str, Json]) -> ModelShape | None:
    found = models.find(name)
    if found is None:
        return None
    config = _overridden(found.config, overrides)
    counts = {"params_total": found.params_total, "params_active": found.params_active}
    return read_model_config(config, found.id, **counts, source="catalogue")


def overrides_in_force(values: Mapping[str, Json], version: str) -> tuple[dict[str, Json], str]:
    """What a command line changes in the model's config, and what it asks for without effect.

    ``--hf-overrides``, and ``--rope-scaling`` and ``--rope-theta`` where a release had them. From 0.12 to 0.19.0 vLLM
    reads ``rope_parameters`` while its Transformers (4.x) leaves them as the checkpoint has them when ``rope_scaling``
    is overridden: the override does not reach the length (ModelConfig of 0.16.0 and 0.23.0 with Transformers 4.57).
    """
    given = values.get("hf_overrides")
    out: dict[str, Json] = dict(given) if isinstance(given, dict) else {}
    for name in ("rope_scaling", "rope_theta"):
        if values.get(name) is not None:
            out.setdefault(name, values[name])
    if "rope_scaling" in out and between(version, "0.12.0", "0.19.1"):
        del out["rope_scaling"]
        return out, "rope_scaling"
    return out, ""


def suggestions(name: str) -> tuple[str, ...]:
    """Catalogue names near `name`."""
    return models.suggest(name)


def _overridden(config: Mapping[str, Json], overrides: Mapping[str, Json]) -> dict[str, Json]:
    """`config` with `overrides`: a nested model config is updated key by key, everything else is replaced."""
    out = dict(config)
    for key, value in overrides.items():
        held = out.get(key)
        nested = (
            isinstance(held, dict) and isinstance(value, dict) and (key.endswith("_config") and "model_type" in held)
        )
        out[key] = _overridden(held, value) if nested and isinstance(held, dict) and isinstance(value, dict) else value
    return out
