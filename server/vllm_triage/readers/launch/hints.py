"""Hints around the launches: the vLLM version and the accelerator, from tags, pins, log lines, directives and
comments."""

import re
from collections.abc import Iterator

from ...facts import gpus
from ..lazy import Lazy
from .containers import image_version
from .draft import Reading
from .nouns import Paste
from .resources import machine

__all__ = ["read_hints"]

_RELEASE = r"v?(?!0\.1\.dev)(0\.\d{1,3}(?:\.\d{1,3})?(?:(?:\.post|rc|\.dev)\d+)*)"
_VISIBLE = (
    "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES",
    "ASCEND_RT_VISIBLE_DEVICES",
)  # fmt: skip
_DEVICE_LIST = Lazy(r"(?:\d+|GPU-[\w-]+|MIG-[\w/-]+)(?:,(?:\d+|GPU-[\w-]+|MIG-[\w/-]+))*")
_MAX_TEXT = 200_000
"""Hints are looked for in the beginning of a text, this long."""
_MAX_FINDS = 100
_TOKEN_END = Lazy(r"[^\w./:@+=-]")

# Where a version may stand, surest first. Each begins at the word "vllm" or at a mark of its own.
_LOG_VERSIONS = (
    ("the engine's log line", "LLM engine (", Lazy(r"LLM engine \(" + _RELEASE)),
    ("the server's log line", " version ", Lazy(r"(?:[█▀▄]\s+|server |API server )version " + _RELEASE)),
)
_NAMED_VERSIONS = (
    ("collect_env", Lazy(r"vllm version\s*:\s*" + _RELEASE, re.I)),
    ("a pinned package", Lazy(r"vllm(?:\[[\w,-]+\])?\s*(?:={2,3}|@)\s*[\"']?" + _RELEASE, re.I)),
    ("an installed package", Lazy(r"vllm-" + _RELEASE + r"(?=[\s+-]|$)", re.I)),
    ("an image's tag", None),
    (
        "the text",
        Lazy(
            r"vllm(?:[ \t]+(?:version|release))?[ \t]*[:=@]?[ \t]+"
            + _RELEASE
            + r"(?![\w.]*[/\w]|\+|[ \t]*(?:or|and)[ \t]+(?:later|newer|above|up))",
            re.I,
        ),
    ),
)


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
    for draft in reading.drafts:
        reading.hint(draft.gpu, draft.gpu_count, draft.place)
    if reading.gpu is None:
        _from_text(text, reading)
    if reading.gpu is None:
        _from_builds(text, reading)
    return Paste(
        version=version, version_why=why, gpu=reading.gpu, gpu_count=reading.gpu_count, gpu_why=reading.gpu_why
    )


def _version(text: str, reading: Reading) -> tuple[str | None, str]:
    for why, needle, pattern in _LOG_VERSIONS:
        if needle in text and (match := pattern.search(text)):
            return match[1], f"{why}: {_shown(match[0])}"
    numbered = "0." in text  # as every release is
    tagged = ":" in text or ".sif" in text  # as every image that names its release is
    places = list(_mentions(text))
    floating = ""
    for why, named in _NAMED_VERSIONS:
        for start in places:
            if named is not None:
                if numbered and (match := named.match(text, start)) and (start == 0 or not text[start - 1].isalnum()):
                    return match[1], f"{why}: {_shown(match[0])}"
                continue
            if not tagged:
                break
            image = _token(text, start)
            if found := image_version(image):
                return found, f"image {image}"
            if ":" in image:
                floating = floating or image
        if named is None:
            for draft in reading.drafts:
                if draft.version:
                    return draft.version, draft.place
    if floating.rsplit(":", 1)[-1].startswith(("latest", "nightly")):
        return None, f"image {floating} names no release"
    return None, ""


def _mentions(text: str) -> Iterator[int]:
    """Where the word vllm stands, the first hundred times."""
    lowered, at = text.lower(), -1
    for _ in range(_MAX_FINDS):
        at = lowered.find("vllm", at + 1)
        if at < 0:
            return
        yield at


