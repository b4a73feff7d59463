"""Record what vLLM's own scheduler decides, step by step, for generated scenarios. No GPU and no weights are needed.

    python tools/record_schedules.py make --seed 5 --count 200 > scenarios.jsonl
    python tools/record_schedules.py record scenarios.jsonl --model DIR > traces.jsonl
    python tools/record_schedules.py compare traces.jsonl
    python tools/record_schedules.py pack traces.jsonl ... > tests/data/schedules/traces.jsonl.gz

`record` runs inside an environment that has the vLLM release in question, with a folder that holds a small decoder's
config.json; `compare` holds this product's scheduler against the recording, and `pack` writes recordings compactly.
The scenarios are of the kind ``vllm-triage simulate --schedule`` reads, small and tight: pools that run dry, prompts
that are alike, arrivals in bursts. ``--plain`` leaves out the settings that only later releases know.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import time
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

TRACE = ("steps", "preempted", "waiting", "running", "free_blocks", "first_token_step", "finish_step")
MOST_STEPS = 50_000


# --------------------------------------------------------------------------------------------------------- scenarios


def make(seed: int, count: int, *, plain: bool) -> list[dict[str, Any]]:
    """Scenarios, the same for the same seed."""
    rng = random.Random(seed)  # noqa: S311 - reproducible scenarios, not secrets
    return [one_scenario(rng, f"r{seed}-{index}", plain=plain) for index in range(count)]


def one_scenario(rng: random.Random, name: str, *, plain: bool) -> dict[str, Any]:
    """One scenario. The order of the draws is part of the recordings: do not change it."""
    block = rng.choice([16, 16, 32, 64])
    longest = rng.choice([256, 512, 1024])
    seats = rng.choice([1, 2, 3, 6, 12, 40])
    budget = max(rng.choice([17, 40, 64, 100, 256, 700, 2048]), seats)
    chunked = rng.random() > 0.15
    if not chunked:
        budget = max(budget, longest)
    fits_one = -(-longest // block) + 1
    blocks = fits_one + rng.choice([0, 0, 1, 3, 7, fits_one, 2 * fits_one, 8 * fits_one])
    caching = rng.random() < 0.6
    scenario: dict[str, Any] = {
        "id": name, "max_num_seqs": seats, "max_num_batched_tokens": budget, "max_model_len": longest,
        "block_size": block, "num_blocks": blocks,
        "long_prefill_token_threshold": rng.choice([0, 0, 1, 10, 16, 50]) if rng.random() < 0.5 else 0,
        "enable_prefix_caching": caching, "enable_chunked_prefill": chunked,
        "policy": rng.choice(["fcfs", "priority"]), "async_scheduling": rng.random() < 0.5,
    }  # fmt: skip
    if not plain:
        scenario |= later_settings(rng, seats)
    scenario["requests"] = requests_of(rng, longest, block, rng.choice(["apart", "burst", "alike"]), caching=caching)
    return scenario


def later_settings(rng: random.Random, seats: int) -> dict[str, Any]:
    """Settings that came after 0.18."""
    chosen: dict[str, Any] = {}
    if rng.random() < 0.3:
        chosen["watermark"] = rng.choice([0.01, 0.05, 0.2])
    if rng.random() < 0.2:
        chosen["scheduler_reserve_full_isl"] = False
    if rng.random() < 0.2:
        chosen["max_num_active_seqs"] = rng.randint(1, seats)
    if rng.random() < 0.2:
        chosen["long_prefill_token_threshold_adaptive"] = True
    return chosen


def requests_of(rng: random.Random, longest: int, block: int, traffic: str, *, caching: bool) -> list[list[int]]:
    """Requests of one kind of traffic; `alike` are copies and near copies of one another."""
    rows: list[list[int]] = []
    lengths = [rng.choice([1, block - 1, block, block + 1, 2 * block, longest // 2]) for _ in range(3)]
    step = 0
    for _ in range(rng.randrange(2, 30)):
        step += rng.choice([0, 0, 0, 0, 40]) if traffic == "burst" else rng.choice([0, 1, 3, 17])
        prompt = rng.choice(lengths) if traffic == "alike" else rng.randint(1, longest - 2)
        output = min(rng.choice([1, 2, 3, block, 2 * block + 1, longest]), longest - prompt)
        group = rng.randrange(2) if caching and rng.random() < 0.8 else -1
        shared = min(prompt, rng.choice([block, 3 * block, longest])) if group >= 0 else 0
        rows.append([step, prompt, output, rng.randrange(4), group, shared])
        if rng.random() < 0.02:
            step = max(0, step - 5)  # listed later, though it says it came earlier
    return rows


# --------------------------------------------------------------------------------------------------------- recording


class Recorder:
    """vLLM's scheduler for one scenario, and what it decides."""

    def __init__(self, model: str, scenario: dict[str, Any]) -> None:
        self.scenario = scenario
        self.scheduler = build(model, scenario)
        self.hasher = None
        if scenario["enable_prefix_caching"]:
            cache, sha = import_module("vllm.v1.core.kv_cache_utils"), import_module("vllm.utils.hashing").sha256
            cache.init_none_hash(sha)
            self.hasher = cache.get_request_block_hasher(scenario["block_size"], sha)
        self.pending: list[tuple[int, Any, set[str]]] = []
        self.first: dict[str, int] = {}
        self.finish: dict[str, int] = {}
        self.trace: dict[str, Any] = {name: [] for name in TRACE[:5]}

    def run(self, *, record: bool = True) -> dict[str, Any]:
        """Run to the end, at most one output late with async scheduling."""
        rows, scheduler = self.scenario["requests"], self.scheduler
        late, arrived, step = int(self.scenario["async_scheduling"]), 0, 0
        while arrived < len(rows) or scheduler.has_unfinished_requests() or self.pending:
            while arrived < len(rows) and rows[arrived][0] <= step:
                scheduler.add_request(self.request(arrived))
                arrived += 1
            output = scheduler.schedule()
            self.pending.append((step, output, {name for name in output.num_scheduled_tokens if self.samples(name)}))
            if record:
                self.note(step, output)
            if len(self.pending) > late:
                self.apply()
            step += 1
            if step > MOST_STEPS:
                raise RuntimeError("no progress")
            while self.pending and not scheduler.has_unfinished_requests():
                self.apply()
        names = [str(number) for number in range(len(rows))]
        ends = {TRACE[5]: [self.first.get(n, -1) for n in names], TRACE[6]: [self.finish.get(n, -1) for n in names]}
        return {**self.trace, **ends} if record else {"steps": step}

    def request(self, number: int) -> Any:
        """Request `number`; its tokens tell the group it begins like, and itself."""
        _, prompt, output, priority, group, shared = self.scenario["requests"][number]
        kind = import_module("vllm.v1.request").Request
        older = {"eos_token_id": None} if "eos_token_id" in signature(kind).parameters else {}
        return kind(
            request_id=str(number), prompt_token_ids=[1000 + group] * shared + [5000 + number] * (prompt - shared),
            sampling_params=import_module("vllm.sampling_params").SamplingParams(ignore_eos=True, max_tokens=output),
            pooling_params=None, priority=priority, arrival_time=float(number), block_hasher=self.hasher,
            **older,
        )  # fmt: skip

    def samples(self, name: str) -> bool:
        """Whether the step just scheduled computes the last known token of a request, and so samples one."""
        request = self.scheduler.requests[name]
        if hasattr(request, "is_prefill_chunk"):
            return not request.is_prefill_chunk
        if self.scenario["async_scheduling"]:  # older releases: only then was room made for the output
            return bool(request.num_output_placeholders)
        return bool(request.num_computed_tokens >= request.num_tokens)

    def note(self, step: int, output: Any) -> None:
        """Note what schedule() decided."""
        scheduler, trace = self.scheduler, self.trace
        trace["steps"].append([[int(name), tokens] for name, tokens in output.num_scheduled_tokens.items()])
        trace["preempted"] += [[step, number] for number in sorted(map(int, output.preempted_req_ids or ()))]
        trace["waiting"].append(len(scheduler.waiting) + len(getattr(scheduler, "skipped_waiting", ())))
        trace["running"].append(len(scheduler.running))
        trace["free_blocks"].append(scheduler.kv_cache_manager.block_pool.get_num_free_blocks())

    def apply(self) -> None:
        """Hand the oldest output not yet applied to the scheduler."""
        step, output, sampling = self.pending.pop(0)
        names = list(output.num_scheduled_tokens)
        for name in sampling:
            self.first.setdefault(name, step)
        before = set(self.scheduler.requests)
        result = import_module("vllm.v1.outputs").ModelRunnerOutput(
            req_ids=names, req_id_to_index={name: place for place, name in enumerate(names)},
            sampled_token_ids=[[7] if name in sampling else [] for name in names], logprobs=None,
            prompt_logprobs_dict={}, pooler_output=[],
        )  # fmt: skip
        self.scheduler.update_from_output(output, result)
        for name in before - set(self.scheduler.requests):
            self.finish[name] = step


