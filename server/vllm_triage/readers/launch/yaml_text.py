"""YAML as people paste it: whole files, fragments cut out of one, and Helm templates.

Loaded as strings, lists and mappings and nothing else, so a number keeps the text it was typed in. Merge keys and
aliases are followed when a key is looked up, never expanded, so no document can grow.
"""

import re
from functools import cache
from itertools import islice, pairwise
from typing import Any

from ..lazy import Lazy
from .yaml_tree import TOO_DEEP, load

__all__ = ["Template", "documents", "flat_config", "looks_like_yaml"]

MAX_CHARS = 400_000
"""Longest text loaded as YAML."""
_DEEPEST = 60
_MAX_DOCUMENTS = 200
_KEY = Lazy(r"^(?:- )*[\w./$*\"'<-][^:#\n]*:(?:[ \t]|$)")
_TELLING = Lazy(
    r"^[ \t]*(?:- )?[\"']?(?:apiVersion|kind|services|[\w-]{0,40}(?:command|cmd|args)|entrypoint|engine_kwargs|vllmConfig|modelSpec|"
    r"model_loading_config|engine_config|engine_args|engineArgs|vllm_config|"
    r"extraArgs|containers|serverArgs|vllm_args|envs|cmds|vllm_model|op)[\"']?[ \t]*:(?:[ \t]|$)",
    re.M,
)
_STARTING = Lazy(
    r"^[ \t]*(?:- )?[\"']?(?:command|args|entrypoint|engine_kwargs|vllmConfig)[\"']?[ \t]*:(?:[ \t]|$)", re.M
)
_ITEM = Lazy(r"^[ \t]*- [\"']?--?[a-z][\w-]*", re.M)
_BLOCK = Lazy(r"\{\{[^{}\n]{0,300}\}\}")
_CONTROL = Lazy(r"^[ \t]*\{\{-?\s*(?:if|else|end|range|with|include|define|template|toYaml|/\*|\$)[^\n]*$", re.M)
_VALUE = Lazy(r"\{\{-?[ \t]*\.?([A-Za-z_]\w*)[ \t]*(?:\|[ \t]*default\([\"']?([^()\"']*)[\"']?\)[ \t]*)?-?\}\}")
_ALIAS = Lazy(r"(?<=[\s\[,])\*([A-Za-z_][\w-]*)")
_ANCHOR = Lazy(r"(?<=[\s\[,])&([A-Za-z_][\w-]*)")
_DEEP_LINE = Lazy(r"^[ -]*(?:[-?:] ){40}", re.M)


def looks_like_yaml(text: str) -> bool:
    """True for a manifest, a values file, or a piece of one, rather than a script that contains one."""
    told = ":" in text and _TELLING.search(text) is not None
    if not told and ("- " not in text or len(_ITEM.findall(text, 0, 20_000)) < 3):
        return False
    head = text.lstrip()[:2]
    return head != "#!" and "<<EOF" not in text and "<< EOF" not in text and "<<'EOF" not in text and "<<-" not in text


class Template:
    """Stands in for Helm and Jinja expressions while YAML is read, and puts them back afterwards."""

    def __init__(self) -> None:
        self.expressions: list[str] = []
        self.values: dict[str, str] = {}
        """Variables the text itself sets (Ansible's ``vars``)."""

    def hide(self, text: str) -> str:
        """The text with every ``{{ ... }}`` replaced; lines that only steer a template are dropped."""
        if "{{" not in text:
            return text
        text = _CONTROL.sub(self._drop, text)
        return _BLOCK.sub(self._keep, text)

    def _drop(self, match: re.Match[str]) -> str:
        self.expressions.append(match[0].strip())
        return ""

    def _keep(self, match: re.Match[str]) -> str:
        self.expressions.append(match[0])
        return f"\ue000{len(self.expressions) - 1}\ue001"

    def show(self, word: str) -> str:
        """A word with its expressions put back."""
        if "\ue000" not in word:
            return word
        return re.sub(r"\ue000(\d+)\ue001", lambda m: self.meant(self.expressions[int(m[1])]), word)

    def meant(self, expression: str) -> str:
        """The value of a variable the text sets, or the default written beside it; any other expression as it stands."""
        match = _VALUE.fullmatch(expression)
        if match is None:
            return expression
        return self.values.get(match[1], expression if match[2] is None else match[2])

    @property
    def open(self) -> list[str]:
        """The expressions whose value the text does not give."""
        return [expression for expression in dict.fromkeys(self.expressions) if self.meant(expression) == expression]


def documents(text: str) -> tuple[list[Any], list[str]]:
    """The documents of a YAML text, and what was done or could not be done to read them.

    A text that does not load is tried once more as a fragment: cut out of the middle of a file, its first lines hang
    in the air and are given parents.
    """
    notes: list[str] = []
    if len(text) > MAX_CHARS:
        return [], [f"YAML of more than {MAX_CHARS:,} characters is not read"]
    anchors = set(_ANCHOR.findall(text)) if "&" in text else set()
    missing = sorted({name for name in _ALIAS.findall(text) if name not in anchors}) if "*" in text else []
    if missing and re.search(r"<<\s*:|:\s+\*", text):
        notes.append(f"the anchor {', '.join(missing[:5])} is not in this paste")
        text = _ALIAS.sub(lambda m: m[0] if m[1] in anchors else f"'*{m[1]}'", text)
    for mend in (None, _without_tabs, _mended):
        if (tried := text if mend is None else mend(text)) is None:
            continue
        found, error, left_out = load(tried, _MAX_DOCUMENTS)
        if error is None:
            return found, [*notes, left_out] if left_out else notes
        if error == TOO_DEEP:
            return [], [error]
        notes_of_error = error
    pieces = [piece for block in _pieces(text) for piece in load(block, _MAX_DOCUMENTS)[0]]
    return pieces, [*notes, f"YAML that does not load: {notes_of_error}"]


