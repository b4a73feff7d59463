"""One deployment's caches and its longest request, ready to be planned for any number of bytes."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from ..domain import BYTES_PER_GIB, Deployment, ModelShape
from ..facts.versions import number
from .kv_groups import Group, group_layers, rules
from .kv_layout import Layout, bytes_per_token, layout, refuse_scratch_tails, request_of, stages_of
from .kv_plan import Plan, cut, largest_length, plan_stages
from .kv_specs import Request
from .setting_values import as_int

__all__ = ["Sizing", "sizing_of"]


class _Known(NamedTuple):
    shape: ModelShape
    version: str
    layout: Layout
    request: Request
    stages: tuple[tuple[int, ...], ...]
    hybrid_manager: bool
    blocks_override: int | None
    fits_length: bool
    """``--max-model-len auto`` (-1): the length shrinks to what the pool holds (from 0.14)."""


class Sizing(_Known):
    """Caches, stages and the longest request of one deployment in its version."""

    def bytes_per_token(self, tp: int) -> int:
        """Bytes each further token takes on one of `tp` ranks."""
        return bytes_per_token(self.shape, self.layout.cache_dtype, tp, self.layout.width)

    def plan(self, gib: float) -> Plan:
        """The pool of `gib` GiB on every rank.

        Raises:
            UngroupableError: this version cannot lay the caches out.
        """
        planned = self._plan(round(gib * BYTES_PER_GIB), self.request, self.blocks_override)
        if self.fits_length and not planned.fits:
            length = self.longest(gib)
            if length:
                return self._plan(round(gib * BYTES_PER_GIB), self.request.of_length(length), self.blocks_override)
        return planned

    def plan_blocks(self, blocks: int) -> Plan:
        """The pool of a known number of blocks, whatever the bytes."""
        return self._plan(1 << 62, self.request, blocks)

    def plan_tokens(self, tokens: int) -> Plan:
        """The pool whose log prints `tokens`, as near as whole blocks come."""
        one = self._plan(1 << 62, self.request, 1)
        if rules(self.version).tokens_from_concurrency:
            each = self.request.max_model_len * one.max_concurrency
        else:
            each = one.block_tokens * self.request.context_shards / max(len(one.groups), 1)
        return self.plan_blocks(max(round(tokens / each), 0) if each else 0)

    def longest(self, gib: float) -> int:
        """The largest ``max_model_len`` up to the configured one that `gib` GiB per rank can start with."""
        return self._longest(round(gib * BYTES_PER_GIB), self.request)

    def largest_max_model_len(self, planned: Plan) -> int | None:
        """The largest ``max_model_len`` this pool would start with, up to what the model itself allows.

        None where nothing is cached.
        """
        if not planned.groups or not planned.bytes_per_block:
            return None
        named = (self.shape.derived_max_model_len, self.shape.yarn_max_model_len)
        most = max(self.request.max_model_len, *(length or 0 for length in named))
        return self._longest(planned.blocks * planned.bytes_per_block, self.request.of_length(most))

    def _longest(self, available: int, request: Request) -> int:
        layers, lengths = self.layout.layers, []
        for stage in self.stages:
            held = layers if len(self.stages) == 1 else [layers[i] for i in stage]
            groups = self.groups if len(self.stages) == 1 else cut(self.groups, frozenset(stage))
            lengths.append(
                largest_length(groups, held, available, request, self.version, blocks_override=self.blocks_override)
            )
        return min(lengths, default=0)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The caches in groups.

        Raises:
            UngroupableError: this version cannot lay them out.
        """
        refuse_scratch_tails(self.shape.runs, number(self.version))
        return group_layers(
            self.layout.layers,
            self.version,
            hybrid_manager=self.hybrid_manager,
            block_outer=self.layout.block_outer,
        )

    @cached_property
    def needed_gib(self) -> float:
        """GiB one rank needs for one request of the maximum length."""
        return self._plan(0, self.request, None).needed_bytes / BYTES_PER_GIB

    def _plan(self, available: int, request: Request, override: int | None) -> Plan:
        memory: Sequence[int] = [available] * len(self.stages)
        return plan_stages(
            self.layout.layers,
            self.stages,
            memory,
            request,
            self.version,
            groups=self.groups,
            blocks_override=override,
        )


def sizing_of(deployment: Deployment, shape: ModelShape) -> Sizing:
    """The caches of `shape` as this deployment's version and device lay them out."""
    laid = layout(deployment, shape)
    pp = max(as_int(deployment.setting("pipeline_parallel_size"), 1), 1)
    release = number(deployment.version)
    override = deployment.setting("num_gpu_blocks_override")
    off = deployment.setting("disable_hybrid_kv_cache_manager") is True
    return Sizing(
        shape=shape,
        version=deployment.version,
        layout=laid,
        request=request_of(deployment, shape, laid.mamba_mode),
        stages=stages_of(shape.layers, laid.places, pp),
        # the first releases allocated every layer alike, whatever its window
        hybrid_manager=not off and release >= (0, 9, 1),
        blocks_override=override if isinstance(override, int) and not isinstance(override, bool) else None,
        fits_length=deployment.args.get("max_model_len") in (-1, "auto") and release >= (0, 14, 0),
    )
