"""What a tool is called with: one reading for both doors, with errors a person (or a model) can act on.

Every tool's ``Arguments`` derives from :class:`ToolArguments`. Two groups of arguments are shared under the same
names everywhere: *deployment* (:class:`DeploymentArguments`) and *metrics* (:class:`MetricsArguments`). Configuration
has one language, vLLM's own command line: there is no ``max_model_len`` argument to contradict the ``command``.

Numbers may be texts that spell one ("12.5"), an object or a list may be a JSON text (some clients send them so),
and ``null`` means "not given". A name that does not exist is an error, never ignored: a misspelt optional argument
would otherwise give a confident answer to another question.
"""

import json
from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ..facts.versions import NEWEST
from ..facts.versions import nearest as nearest_release

__all__ = [
    "Amount", "BadArguments", "DeploymentArguments", "Evidence", "MetricsArguments", "OptionalDeploymentArguments",
    "Texts", "Tokens", "ToolArguments", "Version", "argument_names", "nearest", "read_arguments",
]

MAX_COMMAND_CHARS = 2**18
"""Longest ``command``: room for any manifest; a long log belongs into ``evidence``."""

MAX_EVIDENCE_CHARS = 16 * 2**20
"""Longest single pasted text."""

MAX_EVIDENCE_TEXTS = 64


class BadArguments(ValueError):
    """The arguments do not fit the tool. The text says which, what is accepted, and what to send instead."""


class ToolArguments(BaseModel):
    """The arguments of one tool. Closed to unknown names; types are forgiving where the meaning is plain."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True, defer_build=True
    )


def _texts(value: object) -> object:
    """A single text is a list of one; an object among the texts (an already parsed JSON) is text again."""
    if isinstance(value, str | Mapping):
        value = [value]
    if isinstance(value, list | tuple):
        return tuple(json.dumps(item) if isinstance(item, Mapping) else item for item in value)
    return value


Text = Annotated[str, Field(max_length=MAX_EVIDENCE_CHARS)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts), Field(max_length=MAX_EVIDENCE_TEXTS)]
"""A few words; a single one may stand by itself."""

Evidence = Annotated[tuple[Text, ...], BeforeValidator(_texts), Field(max_length=MAX_EVIDENCE_TEXTS)]
"""Pasted texts, each as it is: log, /metrics, benchmark JSON or printout."""


def _version(text: str) -> str:
    nearest_release(text)  # raises ValueError in words when it cannot be read
    return text


Version = Annotated[str, Field(max_length=64), AfterValidator(_version)]
"""A vLLM version in any usual spelling: 0.18.0, v0.18, 0.32.0+cpu, latest."""

Command = Annotated[str, Field(max_length=MAX_COMMAND_CHARS)]
Amount = Annotated[float, Field(ge=0, le=1e12)]
Tokens = Annotated[int, Field(ge=1, le=10**12)]

_COMMAND = "The launch as pasted: vllm serve..., docker run, manifest, Python, log line; or a model id."
_EVIDENCE = "Pasted texts as they are: startup log, /metrics, benchmark JSON or printout."


class OptionalDeploymentArguments(ToolArguments):
    """*deployment*, for the tools that can do without a launch."""

    command: Command | None = Field(None, description=_COMMAND)
    vllm_version: Version | None = Field(None, description="e.g. 0.18.0; else read from the paste.")
    gpu: str | None = Field(None, max_length=200, description='Any name, with a count: "H100", "8x H200".')
    hf_config: dict[str, Any] | None = Field(
        None, alias="model_config", description="The model's config.json; outranks the catalogue."
    )

    def deployment(self) -> dict[str, Any]:
        """The keyword arguments of ``engine.deployment.deploy``."""
        return {
            "command": self.command, "vllm_version": self.vllm_version, "gpu": self.gpu, "model_config": self.hf_config,
        }


class DeploymentArguments(OptionalDeploymentArguments):
    """*deployment*: the launch is required."""

    command: Command = Field(description=_COMMAND)


class MetricsArguments(ToolArguments):
    """*metrics*: what was measured, as numbers or as the texts they stand in."""

    ttft_ms_mean: Amount | None = None
    ttft_ms_p99: Amount | None = None
    itl_ms_mean: Amount | None = Field(None, description="Gap between streamed chunks; not TPOT.")
    itl_ms_p99: Amount | None = None
    tpot_ms_mean: Amount | None = Field(None, description="(e2e - TTFT)/(output tokens - 1).")
    output_tok_s: Amount | None = None
    total_tok_s: Amount | None = Field(None, description="Input + output.")
    request_rate: Amount | None = Field(None, description="Requests/s.")
    concurrency: Amount | None = Field(None, description="Requests in flight from the clients.")
    input_tokens: Amount | None = Field(None, description="Mean prompt length.")
    output_tokens: Amount | None = Field(None, description="Mean output length.")
    evidence: Evidence = Field((), description=_EVIDENCE)

    def given(self) -> dict[str, float]:
        """The numbers that were given, under the contract's names."""
        names = MetricsArguments.model_fields.keys() - {"evidence"}
        return {name: value for name in MetricsArguments.model_fields if name in names
                and (value := getattr(self, name)) is not None}


_T = TypeVar("_T", bound=ToolArguments)


