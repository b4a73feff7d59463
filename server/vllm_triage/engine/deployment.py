"""A pasted launch, resolved: words, version, device, model and settings joined into one :class:`Deployment`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ..domain import Accelerator, Deployment, EnvReading, FlagReading, Json, ModelShape, Origin, Problem, Setting, Sourced
from ..facts import gpus
from ..facts.versions import KNOWN, NEWEST, nearest, number
from .accelerators import accelerator
from .settings import resolve

try:
    from ..readers.arguments import Arguments, read_arguments
    from ..readers.launches import Launch, Paste, read_launches
except ImportError:
    from ._interim import Arguments, Launch, Paste, read_arguments, read_launches

__all__ = ["UnreadableCommand", "deploy", "deploy_all", "redeploy"]

ACCEPTED = (
    "accepted are a `vllm serve ...` or `python -m vllm.entrypoints.openai.api_server ...` command, a shell script, docker run "
    "or compose, a Kubernetes manifest, a systemd unit, Python `LLM(...)`, a vLLM startup log, or a model id"
)


class UnreadableCommand(ValueError):  # noqa: N818 - it says what the text is
    """No launch was found in the text."""


def deploy(
    command: str | None,
    vllm_version: str | None = None,
    gpu: str | None = None,
    model_config: Mapping[str, Json] | None = None,
) -> Deployment:
    """The first launch of `command`, resolved. Arguments and errors as :func:`deploy_all`."""
    return deploy_all(command, vllm_version, gpu, model_config)[0]


def deploy_all(
    command: str | None,
    vllm_version: str | None = None,
    gpu: str | None = None,
    model_config: Mapping[str, Json] | None = None,
) -> tuple[Deployment, ...]:
    """Every launch of `command`, resolved, in the order pasted.

    Args:
        command: a launch in any form people paste, or a model id. None describes a deployment by `model_config`, version
            and device alone.
        vllm_version: outranks what the paste says of the version.
        gpu: device name in any form, with or without a count (``8x H200``); ``cpu`` for vLLM on a CPU.
        model_config: a Hugging Face config.json; outranks the model catalogue.

    Raises:
        UnreadableCommand: when no launch is in the text.
        ValueError: when `vllm_version` is not a version.
    """
    if vllm_version is not None:
        number(vllm_version)  # refuse before reading anything
    if command is None:
        paste = Paste((Launch("none", "serve", (), {}, None),), None, "", None, None, "", (), 0)
    else:
        paste = read_launches(command)
    if not paste.launches:
        raise UnreadableCommand(f"no vLLM launch found in the text; {ACCEPTED}")
    return tuple(_deployment(launch, paste, vllm_version, gpu, model_config) for launch in paste.launches)


def redeploy(deployment: Deployment, changes: Mapping[str, Json]) -> Deployment:
    """`deployment` with flags changed, read again as a command line.

    Args:
        deployment: the launch as it is.
        changes: parser destination to its new value; None takes the flag out.
    """
    args = {**deployment.args, **changes}
    words = _words({dest: value for dest, value in args.items() if value is not None}, deployment.catalogue_version)
    if deployment.model_id is not None and "model" not in args and "model_tag" not in args:
        words = (deployment.model_id, *words)
    arguments = read_arguments(words, deployment.version, "llm" if deployment.usage == "llm" else "serve", None)
    parts = _Parts(
        source=deployment.source, usage=deployment.usage, version=deployment.vllm_version, gpu=deployment.gpu,
        gpu_count=deployment.gpu_count, gpu_origin=deployment.gpu_origin, model=deployment.model,
        model_id=deployment.model_id, model_origin=deployment.model_origin, env=deployment.env,
        problems=[p for p in deployment.problems if p.code in OUR_PROBLEMS], unread=deployment.unread,
        redacted=deployment.redacted,
    )  # fmt: skip
    return _join(arguments, parts)


OUR_PROBLEMS = frozenset({
    "unknown-model", "unknown-architecture", "unknown-gpu", "ambiguous-gpu", "version-assumed", "version-nearest",
})  # fmt: skip
"""Codes of the problems found here, not by the argument reader."""


@dataclass(slots=True)
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
    launch: "Launch", paste: "Paste", version: str | None, gpu: str | None, config: Mapping[str, Json] | None
) -> Deployment:
    usage = "llm" if launch.entrypoint == "llm" else "server"
    problems: list[Problem] = []
    parts = _Parts(launch.source, usage, _version(version, launch, paste, problems), problems=problems)
    parts.unread = (*paste.unread, *launch.unread)
    parts.redacted = paste.redacted
    parts.env = tuple(EnvReading(name=name, value=value) for name, value in launch.env.items())
    _device(parts, gpu, launch, paste)
    arguments = read_arguments(launch.words, str(parts.version.value), launch.entrypoint, launch.config)
    _model(parts, arguments.model, config)
    return _join(arguments, parts)


def _version(given: str | None, launch: "Launch", paste: "Paste", problems: list[Problem]) -> Sourced:
    """Argument, else what the paste shows, else the newest known."""
    text, origin, why = given, "given", "vllm_version"
    if text is None and (launch.version or paste.version):
        text, origin, why = launch.version or paste.version, "derived", paste.version_why or "from the paste"
    if text is None:
        problems.append(Problem(
            severity="info", code="version-assumed",
            message=f"No vLLM version was given: answers are for {NEWEST}, the newest known. Defaults differ by version.",
            fix="give vllm_version",
        ))  # fmt: skip
        return Sourced(value=NEWEST, origin="assumed", why="newest release known")
    exact = text.strip().lower().removeprefix("v")
    if not exact[:1].isdigit():
        return Sourced(value=NEWEST, origin="assumed", why=f"{text!r} is read as the newest release known")
    if number(exact) > number(NEWEST):
        problems.append(Problem(
            severity="info", code="version-nearest",
            message=f"vLLM {exact} is newer than the catalogue: it is answered as {NEWEST}.",
        ))  # fmt: skip
    elif number(exact) < number(KNOWN[0]):
        problems.append(Problem(
            severity="info", code="version-nearest",
            message=f"vLLM {exact} is older than the catalogue: its flags are those of {KNOWN[0]}.",
        ))  # fmt: skip
    return Sourced(value=exact, origin=origin, why=why)


def _device(parts: _Parts, given: str | None, launch: "Launch", paste: "Paste") -> None:
    """The device, never guessed; what was taken for granted is said."""
    hint = launch.gpu or paste.gpu
    text = given if given is not None and given.strip() else hint
    parts.gpu_count = launch.gpu_count or paste.gpu_count
    if text is None:
        return
    found = gpus.match(text)
    parts.gpu_count = found.count or parts.gpu_count
    if found.gpu is None:
        near = found.candidates or gpus.suggest(text)
        parts.problems.append(Problem(
            severity="error" if text is given else "info", code="ambiguous-gpu" if found.candidates else "unknown-gpu",
            message=f"{text[:80]!r} is not a device of the catalogue. {found.note}".strip(),
            fix=f"say one of: {', '.join(near)}" if near else "name the device as the driver does, such as H100-SXM, or cpu",
        ))  # fmt: skip
        return
    parts.gpu, parts.gpu_origin = accelerator(found.gpu), "given" if text is given else "derived"
    if found.note:
        parts.problems.append(Problem(severity="info", code="ambiguous-gpu", message=found.note,
                                      fix=f"say which: {', '.join(found.candidates)}"))  # fmt: skip


def _model(parts: _Parts, name: str | None, config: Mapping[str, Json] | None) -> None:
    """The model's shape: a given config outranks the catalogue."""
    parts.model_id = name
    if config is not None:
        told = config.get("_name_or_path")
        identity = name or (told if isinstance(told, str) and told else "model_config")
        parts.model_id = identity
        try:
            parts.model, parts.model_origin = _shape_of(config, identity), "given"
        except ValueError as error:
            parts.problems.append(Problem(severity="error", code="unknown-architecture", message=str(error)[:300]))
        return
    if name is None:
        return
    parts.model = _catalogue_shape(name)
    if parts.model is None:
        parts.problems.append(Problem(
            severity="info", code="unknown-model",
            message=f"{name[:120]} is not in the model catalogue: KV bytes, weights, max_model_len and what follows from them "
            "cannot be computed.",
            fix="give model_config: the model's config.json as an object",
        ))  # fmt: skip
    else:
        parts.model_origin = "derived"


