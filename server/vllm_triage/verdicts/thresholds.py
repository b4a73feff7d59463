"""Every number a verdict turns on: its name, value, source and reason, in one table.

Arithmetic decides first; these say how near is near. Each constant registers itself, so ``explain`` and the generated
references show the same value the code compares with.
"""

from dataclasses import dataclass
from typing import Final

__all__ = ["THRESHOLDS", "Threshold"]


@dataclass(frozen=True, slots=True)
class Threshold:
    """One number the classifier compares with."""

    name: str
    value: float
    unit: str
    source: str
    reason: str


THRESHOLDS: dict[str, Threshold] = {}


def _threshold(name: str, value: float, unit: str, source: str, reason: str) -> float:
    THRESHOLDS[name] = Threshold(name, value, unit, source, reason)
    return value


# --- the KV pool

KV_FULL: Final = _threshold(
    "kv-full",
    0.90,
    "share of blocks",
    "Red Hat / PSAP triage guide: healthy is waiting 0 and KV below 90%",
    "Above it the next prompt seldom fits. With a small pool a prompt may not fit well below it: then the free "
    "tokens decide.",
)
KV_FREE: Final = _threshold(
    "kv-free",
    0.80,
    "share of blocks",
    "gateway-api-inference-extension DefaultKVCacheUtilThreshold 0.8; llm-d autoscaler kvCacheThreshold 0.80",
    "Below it, with room for another prompt, nothing waits for blocks: KV starvation is ruled out.",
)
POOL_ERROR: Final = _threshold(
    "pool-prediction-error",
    1.5,
    "GiB per GPU",
    "gold cases G1 and G2: 7 requests of 4,000 tokens ran where the predicted pool held 4 to 5",
    "A predicted pool is trusted within its interval and this much more; a printed one needs neither.",
)
SEATS_FEW: Final = _threshold(
    "kv-seats-few",
    2.0,
    "requests",
    "gold case G3 (0.9 seats); llm-d playbook 07: maximum concurrency below 2x",
    "Under two requests there is no batch: the weights left no room, and no scheduling knob makes any.",
)
SEATS_SOME: Final = _threshold(
    "kv-seats-some",
    4.0,
    "requests",
    "facts of the gold cases: from 4 seats on the pool holds a batch",
    "From here on a shortage is starvation of a pool that exists, not a model that does not fit.",
)
WEIGHTS_HEAVY: Final = _threshold(
    "weights-heavy",
    0.75,
    "share of device memory",
    "PSAP triage guide: weights above 75% of VRAM make a server KV-limited",
    "Tells a pool that is small because the weights fill the device from one that was pinned small.",
)

# --- on which limit the running requests sit

AT_POOL_LOW: Final = _threshold(
    "running-at-pool-low",
    0.70,
    "R / S_kv",
    "gold cases G1, G2, G4, G9: 0.91 to 0.99; predicted pools are off by up to 25%",
    "Below it the pool has room that nobody uses.",
)
AT_POOL_HIGH: Final = _threshold(
    "running-at-pool-high",
    1.35,
    "R / S_kv",
    "the same cases; shared prefixes let more requests in than the lengths say",
    "Above it the pool is larger than computed, or lengths are wrong.",
)
AT_SEATS_LOW: Final = _threshold(
    "running-at-seats-low",
    0.75,
    "R / max_num_seqs",
    "gold cases G5 0.92, G6 0.87, G7 0.81: ramp-up and drain lower the mean",
    "Below it seats stay empty, so the cap does not bind.",
)
AT_SEATS_HIGH: Final = _threshold(
    "running-at-seats-high",
    1.05,
    "R / max_num_seqs",
    "the scheduler never runs more than max_num_seqs; 5% for rounding",
    "Above it the figures contradict the configuration.",
)
POOL_BEFORE_SEATS: Final = _threshold(
    "pool-before-seats",
    0.9,
    "S_kv / min(max_num_seqs, concurrency)",
    "facts of the gold cases, section 5a",
    "Nearer than this to the other limits, arithmetic cannot say which binds first: a gauge must.",
)
SEATS_BEFORE_POOL: Final = _threshold(
    "seats-before-pool",
    1.1,
    "S_kv / max_num_seqs",
    "facts of the gold cases, section 5a",
    "The pool must be clearly larger than the seats for the seats to bind.",
)
POOL_ROOMY: Final = _threshold(
    "pool-roomy",
    1.5,
    "S_kv / min(max_num_seqs, concurrency)",
    "facts of the gold cases, section 5a",
    "A pool this much larger than everything that may run is never exhausted.",
)
ALL_DECODING: Final = _threshold(
    "all-decoding",
    0.85,
    "R / concurrency",
    "gold cases G8 and G10: R is the offered concurrency within 15%",
    "Nearly every request in the system is decoding: nothing queues.",
)

