"""The registry: every tool once, for every door.

A tool is a row here and a module in ``report/answers`` with three names: ``Arguments`` (what it is called with),
``Answer`` (what it gives back) and ``run``. The module is imported when the tool is first looked at, so the command
line pays for one tool, not for all.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from .arguments import BadArguments, ToolArguments, nearest, read_arguments
from .pasted import settled

if TYPE_CHECKING:
    from .answer import ToolAnswer

__all__ = ["TOOLS", "Tool", "call", "find", "is_domain_error"]


class Tool(NamedTuple):
    """One tool: its name on the wire, its word on the command line, and where it lives."""

    name: str
    word: str
    """Sub-command of ``vllm-triage``; also the module in ``report/answers``."""
    title: str
    description: str
    """First what it answers and when to use it, then what it needs; read by models and by people."""
    long: bool = False
    """True when a call may take long enough to show progress, and to be cancelled."""

    @property
    def arguments(self) -> type[ToolArguments]:
        """The input model."""
        return import_module(f".answers.{self.word}", __package__).Arguments  # type: ignore[no-any-return]

    @property
    def answer(self) -> "type[ToolAnswer]":
        """The output model."""
        return import_module(f".answers.{self.word}", __package__).Answer  # type: ignore[no-any-return]

    def run(self, given: Mapping[str, object]) -> "ToolAnswer":
        """The answer to plain JSON arguments.

        Raises:
            BadArguments: the arguments do not fit.
            ValueError: another error of this product's own (see :func:`is_domain_error`) says what is wrong.
        """
        run: Callable[[ToolArguments], ToolAnswer] = import_module(f".answers.{self.word}", __package__).run
        return run(settled(read_arguments(self.arguments, given)))


TOOLS: tuple[Tool, ...] = (
    Tool(
        "parse_vllm_command", "parse", "Read a vLLM launch",
        "What a vLLM launch does, flag by flag, in one vLLM version on one GPU: defaults, what each flag controls, "
        "removed or misspelt flags, and the engine settings that result. Use when someone shows a vllm serve command, "
        "a manifest or an engine setting such as max_num_seqs or gpu_memory_utilization.",
    ),
    Tool(
        "estimate_kv_bytes", "kv", "Size the KV cache",
        "KV-cache bytes per token, the KV pool and GPU memory budget, and how many requests or users fit. Use for OOM, "
        "sizing, max_model_len, \"No available memory for the cache blocks\". A startup log in evidence gives the "
        "measured pool.",
    ),
    Tool(
        "classify_bottleneck", "classify", "Name the bottleneck",
        "Which of kv_starvation, queue_stall, chunked_prefill_missized, decode_bound, hbm_bound binds a running vLLM "
        "server (or what outside it does), on what evidence. Use for high TTFT or ITL, low throughput, preemption, "
        "waiting requests. Needs TTFT, ITL (or TPOT), throughput and concurrency; refuses and asks otherwise.",
    ),
    Tool(
        "check_compat", "compat", "Check compatibility",
        "What in a launch fails at startup, is silently changed, or runs slowly in one vLLM version, GPU and model: "
        "chunked prefill, speculative decoding, quantization, LoRA, parallelism. Use before a launch or an upgrade "
        "(upgrade_to).",
    ),
    Tool(
        "diagnose", "diagnose", "Diagnose a server",
        "The one-page scheduler diagnosis of a running vLLM server: launch read, bottleneck with evidence, ordered "
        "changes (flag, value, expected effect), compatibility, what to measure next. Use first when someone shows a "
        "launch and measurements. Same needs and refusals as classify_bottleneck.",
    ),
    Tool(
        "simulate_change", "simulate", "Simulate a change",
        "What TTFT, ITL, TPOT, throughput, waiting and preemptions become if flags change: vLLM's scheduler simulated on "
        "the user's traffic, calibrated on the measurements given. Use for \"what if\" questions and before any restart. "
        "Needs model and GPU, and measurements with lengths or a workload.", long=True,
    ),
    Tool(
        "plan_deployment", "plan", "Plan a deployment",
        "Which configurations serve a model to so many users, or requests/s, within an SLO on the GPUs available: TP, PP, "
        "replicas, quantization, KV dtype, lengths and budgets, each with pool, predicted latency and throughput, cost, and "
        "a launch that check_compat passes. Use before buying or launching. Needs model, GPUs, load and lengths.", long=True,
    ),
    Tool(
        "explain", "explain", "Explain one term",
        "One vLLM flag, metric, compatibility rule, bottleneck class, threshold or house rule, for one vLLM version: "
        "what it is, which way to turn it, what to watch.",
    ),
)


def find(name: str) -> Tool:
    """The tool of that name or command word.

    Raises:
        BadArguments: when there is none, naming the nearest.
    """
    for tool in TOOLS:
        if name in (tool.name, tool.word):
            return tool
    names = [tool.name for tool in TOOLS]
    near = nearest(name, names)
    hint = f"did you mean {near}?" if near else f"there are {', '.join(names)}."
    raise BadArguments(f"Unknown tool {name[:64]!a}: {hint}")


def call(name: str, given: Mapping[str, object]) -> "ToolAnswer":
    """Run the tool called `name`; see :meth:`Tool.run`."""
    return find(name).run(given)


def is_domain_error(error: Exception) -> bool:
    """True for an error whose text was written for the user: a ``ValueError`` class of this product.

    Anything else is a defect, and its text (which may hold anything) does not leave the process.
    """
    return isinstance(error, ValueError) and type(error).__module__.split(".")[0] == __package__.split(".")[0]
