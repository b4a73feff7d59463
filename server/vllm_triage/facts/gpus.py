"""Accelerators: what each is, and which one a pasted name means.

Data: ``facts/data/gpus.json`` (made by ``tools/build_gpu_catalogue.py``), one row per device as vLLM sees it. Rates are
dense, per device. A figure that no source gives is None, never borrowed from a similar device.

vLLM picks its batch defaults by the *name* the driver reports (``a100`` in it) and by the device's total memory, so
both are kept: :attr:`GpuFacts.device_name` and :attr:`GpuFacts.memory_mib`.
"""

import json
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["CPU", "GpuFacts", "GpuMatch", "catalogue", "find", "match", "parse_gpu", "suggest"]

MAX_NAME = 200
"""Longest text read as a device name; what is longer is cut."""


class GpuFacts(NamedTuple):
    """One device model. Units are in the names; None means no source gives it."""

    name: str
    vendor: str
    arch: str
    aliases: tuple[str, ...] = ()
    device_name: str | None = None
    """The name the driver reports, where a source shows it."""
    compute_capability: str | None = None
    marketing_gb: int | None = None
    """Memory as sold, 1e9 bytes."""
    memory_mib: int | None = None
    """Total memory as the driver shows it."""
    torch_total_gib: float | None = None
    """Total memory as torch shows it, only where a startup log shows the figure."""
    bandwidth_gb_s: float | None = None
    bf16_tflops: float | None = None
    fp16_tflops: float | None = None
    fp8_tflops: float | None = None
    fp4_tflops: float | None = None
    int8_tops: float | None = None
    interconnect: str | None = None
    interconnect_gb_s: float | None = None
    """Scale-up bandwidth per device, one direction."""
    unified_memory: bool = False
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    """Fields not confirmed in a second source."""
    note: str = ""

    @property
    def memory_gib(self) -> float | None:
        """Total memory in GiB as the platform reports it, else as sold: good enough to tell vLLM's tiers apart."""
        if self.memory_mib is not None:
            return self.memory_mib / 1024
        if self.torch_total_gib is not None:
            return self.torch_total_gib
        return None if self.marketing_gb is None else self.marketing_gb * 1e9 / 2**30


CPU = GpuFacts(name="CPU", vendor="cpu", arch="cpu", aliases=("cpu",), note="no rates: they depend on the machine")
"""vLLM's CPU platform. Nothing is known of its speed or memory."""


class GpuMatch(NamedTuple):
    """How a text was read: the device, how many, and what was uncertain."""

    gpu: GpuFacts | None
    devices: int | None = None
    note: str = ""
    """What was taken for granted ("A100 without a memory size: took A100-80GB-SXM"), or why nothing was taken."""
    candidates: tuple[str, ...] = ()
    """The devices the text could mean, when more than one."""


NOISE = frozenset({
    "nvidia", "tesla", "geforce", "quadro", "amd", "instinct", "radeon", "intel", "habana", "google", "cloud", "tpu",
    "gpu", "gpus", "graphics",
    "card", "cards", "device", "accelerator", "hgx", "dgx", "server", "edition", "generation",
    "the", "gen", "with", "and", "of", "on", "a", "an", "x", "node", "nodes", "machine", "instance", "single", "cuda",
    "rocm", "vram", "memory", "gb", "gib", "ram", "hbm", "hbm2", "hbm2e", "hbm3", "hbm3e", "oam", "ac", "shared",
    "podslice", "slice", "r", "tm", "class",
})  # fmt: skip
"""Words that say nothing about which device it is."""
OTHER_DEVICE = frozenset({"ti", "super", "laptop", "mobile", "d", "v", "3e", "max"})
"""Words that make a device another one than its family: an RTX 3090 Ti is no RTX 3090."""
FORM = {"sxm": "sxm", "pcie": "pcie", "nvl": "nvl", **{f"sxm{n}": "sxm" for n in range(2, 7)}}
"""Form factors."""


@cache
def catalogue() -> tuple[GpuFacts, ...]:
    """All devices, the CPU last."""
    raw = json.loads((Path(__file__).with_name("data") / "gpus.json").read_text(encoding="utf-8"))
    named: dict[str, str] = raw["sources"]
    return (*(_row(row, named) for row in raw["gpus"]), CPU)