def _pieces(text: str) -> list[str]:
    """The blocks around the keys that start something, each by itself: what can be saved of a broken file."""
    lines = text.split("\n")
    found: list[str] = []
    done = -1
    for match in islice(_STARTING.finditer(text), 20):
        number = text.count("\n", 0, match.start())
        if number <= done or not lines[number].strip():
            number = next((i for i in range(number, len(lines)) if lines[i].strip()), number)
            if number <= done:
                continue
        depth = _depth(lines[number])
        first = number
        while (
            first > 0
            and (not lines[first - 1].strip() or _depth(lines[first - 1]) >= depth)
            and not _opens(lines[first], depth)
        ):
            first -= 1
        last = number
        while last + 1 < len(lines) and (not lines[last + 1].strip() or _indent(lines[last + 1]) >= depth):
            last += 1
        done = last
        found.append("\n".join([" " * depth + lines[first][depth:], *lines[first + 1 : last + 1]]))
    return found


def _depth(line: str) -> int:
    """Where the key of a line begins, behind the dash of a list item."""
    return len(line) - len(line.lstrip(" -"))


def _opens(line: str, depth: int) -> bool:
    return _depth(line) == depth and _indent(line) < depth


def _too_deep(text: str) -> bool:
    if _DEEP_LINE.search(text):
        return True
    depth = deepest = 0
    for match in re.finditer(r"[\[\]{}]", text):
        depth += 1 if match[0] in "[{" else -1
        depth = max(depth, 0)
        deepest = max(deepest, depth)
    indents = {len(match[1]) for match in re.finditer(r"^( *)\S", text, re.M)}
    return deepest > _DEEPEST or len(indents) > _DEEPEST


def _without_tabs(text: str) -> str | None:
    return text.replace("\t", "    ") if "\t" in text else None


def _mended(text: str) -> str | None:
    """A fragment with parents for its first lines, which stand deeper than what follows."""
    lines = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        return None
    steps: list[str] = []  # each line that stands less deep than all before it
    for line in lines:
        if not steps or _indent(line) < _indent(steps[-1]):
            steps.append(line)
    if len(steps) < 2:
        return None
    head: list[str] = []
    scalar = not _KEY.match(lines[0].lstrip()) and not lines[0].lstrip().startswith("- ")
    for deeper, line in pairwise(steps):
        pad, body = " " * _indent(line), line.strip()
        if body.startswith("- "):
            head.append(f"{pad}- |" if scalar and deeper is steps[0] else f"{pad}- x-cut: 0")
            if scalar and deeper is steps[0]:
                head += [f"{pad}- -c", f"{pad}- bash"]  # turned round below
        else:
            program = (deeper is steps[0] and (scalar or lines[0].lstrip().startswith("- "))) or head
            name = (
                {"command": "entrypoint", "args": "command"}.get(body.split(":")[0].strip("\"' ")) if program else None
            )
            name = name or "x-cut"
            head.append(f"{pad}{name}:" + (" |" if scalar and deeper is steps[0] else ""))
    return "\n".join([*reversed(head), text])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


_CONFIG_LINE = Lazy(r"^([a-z][a-z0-9_-]*)[ \t]*:(?:[ \t]+(\S.*))?$")
_CONFIG_KEYS = Lazy(
    r"^(?:model|port|tensor[-_]parallel[-_]size|max[-_]model[-_]len|gpu[-_]memory[-_]utilization|max[-_]num[-_]seqs|"
    r"max[-_]num[-_]batched[-_]tokens|served[-_]model[-_]name|trust[-_]remote[-_]code|kv[-_]cache[-_]dtype|quantization|dtype|"
    r"enable[-_]prefix[-_]caching|enable[-_]chunked[-_]prefill|speculative[-_]config|compilation[-_]config|"
    r"enforce[-_]eager)[ \t]*:",
    re.M,
)


def flat_config(text: str) -> dict[str, Any] | None:
    """The mapping of a vLLM ``--config`` file, typed as YAML types it; None when the text is none.

    Every top-level key must look like an option, and one at least must be a well-known one of vLLM.
    """
    if len(text) > 20_000 or ":" not in text or not _CONFIG_KEYS.search(text) or _too_deep(text):
        return None
    import yaml  # noqa: PLC0415

    if len(_ALIAS.findall(text)) > 0:
        return None
    try:
        loaded = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    if not isinstance(loaded, dict) or not loaded:
        return None
    if not all(isinstance(key, str) and re.fullmatch(r"[A-Za-z][\w.-]*", key) for key in loaded):
        return None
    known = sum(_is_option(key) for key in loaded)
    return _plain(loaded) if 2 * known > len(loaded) else None


@cache
def _options() -> frozenset[str]:
    """Every option of the newest release and of one before the great removals, as a configuration file spells it."""
    from ...facts.flags import table  # noqa: PLC0415
    from ...facts.versions import KNOWN  # noqa: PLC0415

    return frozenset(
        option.lstrip("-").removeprefix("no-").replace("-", "_")
        for version in (KNOWN[0], KNOWN[len(KNOWN) // 2], KNOWN[-1])
        for option in table(version).long_options
    )


def _is_option(key: str) -> bool:
    return key.replace("-", "_").removeprefix("no_") in _options() or "." in key


def _plain(value: Any) -> Any:
    """JSON data only: dates and the like become their text."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
