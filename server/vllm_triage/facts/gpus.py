"""Accelerators: what each is, and which one a pasted name means.

Data: ``facts/data/gpus.json`` (made by ``tools/build_gpu_catalogue.py``), one row per device as vLLM sees it. Rates are
dense, per device. A figure that no source gives is None, never borrowed from a similar device.

vLLM picks its batch defaults by the *name* the driver reports (``a100`` in it) and by the device's total memory, so both
are kept: :attr:`GpuFacts.device_name` and :attr:`GpuFacts.memory_mib`.
"""

import json
import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

__all__ = ["CPU", "GpuFacts", "GpuMatch", "catalogue", "find", "match", "parse_gpu", "suggest"]

MAX_NAME = 200
"""Longest text read as a device name; what is longer is cut."""


@dataclass(frozen=True, slots=True)
class GpuFacts:
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
        """Total memory in GiB as the platform reports it, else as sold (a lower bound on nothing: only good for tiers)."""
        if self.memory_mib is not None:
            return self.memory_mib / 1024
        if self.torch_total_gib is not None:
            return self.torch_total_gib
        return None if self.marketing_gb is None else self.marketing_gb * 1e9 / 2**30


CPU = GpuFacts(name="CPU", vendor="cpu", arch="cpu", aliases=("cpu",), note="no rates: they depend on the machine")
"""vLLM's CPU platform. Nothing is known of its speed or memory."""


@dataclass(frozen=True, slots=True)
class GpuMatch:
    """How a text was read: the device, how many, and what was uncertain."""

    gpu: GpuFacts | None
    count: int | None = None
    note: str = ""
    """What was taken for granted ("A100 without a memory size: took A100-80GB-SXM"), or why nothing was taken."""
    candidates: tuple[str, ...] = ()
    """The devices the text could mean, when more than one."""


NOISE = frozenset(
    "nvidia tesla geforce quadro amd instinct radeon intel habana google cloud tpu gpu gpus graphics card device accelerator "
    "hgx dgx server edition generation the gen with and of on a an x node nodes machine instance single one cuda rocm "
    "vram memory gb gib ram hbm hbm2 hbm2e hbm3 hbm3e oam ac shared podslice slice r tm c series class".split()
)
"""Words that say nothing about which device it is."""
FORM = {"sxm": "sxm", "sxm2": "sxm", "sxm3": "sxm", "sxm4": "sxm", "sxm5": "sxm", "sxm6": "sxm", "pcie": "pcie", "nvl": "nvl"}


@cache
def catalogue() -> tuple[GpuFacts, ...]:
    """All devices, the CPU last."""
    raw = json.loads(files("vllm_triage.facts").joinpath("data/gpus.json").read_text(encoding="utf-8"))
    sources = raw["sources"]
    out = []
    for row in raw["gpus"]:
        lists = {key: tuple(row.pop(key, ())) for key in ("aliases", "sources", "unverified")}
        lists["sources"] = tuple(sources[key] for key in lists["sources"])
        out.append(GpuFacts(**row, **lists))
    return (*out, CPU)


