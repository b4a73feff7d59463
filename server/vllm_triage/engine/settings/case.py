"""The question each group of settings answers: one launch, one release, one device, one model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

from ...domain import Accelerator, Json, ModelShape, Origin, Setting

__all__ = ["UNKNOWN_GPU", "UNKNOWN_MODEL", "Case", "Release", "setting"]

Release = tuple[int, int, int]
"""A vLLM release as numbers."""

UNKNOWN_GPU = "depends on the GPU, which is not known"
UNKNOWN_MODEL = "depends on the model, which is not known"


def setting(value: Json, origin: Origin, why: str) -> Setting:
    """A setting. They are frozen, and the same few come back with every launch: those are built once."""
    if isinstance(value, list | dict):
        return Setting(value=value, origin=origin, why=why)
    return _interned(value, origin, why)


@lru_cache(maxsize=4096, typed=True)
def _interned(value: Json, origin: Origin, why: str) -> Setting:
    return Setting(value=value, origin=origin, why=why)


@dataclass(slots=True, eq=False, repr=False)
class Case:
    """What is known of a launch, and the settings resolved so far (later groups read earlier ones)."""

    args: Mapping[str, Json]
    release: Release
    gpu: Accelerator | None
    gpu_count: int | None
    model: ModelShape | None
    draft: ModelShape | None
    usage: str
    env: Mapping[str, str]
    out: dict[str, tuple[Json, Origin, str]] = field(default_factory=dict)
    """Value, origin and why of each setting resolved so far."""
    fallback: dict[str, tuple[Json, str]] = field(default_factory=dict)
    """The default beside each setting that :meth:`take` recorded as given."""

    def put(self, name: str, value: Json, origin: Origin, why: str = "") -> None:
        """Record a setting."""
        self.out[name] = (value, origin, why)

    def given(self, name: str) -> Json:
        """The value the user gave, None when not given (vLLM does not tell the two apart either)."""
        return self.args.get(name)

    def whole(self, name: str) -> int | None:
        """A given whole number, None when not given or of another type."""
        value = self.args.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def whole_or(self, name: str, default: int) -> int:
        """A given whole number, `default` when not given or of another type."""
        value = self.args.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def mapping(self, name: str) -> Mapping[str, Json]:
        """A given JSON object, empty when not given or of another type."""
        value = self.args.get(name)
        return value if isinstance(value, dict) else {}

    def value(self, name: str) -> Json:
        """A resolved value, None when not known."""
        found = self.out.get(name)
        return None if found is None else found[0]

    def number(self, name: str) -> int | None:
        """A resolved whole number, None when not known."""
        value = self.value(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def take(self, name: str, default: Json, why: str = "") -> None:
        """Record the value given, else the default, which depends on nothing but the release."""
        value = self.args.get(name)
        if value is None:
            self.out[name] = (default, "default", why)
        else:
            self.out[name] = (value, "given", "")
            self.fallback[name] = (default, why)

    def has(self, since: Release, until: Release = (9999, 0, 0)) -> bool:
        """True for releases ``since <= release < until``."""
        return since <= self.release < until

    @property
    def vendor(self) -> str | None:
        """Maker of the device, ``cpu`` for a CPU; None when the device is not known."""
        return None if self.gpu is None else self.gpu.vendor

    @property
    def capability(self) -> tuple[int, int] | None:
        """NVIDIA compute capability, None elsewhere or unknown."""
        return _capability(None if self.gpu is None else self.gpu.compute_capability)


@cache
def _capability(text: str | None) -> tuple[int, int] | None:
    if text is None or not text[0].isdigit():
        return None
    major, _, minor = text.partition(".")
    return int(major), int(minor)