# --- queues

WAITING_SHARE: Final = _threshold(
    "waiting-share",
    0.05,
    "waiting / running",
    "Red Hat: a sustained queue above 0 is a queue; 5% keeps one arrival from being one",
    "A request between arrival and the next step counts as waiting for an instant.",
)
QUEUE_SHARE: Final = _threshold(
    "queue-share-of-ttft",
    0.5,
    "queue time / TTFT",
    "request_queue_time against time_to_first_token, same scrape",
    "More than half of the time to first token is spent before the first scheduling.",
)
PREFILL_EXPLAINS: Final = _threshold(
    "prefill-explains-ttft",
    8.0,
    "TTFT / prefill floor",
    "silicon samples at low concurrency: dense 4 to 7 times the floor plus a constant",
    "A TTFT within it (plus the constant) is prefill; beyond it requests waited.",
)
PREFILL_EXPLAINS_MOE: Final = _threshold(
    "prefill-explains-ttft-moe",
    45.0,
    "TTFT / prefill floor",
    "silicon samples at low concurrency: mixture of experts 20 to 45 times",
    "The same for mixture-of-experts models, whose prefill is far from peak.",
)
TTFT_FINE: Final = _threshold(
    "ttft-fine",
    1000.0,
    "ms",
    "interactive serving: a second to the first token; gold case G8 59-75 ms, G10 415 ms",
    "Below it, with nothing waiting, there is no harm in TTFT to explain.",
)
SKEW: Final = _threshold(
    "ttft-skew",
    3.0,
    "mean TTFT / median TTFT",
    "captured CPU runs of vLLM 0.18: mean 5.5 s, median 0.12 s, all of it the first wave after start",
    "The first requests after a start pay for kernel compilation: they are not how the server runs.",
)
QUEUE_HARM: Final = _threshold(
    "queue-harm",
    250.0,
    "ms of TTFT",
    "captured servers at --max-num-seqs 4: TTFT 1.6 s and 3.8 s; below a quarter of a second nobody waits",
    "With every seat taken and requests in line, less TTFT than this is still no harm.",
)
PREEMPTION_RATE: Final = _threshold(
    "preemption-rate",
    0.01,
    "preemptions / s",
    "PSAP checklist and vLLM's optimization guide: preemptions should be 0",
    "Any sustained rate is work thrown away and done again. A lifetime counter alone is not a rate.",
)

# --- chunks

ITL_SPIKE: Final = _threshold(
    "itl-spike",
    5.0,
    "P99 ITL / median ITL",
    "gold cases G1-G4: 10 to 33 under oversize chunks; even load stays under 2",
    "Steps that carry a chunk are this much longer than steps that do not.",
)
ITL_EVEN: Final = _threshold(
    "itl-even",
    2.0,
    "P99 ITL / median ITL",
    "facts of the gold cases, section 5a",
    "Below it no step is much longer than another: chunks do not interfere.",
)
ITL_STALL: Final = _threshold(
    "itl-stall",
    150.0,
    "ms",
    "a pause in a text stream shows from a seventh of a second on; gold case G13 574 ms, G1 1395 ms",
    "A tail of ITL below it is no harm, however far above the median.",
)
CHUNK_LOW: Final = _threshold(
    "chunk-law-low",
    0.5,
    "P99 ITL / chunk step",
    "chunk-step law, section 3 of the facts: eta varies by a factor of two",
    "A tail shorter than half of a full-budget step is not made of full budgets.",
)
CHUNK_HIGH: Final = _threshold(
    "chunk-law-high",
    2.0,
    "P99 ITL / chunk step",
    "chunk-step law, section 3 of the facts",
    "A tail longer than two full-budget steps has another cause.",
)
CHUNK_FILLS: Final = _threshold(
    "chunk-fills-budget",
    0.25,
    "ISL / token budget",
    "facts of the gold cases, section 5a",
    "Prompts much shorter than the budget do not fill it, whatever the budget is.",
)
CHUNKS_MANY: Final = _threshold(
    "chunks-many",
    4.0,
    "ISL / token budget",
    "vLLM's optimization guide: small budgets cost TTFT; each chunk pays one step",
    "A prompt cut into this many steps pays the fixed cost of a step that many times before its first token.",
)

