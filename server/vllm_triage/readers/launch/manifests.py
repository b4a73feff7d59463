"""Manifests: Docker Compose, Kubernetes in every kind, KServe, Helm values, Ray Serve.

One walk over the document finds every mapping that starts something (it has an image, a command or arguments), whatever kind of
resource holds it: Deployment, StatefulSet, LeaderWorkerSet, InferenceService, a custom resource of tomorrow. What is special
to one chart stands in its own module.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from .charts import llm_d_containers, production_stack
from .containers import image_entrypoint, image_version, is_server_image
from .draft import Draft, Reading
from .program import find_flags, find_server, nested_scripts, other_engine
from .kserve import kserve_launches
from .options import option_mappings
from .ray_serve import ray_launches
from .resources import accelerator_of, devices_of
from .shell import read_shell
from .shell_variables import Expander, Said, Scope, short
from .start import SLIPS
from .yaml_text import Template, documents

__all__ = ["read_manifests"]

_MAX_NODES = 50_000
_STARTS = ("command", "args", "entrypoint", "image")
_SPLIT_ITEM = re.compile(r"--?[A-Za-z][\w.-]*[ \t]+\S")


def read_manifests(text: str, reading: Reading, line: int = 1) -> bool:
    """Read every launch of a YAML text; False when it holds none."""
    template = Template()
    found, notes = documents(template.hide(text))
    before = len(reading.drafts)
    for number, document in enumerate(found, 1):
        if reading.full:
            break
        where = f"document {number}" if len(found) > 1 else ""
        _Document(document, reading, template, text, line, where).read()
    if len(reading.drafts) > before or not found:
        for note in notes:
            reading.say(line, note)
    if template.expressions:
        shown = ", ".join(dict.fromkeys(short(expression, 40) for expression in template.expressions[:6]))
        reading.say(line, f"template expressions are not evaluated: {shown}")
    return len(reading.drafts) > before


class _Document:
    """One YAML document being walked."""

    def __init__(self, root: Any, reading: Reading, template: Template, text: str, line: int, where: str) -> None:
        self.root, self.reading, self.template, self.text = root, reading, template, text
        self.line, self.where = line, where
        self.nodes = 0
        self.form = _form(root)

    def read(self) -> None:
        """Read the launches, then the accelerator the document asks for around them."""
        first = len(self.reading.drafts)
        root = self.root
        if isinstance(root, list) and root and all(isinstance(item, str) for item in root):
            self._container({"args": root}, "")  # a list of arguments, cut out
        elif isinstance(root, Mapping):
            charts = [*production_stack(root), *llm_d_containers(root), *kserve_launches(root), *ray_launches(root)]
            for draft in charts:
                self._emit(draft)
            if not charts:
                for container, path in self._containers(root, "", ()):
                    self._container(container, path)
            if len(self.reading.drafts) == first:
                for draft in option_mappings(root):
                    self._emit(draft)
        elif isinstance(root, list):
            for container, path in self._containers(root, "", ()):
                self._container(container, path)
                if self.reading.full:
                    break
        gpu, why = accelerator_of(self.root)
        for draft in self.reading.drafts[first:]:
            draft.gpu = draft.gpu or gpu
        if gpu and len(self.reading.drafts) > first:
            self.reading.hint(gpu, None, why)

    def _containers(self, node: Any, path: str, seen: tuple[int, ...]) -> Iterator[tuple[Mapping[str, Any], str]]:
        """Every mapping that starts something, with its path; aliases are walked once per path and never expanded."""
        self.nodes += 1
        if self.nodes > _MAX_NODES or id(node) in seen or len(seen) > 60:
            return
        seen = (*seen, id(node))
        if isinstance(node, Mapping):
            node = _inspected(node)
            if any(key in node for key in _STARTS) and not isinstance(node.get("image"), Mapping | list):
                yield node, path
                return
            for key, value in node.items():
                if key in ("initContainers", "init_containers", "metadata", "status", "labels", "annotations"):
                    continue
                yield from self._containers(value, str(key) if isinstance(value, Mapping) else path, seen)
        elif isinstance(node, list):
            for item in node:
                yield from self._containers(item, path, seen)

    def _container(self, container: Mapping[str, Any], path: str) -> None:
        image = self._text(_get(container, "image"))
        if isinstance(_get(container, "image"), Mapping):
            image = ""
        env, unset_env = _environment(_get(container, "env") or _get(container, "environment"))
        compose = self.form == "compose" or "entrypoint" in container or "environment" in container
        said = Said()
        env = {key: self._expanded(value, compose, Said(), env) for key, value in env.items()}
        image = self._expanded(image, compose, said, env)
        entry = self._words(_get(container, "entrypoint") if compose else _get(container, "command"), compose, said, env)
        arguments = self._words(_get(container, "command") if compose else _get(container, "args"), compose, said, env)
        if compose and not arguments:
            arguments = self._words(_get(container, "args"), compose, said, env)
        first = len(self.reading.drafts)
        name = self._expanded(self._text(container.get("name") or container.get("container_name")), compose, Said(), env) or path
        where = ", ".join(part for part in (self.where, f"container {name}" if name else "") if part)
        draft = self._start(entry, arguments, image, where, said, env)
        if draft is not None:
            self._emit(draft, where, said)
        for read in self.reading.drafts[first:]:
            read.source = "compose" if self.form == "compose" or compose else self.form
            read.env = {**env, **read.env}
            read.version = read.version or image_version(image)
            read.gpu_count = read.gpu_count or devices_of(container)
            read.unset.extend(name for name in unset_env if name not in read.unset and f"({name})" in " ".join(read.words))
            self._check_items([*entry, *arguments], read)
            for key in ("env_file", "envFrom"):
                if _get(container, key):
                    read.unread.append(f"{read.place}: {key} is not in this paste")

    def _start(
        self, entry: list[str], arguments: list[str], image: str, where: str, said: Said, env: dict[str, str]
    ) -> Draft | None:
        words = [*entry, *arguments]
        if found := find_server(words):
            draft = Draft(self.form, found.entrypoint, found.arguments)
            if not entry and is_server_image(image) and not found.before and self.form != "kubernetes-cut":
                draft.problems.append(SLIPS["entrypoint-repeated"])
            return draft
        scripts = nested_scripts(words) if entry else nested_scripts(["bash", *words])
        for script, rest in scripts:
            scope = Scope(values=dict(env), exported=set(env), arguments=rest or None, kubernetes=self.form != "compose")
            first = len(self.reading.drafts)
            read_shell(script, self.reading, self.form, scope, self.line, f"{where}, inside its script" if where else "inside its script")
            for draft in self.reading.drafts[first:]:
                draft.notes.extend(note for note in said.notes if note not in draft.notes)
                draft.unset.extend(name for name in said.unset if name not in draft.unset and f"${name}" in " ".join(draft.words))
        if scripts:
            return None
        if not entry and arguments[:1] == ["serve"] and image:
            draft = Draft(self.form, "serve", arguments[1:])
            if is_server_image(image):
                draft.problems.append(SLIPS["entrypoint-repeated"])
            return draft
        if engine := other_engine([image, *words]):
            self.reading.say(self.line, f"starts {engine}, not vLLM")
            return None
        known = image_entrypoint(image, arguments) if image and not entry else None
        if known and (arguments or said.unread or (is_server_image(image) and self.form == "compose")):
            return Draft(self.form, known, arguments)
        if found := find_flags(arguments or words):
            if entry:
                said.notes.append(f"started by {short(' '.join(entry), 60)}, which is not vLLM itself; its vLLM flags are read")
            return Draft(self.form, "serve", found.arguments)
        return None

    def _words(self, value: Any, compose: bool, said: Said, env: Mapping[str, str]) -> list[str]:
        """A command as words: a list as it is, a string split as a shell would; variables as the form writes them."""
        if value is None or isinstance(value, Mapping):
            return []
        if isinstance(value, list):
            items = [self._text(item) for item in value if not isinstance(item, Mapping | list)]
            return [self._expanded(item, compose, said, env) for item in items]
        typed = self._text(value)
        text = self._expanded(typed, compose, said, env)
        if re.fullmatch(r"\$\{?\w+\}?", text):
            said.unread.append(f"{text}: all arguments stand in a variable that is not in this paste")
            return []
        try:
            return shlex.split(text, comments=False)
        except ValueError:
            said.unread.append(f"a quote that is never closed in: {short(text)}")
            return text.split()

    def _expanded(self, text: str, compose: bool, said: Said, env: Mapping[str, str]) -> str:
        """Compose fills in ``${X:-default}`` from the host and ``$$`` is a dollar; Kubernetes fills in ``$(X)`` from `env`."""
        text = self.template.show(text)
        if "$" not in text:
            return text
        if not compose:
            def kubernetes(match: re.Match[str]) -> str:
                if match[1]:
                    return f"$({match[1]})"
                if match[2] not in env:
                    said.unset.append(match[2])
                return env.get(match[2], match[0])

            return re.sub(r"\$\$\((\w+)\)|\$\(([A-Za-z_]\w*)\)", kubernetes, text)
        expander = Expander(Scope(), _plain_default)
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
                pieces, pos = expander.at(text, at, said, quoted=True, limit=len(text))
                parts.extend(pieces)
        return "".join([*parts, text[pos:]])

    def _check_items(self, words: list[str], draft: Draft) -> None:
        """A list item that holds a flag and its value is one word to vLLM, and refused."""
        for word in words:
            if _SPLIT_ITEM.match(word) and word in draft.words:
                flag, value = word.split(None, 1)
                draft.problems.append(_two_in_one(flag, value))

    def _text(self, value: Any) -> str:
        return self.template.show(value.strip()) if isinstance(value, str) else ""

    def _emit(self, draft: Draft, where: str = "", said: Said | None = None) -> None:
        draft.line = self.line
        draft.where = draft.where or where or self.where
        draft.words = [self.template.show(word) for word in draft.words]
        if said is not None:
            draft.unset.extend(dict.fromkeys(said.unset))
            draft.notes.extend(dict.fromkeys(said.notes))
            draft.unread.extend(f"{draft.place}: {what}" for what in dict.fromkeys(said.unread))
        draft.unset.extend(name for word in draft.words for name in re.findall(r"\{\{.{0,300}?\}\}", word))
        self.reading.add(draft)


def _plain_default(word: str, said: Said, quoted: bool, depth: int) -> list[str]:  # noqa: ARG001 - the expander's shape
    """A default of compose: text that may itself hold variables."""
    if "$" not in word:
        return [word]
    expander = Expander(Scope(), _plain_default)
    parts: list[str] = []
    pos = 0
    while (at := word.find("$", pos)) >= 0:
        parts.append(word[pos:at])
        pieces, pos = expander.at(word, at, said, quoted=True, limit=len(word), depth=depth)
        parts.extend(pieces)
    return ["".join([*parts, word[pos:]])]


def _two_in_one(flag: str, value: str) -> Any:
    from ...domain import Problem  # noqa: PLC0415

    return Problem(
        severity="error", code="two-words-in-one-item", flag=flag,
        message=f"`{flag} {short(value, 40)}` is one item of the list: vLLM gets it as one word and refuses it.",
        fix=f"Write two items (`{flag}` and `{short(value, 40)}`), or `{flag}={short(value, 40)}`.",
    )  # fmt: skip


def _inspected(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """What ``docker inspect`` prints, in compose's words."""
    if "Cmd" not in node and "Entrypoint" not in node:
        return node
    names = (("Cmd", "command"), ("Entrypoint", "entrypoint"), ("Image", "image"), ("Env", "environment"))
    return {ours: node[theirs] for theirs, ours in names if node.get(theirs) not in (None, "null", "")}


