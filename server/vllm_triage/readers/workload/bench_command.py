"""The traffic of a ``vllm bench serve``, ``throughput`` or ``latency`` command line (and of the scripts before them).

Options and defaults are those of 0.33.0 (benchmarks/serve.py, throughput.py, latency.py, datasets/datasets.py); the
names have been the same since ``vllm bench`` takes data sets (0.9.1). Lengths of the random data set are drawn evenly from
``mean x (1 - ratio)`` to ``mean x (1 + ratio)``; the random prefix comes on top of the input length
(datasets.py RandomDataset.sample). Up to 0.9.0 ``bench serve`` took the ratio
for the lower end, 1 by default: equal lengths (0.9.0 benchmarks/serve.py sample_random_requests).
"""

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any

from ...domain import Lengths, Workload
from ..lazy import Lazy
from ..reading import excerpt
from .bad import BadWorkload, checked, count, positive

__all__ = ["is_bench_command", "read_bench_command"]

_BENCH = Lazy(r"\bbench(?:\s|\\)+(serve|throughput|latency)\b|\bbenchmark_(serving|throughput|latency)\b")
_KINDS = {"serving": "serve"}

_SWITCHES = frozenset({
    "ignore-eos", "save-result", "save-detailed", "append-result", "disable-tqdm", "profile", "trust-remote-code",
    "use-beam-search", "async-engine", "disable-detokenize", "no-stream", "no-oversample", "skip-chat-template",
    "disable-shuffle", "insecure", "skip-tokenizer-init", "enable-multimodal-chat", "plot-timeline", "self-timed",
    "plot-dataset-stats", "enable-prefix-caching", "no-enable-prefix-caching", "enforce-eager", "prequeue-requests",
    "enable-expert-parallel", "enable-chunked-prefill", "no-reranker",
})  # fmt: skip
"""Options without a value, so that what follows is not taken for one."""

_IRRELEVANT = _SWITCHES - {"use-beam-search"} | frozenset({
    "model", "served-model-name", "tokenizer", "tokenizer-mode", "backend", "endpoint-type", "base-url", "host", "port",
    "endpoint", "header", "label", "result-dir", "result-filename", "metadata", "percentile-metrics",
    "metric-percentiles", "goodput", "temperature", "top-p", "top-k", "min-p", "frequency-penalty", "presence-penalty",
    "repetition-penalty", "request-id-prefix", "ready-check-timeout-sec", "logprobs", "extra-body", "num-warmups",
    "output-json", "dataset-path", "chat-template-kwargs", "num-iters", "num-iters-warmup", "timeline-itl-thresholds",
})  # fmt: skip
"""Options that say nothing of the traffic. Any other that is not used is told."""

_ENGINE = frozenset({
    "tensor-parallel-size", "tp", "pipeline-parallel-size", "max-model-len", "gpu-memory-utilization", "max-num-seqs",
    "max-num-batched-tokens", "dtype", "quantization", "kv-cache-dtype", "data-parallel-size", "block-size",
    "speculative-config", "load-format",
})  # fmt: skip
"""Options of the engine, which ``bench throughput`` and ``latency`` start themselves."""

SHAREGPT = (217.0, 202.0)
"""Mean prompt and output tokens of 1,000 requests of the ShareGPT data set: GPUStack's performance lab
(gpustack/gpustack@47277d7 docs/performance-lab), vllm bench serve, Qwen3."""


def is_bench_command(text: str) -> bool:
    """Whether a benchmark is called in this text."""
    return _BENCH.search(text) is not None


def read_bench_command(text: str) -> Workload:
    """The traffic of the first benchmark called.

    Raises:
        BadWorkload: its lengths depend on a file or data set that is not at hand.
    """
    call = _BENCH.search(text)
    kind = "serve" if call is None else call.group(1) or _KINDS.get(call.group(2), call.group(2))
    return _Command(kind, _options(text[call.end() if call else 0 :])).workload()


