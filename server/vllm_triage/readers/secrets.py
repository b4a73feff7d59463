"""Blanking of secrets in pasted text.

Everything that reaches an output, an error or a log goes through :func:`redact` first. It errs on the side of blanking: a harmless
value that looks like a key is lost, a key never gets through.
"""

import re
from collections.abc import Sequence
from functools import cache

__all__ = ["BLANK", "is_secret_name", "redact"]

BLANK = "REDACTED"
"""What stands in place of a secret: a plain word in shell, YAML, JSON and Python alike."""

_SECRET_WORDS = (
    r"(?:api[_-]?|access[_-]?|secret[_-]?|private[_-]?|account[_-]?|auth[_-]?|encryption[_-]?|signing[_-]?|session[_-]?|"
    r"license[_-]?|master[_-]?|[_-])keys?(?:[_-]?id)?|(?<![a-z])(?:[a-z]{0,20}[_-])?tokens?(?<!s)|authtokens?|accesstoken|secrets?|"
    r"passwords?|passwd|passphrase|pwd|[_-]pat|credentials?|keyphrase"
)
"""What the name of a secret ends in. ``tokens`` counts tokens and is none."""

# Values that only stand for a secret: a reference to a variable or a template, or nothing at all.
_STANDS_FOR = rf"(?![\"']?(?:\$[A-Za-z_{{(]|%\w+%|<|\{{\{{|{BLANK}|null\b|none\b|true\b|false\b|\*\*\*)|[\[{{(])"
_VALUE = r"(?:\"(?:[^\"\\\n]|\\.){1,8192}\"?|'[^'\n]{1,8192}'?|[^\s\"',;&|)}\]]{1,8192})"

_Rule = tuple[tuple[str, ...], re.Pattern[str], str]

# Names that end like a secret's and hold none: tokens of a vocabulary, keys of a mapping.
_NO_SECRET = re.compile(
    r"(?:bos|eos|pad|unk|sep|mask|cls|image|video|audio|additional|special|boi|eoi|stop|start|end|think\w*|chunk|from|per|each|next|last|"
    r"first|new|max|min|num|draft|placeholder|config|cache|sort|primary|foreign|group|dict|map|label|routing|partition|hash|lookup)"
    r"[_-](?:tokens?|keys?)",
    re.I,
)