def _get(node: Mapping[str, Any], key: str) -> Any:
    """A key of a mapping, through its merge keys (``<<``)."""
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


def _environment(node: Any) -> tuple[dict[str, str], list[str]]:
    """Variables of a container, and the names whose value stands elsewhere (a secret, a field)."""
    env: dict[str, str] = {}
    elsewhere: list[str] = []
    if isinstance(node, Mapping):
        for key, value in node.items():
            if isinstance(value, str) and key != "<<":
                env[str(key)] = value
    elif isinstance(node, list):
        for item in node:
            if isinstance(item, str):
                name, equals, value = item.partition("=")
                if equals:
                    env[name.strip()] = value
            elif isinstance(item, Mapping) and isinstance(item.get("name"), str):
                if isinstance(item.get("value"), str):
                    env[item["name"]] = item["value"]
                else:
                    elsewhere.append(item["name"])
    return env, elsewhere


def _form(root: Any) -> str:
    if not isinstance(root, Mapping):
        return "kubernetes"
    kind = root.get("kind")
    if isinstance(kind, str) and kind in ("InferenceService", "ServingRuntime", "ClusterServingRuntime", "LLMInferenceService"):
        return "kserve"
    if "services" in root and isinstance(root["services"], Mapping):
        return "compose"
    return "kubernetes"
