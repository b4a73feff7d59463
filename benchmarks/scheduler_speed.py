"""How fast requests are scheduled: beside vLLM's own scheduler where it is installed, and a million of them, also with a
clock.

    python benchmarks/scheduler_speed.py                       # this product alone, a minute or two
    python benchmarks/scheduler_speed.py --model DIR           # in an environment that has vLLM, beside it

DIR is a folder with any small decoder's config.json; nothing is loaded from it. Both schedule the same requests in the
same process, without recording; steps are vLLM's steps, however few of them were taken one by one here. Times are CPU
seconds, so that a busy machine hurts neither.
"""

import argparse
import json
import random
import resource
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent.parent / folder) for folder in ("server", "tools")]

from vllm_triage.domain import Lengths, Workload  # noqa: E402
from vllm_triage.engine.deployment import deploy  # noqa: E402
from vllm_triage.engine.memory import estimate  # noqa: E402
from vllm_triage.engine.scheduler import Limits, Run, Scheduler, Step, Work, replay, rules_for  # noqa: E402
from vllm_triage.engine.simulation import predict  # noqa: E402
from vllm_triage.readers.scenarios import Scenario, read_scenarios  # noqa: E402
from vllm_triage.report.schedules import arrivals_of, limits_of  # noqa: E402