def _key(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _tokens(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower().replace("®", " ").replace("™", " "))


@cache
def _by_key() -> dict[str, GpuFacts]:
    """Squeezed alias -> device. Aliases outrank nothing: two devices never share one (the test suite holds this)."""
    out: dict[str, GpuFacts] = {}
    for gpu in catalogue():
        for alias in (gpu.name, *gpu.aliases, *((gpu.device_name,) if gpu.device_name else ())):
            out[_key(alias)] = gpu
            stripped = "".join(t for t in _tokens(alias) if t not in NOISE)
            out.setdefault(stripped, gpu)
    return out


@cache
def _reported() -> frozenset[str]:
    """Squeezed names that a driver reports, with and without the maker: they name one device and no other."""
    names = {_key(g.device_name) for g in catalogue() if g.device_name}
    return frozenset(names | {n.removeprefix("nvidia").removeprefix("amdinstinct") for n in names if n not in _bare()})


@cache
def _bare() -> frozenset[str]:
    """Reported names that are no more than the family (``NVIDIA H200``): the SXM part of a family with more parts."""
    return frozenset(_key(g.device_name) for g in catalogue() if g.device_name and not (_traits(g.device_name).memory or _traits(g.device_name).form))


@dataclass(frozen=True, slots=True)
class _Traits:
    words: frozenset[str]
    memory: frozenset[int]
    form: frozenset[str]


def _traits(text: str) -> _Traits:
    """What a name says: the words that name the model, memory in GB, and the form factor."""
    words: set[str] = set()
    memory: set[int] = set()
    form: set[str] = set()
    tokens = _tokens(text)
    for i, token in enumerate(tokens):
        size = re.fullmatch(r"(\d{2,3})(?:gi?b|g)", token)
        if size or (token.isdigit() and i + 1 < len(tokens) and tokens[i + 1] in ("gb", "gib", "g")):
            memory.add(int(size[1] if size else token))
        elif token in FORM:
            form.add(FORM[token])
        elif token not in NOISE:
            words.add(token)
    return _Traits(frozenset(words), frozenset(memory), frozenset(form))


@cache
def _families() -> dict[frozenset[str], tuple[GpuFacts, ...]]:
    """Model words -> the devices that bear them ({"a100"} -> the four A100s)."""
    out: dict[frozenset[str], list[GpuFacts]] = {}
    for gpu in catalogue():
        for alias in (gpu.name, *gpu.aliases, *((gpu.device_name,) if gpu.device_name else ())):
            words = _traits(alias).words
            if words and gpu not in out.setdefault(words, []):
                out[words].append(gpu)
    return {words: tuple(gpus) for words, gpus in out.items()}


def _narrow(gpus: tuple[GpuFacts, ...], traits: _Traits) -> tuple[GpuFacts, ...]:
    """The devices of a family that agree with the memory and form factor named."""
    for size in traits.memory:
        gpus = tuple(g for g in gpus if g.marketing_gb is not None and _same_size(size, g))
    if traits.form:
        fits = tuple(g for g in gpus if traits.form & _traits(" ".join((g.name, g.device_name or ""))).form)
        gpus = fits or tuple(g for g in gpus if not _traits(g.name).form)
    return gpus


def _same_size(size: int, gpu: GpuFacts) -> bool:
    """True when `size` is the device's memory as sold or as shown (141 GB and 140 GiB name one H200)."""
    shown = () if gpu.memory_mib is None else (round(gpu.memory_mib / 1024), round(gpu.memory_mib * 2**20 / 1e9))
    return any(abs(size - known) <= max(1, known * 0.03) for known in (gpu.marketing_gb or 0, *shown))


_LEADING = re.compile(r"^\s*(\d{1,5})\s*(?:[x×*✕]\s*|\s+)(?=\S)", re.IGNORECASE)
_TRAILING = re.compile(r"(?:\s*[x×*✕:]\s*(\d{1,5})|\s*\(\s*[x×]?\s*(\d{1,5})\s*[x×]?\s*\))\s*$", re.IGNORECASE)


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
        The device and count. ``gpu`` is None when nothing is meant (``note`` empty), or when several are and none is the usual
        one (``candidates``), or for a MIG slice, which is no whole device.
    """
    text = text[:MAX_NAME]
    if re.search(r"\bmig\b|\d+g\.\d+gb", text, re.IGNORECASE):
        return GpuMatch(None, note="a MIG slice has a part of the device's memory and compute; no catalogue row describes it")
    rest, count = _split_count(text)
    if count:
        found = _lookup(rest)
        if found.gpu or found.candidates:
            return GpuMatch(found.gpu, count, found.note, found.candidates)
    return _lookup(text)


def _lookup(text: str) -> GpuMatch:
    """`text` as one device without a count."""
    key = _key(text)
    if not key:
        return GpuMatch(None)
    exact = _by_key().get(key) or _by_key().get("".join(t for t in _tokens(text) if t not in NOISE))
    traits = _traits(text)
    words, family = _family(traits.words)
    if exact is not None:
        if key in _reported():
            return GpuMatch(exact)
        others = tuple(g.name for g in family if g is not exact and not _told_apart(traits, g, exact))
        if not others:
            return GpuMatch(exact)
        names = ", ".join(others)
        return GpuMatch(exact, note=f"{text.strip()!r} also fits {names}: took {exact.name}", candidates=(exact.name, *others))
    fits = _narrow(family, traits)
    if len(fits) == 1:
        return GpuMatch(fits[0])
    if not fits:
        names = tuple(g.name for g in family)
        return GpuMatch(None, note=f"no such variant: known are {', '.join(names)}" if names else "", candidates=names)
    usual = next((g for g in fits if g is _by_key().get("".join(sorted(words)))), None)
    if usual is None and len({g.marketing_gb for g in fits}) == 1:
        usual = fits[0]
    names = tuple(g.name for g in fits)
    said = f"{text.strip()!r} fits {', '.join(names)}"
    if usual is None:
        return GpuMatch(None, note=f"{said}: say which", candidates=names)
    return GpuMatch(usual, note=f"{said}: took {usual.name}", candidates=names)


def _told_apart(traits: _Traits, other: GpuFacts, taken: GpuFacts) -> bool:
    """True when the text rules `other` out, or the two differ in nothing that matters to vLLM's arithmetic."""
    return other not in _narrow((other, taken), traits)


def _family(words: frozenset[str]) -> tuple[frozenset[str], tuple[GpuFacts, ...]]:
    """The largest set of model words that is all in `words` (RTX 6000 Ada before 6000), and the devices that bear them."""
    families = _families()
    if words not in families:
        words = frozenset(w.removesuffix("s") if frozenset({w.removesuffix("s")}) in families else w for w in words)
    best = max((w for w in families if w <= words), key=len, default=frozenset())
    return best, families.get(best, ())


def parse_gpu(text: str) -> tuple[GpuFacts | None, int | None]:
    """Device and count of a text such as ``8x H200`` or ``4*A100-80GB``; (None, None) when it names none."""
    found = match(text)
    return found.gpu, found.count


def find(name: str) -> GpuFacts | None:
    """The device `name` means, any alias in any case; a count in it is ignored. None when unknown or undecided."""
    return match(name).gpu


def suggest(name: str) -> tuple[str, ...]:
    """Up to three catalogue names near `name`."""
    key = _key(_split_count(name[:MAX_NAME])[0])
    near = get_close_matches(key, list(_by_key()), n=6, cutoff=0.6)
    return tuple(dict.fromkeys(_by_key()[k].name for k in near))[:3]
