"""Knobs of the decode step: launch overhead, overlap, speculation; and of repeated prefill: the prefix cache."""

from ....domain import Exhausted, Json
from ....facts.versions import at_least
from ..situation import HARM_CONTENT, Candidate, Situation

__all__ = ["async_scheduling", "cuda_graphs", "ngram_speculation", "prefix_caching", "without_speculation"]

IDLE_COMPUTE = 4.0
"""Speculation is proposed while fewer than a quarter of the sequences run that would saturate compute: each of
three drafted tokens then rides on bandwidth already paid for."""


def cuda_graphs(s: Situation) -> Candidate | Exhausted:
    """Takes `--enforce-eager` out."""
    change, gpu = "CUDA graphs", s.deployment.gpu
    if s.setting("enforce_eager") is not True:
        return Exhausted(change=change, because="they are on")
    if gpu is not None and gpu.vendor == "cpu":
        return Exhausted(change=change, because="a CPU has none")
    return Candidate(
        action="take --enforce-eager out",
        flag="--enforce-eager",
        old=True,
        new=None,
        changes={"enforce_eager": None},
        why="every kernel of every step is launched from Python; small batches wait for the launches, not for the GPU",
        expected="TPOT falls towards the floor, most at small batches",
        watch="TPOT at the same concurrency; start-up time",
        risk="start-up takes longer (compilation, capture); graphs take 0.5-2 GiB",
        undo="--enforce-eager",
        refutable=False,
    )


def async_scheduling(s: Situation) -> Candidate | Exhausted:
    """Lets the scheduler prepare the next step while the GPU runs this one."""
    change = "asynchronous scheduling"
    if s.setting("async_scheduling") is not False:
        return Exhausted(change=change, because="it is on")
    if s.deployment.args.get("async_scheduling") is not False or not at_least(s.deployment.version, "0.14.0"):
        return Exhausted(
            change=change, because="this version does not offer it with this configuration (see compatibility)"
        )
    return Candidate(
        action="take --no-async-scheduling out",
        flag="--no-async-scheduling",
        old=True,
        new=None,
        changes={"async_scheduling": None},
        why="between two steps the GPU waits for the scheduler",
        expected="the gap between steps closes: TPOT falls by it",
        watch="TPOT at the same concurrency",
        risk="none known where this version allows it",
        undo="--no-async-scheduling",
        refutable=False,
    )


def ngram_speculation(s: Situation) -> Candidate | Exhausted:
    """Draft-free speculation where the batch leaves compute idle."""
    change = "speculative decoding"
    running, saturation = s.roofline.running, s.roofline.saturation_batch
    if s.setting("speculative_config") is not None:
        return Exhausted(change=change, because="it is on")
    if not at_least(s.deployment.version, "0.18.0"):
        return Exhausted(change=change, because="N-gram speculation on the GPU exists from 0.18")
    if running is None or saturation is None or running * IDLE_COMPUTE > saturation:
        return Exhausted(
            change=change, because="the batch leaves no idle compute for drafted tokens, or is not known to"
        )
    config: dict[str, Json] = {"method": "ngram_gpu", "num_speculative_tokens": 3, "prompt_lookup_max": 4}
    return Candidate(
        action='speculate without a draft model: --speculative-config \'{"method":"ngram_gpu",'
        '"num_speculative_tokens":3,"prompt_lookup_max":4}\' (an EAGLE-3 head where one exists for the model)',
        flag="--speculative-config",
        old=None,
        new=config,
        changes={"speculative_config": config},
        why=f"{running:.0f} sequences decode where about {saturation:.0f} saturate compute: verifying drafts is nearly free",
        expected="TPOT divided by the acceptance length; nothing where the output does not repeat the prompt",
        watch="acceptance length (1 + accepted / drafts) and TPOT",
        risk="some loss on text that repeats nothing",
        undo="take --speculative-config out",
        harm=HARM_CONTENT,
    )


def without_speculation(s: Situation) -> Candidate | Exhausted:
    """Takes speculation out where the batch leaves no compute idle, or few drafts are accepted."""
    change, config = "speculative decoding off", s.setting("speculative_config")
    running, saturation, length = s.roofline.running, s.roofline.saturation_batch, s.measured("acceptance_length")
    if config is None:
        return Exhausted(change=change, because="it is off")
    drafts = config.get("num_speculative_tokens") if isinstance(config, dict) else None
    width = 1 + (drafts if isinstance(drafts, int) else 1)
    crowded = running is not None and saturation is not None and running * width > saturation
    if not crowded and (length is None or length > WORTHWHILE_ACCEPTANCE):
        return Exhausted(change=change, because="drafts are accepted, or the batch leaves compute for them")
    return Candidate(
        action="take --speculative-config out",
        flag="--speculative-config",
        old=config,
        new=None,
        changes={"speculative_config": None},
        why=(
            f"{running:.0f} sequences x {width} tokens verified at once fill the GPU's arithmetic (about {saturation:.0f} do)"
            if crowded else f"a step yields {length:.2f} tokens: the drafts cost more than they bring"
        ),
        expected="no arithmetic is spent on drafts that are thrown away: TPOT falls at this batch, and rises at a small one",
        watch="TPOT and output tokens per second at the same concurrency",
        risk="a lone stream decodes slower",
        undo="--speculative-config as it was",
    )  # fmt: skip


WORTHWHILE_ACCEPTANCE = 1.3
"""Tokens a step below which drafting seldom pays: a draft step and a wider verification cost about a quarter."""


def prefix_caching(s: Situation) -> Candidate | Exhausted:
    """Takes prefix caching back on where it was switched off."""
    change = "prefix caching"
    if s.setting("enable_prefix_caching") is not False:
        return Exhausted(change=change, because="it is on")
    if s.deployment.args.get("enable_prefix_caching") is not False:
        return Exhausted(change=change, because="this version leaves it off for this model")
    return Candidate(
        action="take --no-enable-prefix-caching out",
        flag="--no-enable-prefix-caching",
        old=True,
        new=None,
        changes={"enable_prefix_caching": None},
        why="prompts that share a prefix are computed from the start each time",
        expected="prefill work falls by the share of tokens that repeat; nothing where none do",
        watch="vllm:prefix_cache_hits over vllm:prefix_cache_queries; TTFT",
        risk="none: unused cached blocks are evicted first",
        undo="--no-enable-prefix-caching",
        refutable=False,
    )