def build(model: str, scenario: dict[str, Any]) -> Any:
    """vLLM's scheduler for one full-attention group."""
    torch, interface = import_module("torch"), import_module("vllm.v1.kv_cache_interface")
    later = ("watermark", "scheduler_reserve_full_isl", "max_num_active_seqs", "long_prefill_token_threshold_adaptive")
    config = (
        import_module("vllm.engine.arg_utils")
        .EngineArgs(
            model=model, scheduling_policy=scenario["policy"],
            hf_overrides={"max_position_embeddings": scenario["max_model_len"]},
            **{
                name: scenario[name]
                for name in (
                    "max_num_seqs", "max_num_batched_tokens", "max_model_len", "block_size", "enable_prefix_caching",
                    "enable_chunked_prefill", "long_prefill_token_threshold", "async_scheduling", *later,
                )
                if name in scenario
            },
        )
        .create_engine_config()
    )  # fmt: skip
    blocks, size = scenario["num_blocks"], scenario["block_size"]
    config.cache_config.num_gpu_blocks = blocks
    spec = interface.FullAttentionSpec(block_size=size, num_kv_heads=2, head_size=64, dtype=torch.bfloat16)
    group = interface.KVCacheGroupSpec(["layer"], spec)
    kind = (
        import_module("vllm.v1.core.sched.async_scheduler").AsyncScheduler
        if scenario["async_scheduling"]
        else import_module("vllm.v1.core.sched.scheduler").Scheduler
    )
    return kind(
        vllm_config=config, block_size=size, log_stats=True,
        kv_cache_config=interface.KVCacheConfig(num_blocks=blocks, kv_cache_tensors=[], kv_cache_groups=[group]),
        structured_output_manager=import_module("vllm.v1.structured_output").StructuredOutputManager(config),
    )  # fmt: skip


