"""Hints around the launches: the vLLM version and the accelerator, from tags, pins, log lines, directives and comments."""

import re
from functools import cache

from ...facts import gpus
from .containers import image_version
from .draft import Reading
from .nouns import Paste
from .resources import machine

__all__ = ["read_hints"]

_RELEASE = r"v?(0\.\d{1,3}(?:\.\d{1,3})?(?:(?:\.post|rc|\.dev)\d+)*)"
_VISIBLE = (
    "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES",
    "ASCEND_RT_VISIBLE_DEVICES",
)  # fmt: skip
_DEVICE_LIST = re.compile(r"(?:\d+|GPU-[\w-]+|MIG-[\w/-]+)(?:,(?:\d+|GPU-[\w-]+|MIG-[\w/-]+))*")
_MAX_TEXT = 200_000
"""Hints are looked for in the beginning of a text this long."""


@cache
def _version_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Where a version may stand, surest first."""
    return (
        ("the engine's log line", re.compile(r"Initializing an? (?:V1 )?LLM engine \(" + _RELEASE)),
        ("the server's log line", re.compile(r"(?:[█▀▄]\s+|server |API server )version " + _RELEASE)),
        ("collect_env", re.compile(r"^vLLM Version\s*:\s*" + _RELEASE, re.M)),
        ("a pinned package", re.compile(r"\bvllm(?:\[[\w,-]+\])?\s*={2,3}\s*[\"']?" + _RELEASE)),
        ("a wheel", re.compile(r"\bvllm-" + _RELEASE + r"[\w+.]*-(?:cp|py)\d")),
        ("pip", re.compile(r"^vllm[ \t]+" + _RELEASE + r"(?=\s|$)", re.M)),
        ("pip", re.compile(r"Successfully installed [^\n]{0,2000}?\bvllm-" + _RELEASE)),
        ("an image's tag", re.compile(r"$^")),  # looked for below: the tag decides which images count
        ("the text", re.compile(r"\bvllm(?:[ \t]+(?:version|release))?[ \t]*[:=@]?[ \t]*" + _RELEASE + r"(?![\w.]*[/\w])", re.I)),
    )


@cache
def _images() -> re.Pattern[str]:
    return re.compile(r"(?<![\w./-])[\w./-]{0,160}?vllm[\w./-]{0,80}:[\w.-]{1,128}")


@cache
def _devices() -> tuple[re.Pattern[str], ...]:
    """Where a text names its accelerator outright: what the driver prints, and a count times a name."""
    family = (
        r"(?:NVIDIA[ -])?(?:(?:H100|H200|H800|H20|A100|A800|A10G?|A30|A40|L40S?|L4|T4|V100|B200|B300|GB200|GB300|GH200|GB10|"
        r"MI\d{3}[AX]?)(?:[ -](?:SXM\d?|PCIe|NVL|HBM3e?|\d{2,3} ?GB?))*|RTX[ -]?(?:PRO[ -])?[A]?\d{4}(?:[ -](?:Ti|Ada|D))?)"
    )
    return (
        re.compile(r"\b(NVIDIA (?:GeForce |RTX |Tesla )?[A-Z]{1,3}\d[\w-]*(?: [\w-]{2,12}){0,3})"),
        re.compile(r"\b(AMD Instinct MI\w+)"),
        re.compile(r"(?<![\w.-])(\d{1,2} ?[x×*] ?" + family + r")(?![\w-])", re.I),
        re.compile(r"(?<![\w.-])(" + family + r" ?[x×*] ?\d{1,2})(?![\w.-])", re.I),
        re.compile(r"(?:\bon (?:an?|one|a single|my|our)?[ ]?|(?:GPU|Hardware|Accelerator|Device|Card)s?\s*[:=]\s*)(" + family + r")(?![\w-])", re.I),
    )  # fmt: skip


_UNSURE = re.compile(r"\b(?:should|could|would|might|fits?|requires?|needs?|recommend\w*|minimum|at least|e\.g\.|or|tested|if|unlike|vs)\b", re.I)
_DIRECTIVE = re.compile(r"^\s*#(?:SBATCH|PBS|FLUX:|BSUB)\s+(.*)$", re.M)
_GRES = re.compile(r"--(?:gres|gpus(?:-per-node|-per-task)?|gpus-per-node)[= ](?:gpu:)?(?:([A-Za-z][\w.-]*):)?(\d+)")
_CONSTRAINT = re.compile(r"(?:--constraint[= ]|-C )[\"']?([\w-]+)")


def read_hints(text: str, reading: Reading) -> Paste:
    """The version and the accelerator that the paste names, with the reason; each launch gets its own device count."""
    text = text[:_MAX_TEXT]
    version, why = _version(text, reading)
    for draft in reading.drafts:
        if draft.gpu_count is None:
            draft.gpu_count = _visible(draft.env)
        if draft.gpu is not None and (found := machine(draft.gpu)):
            draft.gpu, draft.gpu_count = found[0], draft.gpu_count or found[1]
    _from_directives(text, reading)
    _from_drafts(reading)
    if reading.gpu is None:
        _from_text(text, reading)
    return Paste(version=version, version_why=why, gpu=reading.gpu, gpu_count=reading.gpu_count, gpu_why=reading.gpu_why)


def _version(text: str, reading: Reading) -> tuple[str | None, str]:
    floating = ""
    for why, pattern in _version_patterns():
        if why == "an image's tag":
            for match in _images().finditer(text):
                if found := image_version(match[0]):
                    return found, f"image {match[0]}"
                floating = floating or match[0]
            for draft in reading.drafts:
                if draft.version:
                    return draft.version, draft.place
        elif match := pattern.search(text):
            return match[1], f"{why}: {' '.join(match[0].split())[-80:]}"
    if floating and floating.rsplit(":", 1)[-1].startswith(("latest", "nightly")):
        return None, f"image {floating} names no release"
    return None, ""


def _visible(env: dict[str, str]) -> int | None:
    for name in _VISIBLE:
        value = env.get(name, "").strip().strip("\"'")
        if value and _DEVICE_LIST.fullmatch(value):
            return len(value.split(","))
    return None


def _from_directives(text: str, reading: Reading) -> None:
    """``#SBATCH --gres=gpu:h100:8`` and its kin."""
    if "#SBATCH" not in text and "#PBS" not in text and "srun" not in text:
        return
    lines = [match[1] for match in _DIRECTIVE.finditer(text)] + [line for line in text.split("\n") if "srun" in line]
    for line in lines:
        if match := _GRES.search(line):
            known = match[1] if match[1] and match[1].lower() != "gpu" else None
            reading.hint(known, int(match[2]), line.strip()[:80])
    for line in lines:
        if (match := _CONSTRAINT.search(line)) and gpus.parse_gpu(match[1])[0] is not None:
            reading.hint(match[1], None, line.strip()[:80])


def _from_drafts(reading: Reading) -> None:
    for draft in reading.drafts:
        reading.hint(draft.gpu, draft.gpu_count, draft.place)


def _from_text(text: str, reading: Reading) -> None:
    """A device the text names in words; only when it names one, and does not merely weigh it."""
    names: dict[str, tuple[str, int | None, str]] = {}
    for pattern in _devices():
        for match in pattern.finditer(text):
            start = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            sentence = text[start : len(text) if end < 0 else end]
            if pattern is not _devices()[0] and _UNSURE.search(sentence[:400]):
                continue
            gpu, count = gpus.parse_gpu(match[1])
            if gpu is not None:
                names.setdefault(gpu.name, (match[1].strip(), count, " ".join(sentence.split())[:80]))
        if names:
            break
    if len(names) == 1:
        typed, count, why = next(iter(names.values()))
        reading.hint(re.sub(r"^\d{1,2} ?[x×*] ?| ?[x×*] ?\d{1,2}$", "", typed), count, why)
