"""A pooling task that the converted model does not serve.

## What happens
The model loads, then the server stops.

## Why
A model that generates is converted to embed (which serves `embed` and `token_embed`, and is what `--runner pooling` does by itself)
or to classify (`classify` and `token_classify`). The `task` in --pooler-config picks one of those served and adds none.

## Versions
>=0.19

## Evidence
- vllm/config/model.py, ModelConfig.get_pooling_task (0.23.0 line 1526, 0.28.0 line 1737, 0.33.0 line 1930), called by
  vllm/entrypoints/pooling/factories.py, init_pooling_io_processors
- vllm/model_executor/layers/pooler/special.py, DispatchPooler.for_embedding and for_seq_cls (0.19.0, 0.28.0, 0.33.0)

## Fix
Leave `task` out, or give the --convert that serves it.
"""

from ....domain import Json
from ...context import Context
from ...rule import Hit, drop, put, rule

_SERVED = {"embed": ("embed", "token_embed"), "classify": ("classify", "token_classify")}
_TASKS = frozenset(task for tasks in _SERVED.values() for task in tasks)
_GENERATES = ("ForCausalLM", "ForConditionalGeneration")


@rule("fatal", flags=("--pooler-config", "--convert"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    pooler, convert = ctx.mapping("pooler_config"), str(ctx.arg("convert", "auto"))
    task = pooler.get("task")
    if task not in _TASKS or ctx.arg("runner") != "pooling" or ctx.given("hf_overrides"):
        return None
    served = _SERVED.get("embed" if convert == "auto" else convert)
    if served is None or task in served:
        return None
    model = ctx.need_model()
    if model.is_pooling or not (model.architecture or "").endswith(_GENERATES):
        return None
    kept: dict[str, Json] = {key: held for key, held in pooler.items() if key != "task"}
    return Hit(
        message=f'--pooler-config asks for the task "{task}", but {model.id} is converted to serve {" and ".join(served)}.',
        effect="vLLM stops once the model is loaded: unsupported task.",
        steps=(put("--pooler-config", kept) if kept else drop("--pooler-config"),),
    )
