"""Options this version does not have: when they existed, what replaced them, whose they are, what was meant."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from vllm_triage.domain.deployment import FlagStatus
from vllm_triage.facts.flags import FlagHistory, FlagTable, history, table
from vllm_triage.facts.versions import NEWEST, number

__all__ = ["Unknown", "closest", "explain_unknown"]

# Option of another engine -> (engine, vLLM's option, what differs).
OTHERS: dict[str, tuple[str, str | None, str]] = {
    "--mem-fraction-static": ("SGLang", "--gpu-memory-utilization", "vLLM's share covers weights, activations and KV pool together"),
    "--context-length": ("SGLang", "--max-model-len", ""),
    "--model-path": ("SGLang", None, "give the model right after `vllm serve`"),
    "--tp-size": ("SGLang", "--tensor-parallel-size", ""),
    "--tp": ("SGLang", "--tensor-parallel-size", "vLLM's short form is -tp"),
    "--dp-size": ("SGLang", "--data-parallel-size", ""),
    "--dp": ("SGLang", "--data-parallel-size", "vLLM's short form is -dp"),
    "--pp-size": ("SGLang", "--pipeline-parallel-size", ""),
    "--ep-size": ("SGLang", "--enable-expert-parallel", "vLLM derives the size from TP x DP"),
    "--max-running-requests": ("SGLang", "--max-num-seqs", ""),
    "--chunked-prefill-size": ("SGLang", "--max-num-batched-tokens", "vLLM's budget also holds the decode tokens of the step"),
    "--max-prefill-tokens": ("SGLang", "--max-num-batched-tokens", ""),
    "--schedule-policy": ("SGLang", "--scheduling-policy", "vLLM knows fcfs and priority"),
    "--disable-radix-cache": ("SGLang", "--no-enable-prefix-caching", ""),
    "--disable-cuda-graph": ("SGLang", "--enforce-eager", "vLLM's also turns compilation off"),
    "--cuda-graph-max-bs": ("SGLang", "--max-cudagraph-capture-size", ""),
    "--speculative-algorithm": ("SGLang", "--speculative-config", ""),
    "--speculative-draft-model-path": ("SGLang", "--speculative-config", ""),
    "--speculative-num-steps": ("SGLang", "--speculative-config", ""),
    "--page-size": ("SGLang", "--block-size", ""),
    "--enable-dp-attention": ("SGLang", "--data-parallel-size", "with --enable-expert-parallel"),
    "--enable-torch-compile": ("SGLang", None, "vLLM compiles by default"),
    "--model-id": ("TGI", None, "give the model right after `vllm serve`"),
    "--num-shard": ("TGI", "--tensor-parallel-size", ""),
    "--max-total-tokens": ("TGI", "--max-model-len", "in SGLang it is the size of the KV pool"),
    "--max-input-length": ("TGI", "--max-model-len", ""),
    "--max-input-tokens": ("TGI", "--max-model-len", ""),
    "--max-batch-prefill-tokens": ("TGI", "--max-num-batched-tokens", ""),
    "--max-batch-total-tokens": ("TGI", "--kv-cache-memory-bytes", "vLLM sizes the pool from memory"),
    "--max-concurrent-requests": ("TGI", "--max-num-seqs", ""),
    "--cuda-memory-fraction": ("TGI", "--gpu-memory-utilization", ""),
    "--waiting-served-ratio": ("TGI", None, "vLLM admits at every step"),
    "--quantize": ("TGI", "--quantization", ""),
    "--sharded": ("TGI", "--tensor-parallel-size", ""),
    "--max-batch-size": ("TensorRT-LLM", "--max-num-seqs", ""),
    "--max-num-tokens": ("TensorRT-LLM", "--max-num-batched-tokens", ""),
    "--max-seq-len": ("TensorRT-LLM", "--max-model-len", ""),
    "--kv-cache-free-gpu-memory-fraction": ("TensorRT-LLM", "--gpu-memory-utilization", "there a share of what is free after the weights"),
    "--kv-cache-free-gpu-mem-fraction": ("TensorRT-LLM", "--gpu-memory-utilization", "there a share of what is free after the weights"),
    "--n-gpu-layers": ("llama.cpp", "--cpu-offload-gb", ""),
    "--ctx-size": ("llama.cpp", "--max-model-len", ""),
}

SWITCHES = frozenset({"--disable-radix-cache", "--disable-cuda-graph", "--enable-dp-attention", "--enable-torch-compile", "--sharded"})
"""Which of them take no value."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """What is known of an option this version does not have."""

    status: FlagStatus
    did_you_mean: str | None
    message: str
    fix: str
    code: str
    takes_value: bool = True
    """False for a switch of another release."""


def explain_unknown(option: str, flags: FlagTable, version: str) -> Unknown:
    """What `option` (as typed, without its value) is, seen from `version`."""
    name = option.partition(".")[0].replace("_", "-") if option.startswith("--") else option
    past = history(name)
    if past is not None:
        return _of_another_release(name, past, flags, version)
    if name in OTHERS:
        return _of_another_engine(name, flags)
    if number(version) > number(NEWEST):
        note = f"; the newest release known here is {NEWEST}"
    else:
        note = ""
    near = closest(name, flags)
    positive = name.removeprefix("--no-").removeprefix("--disable-").removeprefix("--enable-")
    takes = name == "--" + positive
    message = f"vLLM {version} has no option {name[:80]}{note}"
    return Unknown("unknown", near, message, f"did you mean {near}?" if near else "", "unknown-flag", takes)


def _of_another_release(name: str, past: FlagHistory, flags: FlagTable, version: str) -> Unknown:
    last, again = past.until(version), past.since(version)
    seen = table(last or again or NEWEST).by_option(name)
    takes = seen is None or seen.takes_value
    if last is None:
        near = closest(name, flags)
        message = f"{name} does not exist in vLLM {version}; the first release with it is {again}"
        return Unknown("not_yet", near, message, f"upgrade to {again} or newer, or leave it out", "not-yet", takes)
    instead = past.replaced_by if past.replaced_by and flags.by_option(past.replaced_by) else None
    message = f"{name} is gone from vLLM {version}; {last} was the last release with it"
    if again is not None:
        message += f", {again} accepts it again"
    fix = "; ".join(part for part in (f"use {instead}" if instead else "leave it out", past.note) if part)
    return Unknown("removed", instead, message, fix, "removed", takes)


def _of_another_engine(name: str, flags: FlagTable) -> Unknown:
    engine, ours, difference = OTHERS[name]
    there = ours if ours is not None and flags.by_option(ours) is not None else None
    fix = "; ".join(part for part in (f"use {there}" if there else "", difference) if part)
    takes = name not in SWITCHES
    return Unknown("unknown", there, f"{name} is an option of {engine}, not of vLLM", fix, "other-engine", takes)


def closest(name: str, table: FlagTable) -> str | None:
    """The option of `table` spelled most like `name`, or None when none is near."""
    return _closest(name[:80], table.long_options)


@lru_cache(maxsize=1024)
def _closest(name: str, options: tuple[str, ...]) -> str | None:
    wanted = name.lstrip("-").lower()
    if len(wanted) < 2:
        return None
    best, best_score = None, 0.0
    grams = _grams(wanted)
    for option in options:
        other = _grams(option[2:])
        score = 2 * len(grams & other) / (len(grams) + len(other))
        if score > best_score:
            best, best_score = option, score
    return best if best_score >= 0.5 else None


def _grams(text: str) -> frozenset[str]:
    padded = f"^{text}$"
    return frozenset(padded[i : i + 2] for i in range(len(padded) - 1)) | _words(text.split("-"))


def _words(parts: Iterable[str]) -> frozenset[str]:
    return frozenset(part for part in parts if len(part) > 2)
