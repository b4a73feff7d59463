"""Options for images, video or audio on a model that takes text alone.

## What happens
The engine refuses to start.

## Why
Up to 0.10.0 the model configuration held these options against the model instead of passing over them.

## Versions
<0.10.1

## Evidence
- vllm/config.py, ModelConfig._init_multimodal_config (0.6.6.post1 line 396, 0.9.0 lines 659 to 665, 0.10.0 lines 775 to
  784)

## Fix
Take the option out.
"""

from collections.abc import Iterator

from ....facts.architectures import implements
from ...context import Context
from ...rule import Hit, drop, rule

_OPTIONS = (
    ("--limit-mm-per-prompt", "limit_mm_per_prompt", "<0.10.1"),
    ("--mm-processor-kwargs", "mm_processor_kwargs", ">=0.9,<0.10.1"),
    ("--disable-mm-preprocessor-cache", "disable_mm_preprocessor_cache", ">=0.9,<0.10.1"),
    ("--interleave-mm-strings", "interleave_mm_strings", ">=0.10,<0.10.1"),
)


@rule("fatal", flags=tuple(flag for flag, _, _ in _OPTIONS), needs=("model",))
def check(ctx: Context) -> Iterator[Hit]:
    for flag, dest, versions in _OPTIONS:
        if not ctx.arg(dest) or not ctx.within(versions):
            continue
        model = ctx.need_own_config()
        if model.architecture is None or implements(model.architecture, ctx.version, "multimodal") is not False:
            continue
        yield Hit(
            message=f"{flag} is given for {model.id}, whose {model.architecture} takes text alone.",
            effect="vLLM stops before loading.",
            flags=(flag,),
            steps=(drop(flag),),
        )