def mixed(rng: random.Random, name: str) -> dict[str, Any]:
    """A scenario like those whose traces are recorded at large: any pool, any budget, prompts up to 3,000 tokens."""
    block, longest = rng.choice([16, 16, 16, 32]), rng.choice([1024, 2048, 4096])
    seats = rng.choice([1, 4, 8, 32, 64, 256])
    budget = max(rng.choice([64, 256, 512, 1024, 2048, 8192]), seats)
    chunked, caching = rng.random() > 0.1, rng.random() < 0.4
    rows, step = [], 0
    for _ in range(rng.randrange(5, 120)):
        step += rng.choice([0, 0, 0, 1, 2, 5, 20])
        prompt = min(rng.choice([1, 15, 16, 17, 100, 128, 500, 1000, 1500, 3000]) + rng.randrange(8), longest - 8)
        output = min(rng.choice([1, 2, 8, 60, 200, 400]) + rng.randrange(4), longest - prompt)
        group = rng.randrange(3) if caching and rng.random() < 0.7 else -1
        shared = min(prompt, rng.choice([16, 64, 400])) if group >= 0 else 0
        rows.append([step, prompt, output, rng.randrange(3), group, shared])
    return scenario(
        name, rows, seats=seats, budget=budget if chunked else max(budget, longest), longest=longest, block=block,
        blocks=max(rng.choice([1, 2, 4, 16, 64]) * longest // block + rng.randrange(40), longest // block + 2),
        threshold=rng.choice([0, 0, 0, 128]) if chunked else 0, caching=caching, chunked=chunked,
        policy=rng.choice(["fcfs", "fcfs", "fcfs", "priority"]), overlap=rng.random() < 0.5,
    )  # fmt: skip


def long_decode(rng: random.Random, name: str) -> dict[str, Any]:
    """Many requests at once that generate a thousand tokens and more each, with room for all."""
    rows = [[0, rng.randint(50, 200), rng.randint(1000, 3000), 0, -1, 0] for _ in range(160)]
    return scenario(name, rows, seats=128, budget=8192, longest=4096, block=16, blocks=60_000)


def starved(rng: random.Random, name: str) -> dict[str, Any]:
    """More requests than the pool holds: they are preempted again and again."""
    rows = [[index // 2, rng.randint(50, 300), rng.randint(100, 600), 0, -1, 0] for index in range(150)]
    return scenario(name, rows, seats=128, budget=2048, longest=1024, block=16, blocks=1500, overlap=False)


def scenario(
    name: str, rows: list[list[int]], *, seats: int, budget: int, longest: int, block: int, blocks: int,
    threshold: int = 0, caching: bool = True, chunked: bool = True, policy: str = "fcfs", overlap: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """A scenario in the form of a JSONL line."""
    return {
        "id": name, "max_num_seqs": seats, "max_num_batched_tokens": budget, "max_model_len": longest,
        "block_size": block, "num_blocks": blocks, "long_prefill_token_threshold": threshold,
        "enable_prefix_caching": caching, "enable_chunked_prefill": chunked, "policy": policy,
        "async_scheduling": overlap, "requests": rows,
    }  # fmt: skip


TRAFFIC = {"mixed": (mixed, 120, 40), "long decode": (long_decode, 4, 1), "starved pool": (starved, 8, 2)}
"""Kind of traffic: its scenarios, how many are run here, and how many of them vLLM is given."""


def ours(scenarios: list[dict[str, Any]], version: str) -> tuple[int, int, float]:
    """Steps, steps or stretches actually taken, and CPU seconds, the best of three runs."""
    read = list(read_scenarios("\n".join(map(json.dumps, scenarios))))
    runs = [once(read, version) for _ in range(3)]
    return min(runs, key=lambda run: run[2])


def once(scenarios: list[Scenario], version: str) -> tuple[int, int, float]:
    """The same, of one run."""
    taken: list[int] = []
    start = time.process_time()
    for one in scenarios:
        scheduler = Scheduler(limits_of(one, version), rules_for(version))
        for _ended in replay(scheduler, arrivals_of(one), watch=lambda step: taken.append(step.count)):
            pass
    return sum(taken), len(taken), time.process_time() - start


def open_loop(requests: int, shared: int) -> Iterator[tuple[int, Work]]:
    """Requests that come on average every other step; about 60 run at once."""
    rng, step = random.Random(1), 0.0  # noqa: S311 - the same traffic every time, not secrets
    prefix = (Run(1, shared),) if shared else ()
    for _ in range(requests):
        step += rng.expovariate(0.5)
        yield int(step), Work(shared + 100 + int(rng.random() * 1400), 20 + int(rng.random() * 380), 0, prefix)


def million(requests: int, *, caching: bool, shared: int) -> str:
    """Time and memory of open-loop traffic."""
    limits = Limits(256, 8192, 8192, 20_000, enable_prefix_caching=caching, async_scheduling=True)
    scheduler, ended, tokens = Scheduler(limits, rules_for("latest")), 0, 0

    def watch(step: Step) -> None:
        nonlocal tokens
        tokens += step.tokens * step.count

    start = time.process_time()
    for _request in replay(scheduler, open_loop(requests, shared), watch=watch):
        ended += 1
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    kind = ("prefix caching" if caching else "no caching") + (f", {shared} tokens shared" if shared else "")
    return f"{kind:<42}{ended:>10,}{scheduler.now:>12,}{tokens / 1e6:>9,.0f}M{seconds:>9.1f} s{memory:>8.0f} MB"


def predictions(requests: int) -> Iterator[tuple[str, Workload]]:
    """Workloads to predict, by a few words."""
    base = Workload(
        arrivals="open", request_rate=15.0, input=Lengths(mean=800, shape="uniform", spread=0.9),
        output=Lengths(mean=210, shape="uniform", spread=0.9),
    )  # fmt: skip
    yield "open loop, 15 a second", base.but(requests=requests)
    yield "closed loop, 256 users, until steady", base.but(arrivals="closed", concurrency=256)
    yield "closed loop, 32 users, until steady", base.but(arrivals="closed", concurrency=32)
    talk = base.but(arrivals="closed", concurrency=64, shared_prefix_tokens=512, turns=4, think_s=5.0)
    yield "64 conversations of 4 turns, until steady", talk


def predicted(name: str, workload: Workload) -> str:
    """Time and memory of one prediction: Llama 3.1 8B on an H100."""
    launch = deploy("vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 16384", gpu="1x H100")
    memory = estimate(launch)
    start = time.process_time()
    found = predict(launch, memory, workload)
    seconds = time.process_time() - start
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    tokens = found.duration_s * found.output_tok_s.mid
    return f"{name:<42}{found.requests:>10,}{found.running:>12.0f}{tokens / 1e6:>9,.1f}M{seconds:>9.2f} s{resident:>8.0f} MB"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="folder with a config.json: compare with the vLLM that is installed")
    parser.add_argument("--requests", type=int, default=1_000_000)
    options = parser.parse_args()
    version = import_module("vllm").__version__ if options.model else "latest"
    print(f"{'traffic':<16}{'steps':>10}{'taken':>9}{'steps/s':>12}{'vLLM steps/s':>15}{'ratio':>9}")
    for name, (make, count, few) in TRAFFIC.items():
        rng = random.Random(1)  # noqa: S311
        scenarios = [make(rng, f"{name} {index}") for index in range(count)]
        steps, taken, seconds = ours(scenarios, version)
        row = f"{name:<16}{steps:>10,}{taken:>9,}{steps / seconds:>12,.0f}"
        if options.model:
            theirs, took = import_module("record_schedules").steps_per_second(scenarios[:few], options.model)
            same, _, fast = ours(scenarios[:few], version)
            if same != theirs:
                sys.exit(f"{name}: {same} steps here, {theirs} in vLLM")
            row += f"{theirs / took:>15,.0f}{(same / fast) / (theirs / took):>8.0f}x"
        print(row, flush=True)
    print(f"\n{'open loop':<42}{'requests':>10}{'steps':>12}{'tokens':>10}{'CPU':>11}{'memory':>11}")
    for caching, shared in ((False, 0), (True, 0), (True, 512)):
        print(million(options.requests, caching=caching, shared=shared), flush=True)
    print(f"\n{'predicted':<42}{'requests':>10}{'running':>12}{'output':>10}{'CPU':>11}{'memory':>11}")
    for name, workload in predictions(options.requests):
        print(predicted(name, workload), flush=True)


if __name__ == "__main__":
    main()