@cache
def _rules() -> tuple[_Rule, ...]:
    """(needles, pattern, replacement): a pattern is tried only where one of its needles stands in the lower-cased text."""
    named = ("key", "token", "secret", "pass", "pwd", "pat", "credential")
    return tuple(
        (needles, re.compile(pattern, flags), replacement)
        for needles, pattern, flags, replacement in (
            (("private key-----",),
             r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?", 0, BLANK),
            (("://",), r"(?<=://)(?!\$\{?\w+\}?@)[^\s/@\"'<>]{1,1024}@(?=[\w\[.-])", 0, f"{BLANK}@"),
            (("?", "&"), r"([?&][\w-]{0,40}(?:token|signature|key|sig|secret|password|credential)[\w-]{0,20})=[^&\s\"']{1,4096}",
             re.I, rf"\1={BLANK}"),
            (("bearer", "basic"), r"\b(Bearer|Basic)(\s{1,4})(?![$<{])[A-Za-z0-9._~+/=-]{6,8192}", re.I, rf"\1\2{BLANK}"),
            (("hf_",), r"\bhf_(?![a-z]{1,14}(?![A-Za-z0-9]))[A-Za-z0-9]{6,200}", 0, BLANK),
            (("sk-", "sk_", "pk-", "rk_", "nvapi-", "gsk_", "xai-", "r8_", "pplx-", "csk-", "glpat-", "dckr_pat_", "lsv2_", "dop_v1_", "key-", "fw_"),
             r"\b(?:(?:sk|pk)-(?:[a-z]+-)*(?=[A-Za-z_-]*\d|[A-Za-z0-9_-]*[A-Z])|(?:sk|rk|pk)_(?:live|test)_|nvapi-|gsk_|xai-|r8_|pplx-|"
             r"csk-|glpat-|dckr_pat_|lsv2_[a-z]{2}_|dop_v1_|key-|fw_)[A-Za-z0-9_-]{6,400}", 0, BLANK),
            (("sk-",), r"(?<![\w-])sk-[A-Za-z0-9_-]{4,400}", 0, BLANK),
            (("gho_", "ghp_", "ghu_", "ghs_", "ghr_", "github_pat_"), r"\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{6,400}", 0, BLANK),
            (("akia", "asia", "aroa", "aida", "agpa"), r"\b(?:AKIA|ASIA|AROA|AIDA|AGPA)[A-Z0-9]{8,32}\b", 0, BLANK),
            (("aiza",), r"\bAIza[A-Za-z0-9_-]{20,60}", 0, BLANK),
            (("ya29.",), r"\bya29\.[A-Za-z0-9_.-]{10,2000}", 0, BLANK),
            (("xox",), r"\bxox[abeoprs]-[A-Za-z0-9-]{8,400}", 0, BLANK),
            (("eyj",), r"\beyJ[A-Za-z0-9_-]{6,4000}\.[A-Za-z0-9_-]{4,8000}(?:\.[A-Za-z0-9_-]{0,4000})?", 0, BLANK),
            (named, rf"(--?[\w.-]{{0,60}}?(?:{_SECRET_WORDS}))(\s*=\s*|[ \t]+){_STANDS_FOR}(?!-){_VALUE}", re.I, rf"\1\2{BLANK}"),
            (named, rf"({_SECRET_WORDS})([\"']?\s{{0,8}}[:=]\s{{0,8}}){_STANDS_FOR}{_VALUE}", re.I, rf"\1\2{BLANK}"),
            (("value:",), rf"(name:[ \t]{{0,8}}[\"']?[\w.-]{{0,60}}?(?:{_SECRET_WORDS})[\"']?[ \t]{{0,8}}\n[ \t-]{{0,80}}value:[ \t]{{0,8}})"
             rf"{_STANDS_FOR}{_VALUE}", re.I, rf"\1{BLANK}"),
        )
    )  # fmt: skip


@cache
def _gate() -> re.Pattern[str]:
    """Every needle at once: most words of a command line hold none."""
    needles = {needle for rule in _rules() for needle in rule[0] if needle not in ("?", "&")}
    return re.compile("|".join(sorted(map(re.escape, needles))), re.I)


@cache
def _name_pattern() -> re.Pattern[str]:
    return re.compile(rf"[\w.-]*?(?:{_SECRET_WORDS})", re.I)


def is_secret_name(name: str) -> bool:
    """True when a variable, flag or key of this name holds a secret (``HF_TOKEN``, ``--api-key``)."""
    lowered = name.lower()
    if len(name) > 200 or not _any_in(("key", "token", "secret", "pass", "pwd", "pat", "credential"), lowered):
        return False
    return _name_pattern().fullmatch(name) is not None and not _harmless(name)


def _any_in(needles: Sequence[str], text: str) -> bool:
    return any(needle in text for needle in needles)


def redact(text: str) -> tuple[str, int]:
    """The text with every secret blanked, and how many there were.

    Covers keys by their shape (Hugging Face, OpenAI, GitHub, AWS, Google, Slack, JSON web tokens, private keys), values by the name
    they are given to (``*_TOKEN=``, ``--api-key``, ``password:``), bearer headers, and the user part of a URL. References to
    variables (``$HF_TOKEN``) are left, for they are not secrets.
    """
    if len(text) < 256 and _gate().search(text) is None:
        return text, 0
    count = 0
    lowered = text.lower()
    for needles, pattern, replacement in _rules():
        if _any_in(needles, lowered):
            if replacement.startswith(r"\1\2"):
                text, changed = _by_name(pattern, replacement, text)
            else:
                text, changed = pattern.subn(replacement, text)
            count += changed
    return text, count


def _by_name(pattern: re.Pattern[str], replacement: str, text: str) -> tuple[str, int]:
    """Values by the name they are given to, but for names that only look like a secret's."""
    count = 0

    def blank(match: re.Match[str]) -> str:
        nonlocal count
        name = text[max(0, match.start(2) - 40) : match.start(2)].rstrip("\"'")
        if _harmless(name):
            return match[0]
        count += 1
        return match.expand(replacement)

    return pattern.sub(blank, text), count


def _harmless(name: str) -> bool:
    found = re.search(r"[A-Za-z_-]*$", name)
    return found is not None and found[0] != found[0].upper() and _NO_SECRET.fullmatch(found[0].lstrip("-_")) is not None
