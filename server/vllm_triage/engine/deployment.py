"""A pasted launch, resolved: words, version, device, model and settings joined into one :class:`Deployment`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ..domain import Accelerator, Deployment, EnvReading, Json, ModelShape, Origin, Problem, Sourced
from ..facts import env, gpus
from ..facts.versions import KNOWN, NEWEST, nearest, number
from ..readers.arguments import Arguments, read_arguments
from ..readers.launches import Launch, Paste, read_launches
from ..readers.model_files import UnreadableModel
from ..readers.model_sources import downloaded, in_folder, permitted
from .accelerators import accelerator
from .flag_readings import flag_readings, words_of
from .model_of import known_shape, overrides_in_force, shape_of, shape_of_files, suggestions
from .open_values import close, left_open, still_open, unknown
from .settings import resolution

__all__ = ["UnreadableCommand", "deploy", "deploy_all", "redeploy"]

ACCEPTED = (
    "accepted are a `vllm serve ...` or `python -m vllm.entrypoints.openai.api_server ...` command, a shell script, "
    "docker run or compose, a Kubernetes manifest, Helm values, a systemd unit, Python `LLM(...)`, a vLLM startup log, "
    "or a model id"
)
OURS = frozenset({
    "unknown-model", "unknown-architecture", "unread-model", "unknown-gpu", "ambiguous-gpu", "version-assumed", "version-nearest",
    "read-as", "override-idle", "open-value",
})  # fmt: skip
"""Codes of the problems found here; those of the argument reader are found anew when a launch is read again."""


MOST_GUESSES = 40
"""A launch that sets more variables than this is none; looking for what each might mean would only take time."""
KEPT_CHARS = 16_384
"""Longest command whose deployments are kept for the next call."""


class UnreadableCommand(ValueError):
    """No launch was found in the text."""


def deploy(
    command: str | None,
    vllm_version: str | None = None,
    gpu: str | None = None,
    model_config: Mapping[str, Json] | None = None,
) -> Deployment:
    """The first launch of `command`, resolved. Arguments and errors as :func:`deploy_all`."""
    pasted = _pasted(command, vllm_version, gpu, model_config)
    return pasted.resolved(pasted.paste.launches[0])


def deploy_all(
    command: str | None,
    vllm_version: str | None = None,
    gpu: str | None = None,
    model_config: Mapping[str, Json] | None = None,
) -> tuple[Deployment, ...]:
    """Every launch of `command`, resolved, in the order pasted.

    Args:
        command: a launch in any form people paste, or a model id. None describes a deployment by the other three alone.
        vllm_version: outranks what the paste says of the version.
        gpu: device name in any form, with or without a count (``8x H200``); ``cpu`` for vLLM on a CPU.
        model_config: a Hugging Face config.json; outranks the model catalogue.

    Raises:
        UnreadableCommand: when no launch is in the text.
        ValueError: when `vllm_version` is not a version.
    """
    pasted = _pasted(command, vllm_version, gpu, model_config)
    return tuple(map(pasted.resolved, pasted.paste.launches))


@dataclass(slots=True)
class _Pasted:
    """A paste read once, with what is said of it; its launches are resolved as they are asked for."""

    paste: Paste
    version: str | None
    gpu: str | None
    config: Mapping[str, Json] | None
    done: dict[str, Deployment] = field(default_factory=dict)

    def resolved(self, launch: Launch) -> Deployment:
        """The launch's deployment; launches that differ in nothing but their place are resolved once."""
        alike = launch.model_dump_json(exclude={"place"}) if len(self.paste.launches) > 1 else ""
        if (found := self.done.get(alike)) is None:
            found = self.done[alike] = _deployment(launch, self.paste, self.version, self.gpu, self.config)
        return found


def _pasted(
    command: str | None, vllm_version: str | None, gpu: str | None, model_config: Mapping[str, Json] | None
) -> _Pasted:
    vllm_version, gpu = (vllm_version or "").strip() or None, (gpu or "").strip() or None
    keeps = model_config is None and permitted().none  # a folder may change while the process lives
    if keeps and command is not None and len(command) <= KEPT_CHARS:
        return _kept(command, vllm_version, gpu)
    return _read(command, vllm_version, gpu, model_config)


