"""House rule: no draft-model speculation with chunked prefill on 0.18.

## What happens
This product refuses the recipe on vLLM 0.18.x and names what to use instead.

## Why
A house rule treats the pair as a hard incompatibility of 0.18. The evidence of that release says otherwise: its
source has no such check, its feature matrix marks chunked prefill with speculative decoding as supported, and its own
configuration code accepts the pair. What 0.18 does show is that a draft model loses async scheduling and a part of
the token budget. Turning chunked prefill off is never the way out: from 0.17 to 0.27 that leaves long prompts
unscheduled for ever.

## Versions
==0.18.*

## Evidence
- house rule no-draft-chunked-0180
- against it: vllm/config/{speculative,vllm,scheduler}.py and vllm/engine/arg_utils.py of 0.18.0 hold no such check;
  docs/features/README.md of 0.18.0 marks chunked prefill x speculative decoding as supported; create_engine_config of
  0.18.0 accepts the pair
- --speculative-model was removed by 0.8.5 (vllm/engine/arg_utils.py)

## Fix
Use EAGLE-3, or N-gram GPU (`ngram_gpu`) when both are wanted.
"""

from ...context import Context
from ...rule import Hit, fix_text, put, rule
from ...speculation import ngram


@rule("fatal", flags=("--speculative-config", "--enable-chunked-prefill"), basis="policy")
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or not spec.uses_draft_model or not ctx.chunked:
        return None
    steps = (put("--speculative-config", ngram(spec.tokens, "ngram_gpu")),)
    return Hit(
        message=f"House rule: draft-model speculation ({spec.model or 'a draft model'}) with chunked prefill is "
        f"refused on vLLM {ctx.version}. The release itself has no such check: its source holds none, its feature "
        "matrix marks the pair as supported, and --speculative-model, which older recipes use, is gone since 0.8.5.",
        effect="Refused as a recipe. vLLM 0.18 itself would start, without async scheduling and with one token less "
        "per step for each of max_num_seqs.",
        fix='Use EAGLE-3 (`"method":"eagle3"` with an EAGLE-3 head as `model`), or, when both are wanted, N-gram GPU, '
        f"the documented exception: {fix_text(steps)}. Keep chunked prefill on.",
        steps=steps,
    )