def _shape_of(config: Mapping[str, Json], identity: str) -> ModelShape:
    from ..readers.model_config import read_model_config  # noqa: PLC0415

    return read_model_config(config, identity)


@lru_cache(maxsize=256)
def _catalogue_shape(name: str) -> ModelShape | None:
    """The catalogue's model, read once."""
    try:
        from ..facts import models  # noqa: PLC0415
        from ..readers.model_config import read_model_config  # noqa: PLC0415
    except ImportError:
        return None
    found = models.find(name)
    if found is None:
        return None
    return read_model_config(
        found.config, found.id, params_total=found.params_total, params_active=found.params_active, source="catalogue"
    )


def _join(arguments: "Arguments", parts: _Parts) -> Deployment:
    version = str(parts.version.value)
    env = {reading.name: reading.value for reading in parts.env}
    values: dict[str, Json] = dict(arguments.values)
    draft = _draft(values)

    def settle(args: Mapping[str, Json]) -> dict[str, Setting]:
        return resolve(args, version, parts.gpu, parts.gpu_count, parts.model, parts.usage, env, draft)

    settings = settle(values)
    flags = tuple(_flag(given, values, settings, settle) for given in arguments.given)
    return Deployment(
        source=parts.source, vllm_version=parts.version, catalogue_version=nearest(version), usage=parts.usage,
        model=parts.model, model_id=parts.model_id, model_origin=parts.model_origin, gpu=parts.gpu,
        gpu_count=parts.gpu_count, gpu_origin=parts.gpu_origin, flags=flags, args=values, env=parts.env,
        settings=settings, problems=(*arguments.problems, *parts.problems), unread=parts.unread,
        redacted=parts.redacted,
    )  # fmt: skip


