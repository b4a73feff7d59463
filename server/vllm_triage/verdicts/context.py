"""What a rule sees: one deployment, with the questions every rule asks already answered.

Everything here is cheap; a check builds one context and hands it to every rule. Methods named ``need_*`` raise
:class:`Needs` when the answer is not known, which ends the rule and lists it as not checked.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ..domain import Accelerator, Deployment, Json, ModelShape
from ..facts.versions import number
from .specifier import Release, holds
from .speculation import Speculation, read_speculation

if TYPE_CHECKING:
    from ..engine.budget import Terms
    from ..engine.sizing import Sizing

__all__ = ["Context", "Needs"]

_DATE = re.compile(r"-(\d{4})(?=-|$)")
_KIND = re.compile(r"(?<![a-z0-9])(coder|vl|math|omni|distill|audio|vision|guard|embedding|reranker|reward|1m)(?![a-z0-9])")
"""Words that make another model of the same size and family, with a context or a class of its own."""


def _listed(name: str) -> str:
    """The id a re-release was found by: quantized ones are known by the names of what they are made of."""
    from ..facts import models  # noqa: PLC0415 - a large catalogue

    shorter = name
    while (found := models.find(shorter)) is not None and found.id == shorter and shorter not in models.ids():
        shorter = shorter.rpartition("-")[0]
    return name if found is None else found.id


class Needs(Exception):
    """A rule cannot be decided without `what`."""

    def __init__(self, *what: str) -> None:
        super().__init__(", ".join(what))
        self.what = what


class Context:
    """One deployment as rules read it."""

    def __init__(self, deployment: Deployment) -> None:
        self.deployment = deployment
        self.args: dict[str, Json] = deployment.args
        self.version = deployment.version
        self.release: Release = number(deployment.version)
        self.model: ModelShape | None = deployment.model
        self.gpu: Accelerator | None = deployment.gpu
        self.env: dict[str, str] = {reading.name: reading.value for reading in deployment.env}

    @cached_property
    def unknown(self) -> frozenset[str]:
        """What of the deployment is not known, in the words of a rule's ``needs``."""
        known = {"model": self.model, "gpu": self.gpu, "gpu_count": self.deployment.gpu_count}
        return frozenset(name for name, value in known.items() if value is None)

    def at_least(self, *want: int) -> bool:
        """True from release `want` on: ``ctx.at_least(0, 20)``."""
        return self.release >= want

    def within(self, specifier: str) -> bool:
        """True when the version satisfies a specifier such as ``>=0.17,<0.28``."""
        return holds(specifier, self.version)

    def given(self, dest: str) -> bool:
        """True when the user set this destination."""
        return dest in self.args

    def arg(self, dest: str, default: Json = None) -> Json:
        """The value given for a destination."""
        return self.args.get(dest, default)

    def whole(self, dest: str, default: int = 0) -> int:
        """A given whole number; `default` when not given or not a number."""
        value = self.args.get(dest)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def mapping(self, dest: str) -> dict[str, Json]:
        """A given JSON object; empty when not given or of another type."""
        value = self.args.get(dest)
        return value if isinstance(value, dict) else {}

    def objects(self) -> Iterator[tuple[str, dict[str, Json]]]:
        """The flags that were given a JSON object, each with it."""
        for reading in self.deployment.flags:
            value = self.args.get(reading.dest)
            if isinstance(value, dict):
                yield reading.flag, value

    def setting(self, name: str) -> Json:
        """The resolved value of a setting; None when it is not known."""
        found = self.deployment.settings.get(name)
        return None if found is None else found.value

    def number(self, name: str) -> int | None:
        """A resolved whole number; None when it is not known."""
        value = self.setting(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def need_number(self, name: str) -> int:
        """A resolved whole number.

        Raises:
            Needs: naming the model or the GPU, whichever is unknown, when the setting could not be resolved.
        """
        value = self.number(name)
        if value is None:
            raise Needs("model" if self.model is None else "gpu")
        return value

    def need_model(self) -> ModelShape:
        """The model, or :class:`Needs`."""
        if self.model is None:
            raise Needs("model")
        return self.model

    def need_own_config(self) -> ModelShape:
        """The model, or :class:`Needs` where the catalogue answers with another release of it.

        A dated re-release (``-2507``) or a model for code shares its base's shape, but may have another context length;
        one that also sees has another class.
        """
        model, name = self.need_model(), self.deployment.model_id or ""
        if model.source != "catalogue":
            return model
        listed = _listed(model.id)
        if set(_DATE.findall(name)) - set(_DATE.findall(model.id)) or set(_KIND.findall(name.lower())) - set(
            _KIND.findall(listed.lower())
        ):
            raise Needs("model")
        return model

    def need_gpu(self) -> Accelerator:
        """The accelerator, or :class:`Needs`."""
        if self.gpu is None:
            raise Needs("gpu")
        return self.gpu

    def need_capability(self) -> tuple[int, int] | None:
        """NVIDIA compute capability; None on another vendor's device.

        Raises:
            Needs: when the device is not known.
        """
        gpu = self.need_gpu()
        if gpu.vendor != "nvidia" or gpu.compute_capability is None:  # AMD names an architecture there: gfx942
            return None
        major, minor = gpu.compute_capability.split(".")
        return int(major), int(minor)

    def need_gpu_count(self) -> int:
        """GPUs of the node, or :class:`Needs`."""
        if self.deployment.gpu_count is None:
            raise Needs("gpu_count")
        return self.deployment.gpu_count

    def need_draft(self) -> ModelShape:
        """The draft model's shape, or :class:`Needs`."""
        if self.spec is None or self.spec.draft is None:
            raise Needs("draft model")
        return self.spec.draft

    def need_method(self) -> str:
        """The speculative method, or :class:`Needs` when it hangs on an unknown draft."""
        if self.spec is None or not self.spec.certain:
            raise Needs("draft model")
        return self.spec.method

    @cached_property
    def plugins(self) -> bool:
        """True when the launch names code that is not vLLM's, which may register names of its own.

        ``load_general_plugins`` and ``Platform.pre_register_and_update`` run before the configuration is built (0.8.5 to
        0.33.0), and take quantization methods, parsers, formats and architectures.
        """
        worker = self.arg("worker_cls")
        foreign = isinstance(worker, str) and worker != "auto" and not worker.startswith("vllm.")
        return foreign or bool(self.env.get("VLLM_PLUGINS")) or self.given("additional_config")

    def need_own_names(self) -> None:
        """Ends a rule about names vLLM does not have with :class:`Needs`, where a plugin or a development build may add them."""
        if self.plugins or ".dev" in self.version:
            raise Needs("plugins")

    @cached_property
    def spec(self) -> Speculation | None:
        """Speculative decoding as configured; None without it."""
        return read_speculation(self.args)

    @cached_property
    def tp(self) -> int:
        """Tensor parallel size."""
        return max(1, self.whole("tensor_parallel_size", 1))

    @cached_property
    def pp(self) -> int:
        """Pipeline parallel size."""
        return max(1, self.whole("pipeline_parallel_size", 1))

    @cached_property
    def dp(self) -> int:
        """Data parallel size."""
        return max(1, self.whole("data_parallel_size", 1))

    @cached_property
    def dcp(self) -> int:
        """Decode context parallel size."""
        return max(1, self.whole("decode_context_parallel_size", 1))

    @cached_property
    def chunked(self) -> bool:
        """True unless chunked prefill is resolved off."""
        return self.setting("enable_chunked_prefill") is not False

    @cached_property
    def hybrid_block(self) -> int | None:
        """Tokens of one block of a hybrid model once it was enlarged; None for any other model.

        From 0.10 to 0.19 the configuration enlarges it, from 0.20 the workers do when they start.
        """
        if self.model is None or not self.model.is_hybrid:
            return None
        if (0, 10) <= self.release < (0, 20) and (resolved := self.number("block_size")) is not None:
            return resolved
        from ..engine.kv_layout import layout  # noqa: PLC0415 - sizing is needed for hybrid models alone

        return layout(self.deployment, self.model).block_size

    @cached_property
    def budget(self) -> "Terms | None":
        """What the device's memory is predicted to go to; None where the model, the device or a term is not known."""
        from ..engine.budget import device_of, predict  # noqa: PLC0415 - sizing is needed by few rules

        device = device_of(self.deployment)
        return None if self.model is None or device is None else predict(self.deployment, self.model, device)

    @cached_property
    def sizing(self) -> "Sizing":
        """The caches of the model, laid out once for every rule that asks."""
        from ..engine.sizing import sizing_of  # noqa: PLC0415 - sizing is needed by few rules

        return sizing_of(self.deployment, self.need_model())

    @property
    def cpu(self) -> bool:
        """True when the device is known to be a CPU."""
        return self.gpu is not None and self.gpu.vendor == "cpu"
