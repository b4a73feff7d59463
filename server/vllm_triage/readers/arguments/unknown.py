"""Options this version does not have: when they existed, what replaced them, whose they are, what was meant."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from vllm_triage.domain.deployment import FlagStatus
from vllm_triage.facts.flags import FlagHistory, FlagTable, OtherEngine, history, of_another_engine, table
from vllm_triage.facts.versions import NEWEST, number

__all__ = ["Unknown", "closest", "explain_unknown"]


MEANT = {
    "--max-len": "--max-model-len", "--max-context-len": "--max-model-len", "--max-context-length": "--max-model-len",
    "--max-tokens": "--max-model-len", "--max-concurrency": "--max-num-seqs", "--max-concurrent-seqs": "--max-num-seqs",
    "--num-gpus": "--tensor-parallel-size", "--num-gpu": "--tensor-parallel-size", "--gpus": "--tensor-parallel-size",
    "--ep": "--enable-expert-parallel", "--draft-model": "--speculative-config", "--spec-config": "--speculative-config",
    "--kv-dtype": "--kv-cache-dtype",
}  # fmt: skip
"""What people write for an option whose name is spelled too differently to be found by likeness."""


class Unknown(NamedTuple):
    """What is known of an option this version does not have."""

    status: FlagStatus
    did_you_mean: str | None
    message: str
    fix: str
    code: str
    takes_value: bool = True
    """False for a switch of another release."""


def explain_unknown(option: str, flags: FlagTable, version: str, *, guess: bool = True) -> Unknown:
    """What `option` (as typed, without its value) is, seen from `version`. Without `guess`, nothing is looked for by likeness."""
    name = option.partition(".")[0].replace("_", "-") if option.startswith("--") else option
    opposite = _opposite(name)
    if opposite is not None and flags.by_option(opposite) is not None:
        message = f"vLLM {version} has no option {name}"
        return Unknown("not_yet" if history(name) else "unknown", opposite, message, f"write {opposite}", "inverse", False)
    past = history(name) or (history("--" + name[5:]) if name.startswith("--no-") else None)
    if past is not None:
        return _of_another_release(name, past, flags, version)
    theirs = of_another_engine(name)
    if theirs is not None:
        return _of_another_engine(name, theirs, flags)
    note = f"; the newest release known here is {NEWEST}" if number(version) > number(NEWEST) else ""
    near = closest(name, flags) if guess else None
    takes = not name.startswith(("--no-", "--disable-", "--enable-"))
    message = f"vLLM {version} has no option {name[:80]}{note}"
    return Unknown("unknown", near, message, f"did you mean {near}?" if near else "", "unknown-flag", takes)


def _opposite(name: str) -> str | None:
    """``--no-enable-x`` for ``--disable-x`` and the other way round: what 0.33 takes for the same, older releases do not."""
    for mine, other in (("--disable-", "--no-enable-"), ("--enable-", "--no-disable-")):
        if name.startswith(mine):
            return other + name.removeprefix(mine)
    return None


def _of_another_release(name: str, past: FlagHistory, flags: FlagTable, version: str) -> Unknown:
    last, again = past.until(version), past.since(version)
    seen = table(last or again or NEWEST).by_option(name)
    takes = seen is None or seen.takes_value
    if last is None:
        near = closest(name, flags)
        message = f"{name} does not exist in vLLM {version}; the first release with it is {again}"
        return Unknown("not_yet", near, message, f"upgrade to {again} or newer, or leave it out", "not-yet", takes)
    instead = past.replaced_by if past.replaced_by and flags.by_option(past.replaced_by) else None
    message = f"{name} is gone from vLLM {version}; {last} was the last release with it"
    if again is not None:
        message += f", {again} accepts it again"
    fix = "; ".join(part for part in (f"use {instead}" if instead else "leave it out", past.note) if part)
    return Unknown("removed", instead, message, fix, "removed", takes)


def _of_another_engine(name: str, theirs: OtherEngine, flags: FlagTable) -> Unknown:
    ours = theirs.ours if theirs.ours is not None and flags.by_option(theirs.ours) is not None else None
    fix = "; ".join(part for part in (f"use {ours}" if ours else "", theirs.note) if part)
    message = f"{name} is an option of {theirs.engine}, not of vLLM"
    return Unknown("unknown", ours, message, fix, "other-engine", theirs.takes_value)


def closest(name: str, flags: FlagTable) -> str | None:
    """The option of `flags` spelled most like `name` (or meant by it), or None when none is near."""
    meant = MEANT.get(name)
    return meant if meant is not None and flags.by_option(meant) is not None else _closest(name[:80], flags.long_options)


@lru_cache(maxsize=1024)
def _closest(name: str, options: tuple[str, ...]) -> str | None:
    wanted = name.lstrip("-").lower()
    if len(wanted) < 2:
        return None
    best, best_score = None, 0.0
    grams = _grams(wanted)
    for option, other in _grams_of(options):
        score = 2 * len(grams & other) / (len(grams) + len(other))
        if score > best_score:
            best, best_score = option, score
    return best if best_score >= 0.5 else None


@lru_cache(maxsize=8)
def _grams_of(options: tuple[str, ...]) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((option, _grams(option[2:])) for option in options)


def _grams(text: str) -> frozenset[str]:
    padded = f"^{text}$"
    return frozenset(padded[i : i + 2] for i in range(len(padded) - 1)) | _words(text.split("-"))


def _words(parts: Iterable[str]) -> frozenset[str]:
    return frozenset(part for part in parts if len(part) > 2)
