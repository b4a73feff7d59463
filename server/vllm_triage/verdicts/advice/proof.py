"""The two benchmark runs that would show a recommendation's effect, and how many prompts each needs."""

from math import ceil, exp, log

from ...domain import Difference, Prediction, Proof, Workload
from ...facts.versions import at_least
from ..whatif import METRICS, Goal, Ground, Trial, shown_figure
from ..whatif.figures import NOTICEABLE

__all__ = ["proof_of"]

Z_BOTH = 1.96 + 0.84
"""95% confidence, two-sided, and 80% power."""

Z99 = 2.326
QUANTILE_SPREAD = 3.73
"""Standard error of the log of a P99 over that of the mean of a lognormal: sqrt(0.01 x 0.99) / density at 2.326."""

ROUNDS = 5
"""Rounds of all users a closed loop needs: in the first all prompts start together."""

FEWEST, MOST = 100, 20_000

KEYS = {
    "ttft_ms_mean": "mean_ttft_ms", "ttft_ms_p99": "p99_ttft_ms", "itl_ms_mean": "mean_itl_ms", "itl_ms_p99": "p99_itl_ms",
    "tpot_ms_mean": "mean_tpot_ms", "output_tok_s": "output_throughput", "total_tok_s": "total_token_throughput",
    "request_rate": "request_throughput",
}  # fmt: skip
"""Where ``vllm bench serve --save-result`` puts each figure (0.10.0 to 0.33.0, benchmarks/serve.py)."""


def proof_of(ground: Ground, trial: Trial, goal: Goal) -> Proof | None:
    """The pair of runs for a simulated change; None for traffic a benchmark cannot send, or releases without one."""
    workload, version = ground.workload, ground.deployment.version
    if workload.arrivals == "trace" or workload.turns > 1 or ground.deployment.usage != "server":
        return None
    if not at_least(version, "0.8.0") or ground.deployment.model_id is None:
        return None
    found = _shown(goal, trial)
    if found is None or found.ratio is None:
        return None
    requests, how = _requests(found, ground.prediction, workload)
    command = _command(ground.deployment.model_id, workload, requests)
    metric = METRICS[found.metric]
    expected = f"{shown_figure(found.before, metric.unit)} -> {shown_figure(found.after.mid, metric.unit)}"
    return Proof(
        before=f"{command} --result-filename before.json", after=f"{command} --result-filename after.json",
        requests=requests, how=how,
        compare=f"{KEYS[found.metric]} of both files: {expected} expected",
    )  # fmt: skip


def _shown(goal: Goal, trial: Trial) -> Difference | None:
    """The figure that should move: of the goal's the one that moves most."""
    candidates = [d for name in goal.names if (d := trial.by_metric.get(name)) is not None and d.ratio is not None]
    return max(candidates, key=lambda d: abs(log(d.ratio.mid)) if d.ratio and d.ratio.mid > 0 else 0.0, default=None)


def _requests(found: Difference, before: Prediction, workload: Workload) -> tuple[int, str]:
    """Prompts of each run: n = 2 (1.96 + 0.84)^2 spread^2 / effect^2, and enough rounds of all users."""
    ratio = found.ratio.mid if found.ratio is not None and found.ratio.mid > 0 else 1.0
    effect = max(NOTICEABLE, abs(log(ratio)))
    spread = _spread(found.metric, before)
    needed = 2 * (Z_BOTH * spread / effect) ** 2
    least = ROUNDS * (workload.concurrency or 0) if workload.arrivals == "closed" else FEWEST
    if workload.arrivals == "at_once":
        return workload.requests or FEWEST, "all requests of the load at once, as it was measured"
    requests = min(MOST, max(FEWEST, least, 50 * ceil(needed / 50)))
    how = (
        f"2 x (1.96 + 0.84)^2 x {spread:.2f}^2 / {effect:.2f}^2 = {max(1, ceil(needed)):,} to show a change of "
        f"{abs(exp(log(ratio)) - 1):.0%} (95% confidence, 80% power; {spread:.2f} is the simulated spread of the figure)"
    )
    if workload.arrivals == "closed" and least > needed:
        how += f"; {ROUNDS} rounds of {workload.concurrency} users at least, for the first starts all at once"
    return requests, how


def _spread(metric: str, before: Prediction) -> float:
    """Standard deviation of the log of one request's figure; for P99 that of the estimate, per request."""
    latency = {"ttft": before.ttft_ms, "itl": before.itl_ms, "tpot": before.tpot_ms}.get(metric.partition("_")[0], before.e2e_ms)
    half, late = latency.p50.mid, latency.p99.mid
    sigma = max(0.05, log(late / half) / Z99) if half > 0 and late > half else 0.05
    return sigma * QUANTILE_SPREAD if metric.endswith("p99") else min(3.0, (exp(sigma**2) - 1) ** 0.5)


def _command(model: str, workload: Workload, requests: int) -> str:
    """The benchmark of this traffic: fixed lengths of its means, none cut short."""
    shared = workload.shared_prefix_tokens
    words = [
        "vllm bench serve", f"--model {model}", "--dataset-name random",
        f"--random-input-len {max(1, round(workload.input.mean) - shared)}",
        f"--random-output-len {max(1, round(workload.output.mean))}", "--ignore-eos", f"--num-prompts {requests}",
    ]  # fmt: skip
    if shared:
        words.append(f"--random-prefix-len {shared}")
    if workload.arrivals == "closed":
        words.append(f"--max-concurrency {workload.concurrency}")
    if workload.arrivals == "open" and workload.request_rate is not None:
        words.append(f"--request-rate {workload.request_rate:.4g}")
        if workload.burstiness != 1:
            words.append(f"--burstiness {workload.burstiness:g}")
    return " ".join([*words, "--seed 0", "--save-result"])
