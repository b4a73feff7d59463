"""An object whose values are of the wrong kind.

## What happens
The engine refuses to start.

## Why
The parser takes any JSON object; the configuration wants one kind of value in it: an object for each modality, the name
of a class, a list of bucket limits.

## Versions
>=0.18

## Evidence
- vllm/config/multimodal.py, MultiModalConfig.media_io_kwargs (0.18.0); vllm/config/model.py,
  ModelConfig.model_class_overrides (0.33.0 line 351); vllm/config/observability.py,
  ObservabilityConfig.custom_histogram_buckets (0.33.0 line 70)
- create_engine_config of 0.18.0 to 0.33.0 on `{"unheard_of":1}`

## Fix
Give each name the kind of value it takes, or take the flag out.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, rule

VALUES: dict[str, tuple[str, type, str]] = {
    "media_io_kwargs": ("--media-io-kwargs", dict, "an object"),
    "model_class_overrides": ("--model-class-overrides", str, "a word"),
    "custom_histogram_buckets": ("--custom-histogram-buckets", list, "a list"),
}
"""Destination -> flag, the type of each value, that type in words."""


@rule("fatal", flags=tuple(flag for flag, _, _ in VALUES.values()))
def check(ctx: Context) -> Iterator[Hit]:
    for dest, (flag, kind, words) in VALUES.items():
        for key, value in ctx.mapping(dest).items():
            if not isinstance(value, kind):
                yield Hit(
                    message=f'{flag} gives "{key}" {value!r}, which is not {words}.',
                    effect="vLLM stops before loading.",
                    flags=(flag,),
                    steps=(drop(flag),),
                )
