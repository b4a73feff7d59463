"""The shape of the model a launch names: from the catalogue, or from the config.json given."""

from collections.abc import Mapping
from functools import lru_cache

from ..domain import Json, ModelShape
from ..facts import models
from ..readers.model_config import read_model_config

__all__ = ["known_shape", "shape_of", "suggestions"]


def shape_of(config: Mapping[str, Json], name: str, overrides: Mapping[str, Json]) -> ModelShape:
    """The shape of a given config.json, with `overrides` applied as ``--hf-overrides`` are.

    Raises:
        UnknownArchitecture: when its attention is not known.
    """
    return read_model_config(_overridden(config, overrides), name)


def known_shape(name: str, overrides: Mapping[str, Json]) -> ModelShape | None:
    """The catalogue's model of that name, None when it has none.

    Raises:
        UnknownArchitecture: when `overrides` turn it into a model whose attention is not known.
    """
    if not overrides:
        return _plain(name)
    found = models.find(name)
    if found is None:
        return None
    return read_model_config(
        _overridden(found.config, overrides), found.id, params_total=found.params_total,
        params_active=found.params_active, source="catalogue",
    )  # fmt: skip


@lru_cache(maxsize=256)
def _plain(name: str) -> ModelShape | None:
    """As :func:`known_shape` without overrides, read once."""
    found = models.find(name)
    if found is None:
        return None
    return read_model_config(
        found.config, found.id, params_total=found.params_total, params_active=found.params_active, source="catalogue"
    )


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
