"""A schedule of draft tokens by batch size that is none.

## What happens
The engine refuses to start.

## Why
The schedule is a list of triples: the first batch size, the last, the tokens to draft. It starts at 1 and does not overlap.

## Versions
>=0.24

## Evidence
- vllm/v1/spec_decode/dynamic/utils.py, validate_and_normalize_dynamic_sd_schedule (0.24.0, 0.28.0 line 27, 0.33.0)

## Fix
Give triples such as [1, 16, 3], [17, 128, 1], or take the key out.
"""

from itertools import pairwise

from ....domain import Json
from ...context import Context
from ...rule import Hit, put, rule

KEY = "num_speculative_tokens_per_batch_size"


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.raw.get(KEY) is None:
        return None
    wrong = _wrong(spec.raw[KEY])
    if wrong is None:
        return None
    return Hit(
        message=f'"{KEY}" {wrong}.',
        effect="vLLM stops before loading.",
        steps=(put("--speculative-config", spec.but(**{KEY: None})),),
    )


def _wrong(held: Json) -> str | None:
    if not isinstance(held, list) or not held:
        return "must be a list of triples, and not empty"
    entries = []
    for entry in held:
        if not isinstance(entry, list) or len(entry) != 3:
            return "holds an entry that is no triple"
        numbers = [one for one in entry if isinstance(one, (int, float))]
        if len(numbers) < 3 or numbers[0] <= 0 or numbers[0] > numbers[1] or numbers[2] < 0:
            return f"holds {entry}, which is no range of batch sizes with its tokens"
        entries.append(numbers)
    entries.sort()
    if entries[0][0] != 1:
        return f"starts at {entries[0][0]:g}, it must start at 1"
    if any(later[0] <= earlier[1] for earlier, later in pairwise(entries)):
        return "holds ranges that overlap"
    return None
