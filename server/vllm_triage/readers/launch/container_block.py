"""One container of a manifest: its image, environment, command and arguments, and the server they start.

Kubernetes: ``command`` replaces the image's entrypoint, ``args`` its arguments; ``$(NAME)`` is filled in from ``env``.
Compose: ``entrypoint`` and ``command`` do so, ``${NAME:-default}`` is filled in from the host and ``$$`` is a dollar.
"""

import re
import shlex
from collections.abc import Mapping
from typing import Any

from ...domain import Problem
from ..lazy import Lazy
from .by_environment import idle_settings, settings_of
from .containers import image_entrypoint, is_server_image
from .draft import Draft, Reading
from .program import find_flags, find_server, nested_scripts, other_engine
from .shell import read_shell
from .shell_variables import Expander, Said, Scope, short
from .start import SLIPS
from .yaml_text import Template

__all__ = ["ContainerBlock", "environment_of", "lookup"]

_KUBERNETES = Lazy(r"\$\$\((\w+)\)|\$\(([A-Za-z_]\w*)\)")
_SPLIT_ITEM = Lazy(r"--?[A-Za-z][\w.-]*[ \t]+\S")


_ENVIRONMENTS = ("env", "environment", "environment_variables")


class ContainerBlock:
    """A mapping that starts something."""

    def __init__(self, node: Mapping[str, Any], form: str, template: Template) -> None:
        self.node, self.template = node, template
        self.compose = form == "compose" or "entrypoint" in node or "environment" in node
        self.form = "compose" if self.compose else form
        self.said = Said()
        self.env: dict[str, str] = {}
        given, self.elsewhere = environment_of(next(filter(None, (lookup(node, key) for key in _ENVIRONMENTS)), None))
        for name, value in given.items():
            self.env[name] = self.expanded(value, Said())
        self.image = self.expanded(self._text(lookup(node, "image")), self.said)
        self.name = self.expanded(self._text(node.get("name") or node.get("container_name")), Said())
        first, second = ("entrypoint", "command") if self.compose else ("command", "args")
        self.entry = self._words(lookup(node, first))
        self.arguments = self._words(lookup(node, second))
        if self.compose and not self.arguments:
            self.arguments = self._words(lookup(node, "args"))

    def start(self, reading: Reading, *, line: int, where: str) -> Draft | None:
        """The launch, or None when there is none or when the container's script was read into `reading`."""
        if self.entry and self.entry[0].startswith("-") and not self.arguments:
            self.entry, self.arguments = [], self.entry  # no program begins so: they are the image's arguments
        entry, arguments = self.entry, self.arguments
        words = [*entry, *arguments]
        if not words and not is_server_image(self.image) and (told := settings_of(self.env, self.form)) is not None:
            return told
        if found := find_server(words):
            draft = Draft(self.form, found.entrypoint, found.arguments)
            if not entry and not found.before and is_server_image(self.image):
                draft.problems.append(SLIPS["entrypoint-repeated"])
            return draft
        scripts = nested_scripts(words if entry else ["bash", *words])
        for script, rest in scripts:
            self._script(script, rest, reading, line, where)
        if scripts:
            return None
        if not entry and arguments[:1] == ["serve"] and self.image:
            draft = Draft(self.form, "serve", arguments[1:])
            draft.problems += [SLIPS["entrypoint-repeated"]] if is_server_image(self.image) else []
            return draft
        if engine := other_engine([self.image, *words]):
            reading.say(line, f"starts {engine}, not vLLM")
            return None
        known = image_entrypoint(self.image, arguments) if self.image and not entry else None
        if known and (arguments or self.said.unread or (self.compose and is_server_image(self.image))):
            self.said.notes += idle_settings(self.env)
            return Draft(self.form, known, arguments)
        return self._flags(arguments or words)

    def _flags(self, words: list[str]) -> Draft | None:
        """vLLM's flags under another program, or cut out of their file."""
        found = find_flags(words)
        if found is None:
            return None
        if self.entry:
            program = short(" ".join(self.entry), 60)
            self.said.notes.append(f"started by {program}, which is not vLLM itself; its vLLM flags are read")
        return Draft(self.form, "serve", found.arguments)

    def _script(self, script: str, arguments: list[str], reading: Reading, line: int, where: str) -> None:
        scope = Scope(dict(self.env), exported=set(self.env), arguments=arguments or None, kubernetes=not self.compose)
        first = len(reading.drafts)
        inside = f"{where}, inside its script" if where else "inside its script"
        read_shell(script, reading, self.form, scope, line=line, where=inside)
        for draft in reading.drafts[first:]:
            draft.notes.extend(note for note in self.said.notes if note not in draft.notes)

    def split_items(self, draft: Draft) -> list[Problem]:
        """List items that hold a flag and its value: one word to vLLM, and refused."""
        found = []
        for word in [*self.entry, *self.arguments]:
            if _SPLIT_ITEM.match(word) and word in draft.words:
                flag, value = word.split(None, 1)
                found.append(_two_in_one(flag, short(value, 40)))
        return found

    def _text(self, value: Any) -> str:
        return self.template.show(value.strip()) if isinstance(value, str) else ""

    def _words(self, value: Any) -> list[str]:
        """A command as words: a list as it is, a string split as a shell would."""
        if value is None or isinstance(value, Mapping):
            return []
        if isinstance(value, list):
            return [self.expanded(self._text(item), self.said) for item in value if isinstance(item, str)]
        text = self.expanded(self._text(value), self.said)
        if re.fullmatch(r"\$\{?\w+\}?", text):
            self.said.unread.append(f"{text}: all arguments stand in a variable that is not in this paste")
            return []
        try:
            return shlex.split(text)
        except ValueError:
            self.said.unread.append(f"a quote that is never closed in: {short(text)}")
            return text.split()

    def expanded(self, text: str, said: Said) -> str:
        """The text with the variables that the form itself fills in."""
        text = self.template.show(text)
        if "$" not in text:
            return text
        if self.compose:
            return _interpolated(text, said)

        def value(match: re.Match[str]) -> str:
            if match[1]:
                return f"$({match[1]})"
            if match[2] not in self.env:
                said.unset.append(match[2])
            return self.env.get(match[2], match[0])

        return _KUBERNETES.sub(value, text)


