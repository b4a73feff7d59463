"""The cost model over arrays: every kind of step of every published run at once, for fitting.

The arithmetic is that of ``engine/cost/rates.py`` and has to stay so: :meth:`Arrays.against_product` compares the two.
"""

import hashlib
import pickle
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from published_runs import Run, data
from step_records import Record, record
from vllm_triage.engine.cost.bands import Bands
from vllm_triage.engine.cost.build import cost_model, kind_of
from vllm_triage.engine.cost.efficiencies import Efficiencies, Fitted, Kind, reached
from vllm_triage.engine.cost.terms import Terms
from vllm_triage.engine.scheduler import CannotSchedule

__all__ = ["Arrays"]

_NUMBERS = tuple(one.name for one in fields(Terms) if one.name not in ("windows", "narrow", "narrow_experts"))


@dataclass(frozen=True, slots=True)
class Arrays:
    """All runs. `of_run` tells for each row of `steps` which run it is part of."""

    runs: tuple[Run, ...]
    records: tuple[Record, ...]
    terms: dict[str, np.ndarray]
    windows: np.ndarray
    """Of each run: tokens, read and flops of its (first) kind of window."""
    kinds: tuple[Kind, ...]
    kind: np.ndarray
    steps: np.ndarray
    of_run: np.ndarray
    groups: np.ndarray
    drafting: np.ndarray
    measured: np.ndarray
    """Logarithms of TTFT, TPOT and throughput."""

    @staticmethod
    def of(runs: Sequence[Run]) -> "Arrays":
        """Schedule the runs (or take them from the last time) and lay them out."""
        scheduled = _recorded(runs)
        runs = [run for run, one in zip(runs, scheduled, strict=True) if one is not None]
        records = [one for one in scheduled if one is not None]
        models = [cost_model(run.deployment, run.memory) for run in runs]
        kinds = [_kind(run, model.terms) for run, model in zip(runs, models, strict=True)]
        different = tuple(dict.fromkeys(kinds))
        return Arrays(
            runs=tuple(runs),
            records=tuple(records),
            terms={name: np.array([float(getattr(model.terms, name)) for model in models]) for name in _NUMBERS},
            windows=np.array(
                [
                    [(w.tokens, w.read, w.flops) for w in model.terms.windows[:1]] or [(0.0, 0.0, 0.0)]
                    for model in models
                ]
            )[:, 0, :],
            kinds=different,
            kind=np.array([different.index(one) for one in kinds]),
            steps=np.concatenate([one.steps for one in records]),
            of_run=np.concatenate([np.full(len(one.steps), place) for place, one in enumerate(records)]),
            groups=np.array([run.group for run in runs]),
            drafting=np.array([model.terms.width > 1 for model in models]),
            measured=np.log([[run.ttft_ms, run.tpot_ms, run.output_tok_s] for run in runs]),
        )

    def predicted(self, fitted: Fitted) -> np.ndarray:
        """Logarithms of TTFT, TPOT and throughput of every run."""
        got = self._efficiencies(fitted)
        times, count = self._times(got), len(self.runs)
        first = np.array([got[place].first_token_ms for place in self.kind])
        requests = np.array([one.requests for one in self.records])
        ttft = np.bincount(self.of_run, times * self.steps[:, 7], count) / requests + first
        tpot = np.bincount(self.of_run, times * self.steps[:, 9], count) / [one.spread for one in self.records]
        lasts = np.bincount(self.of_run, times * self.steps[:, 2], count) + first * [one.rounds for one in self.records]
        return np.asarray(np.log(np.stack([ttft, tpot, 1e3 * np.array([one.tokens for one in self.records]) / lasts], 1)))

    def against_product(self, fitted: Fitted) -> float:
        """Largest relative difference to the product's own step times, over some steps of every run."""
        got = self._efficiencies(fitted)
        times, worst = self._times(got), 0.0
        nothing = Bands(*[(1.0, 1.0)] * len(fields(Bands)))
        for place, run in enumerate(self.runs):
            rows = np.flatnonzero(self.of_run == place)[:3]
            model = replace(cost_model(run.deployment, run.memory), reached=got[self.kind[place]], bands=nothing)
            for row in rows:
                decodes, context, _, new, pairs, seen, prompts = self.steps[row, :7]
                own = model.rates.step_ms(decodes, context, new, pairs, seen, prompts)
                worst = max(worst, abs(own / times[row] - 1))
        return worst

    def _efficiencies(self, fitted: Fitted) -> list[Efficiencies]:
        return [reached(kind, fitted) for kind in self.kinds]

    def _times(self, got: Sequence[Efficiencies]) -> np.ndarray:
        """Time of each kind of step, ms."""
        here = self.kind[self.of_run]
        share = {one.name: np.array([getattr(kind, one.name) for kind in got])[here] for one in fields(Efficiencies)}
        at = {name: values[self.of_run] for name, values in self.terms.items()}
        tokens, read, flops = self.windows[self.of_run].T
        decodes, context, _, new, pairs, seen, prompts = self.steps[:, :7].T
        batches = np.minimum(at["pp"], np.maximum(1, decodes + prompts))
        verified = decodes * at["width"] / batches
        work = verified + new / batches
        sharp = share["sharpness"]
        device = _longer(at["dense_read"] / share["weights"], at["dense_flops"] * work / share["gemm"], sharp)
        hit = 1 - (1 - at["expert_pick"]) ** (np.maximum(1, work * at["expert_tokens"]) ** share["skew"])
        filled = work + share["rows"] * hit / np.maximum(at["expert_pick"] * at["expert_tokens"], 1e-9)
        expert = _longer(
            at["expert_read"] * hit / share["experts"], at["expert_flops"] * filled / share["expert_gemm"], sharp
        )
        expert += 1e-3 * share["expert_layer_us"] * at["layers"]
        device += np.where(at["expert_pick"] > 0, expert, 0)
        per_token = np.maximum(at["kv_read"] / share["kv"], at["kv_flops"] * at["width"] / share["attention"])
        device += per_token * context / batches
        device += at["state_read"] * (decodes + prompts) / batches / share["kv"]
        device += (at["pair_flops"] * pairs / share["attention"] + at["kv_read"] * seen / share["kv"]) / batches
        each = np.minimum(tokens, context / np.maximum(decodes, 1))
        device += np.maximum(read / share["kv"], flops * at["width"] / share["attention"]) * decodes / batches * each
        device += flops * np.minimum(pairs, new * tokens) / share["attention"] / batches
        start = 1e-3 * share["collective_us"] * np.floor(np.log2(at["tp"]))
        device += at["reduces"] * start + at["link_read"] * work / share["link"]
        device += at["exchanges"] * 1e-3 * share["collective_us"] + at["exchange_read"] * work / share["link"]
        device += (at["pp"] - 1) * 2e-3 * share["collective_us"] + 1e-3 * share["layer_us"] * at["layers"]
        device += at["draft_read"] / share["weights"] + 1e-3 * share["layer_us"] * at["draft_layers"]
        return np.asarray(device + share["host_ms"] + 1e-3 * (share["sequence_us"] * decodes + share["token_us"] * new))