@lru_cache(maxsize=8)
def _kept(command: str, vllm_version: str | None, gpu: str | None) -> _Pasted:
    """The last few pastes: whoever asks one tool about a launch soon asks the next about the same."""
    return _read(command, vllm_version, gpu, None)


def _read(
    command: str | None, vllm_version: str | None, gpu: str | None, model_config: Mapping[str, Json] | None
) -> _Pasted:
    if vllm_version is not None:
        number(vllm_version)  # refuse before reading anything
    nothing = Paste(launches=(Launch(source="none", entrypoint="serve", words=()),))
    paste = nothing if command is None else read_launches(command)
    if not paste.launches:
        seen = paste.unread[0] if paste.unread else "no vLLM launch was found in the text"
        raise UnreadableCommand(f"{seen}; {ACCEPTED}")
    return _Pasted(paste, vllm_version, gpu, model_config)


def redeploy(deployment: Deployment, changes: Mapping[str, Json]) -> Deployment:
    """`deployment` with flags changed, read again as the command line it would be.

    Args:
        deployment: the launch as it is.
        changes: parser destination (``max_num_seqs``) to its new value; None takes the flag out.
    """
    named = {"model", "model_tag"}  # the model goes in front of the flags, where every version takes it
    args = {k: v for k, v in {**deployment.args, **changes}.items() if v is not None and k not in named}
    words = words_of(args, deployment.catalogue_version)
    if deployment.model_id is not None:
        words = (*(("--model",) if deployment.usage == "llm" else ()), deployment.model_id, *words)
    arguments = read_arguments(words, deployment.version, "llm" if deployment.usage == "llm" else "serve", None)
    changed = _join(arguments, _Parts(
        source=deployment.source, usage=deployment.usage, version=deployment.vllm_version, gpu=deployment.gpu,
        gpu_count=deployment.gpu_count, gpu_origin=deployment.gpu_origin, model=deployment.model,
        model_id=deployment.model_id, model_origin=deployment.model_origin, env=deployment.env,
        problems=[problem for problem in deployment.problems if _stands(problem, changes)], unread=deployment.unread,
        redacted=deployment.redacted,
    ))  # fmt: skip
    left = {name: words for name, words in still_open(deployment.settings).items() if name not in changes}
    return changed.but(settings=unknown(changed.settings, left)) if left else changed


def _stands(problem: Problem, changes: Mapping[str, Json]) -> bool:
    """Whether a problem found here still holds once the flags are changed: what an open value hid is then known."""
    settled = problem.code == "open-value" and (problem.flag or "").lstrip("-").replace("-", "_") in changes
    return problem.code in OURS and not settled