def read_arguments(model: type[_T], given: Mapping[str, object]) -> _T:
    """`given`, checked and typed.

    Raises:
        BadArguments: naming every argument that does not fit, with the nearest valid name or what is accepted.
    """
    names = argument_names(model)
    unknown = [name for name in given if name not in names]
    if unknown:
        raise BadArguments(" ".join(_unknown(name, names) for name in unknown[:5]))
    cleaned = {name: _unpacked(value, model, names[name]) for name, value in given.items() if value is not None}
    try:
        return model.model_validate(cleaned)
    except ValidationError as error:
        # The rejected value itself is not repeated: it may be a pasted secret, or a megabyte.
        raise BadArguments(" ".join(_misfits(error, names))) from None


def argument_names(model: type[ToolArguments]) -> dict[str, str]:
    """Public argument name -> field name, in the order of the schema."""
    return {field.alias or name: name for name, field in model.model_fields.items()}


def _unpacked(value: object, model: type[ToolArguments], field: str) -> object:
    """`value`, parsed when it is a JSON text where an object or a list is wanted.

    A single pasted text stays a text even when it is JSON itself (a benchmark result): only a list of texts is opened.
    """
    opens = isinstance(value, str) and value.lstrip().startswith(("[", "{"))
    if not isinstance(value, str) or not opens or _wants_text(model.model_fields[field].annotation):
        return value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    if field == "evidence":
        return parsed if isinstance(parsed, list) and all(isinstance(item, str) for item in parsed) else value
    return parsed


def _wants_text(annotation: Any) -> bool:
    arms = [arm for arm in get_args(annotation) if arm is not NoneType] or [annotation]
    return all(arm is str or (get_origin(arm) is Annotated and get_args(arm)[0] is str) for arm in arms)


_ELSEWHERE = {
    "model": "command", "args": "command", "flags": "command", "launch": "command", "cmd": "command",
    "version": "vllm_version", "config": "model_config", "hf_config": "model_config", "gpus": "gpu", "hardware": "gpu",
    "device": "gpu", "accelerator": "gpu", "metrics": "evidence", "log": "evidence", "logs": "evidence",
    "startup_log": "evidence", "benchmark": "evidence", "bench": "evidence", "texts": "evidence",
    "ttft": "ttft_ms_mean", "itl": "itl_ms_mean", "tpot": "tpot_ms_mean", "throughput": "output_tok_s",
    "isl": "input_tokens", "osl": "output_tokens", "users": "concurrency", "rate": "request_rate",
    "qps": "request_rate", "name": "term", "flag": "term", "metric": "term", "rule": "term", "topic": "term",
}
"""What people call an argument -> its name."""


def _unknown(name: str, names: Mapping[str, str]) -> str:
    shown = name if name.isprintable() and len(name) <= 64 else ascii(name[:61] + "...")
    if "command" in names and (option := _vllm_option(name)):
        return f"Unknown argument {shown}: configuration is written as flags, add {option} to command."
    near = nearest(name, names)
    hint = f"did you mean {near}?" if near else f"accepted: {', '.join(names)}."
    return f"Unknown argument {shown}: {hint}"


def nearest(name: str, names: Sequence[str] | Mapping[str, str]) -> str | None:
    """The valid name closest to `name`, or None when nothing is close."""
    from difflib import get_close_matches  # noqa: PLC0415 (only on the way to an error)

    plain = name.lower().lstrip("-").replace("-", "_")
    if plain in names:
        return plain
    if _ELSEWHERE.get(plain) in names:
        return _ELSEWHERE[plain]
    close = get_close_matches(plain, list(names), n=1, cutoff=0.6)
    if close:
        return close[0]
    return next((valid for valid in names if len(plain) >= 3 and (valid.startswith(plain) or plain in valid)), None)


def _vllm_option(name: str) -> str | None:
    """``--max-model-len`` for ``max_model_len``: a vLLM flag sent as if it were an argument."""
    from ..facts.flags import table  # noqa: PLC0415 (only on the way to an error)

    spec = table(NEWEST).by_option("--" + name.lstrip("-").replace("_", "-"))
    return None if spec is None or name in _ELSEWHERE else spec.option_strings[0]


_EXPECTED = {
    "float": "a number", "int": "a whole number", "bool": "true or false", "string": "text", "dict": "a JSON object",
    "tuple": "a list", "list": "a list", "model": "a JSON object",
}


def _misfits(error: ValidationError, names: Mapping[str, str]) -> list[str]:
    public = {field: name for name, field in names.items()}
    texts: dict[str, None] = {}  # one line per place, in order
    for problem in error.errors(include_url=False, include_input=False)[:5]:
        place = [str(part) for part in problem["loc"]]
        where = ".".join([public.get(place[0], place[0]), *place[1:]]) if place else "arguments"
        texts[f"{where}: {_expectation(str(problem['type']), problem.get('ctx') or {}, str(problem['msg']))}."] = None
    return list(texts)


def _expectation(kind: str, limits: Mapping[str, Any], message: str) -> str:
    if kind == "missing":
        return "required, and missing"
    if kind in ("greater_than_equal", "greater_than"):
        return f"must be at least {limits.get('ge', limits.get('gt'))}"
    if kind == "less_than_equal":
        return f"must be at most {limits['le']:g}"
    if kind == "string_too_long":
        return f"longer than {limits['max_length']:,} characters; paste only the part that matters"
    if kind == "too_long":
        return f"more than {limits['max_length']} entries"
    if kind == "finite_number":
        return "must be a finite number"
    if kind == "literal_error":
        return f"accepted: {limits['expected']}"
    if kind == "int_from_float":
        return "expected a whole number"
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    expected = _EXPECTED.get(kind.partition("_")[0])
    return f"expected {expected}" if expected else message.lower()