def _token(text: str, at: int) -> str:
    """The word around a position, as an image's name is written."""
    head = text[max(0, at - 160) : at]
    goes_on = head and (head[-1].isalnum() or head[-1] in "_./:@+=-")
    head = _TOKEN_END.split(head)[-1].rpartition("=")[2] if goes_on else ""
    end = _TOKEN_END.search(text, at, at + 200)
    return head + text[at : end.start() if end else min(len(text), at + 200)]


def _shown(text: str) -> str:
    return " ".join(text.split())[-80:]


def _visible(env: dict[str, str]) -> int | None:
    for name in _VISIBLE:
        value = env.get(name, "").strip().strip("\"'")
        if value and len(value) < 400 and _DEVICE_LIST.fullmatch(value):
            return len(value.split(","))
    return None


_CPU_BUILD = Lazy(r"(?:^|[-_.:])cpu(?:[-_.:@]|$)")
_BUILDS = (
    ("AMD GPUs", ("amd.com/gpu", "rocm"), Lazy(r"amd\.com/gpu|vllm[\w./:-]{0,80}rocm|rocm/vllm")),
    ("Intel GPUs", ("intel.com", "xpu"), Lazy(r"gpu\.intel\.com/|vllm[\w./:-]{0,80}xpu")),
    ("Intel Gaudi", ("gaudi", "hpu"), Lazy(r"habana\.ai/gaudi|vllm[\w./:-]{0,80}(?:gaudi|hpu)")),
    ("Google TPUs", ("tpu",), Lazy(r"google\.com/tpu|vllm[\w./:-]{0,80}tpu")),
    ("AWS Neuron", ("neuron",), Lazy(r"aws\.amazon\.com/neuron|vllm[\w./:-]{0,80}neuron")),
    ("Huawei Ascend", ("huawei.com", "ascend"), Lazy(r"huawei\.com/|vllm[\w./:-]{0,80}ascend")),
)
"""Whose devices a build of vLLM, or a resource a manifest asks for, is of; which one of them is not told by that."""


def _from_builds(text: str, reading: Reading) -> None:
    """The device an image is built for: the CPU, or one of a vendor's.

    The CPU builds go by ``vllm-cpu-release-repo``, ``vllm-openai-cpu`` and ``vllm-cpu`` (docker/Dockerfile.cpu and its
    release script); a paste that names another image of vLLM beside is not told by this.
    """
    lowered = text.lower()
    images: set[str] = set()
    if "cpu" in lowered:
        images = {_token(text, start) for start in _mentions(text)}
        images = {image for image in images if "/" in image or ":" in image or "cpu" in image}
    if images and all(_CPU_BUILD.search(image.rpartition("/")[2]) for image in images):
        why = f"{min(images)[:80]} is vLLM's build for CPUs"
        reading.hint("cpu", None, why)
        for draft in reading.drafts:
            draft.notes.append(f"read as a launch on the CPU: {why}")
        return
    vendors = [
        vendor
        for vendor, needles, pattern in _BUILDS
        if any(needle in lowered for needle in needles) and pattern.search(lowered)
    ]
    if len(vendors) == 1:
        for draft in reading.drafts:
            draft.notes.append(f"this runs on {vendors[0]}; which one is not said, and defaults differ by device")


_DIRECTIVE = Lazy(r"^[ \t]*#(?:SBATCH|PBS|FLUX:|BSUB)[ \t]+(.*)$", re.M)
_GRES = Lazy(r"--(?:gres|gpus(?:-per-node|-per-task)?)[= ](?:gpu:)?(?:([A-Za-z][\w.-]{0,30}):)?(\d{1,3})\b")
_CONSTRAINT = Lazy(r"(?:--constraint[= ]|-C )[\"']?([\w-]{2,40})")