# --- decode

ITL_SLOW: Final = _threshold(
    "itl-slow",
    50.0,
    "ms",
    "20 tokens a second per user, several times reading speed; gold case G8 7 ms, G10 29 ms",
    "Above it users see the stream crawl: the decode floor is harm, not merely heat.",
)
ITL_BATCH_ONE_FAR: Final = _threshold(
    "decode-over-floor",
    3.0,
    "TPOT / floor",
    "facts of the source documents, row 9: an L4 at 4.4 times its floor at batch 1 was throttled",
    "At a small batch the floor is nearly all there is: far above it, look at clocks, sharing, eager mode, the host.",
)
SMALL_BATCH: Final = _threshold(
    "small-batch",
    8.0,
    "sequences",
    "silicon samples: the bands of the decode floor were measured at concurrency 8 or less",
    "Up to here the decode floor is weights and launch overhead.",
)
DECODE_STAY: Final = _threshold(
    "decode-share-of-stay",
    0.7,
    "OSL x TPOT / (TTFT + OSL x TPOT)",
    "published bursts of 1,000 requests on servers with seats for all: a few seconds to the first token, a minute of "
    "decode",
    "When nothing keeps requests out and most of their stay is decode, decode is where the time goes.",
)
COLLECTIVES_HEAVY: Final = _threshold(
    "collectives-heavy",
    0.3,
    "collectives / decode floor",
    "vLLM's parallelism guide: TP over PCIe is dominated by all-reduce",
    "A third of the step spent between GPUs is a limit of the link.",
)

# --- outside the five

MFU_BOUND: Final = _threshold(
    "mfu-bound",
    0.35,
    "share of peak FLOPs",
    "gold case G12 0.56; GPUStack rows of prompt-heavy load above 0.35",
    "Prompts are computed as fast as such servers compute them: prefill is the limit.",
)
PREFILL_SATURATED: Final = _threshold(
    "prefill-saturated",
    0.8,
    "share of the time in which steps carry prompts",
    "simulated servers, cause by intervention: from here on faster arithmetic cures, and more seats or blocks do not",
    "Prompts fill the steps: whatever else is full, is full because of it.",
)
PROMPT_HEAVY: Final = _threshold(
    "prompt-heavy",
    4.0,
    "ISL / OSL",
    "gold case G12 32 to 1; published rows at 20 to 1 and more are prefill-bound, at 1 to 1 they are not",
    "Prefill is the limit only where nearly all tokens computed are prompt tokens.",
)
OFFERED_MISSING: Final = _threshold(
    "offered-missing",
    0.8,
    "requests in system / offered concurrency",
    "PSAP guide: running + waiting below what was offered is upstream",
    "What the client claims to send does not reach the engine.",
)
SLOW_OUTPUT: Final = _threshold(
    "slow-output",
    100.0,
    "output tok/s",
    "house rule not-vllm-first",
    "Below it on an H100-class GPU the scheduler is not the first suspect.",
)
SLOW_EXPLAINED: Final = _threshold(
    "slow-output-explained",
    0.25,
    "measured / possible output",
    "facts of the source documents, 2.4 row 2",
    "A rate within a factor of four of what pool, prefill and floor allow is explained by them.",
)
H100_CLASS: Final = _threshold(
    "h100-class",
    700.0,
    "dense BF16 TFLOPS",
    "H100 PCIe 756, H100 SXM 989; A100 312, L40S 362",
    "What counts as an H100-class GPU.",
)
CEILING: Final = _threshold(
    "raise-ceiling",
    0.70,
    "gpu-memory-utilization",
    "house rule raise-ceiling-first",
    "Below it memory that could hold KV cache is left unused; 0.70 itself is not below.",
)

# --- sureness

CLASSIFY_AT: Final = _threshold(
    "classify-at",
    0.5,
    "confidence",
    "calibration on the gold, captured and public cases",
    "Below it the answer is ambiguous, with the measurement that would decide.",
)
SURE_AT: Final = _threshold(
    "sure-at",
    0.8,
    "confidence",
    "calibration: no labelled case is wrong at or above it",
    "Reached only when a gauge or a measured pool agrees with the arithmetic.",
)