def _row(row: dict[str, Any], sources: dict[str, str]) -> GpuFacts:
    row["aliases"] = tuple(row.get("aliases", ()))
    row["unverified"] = tuple(row.get("unverified", ()))
    row["sources"] = tuple(sources[key] for key in row.get("sources", ()))
    return GpuFacts(**row)


class _Traits(NamedTuple):
    """What a name says: the words that name the model, memory in GB, and the form factor."""

    words: frozenset[str]
    memory: frozenset[int]
    form: frozenset[str]


@lru_cache(maxsize=1024)
def _traits(text: str) -> _Traits:
    words: set[str] = set()
    memory: set[int] = set()
    form: set[str] = set()
    tokens = re.findall(r"[a-z0-9]+", text.lower())
    for word, following in zip(tokens, (*tokens, "")[1:], strict=True):
        size = re.fullmatch(r"(\d{2,3})(?:gi?b?)?", word) if word[0].isdigit() else None
        if size and (not word.isdigit() or following in ("gb", "gib", "g")):
            memory.add(int(size[1]))
        elif word in FORM:
            form.add(FORM[word])
        elif word not in NOISE and not (word == "g" and memory):
            words.add(word)
    return _Traits(frozenset(words), frozenset(memory), frozenset(form))


def _names(gpu: GpuFacts) -> tuple[str, ...]:
    return (gpu.name, *gpu.aliases, *((gpu.device_name,) if gpu.device_name else ()))


@cache
def _families() -> dict[frozenset[str], tuple[GpuFacts, ...]]:
    """Model words -> the devices that bear them ({"a100"} -> the four A100s)."""
    out: dict[frozenset[str], list[GpuFacts]] = {}
    for gpu in catalogue():
        for words in {_traits(name).words for name in _names(gpu)} - {frozenset()}:
            out.setdefault(words, []).append(gpu)
    return {words: tuple(gpus) for words, gpus in out.items()}


@cache
def _exact() -> dict[str, GpuFacts]:
    """Squeezed name -> device, with and without the maker. No two devices share one (the test suite holds this)."""
    return {_squeeze(name): gpu for gpu in catalogue() for name in _names(gpu)}


@cache
def _unmistakable() -> frozenset[str]:
    """Squeezed driver names that hold more than the family, such as ``H100 80GB HBM3``: they mean one device only."""
    reported = [gpu.device_name for gpu in catalogue() if gpu.device_name]
    return frozenset(_squeeze(name) for name in reported if _traits(name).memory or _traits(name).form)


def _squeeze(text: str) -> str:
    """Lower case, letters and digits only, the maker's name left out."""
    return re.sub(r"[^a-z0-9]", "", re.sub(r"\b(?:nvidia|amd|intel|tesla|geforce|instinct)\b", "", text.lower()))


def _narrow(gpus: tuple[GpuFacts, ...], traits: _Traits) -> tuple[GpuFacts, ...]:
    """The devices of a family that agree with the memory and form factor named."""
    for size in traits.memory:
        gpus = tuple(gpu for gpu in gpus if _same_size(size, gpu))
    if traits.form:
        fits = tuple(gpu for gpu in gpus if traits.form & _traits(f"{gpu.name} {gpu.device_name}").form)
        gpus = fits or tuple(gpu for gpu in gpus if not _traits(gpu.name).form)
    return gpus


def _same_size(size: int, gpu: GpuFacts) -> bool:
    """True when `size` is the device's memory as sold or as shown (141 GB and 140 GiB name one H200)."""
    shown = () if gpu.memory_mib is None else (round(gpu.memory_mib / 1024), round(gpu.memory_mib * 2**20 / 1e9))
    return any(abs(size - known) <= max(1, known * 0.03) for known in (gpu.marketing_gb or 0, *shown))


_LEADING = re.compile(r"\s*(\d{1,5})\s*(?:[x×*✕]\s*|\s)(?=\S)", re.IGNORECASE)
_TRAILING = re.compile(r"(?:[x×*✕:]\s*(\d{1,5})|\(\s*[x×]?\s*(\d{1,5})\s*[x×]?\s*\))\s*$", re.IGNORECASE)


_SHOWN = re.compile(r"\s*\(\s*\d{1,4}\.\d{1,3}\s*Gi?B\s*\)\s*$", re.IGNORECASE)
"""Memory as a log shows it, behind a name: ``H100 80GB (79.19 GiB)``. It is no size that devices are sold by."""


