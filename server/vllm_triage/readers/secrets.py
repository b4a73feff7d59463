"""Blanking of secrets in pasted text.

Everything that reaches an output, an error or a log goes through :func:`redact` first. It errs on the side of blanking:
a harmless value that looks like a key is lost, a key never gets through.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from .lazy import Lazy

__all__ = ["BLANK", "Rules", "is_secret_name", "redact", "redact_into", "suspects"]

BLANK = "REDACTED"
"""What stands in place of a secret: a plain word in shell, YAML, JSON and Python alike."""

# What the name of a secret ends in, or holds. ``tokens`` counts tokens and is none.
_KEY_KINDS = "api|access|secret|private|account|auth|encryption|signing|session|license|master|s3|aws"
_NAME = (
    rf"(?:(?:{_KEY_KINDS})[_-]?|[_-])keys?(?:[_-]?id)?|(?<![a-z])(?:[a-z]{{0,20}}[_-])?token|authtoken|accesstoken|secrets?|"
    r"(?:password|passwd|passphrase)\w{0,30}|pwd|[_-]pat|credentials?"
)

# Names that end like a secret's and hold none: tokens of a vocabulary, keys of a mapping. Never upper-case variables.
_HARMLESS = Lazy(
    r"(?:bos|eos|pad|unk|sep|mask|cls|image|video|audio|additional|special|boi|eoi|stop|start|end|think\w*|chunk|from|per|"
    r"each|next|last|first|new|max|min|num|draft|placeholder|config|cache|sort|primary|foreign|group|dict|map|label|routing|"
    r"partition|hash|lookup|max.prompt.adapter)[_-](?:token|keys?)",
    re.I,
)
_QUOTE = Lazy(r"\\{0,2}[\"']")
_TAIL = Lazy(r"[A-Za-z_-]*$")

# Values that only stand for a secret: a reference to a variable or a template, a list, or nothing at all.
_REFERENCE = (
    r"(?!\\{0,2}[\"']?(?:\$[A-Za-z_{(]|%\w+%|<[A-Za-z_]|\{\{"
    rf"|{BLANK}|null\b|none\b|true\b|false\b|\*\*\*)|[\[{{(])"
)
_VALUE = r"(?:\\{0,2}\"(?:[^\"\\\n]|\\.){1,8192}\"?|'[^'\n]{1,8192}'?|[^\s\"',;&|)}\]\\]{1,8192})"


_NAMED = ("key", "token", "secret", "passw", "passphrase", "pwd", "_pat", "-pat", "credential")
"""What every name of a secret holds, in lower case."""


class _Rule(NamedTuple):
    """A shape of secret. The pattern is tried, and compiled, only where a needle stands in the lower-cased text."""

    needles: tuple[str, ...]
    pattern: Lazy
    named: bool = False
    """True when group 1 is the name that the value is given to."""


Rules = tuple[_Rule, ...]
"""The shapes that a text can hold at all, by :func:`suspects`."""


def _rule(needles: str, pattern: str, flags: int = 0, *, named: bool = False) -> _Rule:
    return _Rule(tuple(needles.split()), Lazy(pattern, flags), named)


@cache
def _rules() -> Rules:
    """Every shape; what a pattern keeps is in its groups `keep` (before the secret) and `rest` (behind it)."""
    named = " ".join(_NAMED)
    vendors = r"\b(?:nvapi-|gsk_|xai-|r8_|pplx-|csk-|glpat-|dckr_pat_|lsv2_[a-z]{2}_|dop_v1_|fw_)[\w-]{8,400}"
    needles = "nvapi- gsk_ xai- r8_ pplx- csk- glpat- dckr_pat_ lsv2_ dop_v1_ fw_"
    return (
        _rule("private", r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}KEY-----)?"),
        _rule("://", r"(?P<keep>://)(?!\$\{?\w+\}?@)[^\s/@\"'<>]{1,1024}(?P<rest>@(?=[\w\[.-]))"),
        _rule(
            "? &",
            r"(?P<keep>[?&][\w-]{0,40}(?:token|signature|key|sig|secret|password|credential)[\w-]{0,20}=)[^&\s\"']{1,4096}",
            re.I,
        ),
        _rule("bearer", r"(?P<keep>\bBearer\s{1,4})(?=\S*[\dA-Z_.~+/=]|\S{16})(?![$<{%])[\w.~+/=-]{4,8192}", re.I),
        _rule("basic", r"(?P<keep>\bBasic\s{1,4})(?=\S*[\d=])(?![$<{%])[\w.~+/=-]{8,8192}", re.I),
        _rule("hf_", r"\bhf_(?![a-z]{1,14}(?![A-Za-z0-9]))[A-Za-z0-9]{6,200}"),
        _rule("sk- pk-", r"(?<![\w-])(?:sk|pk)-[\w-]{4,400}"),
        _rule("sk_ rk_ pk_", r"\b(?:sk|rk|pk)_(?:live|test)_\w{6,400}"),
        _rule(needles, vendors),
        _rule("gho_ ghp_ ghu_ ghs_ ghr_ github_pat_", r"\b(?:gh[pousr]_|github_pat_)\w{6,400}"),
        _rule("akia asia aroa aida agpa", r"\b(?:AKIA|ASIA|AROA|AIDA|AGPA)[A-Z0-9]{8,32}\b"),
        _rule("aiza", r"\bAIza[\w-]{20,60}"),
        _rule("ya29.", r"\bya29\.[\w.-]{10,2000}"),
        _rule("xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{8,400}"),
        _rule("eyj", r"\beyJ[\w-]{6,4000}\.[\w-]{4,8000}(?:\.[\w-]{0,4000})?"),
        _rule(
            named,
            rf"(?P<keep>(?P<name>--?[\w.-]{{0,60}}?(?:{_NAME}))(?:\s*=\s*|[ \t]+)){_REFERENCE}(?!-){_VALUE}"
            r"(?:[ \t]+(?!-)(?=\S*\d)[\w.~+/=-]{8,400})*",
            re.I,
            named=True,
        ),
        _rule(
            named,
            rf"(?P<keep>(?P<name>{_NAME})\\{{0,2}}[\"']?\s{{0,8}}[:=]\s{{0,8}}){_REFERENCE}{_VALUE}",
            re.I,
            named=True,
        ),
        _rule(
            "value:",
            rf"(?P<keep>name:[ \t]{{0,8}}[\"']?(?P<name>[\w.-]{{0,60}}?(?:{_NAME}))[\"']?[ \t]{{0,8}}\n[ \t-]{{0,80}}"
            rf"value:[ \t]{{0,8}}){_REFERENCE}{_VALUE}",
            re.I,
            named=True,
        ),
    )


def suspects(text: str) -> Rules:
    """The shapes whose needles stand in the text; of most command lines none.

    One look at a whole text answers for each of its parts: :func:`redact_into` takes the answer.
    """
    return _suspected(text, _rules())


def _suspected(text: str, rules: Rules) -> Rules:
    lowered = text.lower()
    # ``max_num_batched_tokens`` stands in many a launch and names no secret: behind a secret's name comes its mark or a
    # blank, never an ``s``. The ``s`` stays, for another name may begin with it.
    named = _any_in(_NAMED, lowered.replace("tokens", "s"))
    return tuple([rule for rule in rules if (not rule.named or named) and _any_in(rule.needles, lowered)])


@cache
def _name_pattern() -> re.Pattern[str]:
    return re.compile(rf"[\w.-]*?(?:{_NAME})", re.I)


def is_secret_name(name: str) -> bool:
    """True when a variable, flag or key of this name holds a secret (``HF_TOKEN``, ``--api-key``)."""
    return len(name) <= 200 and _any_in(_NAMED, name.lower()) and _is_secret_name(name)


@lru_cache(maxsize=256)
def _is_secret_name(name: str) -> bool:
    return _name_pattern().fullmatch(name) is not None and not _is_harmless(name)


def _is_harmless(name: str) -> bool:
    tail = _TAIL.search(name)
    found = tail[0].lstrip("-_") if tail else ""
    return found != found.upper() and _HARMLESS.fullmatch(found) is not None


def _any_in(needles: Sequence[str], text: str) -> bool:
    for needle in needles:  # noqa: SIM110 (asked of every word: a generator would take three times as long)
        if needle in text:
            return True
    return False


def redact(text: str) -> tuple[str, int]:
    """The text with every secret blanked, and how many there were.

    Covers keys by their shape (Hugging Face, OpenAI, GitHub, AWS, Google, Slack, JSON web tokens, private keys), values
    by the name they are given to (``*_TOKEN=``, ``--api-key``, ``password:``), bearer headers, and the user part of a
    URL. References to variables (``$HF_TOKEN``) are left, for they are not secrets. Linear in the text.
    """
    found: list[str] = []
    return redact_into(text, found), len(found)


def redact_into(text: str, found: list[str], rules: Rules | None = None) -> str:
    """As :func:`redact`; appends what was blanked to `found`, for a caller that counts or looks for more of it.

    `rules`, where given, are those that :func:`suspects` names for a text that this one is a part of.
    """
    rules = _suspected(text, _rules() if rules is None else rules) if rules != () else ()
    if not rules:
        return text

    def blank(match: re.Match[str]) -> str:
        groups = match.groupdict()
        if rule.named and _is_harmless(match.string[max(0, match.start("name") - 40) : match.end("name")]):
            return match[0]
        keep, rest = groups.get("keep") or "", groups.get("rest") or ""
        value = match[0][len(keep) : len(match[0]) - len(rest)]
        found.append(value.strip("\\\"'"))
        opening = _QUOTE.match(value)
        quote = opening[0] if opening and value.endswith(opening[0]) else ""
        return f"{keep}{quote}{BLANK}{quote}{rest}"

    for rule in rules:
        text = rule.pattern.sub(blank, text)
    return text
