"""``parse_vllm_command``: what a launch does, flag by flag, in this version on this GPU."""

from pydantic import Field

from ...domain import Deployment, EnvReading, FlagReading, Origin, Problem, Setting, Sourced
from ...domain.base import Words
from ...engine.deployment import deploy_all
from ..answer import ToolAnswer
from ..arguments import DeploymentArguments
from ..text import bullets, row, section, sourced, value
from ..words import gpu_words, shown

__all__ = ["Answer", "Arguments", "run"]

MOST = 200
"""Longest list in an answer."""
MOST_NAMED = 5
"""Flags named in the summary."""


class Arguments(DeploymentArguments):
    """*deployment*."""


class Answer(ToolAnswer):
    """The launch as this version's parser and engine see it."""

    source: str
    """Form the launch was pasted in."""
    vllm_version: Sourced
    model: str | None
    gpu: str | None
    flags: tuple[FlagReading, ...]
    env: tuple[EnvReading, ...]
    settings: dict[str, Setting]
    problems: tuple[Problem, ...]
    redacted: int
    """How many secrets were blanked."""
    gpu_count: int | None = Field(None, exclude_if=lambda v: v is None)
    gpu_origin: Origin | None = Field(None, exclude_if=lambda v: v is None)
    model_origin: Origin | None = Field(None, exclude_if=lambda v: v is None)
    catalogue_version: str | None = Field(None, exclude_if=lambda v: v is None)
    """The release whose flags were used, when the version itself is not in the catalogue."""
    other_launches: Words = Field((), exclude_if=lambda v: not v)
    """Launches found after the first, one line each; parse each by itself."""
    unread: Words = Field((), exclude_if=lambda v: not v)
    """What in the paste was not understood."""
    omitted: dict[str, int] = Field({}, exclude_if=lambda v: not v)
    """How many entries of a list were left out, by its name: no real launch comes near."""

    def found(self) -> bool:
        """True when a problem is more than information."""
        return any(problem.severity != "info" for problem in self.problems)

    def to_text(self) -> str:
        """One line per flag, problem and setting."""
        data = self.to_json()
        gpu = f"{self.gpu_count}x {self.gpu}" if self.gpu_count and self.gpu_count > 1 else self.gpu
        lines = [
            self.summary,
            f"vLLM {sourced(data['vllm_version'])}; model {self.model or 'unknown'}; GPU {gpu or 'unknown'}",
            f"read as {self.source}",
        ]
        if self.catalogue_version:
            lines.append(f"flags as of vLLM {self.catalogue_version}, the nearest release known")
        lines += section("Problems", (_problem(p) for p in self.problems))
        lines += section("Flags", (_flag(f) for f in self.flags))
        lines += section("Environment", bullets(data["env"], ("name", "value")))
        lines += section("Settings", (f"- {name} = {sourced(item)}" for name, item in data["settings"].items()))
        lines += section("Other launches", bullets(data.get("other_launches", [])))
        lines += section("Not understood", bullets(data.get("unread", [])))
        lines += [f"{count} more {name} left out" for name, count in self.omitted.items()]
        if self.redacted:
            lines.append(f"{self.redacted} secret{'s' if self.redacted > 1 else ''} blanked")
        return "\n".join(lines)


def _flag(flag: FlagReading) -> str:
    as_typed = "" if flag.given_as.partition("=")[0].partition(" ")[0] == flag.flag else f" (given as {flag.given_as})"
    meant = f", did you mean {flag.did_you_mean}?" if flag.did_you_mean else ""
    status = "" if flag.status == "ok" else f" [{flag.status}{meant}]"
    default = "the default" if flag.is_default else f"default {shown(flag.default)}"
    why = f" ({flag.default_why})" if flag.default_why else ""
    told = ". ".join(text.rstrip(".") for text in (flag.controls, flag.note) if text)
    known = "" if flag.status in ("unknown", "removed", "not_yet") else f"; {default}{why}"
    return f"- {flag.flag} {value(flag.value)}{as_typed}{status}{known}{'. ' + told if told else ''}"


def _problem(problem: Problem) -> str:
    named = not problem.flag or problem.flag in problem.message
    text = problem.message if named else f"{problem.flag}: {problem.message}"
    return f"- {problem.severity}: {row({'text': text, 'fix': problem.fix}, ('text',))}"


def run(arguments: Arguments) -> Answer:
    """Parse the paste; the first launch is answered, the others are named."""
    first, *others = deploy_all(**arguments.deployment())
    exact = first.catalogue_version == first.version
    lists = {"flags": first.flags, "problems": first.problems, "env": first.env, "unread": first.unread}
    omitted = {name: len(found) - MOST for name, found in lists.items() if len(found) > MOST}
    return Answer(
        summary=_summary(first), source=first.source, vllm_version=first.vllm_version, model=first.model_id,
        gpu=first.gpu.name if first.gpu else None, flags=first.flags[:MOST], env=first.env[:MOST],
        settings=first.settings, problems=first.problems[:MOST], redacted=first.redacted,
        gpu_count=first.gpu_count, gpu_origin=first.gpu_origin, model_origin=first.model_origin,
        catalogue_version=None if exact else first.catalogue_version,
        other_launches=tuple(_other(launch) for launch in others[:MOST]), unread=first.unread[:MOST], omitted=omitted,
    )


def _other(launch: Deployment) -> str:
    wrong = sum(problem.severity != "info" for problem in launch.problems)
    return f"{launch.model_id or 'no model'}: {len(launch.flags)} flags, {wrong} problems"


def _summary(launch: Deployment) -> str:
    changed = [f for f in launch.flags if f.status in ("ok", "deprecated") and not f.is_default and f.dest != "model"]
    on = f" on {gpu_words(launch)}" if launch.gpu else ""
    model = launch.model_id or "a model that is not named"
    sentences = [f"vLLM {launch.version} ({launch.vllm_version.origin}) with {model}{on}."]
    named = ", ".join(f"{f.flag} {shown(f.value)} (default {shown(f.default)})" for f in changed[:MOST_NAMED])
    more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
    sentences.append(f"Away from the default: {named}{more}." if changed else "Every flag stands at its default.")
    ranked = sorted(launch.problems, key=lambda problem: problem.severity != "fatal")
    worst = [problem for problem in ranked if problem.severity in ("fatal", "error")]
    if worst:
        more = f" ({len(worst) - 1} more)" if len(worst) > 1 else ""
        kind = "This version refuses it" if worst[0].severity == "fatal" else "Wrong"
        sentences.append(f"{kind}: {worst[0].message.rstrip('.')}{more}.{' ' + worst[0].fix if worst[0].fix else ''}")
    sentences.append(_in_force(launch))
    if launch.gpu is None:
        sentences.append("Without the GPU some defaults cannot be known: pass gpu.")
    return " ".join(filter(None, sentences))


def _in_force(launch: Deployment) -> str:
    known = [
        (text, launch.setting(name))
        for name, text in (
            ("max_num_batched_tokens", "{} tokens a step"), ("max_num_seqs", "{} sequences"),
            ("max_model_len", "max_model_len {}"), ("gpu_memory_utilization", "gpu_memory_utilization {}"),
        )
    ]
    parts = [text.format(shown(found)) for text, found in known if found is not None]
    return f"Settings: {', '.join(parts)}." if parts else ""
