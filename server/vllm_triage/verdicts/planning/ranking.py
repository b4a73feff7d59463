"""Which of the configurations tried are worth showing, in which order."""

from .trials import Trial

__all__ = ["MOST_SHOWN", "beaten_by", "ranked", "spend"]

MOST_SHOWN = 4

GRADE = {"yes": 0, "likely": 1, "no": 2}

NOTICEABLE = 0.1
"""Room that differs by less, as a share of the limit, is the same room: no interval is that narrow."""


def ranked(trials: list[Trial]) -> tuple[list[Trial], list[tuple[Trial, Trial]]]:
    """The few worth trying, best first; and the others, each with one that beats it.

    What meets the targets at least likely and needs no checkpoint that may not exist comes before what does need one.
    Within each, first what meets them by the conservative bound, then the cheapest, then what alters the numbers least,
    then the one with most room; of two alike the simpler one. Where nothing meets them, the closest first.
    """
    ordered = sorted(trials, key=_key)
    kept: list[Trial] = []
    beaten: list[tuple[Trial, Trial]] = []
    for trial in ordered:
        better = next((other for other in kept if beaten_by(trial, other)), None)
        if better is None:
            beaten += [(other, trial) for other in kept if beaten_by(other, trial)]
            kept = [other for other in kept if not beaten_by(other, trial)] + [trial]
        else:
            beaten.append((trial, better))
    if any(trial.met == "yes" for trial in kept):
        beaten += [(trial, kept[0]) for trial in kept if trial.met == "no"]
        kept = [trial for trial in kept if trial.met != "no"]
    else:
        kept.sort(key=lambda trial: (*_standing(trial), -trial.room))
    return kept[:MOST_SHOWN], beaten


def beaten_by(trial: Trial, other: Trial) -> bool:
    """True when `other` is at least as good in everything: targets, spend, precision, room (simplicity, where it is alike)."""
    slack = NOTICEABLE * ((_parts(other) < _parts(trial)) - (_parts(other) > _parts(trial)))
    return (
        GRADE[other.met] <= GRADE[trial.met]
        and spend(other) <= spend(trial)
        and other.launch.altered <= trial.launch.altered
        and (other.room >= trial.room - slack if other.outcomes else _as_quick(other, trial, slack))
    )


def _as_quick(other: Trial, trial: Trial, slack: float) -> bool:
    """Without targets: as quick in both latencies."""
    pairs = ((other.prediction.tpot_ms, trial.prediction.tpot_ms), (other.prediction.ttft_ms, trial.prediction.ttft_ms))
    return all(one.mean.mid <= two.mean.mid * (1 + slack) for one, two in pairs)


def _parts(trial: Trial) -> int:
    """Things that have to work together: shared experts, stages, servers behind a balancer, flags that were tuned."""
    layout, tuned = trial.launch.layout, trial.launch.tuned.keys() - {"max_model_len", "max_num_seqs"}
    return layout.engine.experts + (layout.engine.pp > 1) + (layout.servers > 1) + len(tuned)


def spend(trial: Trial) -> float:
    """What an hour costs: a price where there is one, else the number of GPUs."""
    return float(trial.launch.gpus) if trial.price is None else trial.price


def _assumes(trial: Trial) -> bool:
    """True where a checkpoint of four bits has to be found or made first."""
    return bool(trial.launch.variant.assumed) and trial.launch.variant.altered > 1


def _standing(trial: Trial) -> tuple[float, ...]:
    return (trial.met == "no", _assumes(trial), GRADE[trial.met])


def _key(trial: Trial) -> tuple[float, ...]:
    launch = trial.launch
    return (*_standing(trial), spend(trial), launch.altered, -trial.room, _parts(trial))