def record(scenarios: list[dict[str, Any]], model: str) -> None:
    """Print each scenario with the trace of the installed vLLM."""
    version = import_module("vllm").__version__
    for scenario in scenarios:
        try:
            answer = Recorder(model, scenario).run()
        except Exception as error:  # a scenario vLLM refuses is an answer too
            answer = {"refused": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps({**scenario, "vllm": version, **answer}, separators=(",", ":")), flush=True)


def steps_per_second(scenarios: list[dict[str, Any]], model: str) -> tuple[int, float]:
    """Steps vLLM's scheduler takes over the scenarios, and the CPU seconds they take it."""
    steps = seconds = 0.0
    for scenario in scenarios:
        recorder = Recorder(model, scenario)
        start = time.process_time()
        steps += recorder.run(record=False)["steps"]
        seconds += time.process_time() - start
    return int(steps), seconds


# -------------------------------------------------------------------------------------------- comparing and packing


def compare(traces: list[dict[str, Any]]) -> int:
    """Print where this product's scheduler and the recordings part; the number of scenarios where they do."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "server"))
    schedules = import_module("vllm_triage.report.schedules").schedules
    wrong = 0
    for trace in traces:
        scenario = {name: value for name, value in trace.items() if name not in (*TRACE, "vllm", "refused")}
        ours = next(schedules(json.dumps(scenario), trace["vllm"]))
        parted = [name for name in (*TRACE, "refused") if (name in trace) != (name in ours)]
        parted += [name for name in TRACE if name in trace and name in ours and trace[name] != ours[name]]
        if parted:
            wrong += 1
            print(trace["vllm"], trace["id"], parted, trace.get("refused", ""), ours.get("refused", ""))
    print(f"{len(traces) - wrong} of {len(traces)} agree")
    return wrong


def pack(rows: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """Recordings of several releases, by scenario: each distinct answer once, with the releases that gave it.

    Of the scenarios the `most` on which the releases differ most are kept.
    """
    scenarios: dict[str, dict[str, Any]] = {}
    for row in rows:
        answer = {name: packed(row[name]) if name in (TRACE[0], *TRACE[2:5]) else row[name] for name in TRACE}
        scenario = {name: value for name, value in row.items() if name not in (*TRACE, "vllm")}
        answers = scenarios.setdefault(row["id"], {"scenario": scenario, "answers": []})["answers"]
        same = next((one for one in answers if one["trace"] == answer), None)
        if same:
            same["vllm"].append(row["vllm"])
        else:
            answers.append({"vllm": [row["vllm"]], "trace": answer})
    return sorted(scenarios.values(), key=lambda one: -len(one["answers"]))[:most]


def packed(entries: list[Any]) -> list[Any]:
    """Equal consecutive entries as ``[count, entry]``."""
    runs: list[Any] = []
    for entry in entries:
        if runs and runs[-1][1] == entry:
            runs[-1][0] += 1
        else:
            runs.append([1, entry])
    return runs


def lines(path: str) -> list[dict[str, Any]]:
    """The objects of a JSONL file, gzipped or not."""
    data = Path(path).read_bytes()
    text = (gzip.decompress(data) if path.endswith(".gz") else data).decode()
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("make", "record", "compare", "pack"))
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--model")
    options = parser.parse_intermixed_args()
    rows = [row for path in options.files for row in lines(path)]
    if options.action == "make":
        for scenario in make(options.seed, options.count, plain=options.plain):
            print(json.dumps(scenario, separators=(",", ":")))
    elif options.action == "record":
        record(rows, options.model)
    elif options.action == "compare":
        sys.exit(1 if compare(rows) else 0)
    else:
        kept = pack([row for row in rows if "refused" not in row], options.count)
        text = "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in kept)
        sys.stdout.buffer.write(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
