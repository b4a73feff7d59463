"""Hints around a launch: the vLLM version and the accelerator, from image tags, pins, log lines and comments."""

import re
from functools import cache

from .containers import image_version
from .draft import Reading
from .nouns import Paste

__all__ = ["read_hints"]

_RELEASE = r"v?(\d{1,2}\.\d{1,3}(?:\.\d{1,3})?(?:(?:\.post|rc|\.dev)\d+)*)"
_VISIBLE = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES",
            "ASCEND_RT_VISIBLE_DEVICES", "ZE_AFFINITY_MASK")


@cache
def _version_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Where a version may stand, surest first."""
    return (
        ("the engine's own log line", re.compile(r"Initializing (?:a|an) (?:V1 )?LLM engine \(" + _RELEASE)),
        ("the server's own log line", re.compile(r"(?:█|server|API server)\s+version " + _RELEASE)),
        ("collect_env output", re.compile(r"^vLLM Version\s*:\s*" + _RELEASE, re.M)),
        ("a pinned package", re.compile(r"\bvllm(?:\[[\w,-]+\])?\s*={2,3}\s*" + _RELEASE)),
        ("pip output", re.compile(r"^vllm\s+" + _RELEASE + r"\b", re.M)),
        ("the text", re.compile(r"\bvllm(?:[ \t]+version)?[ \t:=]{1,3}" + _RELEASE + r"(?![\w.]*/)", re.I)),
    )


@cache
def _image() -> re.Pattern[str]:
    return re.compile(r"[\w.\-/]{0,200}vllm[\w.\-/]{0,80}:[\w.\-]{1,128}")


def read_hints(text: str, reading: Reading) -> Paste:
    """The version and accelerator the paste names, with the reason; each launch gets its own device count."""
    version, why = _version(text, reading)
    for draft in reading.drafts:
        if draft.gpu_count is None:
            draft.gpu_count = _visible(draft.env)
    gpu, count, gpu_why = _accelerator(reading)
    return Paste(version=version, version_why=why, gpu=gpu, gpu_count=count, gpu_why=gpu_why)


def _version(text: str, reading: Reading) -> tuple[str | None, str]:
    for why, pattern in _version_patterns()[:4]:
        if match := pattern.search(text):
            return match[1], f"{why}: {match[0].strip()[:80]}"
    for draft in reading.drafts:
        if draft.version:
            return draft.version, "image tag"
    floating = ""
    for match in _image().finditer(text):
        if found := image_version(match[0]):
            return found, f"image tag: {match[0]}"
        floating = floating or match[0]
    for why, pattern in _version_patterns()[4:]:
        if match := pattern.search(text):
            return match[1], f"{why}: {match[0].strip()[:80]}"
    return None, f"image tag {floating} names no release" if floating else ""


def _visible(env: dict[str, str]) -> int | None:
    for name in _VISIBLE:
        value = env.get(name, "").strip()
        if value and re.fullmatch(r"[\w:/.-]+(?:,[\w:/.-]+)*", value) and value not in ("all", "none", "void", "NoDevFiles"):
            return len(value.split(","))
    return None


def _accelerator(reading: Reading) -> tuple[str | None, int | None, str]:
    for draft in reading.drafts:
        if draft.gpu or draft.gpu_count:
            return draft.gpu, draft.gpu_count, draft.place
    return None, None, ""
