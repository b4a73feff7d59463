"""What in a configuration fails, is silently changed, or is slow in one version."""

from typing import Literal

from pydantic import Field

from .base import Json, Noun, Words

__all__ = ["AskedVersusGot", "Basis", "CompatReport", "CompatSeverity", "Finding", "FixStep", "NotChecked"]

CompatSeverity = Literal["fatal", "silent", "degraded", "advice"]
"""fatal: does not start, or refuses the request. silent: the engine changes what was asked for.
degraded: runs slower or with less than it could. advice: worth knowing."""

Basis = Literal["source", "documentation", "policy"]
"""What stands behind a finding: the version's own code or a run of it, its documentation, or a house rule."""


class AskedVersusGot(Noun):
    """A setting the engine changes: what was asked, what is in force."""

    setting: str
    asked: Json
    got: Json


class FixStep(Noun):
    """One edit of the launch. Applying all steps of a finding makes the finding go away."""

    action: Literal["set", "drop", "set_env", "drop_env"]
    name: str
    """Canonical long flag such as ``--max-num-seqs``, or the name of an environment variable."""
    to: Json = None
    """The value to set; ``True`` and ``False`` stand for ``--flag`` and ``--no-flag``."""


class Finding(Noun):
    """One rule that fires."""

    rule: str
    severity: CompatSeverity
    title: str
    message: str
    flags: Words = ()
    versions: str
    """The versions the rule holds for, such as ``>=0.17,<0.28``."""
    effect: str
    fix: str
    basis: Basis
    evidence: Words
    changed: tuple[AskedVersusGot, ...] = ()
    steps: tuple[FixStep, ...] = ()
    """The fix as edits a program can apply."""
    starts: bool = Field(True, exclude_if=lambda held: held)
    """False where vLLM accepts the configuration and the start fails all the same, by arithmetic and not by a check."""


class NotChecked(Noun):
    """A rule that could not be decided, or a version or device taken for another, and what it needs."""

    rule: str
    needs: Words


class CompatReport(Noun):
    """All findings for one deployment, most severe first."""

    vllm_version: str
    ok: bool
    """True when nothing is fatal."""
    findings: tuple[Finding, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    rules_checked: int
    speculation_checked: bool
    """True when the speculative configuration was among what was checked."""

    def fatal(self) -> tuple[Finding, ...]:
        """The findings that stop the launch."""
        return tuple(f for f in self.findings if f.severity == "fatal")

    def stops(self, standing: "CompatReport | None" = None) -> Finding | None:
        """What keeps the launch from starting: a fatal finding, or one with which the start fails all the same.

        Of the latter, what `standing` says too does not count: it is the report on a launch that runs.
        """
        runs = frozenset() if standing is None else frozenset(f.rule for f in standing.findings if not f.starts)
        return next((f for f in self.findings if f.severity == "fatal" or not (f.starts or f.rule in runs)), None)