def _from_directives(text: str, reading: Reading) -> None:
    """``#SBATCH --gres=gpu:h100:8`` and its kin."""
    if not any(mark in text for mark in ("#SBATCH", "#PBS", "#BSUB", "srun ")):
        return
    lines = [match[1][:400] for match in _DIRECTIVE.finditer(text)]
    lines += [line[:2000] for line in text.split("\n") if "srun" in line]
    for line in lines[:200]:
        if match := _GRES.search(line):
            known = match[1] if match[1] and match[1].lower() != "gpu" else None
            reading.hint(known, int(match[2]), _shown(line)[:80])
        if (match := _CONSTRAINT.search(line)) and gpus.parse_gpu(match[1])[0] is not None:
            reading.hint(match[1], None, _shown(line)[:80])


_NEEDLES = (
    "h100", "h200", "h800", "h20", "a100", "a800", "a10", "a30", "a40", "l40", "l4", "t4", "v100", "b200", "b300",
    "gh200", "gb10", "mi2", "mi3", "rtx",
)  # fmt: skip


# Names of accelerators in lower case, with what a driver or a person writes behind them. Looked for in a lowered text: a
# pattern that minds no case looks at every letter.
_FAMILY = Lazy(
    r"(?:g?[hb][1238]00|g?h20|a[18]00|a10g?|a[34]0|l40s?|l4|t4|v100|gb10|mi\d{3}[ax]?|rtx[ -]?(?:pro[ -]|a)?\d{4})"
    r"(?:[ -](?:sxm\d?|pcie|nvl|hbm\de?|\d{2,3} ?gb?|ti|ada))*(?=s?(?![\w-]|\.\w))"
)


_VENDOR = Lazy(r"(?<![\w./-])(?:(?:NVIDIA|AMD|Tesla|GeForce|Instinct)[ -]){1,2}$", re.I)
_BEFORE = Lazy(
    r"(?:(\d{1,2}) ?[x×*]? ?|\b(?:on|with) (?:an?|one|a single|my|our|the)? ?"
    r"|(?:GPUs?|hardware|accelerators?|devices?|cards?)[ \t]*[:=][ \t]*f?[\"']?)$",
    re.I,
)
_GLUED = Lazy(r"(?:[_./-]|[^\W_])(?<!\d[x×])(?<!\d\dx)$")
_AFTER = Lazy(r"(?: ?[x×*] ?|:)(\d{1,2})\b", re.I)
_UNSURE = Lazy(
    r"\b(?:should|could|would|might|fits?|requires?|needs?|recommend\w*|minimum|at least|e\.g\.|or|tested|if|unlike)\b",
    re.I,
)


def _from_text(text: str, reading: Reading) -> None:
    """A device the text names in words; only when it names one, and does not merely weigh it."""
    text = text.replace("\u0130", "I")  # the one letter whose lower case is longer than it
    lowered = text.lower()
    if not any(needle in lowered for needle in _NEEDLES):
        return
    names: dict[str, tuple[str, int | None, str]] = {}
    seen: set[str] = set()
    for number, match in enumerate(_FAMILY.finditer(lowered)):
        if number >= _MAX_FINDS:
            break
        start = match.start()
        vendor = _VENDOR.search(text, max(0, start - 24), start)
        start = vendor.start() if vendor else start
        if start and _GLUED.search(text, max(0, start - 4), start):
            continue
        typed = text[start : match.end()]
        before = _BEFORE.search(text, max(0, start - 24), start)
        after = _AFTER.match(text, match.end(), match.end() + 6)
        line = text[max(text.rfind("\n", 0, start) + 1, start - 200) : match.end() + 100].split("\n", maxsplit=1)[0]
        key = f"{typed}|{before[1] if before else ''}|{after[1] if after else ''}"
        if key in seen or not (before or after or vendor) or _UNSURE.search(line):
            continue
        seen.add(key)
        gpu, _ = gpus.parse_gpu(typed)
        if gpu is not None:
            count = (before[1] if before else None) or (after[1] if after else None)
            names.setdefault(gpu.name, (typed, int(count) if count else None, _shown(line)))
    if len(names) == 1:
        reading.hint(*next(iter(names.values())))