def _draft(args: Mapping[str, Json]) -> ModelShape | None:
    """The draft model of a speculative configuration, where the catalogue knows it."""
    spec = args.get("speculative_config")
    name = spec.get("model") if isinstance(spec, dict) else None
    return _catalogue_shape(name) if isinstance(name, str) else None


def _flag(given: Any, values: Mapping[str, Json], settings: Mapping[str, Setting], settle: Any) -> FlagReading:
    """One flag beside what this release would have used without it."""
    spec = given.spec
    dest = "" if spec is None else spec.dest
    default: Json = None if spec is None else spec.default
    why = ""
    if dest in settings and dest in values:
        without = settle({k: v for k, v in values.items() if k != dest})[dest]
        default, why = without.value, without.why
    return FlagReading(
        flag=given.flag, given_as=given.given_as, value=given.value, default=default, default_why=why,
        is_default=spec is not None and given.value == default, controls=_controls(dest), note=given.note or "",
        status=given.status, did_you_mean=given.did_you_mean, dest=dest,
    )  # fmt: skip


def _controls(dest: str) -> str:
    from ..facts.flags import knowledge  # noqa: PLC0415

    try:
        known = knowledge(dest) if dest else None
    except FileNotFoundError:
        known = None
    return "" if known is None else known.controls or known.one_line


def _words(args: Mapping[str, Json], version: str) -> tuple[str, ...]:
    """`args` written as a command line of `version`."""
    import json  # noqa: PLC0415

    from ..facts.flags import table  # noqa: PLC0415

    specs = table(version).by_dest
    words: list[str] = []
    for dest, value in args.items():
        spec = specs.get(dest)
        if spec is None or not spec.option_strings:
            continue
        if isinstance(value, bool) and not spec.takes_value:
            off = next((o for o in spec.option_strings if o in spec.negatives), None)
            words += [spec.flag] if value else [off] if off else []
        elif isinstance(value, list):
            words += [spec.flag, *(v if isinstance(v, str) else json.dumps(v) for v in value)]
        else:
            words += [spec.flag, value if isinstance(value, str) else json.dumps(value)]
    return tuple(words)
