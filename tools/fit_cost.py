#!/usr/bin/env python3
"""Fit the efficiencies of the cost model on published vLLM runs, and write ``engine/cost/fitted.py``.

    python tools/fit_cost.py [--folds] [--write] [--report FILE]

Needs numpy and scipy, and the published rows (see ``published_runs.py``). Each run is scheduled once
(``step_records.py``); then the step-time model, written over arrays here and held against the product's own at the end,
is fitted by robust least squares on the logarithms of TTFT, TPOT and throughput. Runs of one model x GPU group together
weigh as much as the 0.3rd power of their number, so that no group decides. Every constant has a prior its start value
stands for.

``--folds`` fits once more without each group: the errors on the group left out are what the stated intervals and the
published accuracy come from. Without it the intervals in place are kept.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "server"), str(ROOT / "tools")]

from cost_arrays import Arrays  # noqa: E402
from cost_bands import Errors, bands_of, calibrated_bands_of  # noqa: E402
from published_runs import data, read_runs  # noqa: E402
from vllm_triage.engine.cost.bands import Bands  # noqa: E402
from vllm_triage.engine.cost.efficiencies import Fitted, Generation  # noqa: E402
from vllm_triage.engine.cost.fitted import BANDS, CALIBRATED_BANDS, FITTED  # noqa: E402

GENERATIONS = ("ampere", "hopper", "blackwell")
FOLDS = ROOT / "benchmarks" / "cost_folds.json"
"""Constants fitted without each group, for ``benchmarks/latency_model.py``."""
TARGET = ROOT / "server" / "vllm_triage" / "engine" / "cost" / "fitted.py"

OF_GENERATION = {
    "weights": (0.8, 0.15, 0.95), "experts": (0.5, 0.4, 0.95), "experts_packed": (0.4, 0.4, 0.95),
    "kv": (0.8, 0.12, 0.95), "gemm": (0.6, 0.15, 0.8), "gemm_narrow": (0.45, 0.3, 0.8), "expert_gemm": (0.25, 0.4, 0.8),
    "expert_gemm_narrow": (0.15, 0.6, 0.8),
    "expert_gemm_packed": (0.2, 0.6, 0.8), "attention": (0.45, 0.3, 0.8), "layer_us": (25.0, 0.6, 500.0),
    "expert_layer_us": (25.0, 0.8, 500.0), "collective_us": (8.0, 0.6, 100.0),
}  # fmt: skip
"""Start value, standard deviation of its logarithm, and highest value."""

SHARED = {
    "latent_layer": (1.5, 0.5, 5.0), "recurrent_layer": (1.5, 0.5, 5.0), "host_ms": (1.0, 0.8, 20.0),
    "synchronous_ms": (1.0, 0.6, 20.0), "sequence_us": (8.0, 0.8, 100.0), "synchronous_sequence_us": (15.0, 0.3, 100.0),
    "early_sequence_us": (15.0, 0.6, 100.0),
    "link": (0.6, 0.3, 0.95), "first_token_ms": (25.0, 0.6, 200.0), "token_us": (0.5, 1.0, 10.0),
    "sharpness": (3.0, 0.4, 8.0), "skew": (0.9, 0.04, 1.0),
    "rows": (24.0, 0.7, 128.0),
}  # fmt: skip

WEIGHT = np.array([0.5, 1.0, 0.7])
"""Of TTFT, TPOT and throughput: TTFT depends on much that no row tells."""

NOISE = 0.12
"""Logarithmic error from which on a run pulls by its size, no more by its square; three times that, a fifth of it."""


KINSHIP = 0.3
"""Standard deviation, as a logarithm, of one generation's efficiency from the mean of all: what one does not show, the
others tell."""


FIELDS = tuple(OF_GENERATION)

NARROWER = (0.85, 0.1)
"""Share of its own peak that a dense product in fewer bits reaches, over that of one in 16 bits, and the standard
deviation of its logarithm: kernels in fewer bits are never nearer their peak. Published runs in 16 and in 8 bits are
of other models, releases and drivers, so that the ratio is not theirs to tell."""


@dataclass(frozen=True, slots=True)
class Space:
    """The constants as one vector of logarithms."""

    names: tuple[tuple[str, str], ...]
    """Generation (or "") and field."""
    start: np.ndarray
    doubt: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def fitted(self, at: np.ndarray) -> Fitted:
        """The constants a vector stands for."""
        value = dict(zip(self.names, np.exp(at).tolist(), strict=True))
        generations = {
            name: Generation(**{one.name: value[name, one.name] for one in fields(Generation)}) for name in GENERATIONS
        }
        return Fitted(generations=generations, **{name: value["", name] for name in SHARED})


def space() -> Space:
    """All constants, where they start and how far they may go."""
    rows = [((name, field), *prior) for name in GENERATIONS for field, prior in OF_GENERATION.items()]
    rows += [(("", field), *prior) for field, prior in SHARED.items()]
    start = np.log([row[1] for row in rows])
    doubt = np.array([row[2] for row in rows])
    high = np.log([row[3] for row in rows])
    return Space(tuple(row[0] for row in rows), start, doubt, start - 3.5, high)


def fit(arrays: Arrays, over: np.ndarray, within: Space, begin: np.ndarray | None, rounds: int) -> np.ndarray:
    """The constants that explain the runs of `over` best."""
    count = Counter(arrays.groups[over].tolist())
    heavy = np.array([count[name] ** -0.35 if name in count else 0.0 for name in arrays.groups]) * over

    def residuals(at: np.ndarray) -> np.ndarray:
        off = (arrays.predicted(within.fitted(at)) - arrays.measured) * WEIGHT / NOISE
        robust = np.sign(off) * np.sqrt(2 * (np.sqrt(1 + off * off) - 1))
        robust = np.sign(robust) * np.minimum(np.abs(robust), 3 + 0.2 * np.maximum(0, np.abs(robust) - 3))
        own = at[: len(GENERATIONS) * len(OF_GENERATION)].reshape(len(GENERATIONS), -1)
        apart = (own - own.mean(axis=0)) / KINSHIP
        narrower = own[:, FIELDS.index("gemm_narrow")] - own[:, FIELDS.index("gemm")]
        ties = (narrower - np.log(NARROWER[0])) / NARROWER[1]
        priors = 0.5 * np.concatenate([(at - within.start) / within.doubt, apart.ravel(), 2 * ties])
        return np.concatenate([(robust * heavy[:, None]).ravel(), priors])

    first = within.start if begin is None else begin
    first = np.clip(first, within.low + 1e-6, within.high - 1e-6)
    found = least_squares(
        residuals, first, bounds=(within.low, within.high), max_nfev=rounds, x_scale=within.doubt
    )  # fmt: skip
    return np.asarray(found.x)


def folds(arrays: Arrays, over: np.ndarray, within: Space, at: np.ndarray) -> tuple[np.ndarray, dict[str, list[float]]]:
    """What is predicted of each group by constants fitted without it, and those constants."""
    predicted = arrays.predicted(within.fitted(at))
    constants: dict[str, list[float]] = {}
    for name in sorted(set(arrays.groups[over].tolist())):
        out = arrays.groups == name
        without = fit(arrays, over & ~out, within, at, 4)
        predicted[out] = arrays.predicted(within.fitted(without))[out]
        constants[name] = [float(f"{value:.5g}") for value in np.exp(without)]
        print(_line(name, predicted[out] - arrays.measured[out]), flush=True)
    return predicted, constants


def _line(name: str, off: np.ndarray) -> str:
    size = np.abs(np.expm1(off))
    told = [f"{median:5.1%} ({bias:+.2f})" for median, bias in zip(np.median(size, 0), np.median(off, 0), strict=True)]
    return f"{name:36} {len(off):4}  TTFT {told[0]}  TPOT {told[1]}  rate {told[2]}"


def summary(arrays: Arrays, off: np.ndarray, over: np.ndarray, show: Callable[[str], None]) -> None:
    """Median and 90th percentile of the errors, over all runs, by group."""
    size = np.abs(np.expm1(off[over]))
    for column, name in enumerate(("TTFT", "TPOT", "throughput")):
        show(f"{name:10} median {np.median(size[:, column]):5.1%}, p90 {np.percentile(size[:, column], 90):5.1%}")
    for name in sorted(set(arrays.groups.tolist())):
        show(_line(name, off[arrays.groups == name]))


def written(found: Fitted, bands: Bands, calibrated: Bands, told: str) -> str:
    """The text of ``fitted.py``."""

    def block(values: dict[str, float], indent: str) -> str:
        lines, line = [], indent
        for name, value in values.items():
            part = f"{name}={value:.4g}, "
            if len(line) + len(part) > 118:
                lines.append(line.rstrip())
                line = indent
            line += part
        return "\n".join([*lines, line.rstrip()])

    sets = "".join(
        f'        "{name}": Generation(\n'
        + block({one.name: getattr(values, one.name) for one in fields(Generation)}, " " * 12)
        + "\n        ),\n"
        for name, values in found.generations.items()
    )
    shared = block({name: getattr(found, name) for name in SHARED}, "    ")
    pairs = [
        f"{name} = Bands(\n"
        + "\n".join(
            f"    {one.name}=({getattr(of, one.name)[0]:.3f}, {getattr(of, one.name)[1]:.3f})," for one in fields(Bands)
        )
        + "\n)"
        for name, of in (("BANDS", bands), ("CALIBRATED_BANDS", calibrated))
    ]
    return f'''"""Efficiencies and intervals of real servers. Written by tools/fit_cost.py: change that, not this.

