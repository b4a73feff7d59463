"""A model in object storage with a loader that cannot read it.

## What happens
The engine refuses to start.

## Why
Models at s3://, gs:// and az:// are streamed by Run:ai's loader.

## Versions
>=0.10

## Evidence
- vllm/config/vllm.py, VllmConfig.try_verify_and_update_config (0.18.0, 0.31.0)

## Fix
Use --load-format runai_streamer, or leave it out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--load-format",))
def check(ctx: Context) -> Hit | None:
    place = ctx.deployment.model_id or ""
    asked = ctx.arg("load_format", "auto")
    if not place.startswith(("s3://", "gs://", "az://")) or asked in ("auto", "modelexpress"):
        return None
    if isinstance(asked, str) and asked.startswith("runai_streamer"):
        return None
    return Hit(
        message=f"--load-format {asked} is given for {place[:80]}.",
        effect="vLLM stops before loading.",
        steps=(drop("--load-format"),),
    )
