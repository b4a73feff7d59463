"""What moving a deployment to another release breaks, drops, renames and changes.

The same launch is read again as the target release reads it and judged by that release's rules; what differs is the
answer. The findings are not rules of one version, so they are named here: :data:`KINDS`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..domain import AskedVersusGot, Deployment, Finding, FixStep, Json, Sourced
from ..domain.finding import CompatSeverity
from ..engine.deployment import redeploy
from ..engine.memory import estimate
from ..facts import metrics
from ..facts.versions import nearest, number

__all__ = ["KINDS", "moved", "upgrade_findings"]

KINDS = {
    "upgrade-breaks": "The launch is refused after the upgrade",
    "upgrade-worsens": "A setting is changed or slowed after the upgrade that was not before",
    "upgrade-moves-pool": "The KV pool changes with the release's defaults",
    "upgrade-moves-default": "A default moves",
    "upgrade-renames-metrics": "Metrics that dashboards read are gone or renamed",
    "upgrade-changes-log": "Log lines that scripts read change",
    "upgrade-resolves": "Findings that go away with the upgrade",
}
"""The findings made here, with what each is about."""

_POOL_MOVES = 0.02
"""A predicted pool that moves by less than this share is not worth a line: the prediction is no better."""


@dataclass(frozen=True, slots=True)
class _LogChange:
    """A log line that changed, in the first release that prints it the new way."""

    since: str
    what: str


_LOG = (
    _LogChange("0.11.0", "preemptions are printed in the stats line (`Preemptions: N`) and nowhere else"),
    _LogChange("0.14.0", "`Available KV cache memory` and `Model loading took` print GiB in a new format"),
    _LogChange("0.15.1", "`vLLM API server version` is gone: a banner of four lines names version and model"),
    _LogChange("0.18.0", "`Starting vLLM API server` became `Starting vLLM server`, `torch.compile takes` became `took`"),
    _LogChange("0.20.0", "the stats line adds `Deferred: N reqs`, and `Waiting` includes them"),
    _LogChange(
        "0.20.1", "`GPU KV cache size: N tokens` counts what sliding windows save and depends on max_model_len: not "
        "comparable with the older figure on hybrid models"
    ),
    _LogChange("0.22.1", "the start-up error on a short pool says \"model's max seq len\" (it was \"models's\")"),
    _LogChange("0.27.0", "`Asynchronous scheduling is ...` is no longer printed"),
    _LogChange("0.28.0", "`GPU KV cache size` and `Maximum concurrency` are one line"),
    _LogChange("0.30.0", "the KV cache lines and the stats line begin with the device (`GPU`, `CPU`)"),
)  # fmt: skip
"""Start-up and stats lines that changed (vllm/v1/core/kv_cache_utils.py, v1/metrics/loggers.py, entrypoints)."""

_EFFECTS = {
    "gpu_memory_utilization": "vLLM takes another share of each device; a neighbour on the GPU may no longer fit",
    "max_num_batched_tokens": "a step holds more or fewer tokens: TTFT of long prompts and ITL of running requests shift",
    "max_num_seqs": "more or fewer requests run at once; waiting turns into running, or the other way round",
    "enable_prefix_caching": "shared prompts are found again, or computed again",
    "async_scheduling": "steps overlap with scheduling, or wait for it",
    "enable_chunked_prefill": "long prompts are cut into chunks, or stall running requests",
    "block_size": "prefixes are shared in other steps",
    "model_runner": "another runner executes the model: features and performance differ",
    "cudagraph_mode": "decode steps are captured differently",
    "max_cudagraph_capture_size": "graphs cover other batch sizes, and take other memory",
    "max_num_scheduled_tokens": "drafting takes another share of each step",
    "disable_hybrid_kv_cache_manager": "layers with a window keep fewer or more blocks",
    "kv_cache_dtype": "the cache holds another type",
    "max_model_len": "the longest request accepted changes",
}
"""What a moved setting does; settings without a line here are not worth telling."""


def upgrade_findings(
    deployment: Deployment, target: str, now: Sequence[Finding], judge: Callable[[Deployment], list[Finding]]
) -> list[Finding]:
    """Everything that moving `deployment` to `target` changes, in order of harm.

    Args:
        now: the findings of the present release.
        judge: the rules, asked again for the deployment as `target` reads it.

    Raises:
        ValueError: when `target` is not a version.
    """
    number(target)
    after = moved(deployment, target)
    then = judge(after)
    step = _Step(deployment, after, target)
    return [
        *step.broken(now, then), *step.worse(now, then), *step.pool(), *step.defaults(), *step.metrics(), *step.log(),
        *step.resolved(now, then),
    ]  # fmt: skip


def moved(deployment: Deployment, target: str) -> Deployment:
    """The same launch as the release `target` reads it."""
    words = deployment.but(vllm_version=Sourced(value=target, origin="given", why="upgrade_to"))
    return redeploy(words, {})


@dataclass(frozen=True, slots=True)
class _Step:
    """One move from a release to another."""

    before: Deployment
    after: Deployment
    target: str

    def broken(self, now: Sequence[Finding], then: Sequence[Finding]) -> Iterator[Finding]:
        """What the target refuses and the present release does not, removed flags first."""
        stops = [f for f in _new(now, then) if f.severity == "fatal"]
        for finding in sorted(stops, key=lambda f: f.rule != "parser-refuses"):
            yield self._carried("upgrade-breaks", finding)

    def worse(self, now: Sequence[Finding], then: Sequence[Finding]) -> Iterator[Finding]:
        """What the target changes or slows down and the present release does not."""
        for finding in _new(now, then):
            if finding.severity in ("silent", "degraded"):
                yield self._carried("upgrade-worsens", finding)

    def pool(self) -> Iterator[Finding]:
        """The predicted KV pool before and after."""
        old, new = estimate(self.before).pool, estimate(self.after).pool
        if old is None or new is None or not old.tokens or not new.tokens:
            return
        share = new.tokens / old.tokens - 1
        if abs(share) < _POOL_MOVES:
            return
        yield self._made(
            "upgrade-moves-pool", "degraded" if share < 0 else "advice",
            message=f"The KV pool goes from about {old.tokens:,} to about {new.tokens:,} tokens ({share:+.0%}), by the "
            "defaults of the two releases.",
            effect="Fewer requests fit at once." if share < 0 else "More requests fit at once.",
            fix=self._keep("gpu_memory_utilization"), changed=(("kv_pool_tokens", old.tokens, new.tokens),),
            evidence=("memory model of both releases, vllm/v1/worker/gpu_worker.py determine_available_memory",),
        )  # fmt: skip

    def defaults(self) -> Iterator[Finding]:
        """Settings that nobody set and that come out differently."""
        for name, effect in _EFFECTS.items():
            old, new = self.before.settings.get(name), self.after.settings.get(name)
            if old is None or new is None or old.value == new.value or old.value is None or new.value is None:
                continue
            if "given" in (old.origin, new.origin):
                continue
            yield self._made(
                "upgrade-moves-default", "silent",
                message=f"{name} goes from {old.value} to {new.value}" + (f" ({new.why})." if new.why else "."),
                effect=(effect if effect.startswith("vLLM") else effect[:1].upper() + effect[1:]) + ".", fix=self._keep(name),
                steps=self._pin(name, old.value), changed=((name, old.value, new.value),),
                evidence=("vllm/config and vllm/engine/arg_utils.py of both releases, resolved for this launch",),
            )  # fmt: skip

    def metrics(self) -> Iterator[Finding]:
        """Names that a dashboard reads today and that the target does not expose."""
        gone = [name for name in metrics.names(self.before.version) if not metrics.exists(name, self.target)]
        if not gone:
            return
        told = [found for name in gone if (found := metrics.find(name)) is not None]
        renamed = [f"{m.exposed} -> vllm:{m.replaced_by}" for m in told if m.replaced_by]
        lost = [m.exposed for m in told if not m.replaced_by]
        parts = ([f"renamed: {', '.join(renamed)}"] if renamed else []) + ([f"gone: {', '.join(lost)}"] if lost else [])
        yield self._made(
            "upgrade-renames-metrics", "degraded", message=f"In {self.target} these metrics are " + "; ".join(parts) + ".",
            effect="Panels and alerts on them stay empty without an error.",
            fix="Point dashboards and alerts at the new names before the upgrade.",
            evidence=("vllm/v1/metrics/loggers.py and vllm/engine/metrics.py of both releases",),
        )  # fmt: skip

    def log(self) -> Iterator[Finding]:
        """Log lines that read differently."""
        low, high = sorted((number(self.before.version), number(self.target)))
        changed = [change.what for change in _LOG if low < number(change.since) <= high]
        if changed:
            yield self._made(
                "upgrade-changes-log", "advice", message="; ".join(changed) + ".",
                effect="Scripts that read the log may find nothing or another figure.",
                fix="Check what parses the log.", evidence=("the log calls of both releases",),
            )  # fmt: skip

    def resolved(self, now: Sequence[Finding], then: Sequence[Finding]) -> Iterator[Finding]:
        """Findings of today that the target no longer has."""
        gone = [f for f in _new(then, now) if f.severity != "advice"]
        if gone:
            yield self._made(
                "upgrade-resolves", "advice",
                message=f"{self.target} no longer has: " + "; ".join(f"{f.title} ({f.rule})" for f in gone) + ".",
                effect="These findings go away with the upgrade.", fix="Nothing to do.",
                evidence=tuple(dict.fromkeys(source for f in gone for source in f.evidence))[:4],
            )  # fmt: skip

    def _carried(self, kind: str, finding: Finding) -> Finding:
        """A finding of the target's rules, told as a consequence of the move."""
        return finding.but(
            rule=kind, title=f"{KINDS[kind]}: {finding.title}", message=f"In {self.target}: {finding.message}",
            evidence=(f"rule {finding.rule}", *finding.evidence),
        )  # fmt: skip

    def _made(
        self, kind: str, severity: CompatSeverity, *, message: str, effect: str, fix: str, evidence: tuple[str, ...],
        steps: tuple[FixStep, ...] = (), changed: tuple[tuple[str, Json, Json], ...] = (),
    ) -> Finding:  # fmt: skip
        return Finding(
            rule=kind, severity=severity, title=KINDS[kind], message=message, versions=f"{self.before.version} -> "
            f"{self.target}", effect=effect, fix=fix, basis="source", evidence=evidence, steps=steps,
            changed=tuple(AskedVersusGot(setting=name, asked=asked, got=got) for name, asked, got in changed),
        )  # fmt: skip

    def _pin(self, name: str, value: Json) -> tuple[FixStep, ...]:
        """The flag that keeps a setting as it was, where both releases have it."""
        from ..facts.flags import table  # noqa: PLC0415 - only for a setting that moves

        spec = table(nearest(self.target)).by_dest.get(name)
        return () if spec is None else (FixStep(action="set", name=spec.flag, to=value),)

    def _keep(self, name: str) -> str:
        """How to keep a setting as it was, in words that can be pasted."""
        from .rule import fix_text  # noqa: PLC0415

        held = self.before.settings.get(name)
        steps = () if held is None else self._pin(name, held.value)
        return f"To keep it as it was: {fix_text(steps)}." if steps else "No flag keeps it as it was."


def _new(before: Sequence[Finding], after: Sequence[Finding]) -> list[Finding]:
    """Findings of `after` whose rule does not fire on the same flags in `before`."""
    known = {(finding.rule, finding.flags) for finding in before}
    return [finding for finding in after if (finding.rule, finding.flags) not in known]
