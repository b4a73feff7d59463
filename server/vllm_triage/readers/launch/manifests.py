"""Manifests: Docker Compose, Kubernetes in every kind, KServe, Helm values, Ray Serve.

One walk over the document finds every mapping that starts something (it has an image, a command or arguments),
whatever kind of resource holds it: Deployment, StatefulSet, LeaderWorkerSet, InferenceService, a custom resource of
tomorrow. What is special to one chart stands in its own module.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from .charts import llm_d_containers, production_stack
from .container_block import ContainerBlock, environment_of, lookup
from .containers import image_version
from .draft import MAX_DEPTH, Draft, Reading
from .hcl import containers_of
from .kserve import kserve_launches
from .options import option_mappings
from .program import mentions_server
from .ray_serve import ray_launches
from .resources import accelerator_of, devices_of
from .shell import read_shell
from .shell_variables import Said, Scope, short
from .yaml_text import Template, documents, looks_like_yaml

__all__ = ["read_hcl", "read_manifests", "read_tree"]

_MAX_NODES = 50_000
_DEEPEST = 60
_STARTS = ("command", "args", "entrypoint", "image")
_NO_SERVERS = frozenset({"initContainers", "init_containers", "metadata", "status", "labels", "annotations"})
_KSERVE = frozenset({"InferenceService", "ServingRuntime", "ClusterServingRuntime", "LLMInferenceService"})


def read_manifests(text: str, reading: Reading, line: int = 1) -> bool:
    """Read every launch of a YAML text; False when it holds none."""
    template = Template()
    found, notes = documents(template.hide(text))
    before = len(reading.drafts)
    if template.expressions:
        template.values = _variables(found)
    for number, document in enumerate(found, 1):
        if reading.full:
            break
        where = f"document {number}" if len(found) > 1 else ""
        _Document(document, reading, template, line=line, where=where).read()
    if len(reading.drafts) > before or not found:
        for note in notes:
            reading.say(line, note)
    if template.open:
        shown = ", ".join(dict.fromkeys(short(expression, 40) for expression in template.open[:6]))
        reading.say(line, f"template expressions are not evaluated: {shown}")
    return len(reading.drafts) > before


def read_tree(root: Any, reading: Reading, line: int = 1, source: str = "") -> bool:
    """Read every launch of a manifest that another text tells (a description, Helm's command line); False for none."""
    before = len(reading.drafts)
    _Document(root, reading, Template(), line=line, where="").read()
    for draft in reading.drafts[before:]:
        draft.source = source or draft.source
    return len(reading.drafts) > before


def read_hcl(text: str, reading: Reading, line: int = 1) -> bool:
    """Read every container of a Terraform or Nomad text; False when none starts a server."""
    before = len(reading.drafts)
    for container in containers_of(text):
        if reading.full:
            break
        _Document([container], reading, Template(), line=line, where="").read()
    for draft in reading.drafts[before:]:
        draft.source = "hcl"
    return len(reading.drafts) > before


def _variables(found: list[Any]) -> dict[str, str]:
    """The texts under every ``vars`` and ``set_fact``: what a playbook calls by name in its tasks."""
    values: dict[str, str] = {}
    stack = list(reversed(found))
    for _ in range(_MAX_NODES):
        if not stack:
            break
        node = stack.pop()
        if isinstance(node, list):
            stack.extend(reversed(node))
        elif isinstance(node, Mapping):
            for key in ("vars", "set_fact", "ansible.builtin.set_fact"):
                if isinstance(given := node.get(key), Mapping):
                    texts = {name: value for name, value in given.items() if isinstance(value, str) and "\ue000" not in value}
                    values = {**texts, **values}
            stack.extend(value for value in reversed(list(node.values())) if isinstance(value, list | dict))
    return values


class _Document:
    """One YAML document being walked."""

    def __init__(self, root: Any, reading: Reading, template: Template, *, line: int, where: str) -> None:
        self.root, self.reading, self.template = root, reading, template
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
                self._walk()
            for draft in option_mappings(root) if len(self.reading.drafts) == first else ():
                self._emit(draft)
            if len(self.reading.drafts) == first:
                self._scripts()
        elif isinstance(root, list):
            self._walk()
            if len(self.reading.drafts) == first:
                self.root = {"": root}
                self._scripts()
        gpu, why = accelerator_of(self.root)
        for draft in self.reading.drafts[first:]:
            draft.gpu = draft.gpu or gpu
        if gpu and len(self.reading.drafts) > first:
            self.reading.hint(gpu, None, why)

    def _walk(self) -> None:
        for container, path in self._containers(self.root, "", ()):
            self._container(container, path)
            if self.reading.full:
                break

    def _scripts(self) -> None:
        """Text under any key that starts a server: a benchmark's ``server_cmd``, a workflow's ``run``; or a manifest.

        Variables beside it (SkyPilot's ``envs``, a workflow's ``env``) are the text's own.
        """
        env: dict[str, str] = {}
        for key in ("envs", "env", "environment", "variables", "secrets"):
            env |= environment_of(self.root.get(key))[0]
        wanted = re.fullmatch(r"[\w-]+:(\d{1,2})", str(lookup(lookup(self.root, "resources") or {}, "accelerators")))
        if wanted:
            env["SKYPILOT_NUM_GPUS_PER_NODE"] = wanted[1]
        self.reading.keep_secret(env)
        for text, path in islice(_texts(self.root), 50):
            where = ", ".join(part for part in (self.where, path) if part)
            shown = self.template.show(text)
            if self.reading.inner and self.reading.depth < MAX_DEPTH and "\n" in text and looks_like_yaml(text):
                self.reading.depth += 1
                self.reading.inner(shown, self.reading, self.line)
                self.reading.depth -= 1
            else:
                scope = Scope(dict(env), exported=set(env))
                read_shell(shown, self.reading, "yaml", scope, line=self.line, where=where)

    def _containers(self, node: Any, path: str, above: tuple[int, ...]) -> Iterator[tuple[Mapping[str, Any], str]]:
        """Every mapping that starts something, with its path. The count of nodes bounds what aliases can add."""
        self.nodes += 1
        if self.nodes > _MAX_NODES or id(node) in above or len(above) > _DEEPEST:
            return
        above = (*above, id(node))
        if isinstance(node, dict):
            node = _inspected(node)
            if _starts(node):
                yield node, path
                return
            for key, value in node.items():
                if key not in _NO_SERVERS and not (self.form == "compose" and str(key).startswith("x-")):
                    yield from self._containers(value, str(key) if isinstance(value, dict) else path, above)
        elif isinstance(node, list):
            for item in node:
                yield from self._containers(item, path, above)

    def _container(self, node: Mapping[str, Any], path: str) -> None:
        block = ContainerBlock(node, self.form, self.template)
        name = block.name or (path if block.compose else "")
        where = ", ".join(part for part in (self.where, f"container {name}" if name else "") if part)
        self.reading.keep_secret(block.env)
        first = len(self.reading.drafts)
        if (draft := block.start(self.reading, line=self.line, where=where)) is not None:
            self._emit(draft, where, block.said)
        for read in self.reading.drafts[first:]:
            read.source = block.form
            self._name_templates(read)
            read.env = {**block.env, **read.env}
            read.version = read.version or image_version(block.image)
            read.gpu_count = read.gpu_count or devices_of(node)
            read.problems += block.split_items(read)
            for key in ("env_file", "envFrom"):
                if lookup(node, key):
                    read.unread.append(f"{read.place}: {key} is not in this paste")

    def _emit(self, draft: Draft, where: str = "", said: Said | None = None) -> None:
        draft.line = self.line
        draft.where = draft.where or where or self.where
        draft.words = [self.template.show(word) for word in draft.words]
        self._name_templates(draft)
        if said is not None:
            draft.unset.extend(dict.fromkeys(said.unset))
            draft.notes.extend(dict.fromkeys(said.notes))
            draft.unread.extend(f"{draft.place}: {what}" for what in dict.fromkeys(said.unread))
        self.reading.add(draft)

    def _name_templates(self, draft: Draft) -> None:
        """Expressions that stand in the words are values the paste does not give."""
        joined = " ".join(draft.words) if self.template.expressions else ""
        draft.unset.extend(shown for shown in self.template.open if shown in joined and shown not in draft.unset)


def _texts(root: Any) -> Iterator[tuple[str, str]]:
    """Every text of the tree that starts a server, with the key it stands under."""
    stack: list[tuple[str, Any]] = [("", root)]
    seen: set[int] = set()
    while stack and len(seen) < _MAX_NODES:
        path, node = stack.pop()
        if isinstance(node, str):
            if mentions_server(node):
                yield node, path
        elif isinstance(node, dict | list) and id(node) not in seen:
            seen.add(id(node))
            items = node.items() if isinstance(node, Mapping) else ((path, item) for item in node)
            stack.extend(reversed([(str(key), value) for key, value in items]))


def _starts(node: Mapping[str, Any]) -> bool:
    """True for a mapping that says what to run; not for one whose ``entrypoint`` names a template (Argo)."""
    said = [key for key in _STARTS if key in node and not isinstance(node[key], Mapping)]
    named = said == ["entrypoint"] and isinstance(node.get("templates"), list)
    return bool(said) and not named and not isinstance(node.get("image"), Mapping | list)


def _inspected(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """What ``docker inspect`` prints, in compose's words; what a JSON patch puts in a container's place."""
    patched = str(node.get("path", "")).rpartition("/")[2]
    if "op" in node and patched in ("args", "command") and isinstance(node.get("value"), list):
        return {patched: node["value"]}
    if isinstance(node.get("script"), str) and "args" in node and "command" not in node:  # an application of pm2
        return {"command": [node["script"]], "args": node["args"], "env": node.get("env")}
    if "Path" in node and isinstance(node.get("Args"), list) and not isinstance(node.get("Config"), Mapping):
        return {"command": [node["Path"]], "args": node["Args"]}
    for key in ("command", "ansible.builtin.command"):
        if isinstance(task := node.get(key), Mapping) and ("argv" in task or "cmd" in task):
            return {"command": task.get("argv", task.get("cmd"))}
    if isinstance(node.get("cmd"), list) and not any(key in node for key in _STARTS):
        return {"command": node["cmd"]}
    if "Cmd" not in node and "Entrypoint" not in node:
        return node
    names = (("Cmd", "command"), ("Entrypoint", "entrypoint"), ("Image", "image"), ("Env", "environment"))
    return {ours: node[theirs] for theirs, ours in names if node.get(theirs) not in (None, "null", "")}


def _form(root: Any) -> str:
    if not isinstance(root, Mapping):
        return "kubernetes"
    if root.get("kind") in _KSERVE:
        return "kserve"
    if "containerDefinitions" in root:
        return "compose"  # a task definition of ECS: `command` is what the image's entrypoint gets
    if isinstance(root.get("services"), Mapping) and not re.search(r"^apiVersion", "\n".join(map(str, root)), re.M):
        return "compose"
    return "kubernetes"