def _interpolated(text: str, said: Said, depth: int = 0) -> str:
    """Compose's own variables. A name that the paste does not set takes its default, which is said."""

    def nested(word: str, inner: Said, _quoted: bool, at: int) -> list[str]:
        return [_interpolated(word, inner, at) if "$" in word else word]

    expander = Expander(Scope(), nested)
    parts: list[str] = []
    pos = 0
    while (at := text.find("$", pos)) >= 0:
        parts.append(text[pos:at])
        if text.startswith("$$", at):
            parts.append("$")
            pos = at + 2
        elif not re.match(r"[A-Za-z_{]", text[at + 1 : at + 2]):
            parts.append("$")  # no variable of compose: `$(...)`, `$@`
            pos = at + 1
        else:
            pieces, pos = expander.at(text, at, said, quoted=True, limit=len(text), depth=depth)
            parts.extend(pieces)
    return "".join([*parts, text[pos:]])


def _two_in_one(flag: str, value: str) -> Problem:
    return Problem(
        severity="error",
        code="two-words-in-one-item",
        flag=flag,
        message=f"`{flag} {value}` is one item of the list: vLLM gets it as one word and refuses it.",
        fix=f"Write two items (`{flag}` and `{value}`), or `{flag}={value}`.",
    )


def lookup(node: Any, key: str) -> Any:
    """A key of a mapping, through its merge keys (``<<``); None for what is no mapping."""
    if not isinstance(node, Mapping):
        return None
    for _ in range(10):
        if key in node:
            return node[key]
        merged = node.get("<<")
        if isinstance(merged, list):
            merged = next((item for item in merged if isinstance(item, Mapping) and key in item), None)
        if not isinstance(merged, Mapping):
            return None
        node = merged
    return None


def environment_of(node: Any) -> tuple[dict[str, str], list[str]]:
    """Variables of a container, and the names whose value stands elsewhere (a secret, a field)."""
    env: dict[str, str] = {}
    elsewhere: list[str] = []
    if isinstance(node, Mapping):
        env.update({str(key): value for key, value in node.items() if isinstance(value, str) and key != "<<"})
    for item in node if isinstance(node, list) else []:
        if isinstance(item, str):
            name, equals, value = item.partition("=")
            env.update({name.strip(): value} if equals else {})
        elif isinstance(item, Mapping) and isinstance(item.get("name"), str):
            if isinstance(item.get("value"), str):
                env[item["name"]] = item["value"]
            else:
                elsewhere.append(item["name"])
    return env, elsewhere