def _options(rest: str) -> dict[str, str]:
    """Options by name without dashes, in their own spelling of values; the last of several counts."""
    words = _words(rest)
    options: dict[str, str] = {}
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        if word in (";", "&&", "||", "|", "&"):
            break
        if not word.startswith("-") or len(word) < 2:
            continue
        name, equals, value = word.lstrip("-").partition("=")
        name = name.replace("_", "-").lower()
        if not equals and name not in _SWITCHES and place < len(words) and not words[place].startswith("--"):
            value = words[place]
            place += 1
        options[name] = value
    return options


def _words(rest: str) -> list[str]:
    """Shell words up to the end of the command."""
    joined = re.sub(r"[\\^`][ \t]*\r?\n", " ", rest)
    line = next((line for line in joined.splitlines() if line.strip()), "")
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:  # a quote that is not closed
        return line.split()


class _Command:
    """One command line while it is read."""

    def __init__(self, kind: str, options: dict[str, str]) -> None:
        self._kind = kind
        self._options = options
        self._used: set[str] = set()
        self._notes: list[str] = []

    def workload(self) -> Workload:
        """The traffic."""
        fields = {**self._lengths(), **self._arrivals(), "source": f"vllm bench {self._kind}"}
        seed = self._text("seed")
        fields["seed"] = int(seed) if seed.isdecimal() and len(seed) < 10 else 0
        self._tell_the_rest()
        return checked(fields, self._notes)

    # ------------------------------------------------------------------------------------------------- looking up

    def _text(self, *names: str) -> str:
        found = ""
        for name in names:
            if name in self._options:
                self._used.add(name)
                found = found or self._options[name]
        return found

    def _number(self, *names: str) -> float | None:
        """The first option that is given; what is given and is not a number above zero is told."""
        text = self._text(*names)
        value = positive(text)
        if value is None and text and text not in ("0", "0.0", "inf"):
            self._notes.append(excerpt(f"--{names[0]} {text}: not a number above zero, not used", 120))
        return value

    def _count(self, name: str, otherwise: int) -> int:
        value = self._number(name)
        return otherwise if value is None else max(1, int(value))

    # --------------------------------------------------------------------------------------------------- arrivals

    def _arrivals(self) -> dict[str, Any]:
        if self._kind == "latency":
            return {"arrivals": "at_once", "requests": self._count("batch-size", 8)}
        requests = self._count("num-prompts", 1000)
        if self._kind == "throughput":
            return {"arrivals": "at_once", "requests": requests}
        rate, users = self._number("request-rate"), count(self._number("max-concurrency"))
        burstiness = self._number("burstiness")
        if "ramp-up-strategy" in self._options:
            low, high = (positive(self._text(f"ramp-up-{end}-rps")) or 0.0 for end in ("start", "end"))
            strategy = self._text("ramp-up-strategy")
            rate = (low + high) / 2 or None
            self._notes.append(
                f"a {strategy} ramp of the rate from {low:g} to {high:g} a second is taken at its middle, {rate or 0:g}"
            )
        if rate is not None:
            return {
                "arrivals": "open", "request_rate": rate, "burstiness": burstiness or 1.0, "concurrency": users,
                "requests": requests,
            }  # fmt: skip
        if users is not None and users < requests:
            return {"arrivals": "closed", "concurrency": users, "requests": requests}
        return {"arrivals": "at_once", "requests": requests}

    # ---------------------------------------------------------------------------------------------------- lengths

    def _lengths(self) -> dict[str, Any]:
        name = self._text("dataset-name").lower() or ("" if "dataset-path" in self._options else "random")
        if not name:
            name = "sharegpt" if self._kind == "throughput" else "random"
        if self._kind == "latency":
            return self._pair(self._number("input-len") or 32.0, self._number("output-len") or 128.0)
        if name.startswith("random"):
            return self._random(name)
        if name in ("prefix_repetition", "prefix-repetition"):
            return self._prefix_repetition()
        if name == "sonnet":
            return self._sonnet()
        if name == "sharegpt":
            return self._sharegpt()
        return self._named(name)

    @staticmethod
    def _pair(prompt: float, output: float) -> dict[str, Any]:
        return {"input": Lengths(mean=prompt), "output": Lengths(mean=output)}

    def _random(self, name: str) -> dict[str, Any]:
        given_in, given_out = (
            self._number("input-len", "random-input-len"),
            self._number("output-len", "random-output-len"),
        )
        prefix = int(self._number("random-prefix-len", "prefix-len") or 0)
        ratio_in, ratio_out = self._ratios()
        prompt, output = given_in or 1024.0, given_out or 128.0
        if name != "random":
            self._notes.append(f"--dataset-name {name}: images and pairs are not counted, only the text's lengths")
        return {
            # the prefix comes on top, and only the rest varies
            "input": _spread(prompt + prefix, ratio_in * prompt / (prompt + prefix)),
            "output": _spread(output, ratio_out),
            "shared_prefix_tokens": prefix,
        }

    def _ratios(self) -> tuple[float, float]:
        text = self._text("random-range-ratio") or "0"
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        pair = (value.get("input"), value.get("output")) if isinstance(value, Mapping) else (value, value)
        ratios = [0.0 if ratio in (0, None) else positive(ratio) for ratio in pair]
        if None in ratios or value is None:
            self._notes.append(excerpt(f"--random-range-ratio {text}: not a ratio, lengths are taken as equal", 120))
            return 0.0, 0.0
        if 1.0 in ratios:
            self._notes.append(
                "a range ratio of 1 is refused since 0.9.1; before, it meant equal lengths, and that is taken"
            )
        low, high = (0.0 if ratio is None or ratio >= 1 else ratio for ratio in ratios)
        return low, high

    def _prefix_repetition(self) -> dict[str, Any]:
        prefix = self._count("prefix-repetition-prefix-len", 256)
        suffix = self._count("prefix-repetition-suffix-len", 256)
        output = self._number("output-len", "prefix-repetition-output-len") or 128.0
        groups = self._count("prefix-repetition-num-prefixes", 10)
        return {
            **self._pair(float(prefix + suffix), output), "shared_prefix_tokens": prefix, "prefix_groups": groups,
        }  # fmt: skip

    def _sonnet(self) -> dict[str, Any]:
        prompt, output = self._number("sonnet-input-len") or 550.0, self._number("sonnet-output-len") or 150.0
        return {**self._pair(prompt, output), "shared_prefix_tokens": self._count("sonnet-prefix-len", 200)}

    def _sharegpt(self) -> dict[str, Any]:
        output = self._number("output-len", "sharegpt-output-len")
        self._notes.append(
            f"ShareGPT is not at hand: prompts of {SHAREGPT[0]:g} tokens on average"
            + ("" if output else f" and outputs of {SHAREGPT[1]:g}")
            + ", spread as much as their mean; give the file for its own lengths"
        )
        return {
            "input": Lengths(mean=SHAREGPT[0], shape="lognormal", spread=1.0),
            "output": Lengths(mean=output) if output else Lengths(mean=SHAREGPT[1], shape="lognormal", spread=1.0),
        }

    def _named(self, name: str) -> dict[str, Any]:
        """Any other data set: its prompts are not known, so both lengths have to be said."""
        outputs = [option for option in self._options if option.endswith("-output-len")]
        prompt, output = self._number("input-len", "random-input-len"), self._number("output-len", *outputs)
        if prompt is None or output is None:
            raise BadWorkload(
                excerpt(
                    f"the lengths of data set {name} are in a file that is not at hand: paste the file, or say "
                    "--input-len and --output-len",
                    160,
                )
            )
        return self._pair(prompt, output)

    def _tell_the_rest(self) -> None:
        left = [name for name in self._options if name not in self._used | _IRRELEVANT | _ENGINE and len(name) > 1]
        if left:
            self._notes.append(excerpt("options that were not used: " + ", ".join(f"--{name}" for name in left)))


def _spread(mean: float, ratio: float) -> Lengths:
    return Lengths(mean=mean, shape="uniform", spread=ratio) if ratio > 0 else Lengths(mean=mean)