def _split_count(text: str) -> tuple[str, int | None]:
    """``8x H200`` -> (``H200``, 8). A number glued to the model (``4090``) is not a count."""
    found = _LEADING.match(text)
    if found:
        return text[found.end() :], int(found[1])
    found = _TRAILING.search(text)
    if found:
        return text[: found.start()], int(found[1] or found[2])
    return text, None


def match(text: str) -> GpuMatch:
    """Read a device name in any form people paste.

    Returns:
        The device and count. ``gpu`` is None when no device is meant (``note`` empty), when several are and none is the
        usual one (``candidates``), or for a MIG slice, which is no whole device.
    """
    return _matched(text[:MAX_NAME].strip())


@lru_cache(maxsize=256)
def _matched(text: str) -> GpuMatch:
    text = _SHOWN.sub("", text)
    if re.search(r"\bmig\b|\dg\.\d{1,3}gb", text, re.IGNORECASE):
        return GpuMatch(None, note="a MIG slice has a part of the device's memory and compute; no row describes it")
    rest, count = _split_count(text)
    found = _one(rest.strip()) if count else None
    if found is not None and (found.gpu or found.candidates):
        return GpuMatch(found.gpu, count, found.note, found.candidates)
    return _one(text)


def _one(text: str) -> GpuMatch:
    """`text` as one device without a count."""
    squeezed, traits = _squeeze(text), _traits(text)
    exact = _exact().get(squeezed)
    if exact is not None and (squeezed in _unmistakable() or text == exact.device_name):
        return GpuMatch(exact)
    words, family = _family(traits.words)
    fits = _narrow(family, traits)
    if exact is not None and exact not in fits:
        return GpuMatch(exact)  # a name of its own, such as an instance type
    names = tuple(gpu.name for gpu in fits)
    taken = exact or (fits[0] if len(fits) == 1 else _usual(words, fits))
    if len(fits) == 1:
        return GpuMatch(taken)
    if taken is not None:
        others = ", ".join(name for name in names if name != taken.name)
        return GpuMatch(taken, None, f"{text!r} is read as {taken.name}; it could also be {others}", names)
    if fits:
        return GpuMatch(None, None, f"{text!r} could be {', '.join(names)}", names)
    known = tuple(gpu.name for gpu in family)
    return GpuMatch(None, None, f"known variants are {', '.join(known)}" if known else "", known)


def _usual(words: frozenset[str], fits: tuple[GpuFacts, ...]) -> GpuFacts | None:
    """The device that the bare family name stands for; else any, where all have the same memory."""
    for gpu in fits:
        if any(_traits(alias) == _Traits(words, frozenset(), frozenset()) for alias in gpu.aliases):
            return gpu
    return fits[0] if len({gpu.marketing_gb for gpu in fits}) == 1 else None


def _family(words: frozenset[str]) -> tuple[frozenset[str], tuple[GpuFacts, ...]]:
    """The largest set of model words all in `words` (RTX 6000 Ada before 6000), and the devices that bear them."""
    families = _families()
    if words not in families:
        singular = (word.removesuffix("s") for word in words)
        words = frozenset(
            one if frozenset({one}) in families else word for one, word in zip(singular, words, strict=True)
        )
    best = max((known for known in families if known <= words), key=len, default=frozenset())
    if (words - best) & OTHER_DEVICE:
        return frozenset(), ()
    return best, families.get(best, ())


def parse_gpu(text: str) -> tuple[GpuFacts | None, int | None]:
    """Device and count of a text such as ``8x H200`` or ``4*A100-80GB``; (None, None) when it names none."""
    found = match(text)
    return found.gpu, found.devices


def find(name: str) -> GpuFacts | None:
    """The device `name` means, any alias in any case; a count in it is ignored. None when unknown or undecided."""
    return match(name).gpu


def suggest(name: str) -> tuple[str, ...]:
    """Up to three catalogue names near `name`."""
    from difflib import get_close_matches  # noqa: PLC0415 (only on the way to an error)

    near = get_close_matches(_squeeze(_split_count(name[:MAX_NAME])[0]), list(_exact()), n=6, cutoff=0.6)
    return tuple(dict.fromkeys(_exact()[key].name for key in near))[:3]
