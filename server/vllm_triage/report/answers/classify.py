"""``classify_bottleneck``: which of the five binds, on what evidence, what is ruled out."""

from pydantic import Field

from ...domain import Bottleneck, Evidence, Ignored, Json, Refusal, RuledOut, Verdict
from ...domain.base import Words
from ...domain.verdict import Outside, SubBound, VerdictStatus
from ...verdicts.bottleneck import classify
from ..answer import ToolAnswer
from ..arguments import MetricsArguments, OptionalDeploymentArguments, Texts
from ..reading import read
from ..text import row, section
from ..words import verdict_words

__all__ = ["Answer", "Arguments", "answer", "run"]


VERDICT = ("status", "bottleneck", "sub_bound", "outside", "confidence")


class Arguments(MetricsArguments, OptionalDeploymentArguments):
    """*deployment* (all optional), *metrics*, and the refusals the user has acknowledged."""

    acknowledge: Texts = Field((), description='House rules the user waives, by id: raise-ceiling-first.')


class Answer(ToolAnswer):
    """The verdict."""

    status: VerdictStatus
    bottleneck: Bottleneck | None
    sub_bound: SubBound | None
    outside: Outside | None
    confidence: float
    evidence: tuple[Evidence, ...]
    ruled_out: tuple[RuledOut, ...]
    refusals: tuple[Refusal, ...]
    missing: Words
    ignored: tuple[Ignored, ...]
    derived: dict[str, Json]
    measure_next: str
    unread: Words = Field((), exclude_if=lambda v: not v)
    """What in the pasted texts was not understood."""

    def found(self) -> bool:
        """True unless the server is healthy."""
        return self.status != "healthy"

    def to_text(self) -> str:
        """The verdict, then every signal on a line."""
        data = self.to_json()
        lines = [self.summary, row({name: data[name] for name in VERDICT})]
        lines += section("Evidence", (_signal(e) for e in self.evidence))
        lines += section("Ruled out", (f"- {r.bottleneck}: {r.because}" for r in self.ruled_out))
        lines += section("Refused", (_refusal(r) for r in self.refusals))
        if self.missing:
            lines.append(f"missing: {', '.join(self.missing)}")
        lines += section("Ignored", (f"- {i.signal}: {i.why}" for i in self.ignored))
        if data["derived"]:
            lines.append(f"derived: {row(data['derived'])}")
        lines += section("Not understood", (f"- {text}" for text in self.unread))
        return "\n".join([*lines, f"Measure next: {self.measure_next}"] if self.measure_next else lines)


def _signal(e: Evidence) -> str:
    side = "for" if e.supports else "against"
    return f"- [{side}] {e.signal} {e.observed}, expected {e.expected}: {e.why} ({e.source})"


def _refusal(r: Refusal) -> str:
    ask = f" Needed: {'; '.join(r.ask)}." if r.ask else ""
    return f"- {r.rule}{' (acknowledged)' if r.acknowledged else ''}: {r.message}{ask}"


def run(arguments: Arguments) -> Answer:
    """Classify what was measured."""
    seen = read(**arguments.deployment(), evidence=arguments.evidence, given=arguments.given())
    verdict = classify(seen.deployment, seen.observation, seen.memory, seen.roofline, arguments.acknowledge)
    return answer(verdict, seen.observation.unread)


def answer(verdict: Verdict, unread: tuple[str, ...] = ()) -> Answer:
    """The verdict in the tool's shape."""
    return Answer(
        summary=_summary(verdict), unread=unread,
        **{name: getattr(verdict, name) for name in Verdict.model_fields},
    )


def _summary(verdict: Verdict) -> str:
    standing = [r for r in verdict.refusals if not r.acknowledged]
    if verdict.status == "refused" and standing:
        asks = [ask for r in standing for ask in r.ask]
        return f"{standing[0].message.rstrip('.')}. Needed: {'; '.join(asks)}." if asks else standing[0].message
    sentences = [f"{verdict_words(verdict)}."]
    grounds = [e for e in verdict.evidence if e.supports][:2]
    sentences += [f"{e.signal} is {e.observed} ({e.why.rstrip('.')})." for e in grounds]
    if verdict.measure_next:
        sentences.append(f"Measure next: {verdict.measure_next.rstrip('.')}.")
    return " ".join(sentences)