@dataclass(slots=True, eq=False, repr=False)
class _Parts:
    """A deployment under construction."""

    source: str
    usage: str
    version: Sourced
    gpu: Accelerator | None = None
    gpu_count: int | None = None
    gpu_origin: Origin | None = None
    model: ModelShape | None = None
    model_id: str | None = None
    model_origin: Origin | None = None
    env: tuple[EnvReading, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    unread: tuple[str, ...] = ()
    redacted: int = 0


def _deployment(
    launch: Launch, paste: Paste, version: str | None, gpu: str | None, config: Mapping[str, Json] | None
) -> Deployment:
    problems = list(launch.problems)
    problems += [Problem(severity="info", code="read-as", message=note) for note in launch.notes]
    usage = "llm" if launch.entrypoint == "llm" else "server"
    parts = _Parts(launch.source, usage, _version(version, launch, paste, problems), problems=problems)
    parts.unread = tuple(dict.fromkeys((*paste.unread, *launch.unread)))
    parts.redacted = paste.redacted
    release = str(parts.version.value)
    few = len(launch.env) <= MOST_GUESSES
    parts.env = tuple(
        EnvReading(name=n, value=v, note=env.note(n, release, guess=few)) for n, v in launch.env.items()
    )
    _device(parts, gpu, launch, paste)
    arguments = read_arguments(launch.words, release, launch.entrypoint, launch.config)
    left = left_open(launch, arguments)
    arguments = close(launch, arguments)
    _model(parts, arguments, config)
    if arguments.model is not None and launch.is_placeholder(arguments.model):  # said already, and no model to look for
        parts.problems = [problem for problem in parts.problems if problem.code != "unknown-model"]
    deployment = _join(arguments, parts)
    return deployment.but(settings=unknown(deployment.settings, left)) if left else deployment


def _version(given: str | None, launch: Launch, paste: Paste, problems: list[Problem]) -> Sourced:
    """The argument, else what the paste shows, else the newest known."""
    text, origin, why = given, "given", "vllm_version"
    if text is None:
        text, origin, why = launch.version or paste.version, "derived", paste.version_why or "from the paste"
    if text is None:
        problems.append(Problem(
            severity="info", code="version-assumed", fix="give vllm_version",
            message=f"No vLLM version was given: answers are for {NEWEST}, the newest known. Defaults differ by "
            "version.",
        ))  # fmt: skip
        return Sourced(value=NEWEST, origin="assumed", why="newest release known")
    exact = text.strip().lower().removeprefix("v")
    if not exact[:1].isdigit():
        return Sourced(value=NEWEST, origin="assumed", why=f"{text.strip()[:40]!r} is read as the newest release known")
    if number(exact) > number(NEWEST):
        message = (
            f"vLLM {exact[:40]} is newer than the catalogue: its flags and defaults are taken to be those of {NEWEST}."
        )
        problems.append(Problem(severity="info", code="version-nearest", message=message))
    elif number(exact) < number(KNOWN[0]):
        message = f"vLLM {exact[:40]} is older than the flag catalogue: its flags are taken to be those of {KNOWN[0]}."
        problems.append(Problem(severity="info", code="version-nearest", message=message))
    return Sourced(value=exact[:40], origin="given" if origin == "given" else "derived", why=why)


def _device(parts: _Parts, given: str | None, launch: Launch, paste: Paste) -> None:
    """The device, never guessed; what was taken for granted is said."""
    text = given or launch.gpu or paste.gpu or _cpu_build(parts)
    parts.gpu_count = launch.gpu_count or paste.gpu_count
    if text is None:
        return
    found = gpus.match(text)
    parts.gpu_count = found.devices or parts.gpu_count
    if found.gpu is None:
        near = found.candidates or gpus.suggest(text)
        note = f" ({found.note})" if found.note else ""
        parts.problems.append(Problem(
            severity="error" if given else "info", code="ambiguous-gpu" if found.candidates else "unknown-gpu",
            message=f"{text[:80]!r} is not one device of the catalogue{note}: settings that "
            "depend on the device are left open.",
            fix=f"say one of: {', '.join(near)}" if near else "name it as its driver does, or say cpu",
        ))  # fmt: skip
        return
    parts.gpu, parts.gpu_origin = accelerator(found.gpu), "given" if given else "derived"
    if found.note:
        fix = f"say which: {', '.join(found.candidates)}"
        parts.problems.append(Problem(
            severity="warning" if _may_be_less(found.gpu, found.candidates) else "info",
            code="ambiguous-gpu", message=found.note, fix=fix,
        ))  # fmt: skip


def _may_be_less(taken: gpus.GpuFacts, candidates: Sequence[str]) -> bool:
    """Whether one of the devices a name may mean has less memory than the one taken, or another capability."""
    others = [device for device in map(gpus.find, candidates) if device is not None]
    return any(
        device.compute_capability != taken.compute_capability
        or (device.marketing_gb or 0) < (taken.marketing_gb or 0)
        for device in others
    )


def _cpu_build(parts: _Parts) -> str | None:
    """``cpu`` where only vLLM's CPU build would be launched so: its version suffix, its environment variables."""
    suffixed = str(parts.version.value).partition("+")[2].startswith("cpu")
    return "cpu" if suffixed or any(reading.name.startswith("VLLM_CPU_") for reading in parts.env) else None


def _model(parts: _Parts, arguments: Arguments, config: Mapping[str, Json] | None) -> None:
    """The model's shape: a given config outranks the catalogue, --hf-overrides are applied to either."""
    parts.model_id = arguments.model
    overrides, idle = overrides_in_force(arguments.values, str(parts.version.value))
    if idle:
        parts.problems.append(Problem(
            severity="warning", flag="--hf-overrides", code="override-idle",
            message=f"{idle} in --hf-overrides does not change the context length in this version, which reads "
            "rope_parameters.",
            fix="override rope_parameters, with rope_theta in it",
        ))  # fmt: skip
    try:
        if config is not None:
            parts.model_id = arguments.model or _named(config)
            parts.model, parts.model_origin = shape_of(config, parts.model_id, overrides), "given"
        elif (files := in_folder(arguments.model)) is not None:
            parts.model_id = arguments.model or _named(files.config)
            parts.model, parts.model_origin = shape_of_files(files, parts.model_id, overrides), "given"
        elif arguments.model is not None:
            parts.model = known_shape(arguments.model, overrides)
            if parts.model is None and (files := downloaded(arguments.model, _revision(arguments))) is not None:
                parts.model = shape_of_files(files, arguments.model, overrides)
            parts.model_origin = None if parts.model is None else "derived"
            if parts.model is None:
                parts.problems.append(_unknown_model(arguments.model))
    except ValueError as error:
        fix, code = "the rest is answered; what needs the model's shape is left open", "unknown-architecture"
        if isinstance(error, UnreadableModel):
            fix, code = "give model_config (the model's config.json as an object)", "unread-model"
        parts.problems.append(Problem(severity="error", code=code, message=str(error)[:300], fix=fix))


def _revision(arguments: Arguments) -> str | None:
    given = arguments.values.get("revision")
    return given if isinstance(given, str) else None


def _named(config: Mapping[str, Json]) -> str:
    told = config.get("_name_or_path")
    return told if isinstance(told, str) and told.strip() else "model_config"


def _unknown_model(name: str) -> Problem:
    near = ", ".join(suggestions(name))
    return Problem(
        severity="info", code="unknown-model",
        message=f"{name[:120]} is not in the model catalogue: its KV bytes, weights and max_model_len, and what "
        "follows from them, cannot be computed.",
        fix="give model_config (the model's config.json as an object)" + (f"; near names: {near}" if near else ""),
    )  # fmt: skip


def _join(arguments: Arguments, parts: _Parts) -> Deployment:
    version = str(parts.version.value)
    variables = {reading.name: reading.value for reading in parts.env}
    values: dict[str, Json] = dict(arguments.values)
    resolved = resolution(
        values, version, parts.gpu, parts.gpu_count, parts.model, usage=parts.usage, env=variables, draft=_draft(values)
    )
    return Deployment(
        source=parts.source, vllm_version=parts.version, catalogue_version=nearest(version),
        usage="llm" if parts.usage == "llm" else "server", model=parts.model, model_id=parts.model_id,
        model_origin=parts.model_origin, gpu=parts.gpu, gpu_count=parts.gpu_count, gpu_origin=parts.gpu_origin,
        flags=flag_readings(arguments, resolved), args=values, env=parts.env, settings=resolved.settings,
        problems=(*arguments.problems, *parts.problems), unread=parts.unread, redacted=parts.redacted,
    )  # fmt: skip


def _draft(args: Mapping[str, Json]) -> ModelShape | None:
    """The draft model of a speculative configuration, where the catalogue knows it."""
    given = args.get("speculative_config")
    name = given.get("model") if isinstance(given, dict) else args.get("spec_model")
    try:
        return known_shape(name, {}) if isinstance(name, str) else None
    except ValueError:
        return None