def _longer(read: np.ndarray, compute: np.ndarray, sharpness: np.ndarray) -> np.ndarray:
    high = np.maximum(read, compute) + 1e-12
    return np.asarray(high * (1 + (np.minimum(read, compute) / high) ** sharpness) ** (1 / sharpness))


def _kind(run: Run, terms: Terms) -> Kind:
    gpu, model = run.deployment.gpu, run.deployment.model
    assert gpu is not None
    assert model is not None
    return kind_of(run.deployment, gpu, model, terms)


def _recorded(runs: Sequence[Run]) -> list[Record | None]:
    """The schedule of each run: equal ones once, and all of them kept beside the temporary files for the next time.

    None for runs whose requests the predicted pool cannot hold.
    """
    named = "".join(f"{run.number} {run.setup} {run.workload}" for run in runs) + str(data().stat().st_mtime)
    kept = Path(tempfile.gettempdir()) / f"vllm-triage-steps-{hashlib.sha256(named.encode()).hexdigest()[:16]}.pickle"
    if kept.exists():
        return list(pickle.loads(kept.read_bytes()))  # noqa: S301 - written below, by this script
    found: dict[tuple[str, str], Record | None] = {}
    for run in runs:
        key = run.setup, run.workload.model_dump_json()
        if key not in found:
            try:
                found[key] = record(run)
            except CannotSchedule:
                found[key] = None
    records = [found[run.setup, run.workload.model_dump_json()] for run in runs]
    kept.write_bytes(pickle.dumps(records))
    return records
