"""Two scrapes of a server that never was: gauges, counters and histograms that belong together."""

from dataclasses import dataclass

__all__ = ["Server", "scrapes"]

MODEL = 'model_name="meta-llama/Llama-3.1-8B-Instruct",engine="0"'
BUCKETS = {
    "time_to_first_token_seconds": (0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40),
    "inter_token_latency_seconds": (0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5),
}


@dataclass(frozen=True, slots=True)
class Server:
    """A steady load. `ttft` and `itl` are distributions: seconds to the share of requests (of gaps) that take them."""

    running: float
    waiting: float
    kv: float
    ttft: dict[float, float]
    itl: dict[float, float]
    prompt: float
    output: float
    rate: float
    preemptions: float = 0.0
    queue_s: float = 0.001
    blocks: int = 27_400


def scrapes(server: Server) -> list[str]:
    """Two scrapes ten seconds apart after an hour of the same load."""
    return [_scrape(seconds, server) for seconds in (3600.0, 3610.0)]


def _scrape(seconds: float, of: Server) -> str:
    done = seconds * of.rate
    lines = [
        f"vllm:num_requests_running{{{MODEL}}} {of.running}",
        f"vllm:num_requests_waiting{{{MODEL}}} {of.waiting}",
        f"vllm:kv_cache_usage_perc{{{MODEL}}} {of.kv}",
        f"vllm:num_preemptions_total{{{MODEL}}} {of.preemptions * seconds}",
        f"vllm:prompt_tokens_total{{{MODEL}}} {done * of.prompt}",
        f"vllm:generation_tokens_total{{{MODEL}}} {done * of.output}",
        f'vllm:request_success_total{{{MODEL},finished_reason="stop"}} {done}',
        f'vllm:cache_config_info{{block_size="16",num_gpu_blocks="{of.blocks}",engine="0"}} 1.0',
    ]
    lines += _histogram("time_to_first_token_seconds", of.ttft, done)
    lines += _histogram("inter_token_latency_seconds", of.itl, done * of.output)
    for name, mean in (
        ("request_prompt_tokens", of.prompt),
        ("request_generation_tokens", of.output),
        ("request_queue_time_seconds", of.queue_s),
    ):
        lines += [f"vllm:{name}_count{{{MODEL}}} {done}", f"vllm:{name}_sum{{{MODEL}}} {done * mean}"]
    return "\n".join(lines) + "\n"


def _histogram(name: str, shares: dict[float, float], count: float) -> list[str]:
    lines = [
        f'vllm:{name}_bucket{{{MODEL},le="{bound}"}} {count * sum(s for at, s in shares.items() if at <= bound)}'
        for bound in BUCKETS[name]
    ]
    lines.append(f'vllm:{name}_bucket{{{MODEL},le="+Inf"}} {count}')
    lines.append(f"vllm:{name}_count{{{MODEL}}} {count}")
    lines.append(f"vllm:{name}_sum{{{MODEL}}} {count * sum(at * s for at, s in shares.items())}")
    return lines
