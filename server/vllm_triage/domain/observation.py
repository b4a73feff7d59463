"""What was measured, each value with the source it came from."""

from .base import Json, Noun, Words
from .memory import PoolReading

__all__ = ["CORE_METRICS", "Conflict", "Ignored", "Measured", "Observation"]

CORE_METRICS = ("ttft", "itl", "throughput", "concurrency")
"""The four without which no bottleneck is named."""


class Measured(Noun):
    """One number and where it was read: ``given``, ``bench.json: mean_ttft_ms``, ``metrics: vllm:...``."""

    value: float
    source: str


class Ignored(Noun):
    """A signal that was given and deliberately not used."""

    signal: str
    why: str


class Conflict(Noun):
    """Two sources, or a source and arithmetic, that cannot both be right."""

    what: str
    values: Words


class Observation(Noun):
    """Measurements of one deployment under one load. Rates are per second, times in ms, usages 0 to 1.

    Gauges hold the state at one instant; anything named ``*_rate`` comes from two scrapes, or a source that
    prints a rate, never from a lifetime counter.
    """

    ttft_ms_mean: Measured | None = None
    ttft_ms_p50: Measured | None = None
    ttft_ms_p90: Measured | None = None
    ttft_ms_p95: Measured | None = None
    ttft_ms_p99: Measured | None = None
    itl_ms_mean: Measured | None = None
    itl_ms_p50: Measured | None = None
    itl_ms_p90: Measured | None = None
    itl_ms_p95: Measured | None = None
    itl_ms_p99: Measured | None = None
    tpot_ms_mean: Measured | None = None
    tpot_ms_p50: Measured | None = None
    tpot_ms_p90: Measured | None = None
    tpot_ms_p95: Measured | None = None
    tpot_ms_p99: Measured | None = None
    e2e_ms_mean: Measured | None = None
    e2e_ms_p50: Measured | None = None
    e2e_ms_p90: Measured | None = None
    e2e_ms_p95: Measured | None = None
    e2e_ms_p99: Measured | None = None
    queue_ms_mean: Measured | None = None
    """Mean time from arrival to first scheduling (request_queue_time)."""
    queue_ms_p99: Measured | None = None
    prefill_ms_mean: Measured | None = None
    """Mean time from first scheduling to first token (request_prefill_time)."""
    decode_ms_mean: Measured | None = None
    """Mean time from first to last token (request_decode_time)."""
    output_tok_s: Measured | None = None
    total_tok_s: Measured | None = None
    prompt_tok_s: Measured | None = None
    request_rate: Measured | None = None
    concurrency: Measured | None = None
    """Requests in the system as offered by the client."""
    input_tokens: Measured | None = None
    """Mean prompt length, tokens."""
    output_tokens: Measured | None = None
    """Mean output length, tokens."""
    requests: Measured | None = None
    """How many requests the figures are made of."""
    failed: Measured | None = None
    """Requests that failed or were refused, of the same run as `requests`."""
    running: Measured | None = None
    waiting: Measured | None = None
    waiting_capacity: Measured | None = None
    waiting_deferred: Measured | None = None
    kv_usage: Measured | None = None
    """0 to 1; over several engines that of the fullest."""
    running_max: Measured | None = None
    """Largest over several scrapes or log lines; None when there was one."""
    waiting_max: Measured | None = None
    kv_usage_max: Measured | None = None
    preemptions_total: Measured | None = None
    """Lifetime counter; says that preemption happened, not that it happens now."""
    preemption_rate: Measured | None = None
    """Per second, between two scrapes."""
    recomputed_tok_s: Measured | None = None
    prefix_hit_rate: Measured | None = None
    acceptance_rate: Measured | None = None
    acceptance_length: Measured | None = None
    tokens_per_step: Measured | None = None
    engine_imbalance: Measured | None = None
    """Requests on the busiest DP engine over the mean of all engines; 1 is even, None with one engine."""
    engines: int = 1
    """DP engines the gauges were added over."""
    pool: PoolReading | None = None
    model_name: str | None = None
    vllm_version: str | None = None
    device: str | None = None
    """Device named by a log or label, such as ``CPU`` or ``NVIDIA H100 80GB HBM3``."""
    launch: str | None = None
    """The command line a pasted log shows, if any, in vLLM's own flags."""
    settings: dict[str, Json] = {}
    """Engine settings a log or ``cache_config_info`` prints as resolved, by setting name; they outrank what is predicted."""
    ignored: tuple[Ignored, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    unread: Words = ()
    sources: Words = ()
    """What each pasted text was taken for, in order."""

    def missing_core(self) -> tuple[str, ...]:
        """Which of the four core metrics are absent, in the order of :data:`CORE_METRICS`."""
        have = {
            "ttft": self._any("ttft_ms"),
            "itl": self._any("itl_ms") or self._any("tpot_ms"),
            "throughput": self.output_tok_s or self.total_tok_s,
            "concurrency": self.concurrency or self.running,
        }
        return tuple(name for name in CORE_METRICS if have[name] is None)

    def _any(self, stem: str) -> Measured | None:
        """The first statistic known of one latency."""
        found = (getattr(self, f"{stem}_{statistic}") for statistic in ("mean", "p50", "p99", "p95", "p90"))
        return next((one for one in found if isinstance(one, Measured)), None)