{told}
"""

from .bands import Bands
from .efficiencies import Fitted, Generation

__all__ = ["BANDS", "CALIBRATED_BANDS", "FITTED"]

FITTED = Fitted(
    generations={{
{sets}    }},
{shared}
)  # fmt: skip

{pairs[0]}

{pairs[1]}
'''


def main() -> int:
    """Fit, tell, and write when asked."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--folds", action="store_true", help="cross-validate, and take the intervals from it")
    options.add_argument("--write", action="store_true", help="write engine/cost/fitted.py")
    options.add_argument("--rounds", type=int, default=20)
    asked = options.parse_args()
    if not data().exists():
        print(f"nothing to fit: {data()} is not there")
        return 0
    runs, left_out = read_runs()
    arrays = Arrays.of(runs)
    print(f"{len(runs)} runs, {len(arrays.steps)} kinds of steps; left out: {left_out}")
    over = ~arrays.drafting  # how many drafts were accepted is not told
    within = space()
    begin = np.log([getattr(FITTED.generations[g], f) if g else getattr(FITTED, f) for g, f in within.names])
    at = fit(arrays, over, within, begin, asked.rounds)
    found = within.fitted(at)
    print("in sample:")
    summary(arrays, arrays.predicted(found) - arrays.measured, over, print)
    print(f"largest difference to the product's own steps: {arrays.against_product(found):.2e}")
    bands, calibrated, told = BANDS, CALIBRATED_BANDS, "Without cross-validation: the intervals are those before."
    if asked.folds:
        print("each group, by constants fitted without it:")
        predicted, constants = folds(arrays, over, within, at)
        off = predicted - arrays.measured
        errors = Errors.of(arrays, predicted, over)
        bands, calibrated = bands_of(errors), calibrated_bands_of(errors)
        size = np.abs(np.expm1(off[over]))
        told = (
            f"Source: {over.sum()} published vLLM runs (AIConfigurator silicon samples and the GPUStack performance "
            f"lab),\n{len(set(arrays.groups[over].tolist()))} model x GPU groups. Median error on groups left out of "
            f"the fit: TPOT {np.median(size[:, 1]):.1%}, throughput {np.median(size[:, 2]):.1%}, "
            f"TTFT {np.median(size[:, 0]):.1%}."
        )
        print(told)
        print(bands, calibrated, sep="\n")
        if asked.write:
            names = [f"{generation}.{field}".lstrip(".") for generation, field in within.names]
            told_folds = {"names": names, "without": constants}
            FOLDS.write_text(json.dumps(told_folds, separators=(",", ":")) + "\n", encoding="utf-8")
    if asked.write:
        TARGET.write_text(written(found, bands, calibrated, told), encoding="utf-8")
        print(f"written {TARGET.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
