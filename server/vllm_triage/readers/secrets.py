"""Blanking of secrets in pasted text.

Everything that reaches an output, an error or a log goes through :func:`redact` first. It errs on the side of
blanking: a harmless value that looks like a key is lost, a key never gets through.
"""

import re
from functools import cache

__all__ = ["BLANK", "is_secret_name", "redact"]

BLANK = "REDACTED"
"""What stands in place of a secret: a plain word in shell, YAML, JSON and Python alike."""

_NAME = (
    r"(?:[A-Za-z0-9_.\-]{0,80}?"
    r"(?:api[_-]?keys?|access[_-]?keys?(?:[_-]?id)?|secret(?:[_-]?(?:key|access[_-]?key|id))?|private[_-]?key|"
    r"account[_-]?key|auth[_-]?key|encryption[_-]?key|signing[_-]?key|session[_-]?key|ssh[_-]?key|license[_-]?key|"
    r"passwords?|passwd|passphrase|pwd|pat|credentials?|[_-]key|"
    r"(?:[_-]|\b)token|auth[_-]?token|bearer))"
)
"""A name whose value is a secret: it ends in one of these words."""

# Values that only stand for a secret: a reference to a variable, a file to read, or nothing at all.
_NOT_A_VALUE = r"(?![\"']?(?:\$|%|<|\{\{|REDACTED|null\b|none\b|true\b|false\b|\*\*\*))"


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    value = r"(?:\"(?:[^\"\\\n]|\\.){1,4096}\"|'[^'\n]{1,4096}'|[^\s\"',;&|)}\]]{1,4096})"
    return tuple(
        (re.compile(pattern, flags), replacement)
        for pattern, flags, replacement in (
            (r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?", 0, BLANK),
            (r"\b([a-z][a-z0-9+.\-]{1,20}://)[^\s/@\"'<>$]{1,512}@", re.I, rf"\1{BLANK}@"),
            (r"([?&](?:[\w\-]{0,40}(?:token|signature|key|sig|secret|password|credential)[\w\-]{0,20}))=[^&\s\"']{1,4096}",
             re.I, rf"\1={BLANK}"),
            (r"\b(Bearer|Basic|token)(\s+)(?=[A-Za-z0-9._~+/\-]*[0-9A-Z._])[A-Za-z0-9._~+/\-]{16,4096}=*", re.I,
             rf"\1\2{BLANK}"),
            (r"\bhf_(?![a-z]{1,14}(?![A-Za-z0-9]))[A-Za-z0-9]{6,200}", 0, BLANK),
            (r"\b(?:sk|pk|rk|nvapi|gsk|xai|r8|pplx|csk|fw|glpat|dckr_pat|tgp_v1|ls__|lsv2_[a-z]{2}|dop_v1)[-_][A-Za-z0-9_\-]{8,400}",
             0, BLANK),
            (r"\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{8,400}", 0, BLANK),
            (r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,32}\b", 0, BLANK),
            (r"\bAIza[A-Za-z0-9_\-]{20,60}", 0, BLANK),
            (r"\bya29\.[A-Za-z0-9_\-.]{10,2000}", 0, BLANK),
            (r"\bxox[abeoprs]-[A-Za-z0-9\-]{8,400}", 0, BLANK),
            (r"\beyJ[A-Za-z0-9_\-]{6,4000}\.[A-Za-z0-9_\-]{4,8000}(?:\.[A-Za-z0-9_\-]{0,4000})?", 0, BLANK),
            (rf"(--?{_NAME})(\s*=\s*|\s+){_NOT_A_VALUE}(?!-){value}", re.I, rf"\1\2{BLANK}"),
            (rf"(?<![\w-])([\"']?{_NAME}[\"']?)(\s{{0,8}}[:=]\s{{0,8}}){_NOT_A_VALUE}{value}", re.I, rf"\1\2{BLANK}"),
            (rf"(name:\s*[\"']?{_NAME}[\"']?\s*\n\s*value:\s*){_NOT_A_VALUE}{value}", re.I, rf"\1{BLANK}"),
        )
    )


@cache
def _name_pattern() -> re.Pattern[str]:
    return re.compile(_NAME, re.I)


def is_secret_name(name: str) -> bool:
    """True when a variable, flag or key of this name holds a secret (``HF_TOKEN``, ``--api-key``)."""
    return len(name) <= 200 and _name_pattern().fullmatch(name.lstrip("-")) is not None


def redact(text: str) -> tuple[str, int]:
    """The text with every secret blanked, and how many there were.

    Covers keys by their shape (Hugging Face, OpenAI, GitHub, AWS, Google, Slack, JSON web tokens, private keys),
    values by the name they are given to (``*_TOKEN=``, ``--api-key``, ``password:``), bearer headers, and the user
    part of a URL. References to variables (``$HF_TOKEN``) are left, for they are not secrets.
    """
    count = 0
    for pattern, replacement in _patterns():
        text, changed = pattern.subn(replacement, text)
        count += changed
    return text, count
