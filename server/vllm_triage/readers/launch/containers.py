"""``docker run`` and its kin: environment, devices, image, and the arguments the image's entrypoint gets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .nouns import Entrypoint

__all__ = ["Container", "image_entrypoint", "image_version", "read_container", "serves_by_itself"]

_ENGINES = frozenset({"docker", "podman", "nerdctl", "finch"})
_RUNS = frozenset({"run", "create"})
# Options of `docker run` that stand alone; every other option takes a value.
_SWITCHES = frozenset(
    "-d --detach -i --interactive -t --tty --rm --init --privileged --read-only -P --publish-all --no-healthcheck "
    "--oom-kill-disable --sig-proxy --disable-content-trust -q --quiet --replace --tls-verify --rmi --no-hosts --http-proxy "
    "--help --use-api-socket".split()
)
_SHORT_SWITCHES = re.compile(r"-[ditPq]+$")
_SHORT_WITH_VALUE = re.compile(r"-([aceghlmpuvwe])(.+)$")
_IMAGE = re.compile(r"(?:[^/\s]+/)*(?P<name>[^/:@\s]+)(?::(?P<tag>[\w.-]+))?(?:@\S+)?$")
_TAG_VERSION = re.compile(r"v?(\d{1,2}\.\d{1,3}(?:\.\d{1,3})?(?:(?:\.post|rc|a|b|\.dev)\d+)*)(?![\d.])")
_TAG_NAMED = re.compile(r"vllm[_-]?v?(\d{1,2}\.\d{1,3}\.\d{1,3}(?:(?:\.post|rc)\d+)?)")
_DEVICES = re.compile(r"device=([\w,:.-]+)")


@dataclass(slots=True)
class Container:
    """A container start: what surrounds the server's own arguments."""

    image: str
    arguments: list[str]
    env: dict[str, str] = field(default_factory=dict)
    env_passed: list[str] = field(default_factory=list)
    """Names passed through from the shell (``-e HF_TOKEN``)."""
    env_files: list[str] = field(default_factory=list)
    entrypoint: list[str] | None = None
    gpu_count: int | None = None
    version: str | None = None


def read_container(words: Sequence[str]) -> Container | None:
    """The container that ``docker run ...`` starts, or None for any other command."""
    for index, word in enumerate(words[:-1]):
        if word.rsplit("/", 1)[-1] in _ENGINES:
            start = next((i for i in range(index + 1, min(index + 6, len(words))) if words[i] in _RUNS), None)
            return None if start is None else _read_run(words[start + 1:])
    return None


def _read_run(words: Sequence[str]) -> Container | None:
    out = Container("", [])
    index = 0
    while index < len(words):
        word = words[index]
        if not word.startswith("-") or word == "-":
            out.image, out.arguments = word, list(words[index + 1:])
            out.version = image_version(word)
            return out
        index += 1
        if word in _SWITCHES or _SHORT_SWITCHES.fullmatch(word):
            continue
        name, equals, value = word.partition("=")
        if not equals:
            if (short := _SHORT_WITH_VALUE.fullmatch(word)) and not word.startswith("--"):
                name, value = "-" + short[1], short[2].removeprefix("=")
            elif index < len(words):
                value = words[index]
                index += 1
        _option(name, value, out)
    return None


def _option(name: str, value: str, out: Container) -> None:
    if name in ("-e", "--env"):
        key, equals, given = value.partition("=")
        if equals:
            out.env[key] = given
        else:
            out.env_passed.append(key)
    elif name == "--env-file":
        out.env_files.append(value)
    elif name == "--entrypoint":
        out.entrypoint = value.split()
    elif name in ("--gpus", "--device"):
        if match := _DEVICES.search(value):
            out.gpu_count = len(match[1].split(","))
        elif value.isdigit():
            out.gpu_count = int(value)


def image_version(image: str) -> str | None:
    """The vLLM release an image tag names (``vllm/vllm-openai:v0.18.0``), or None.

    Only tags of images named after vLLM count, and only where the number can be a vLLM release: NVIDIA's
    ``25.09`` and LMCache's own numbers are other products' versions.
    """
    match = _IMAGE.match(image.strip())
    if not match or not match["tag"]:
        return None
    tag = match["tag"]
    if named := _TAG_NAMED.search(tag):
        return named[1]
    if not re.match(r"vllm|.*[-_]vllm$", match["name"]) or "lmcache/" in image or "llm-d" in image:
        return None
    version = _TAG_VERSION.match(tag)
    return version[1] if version and version[1].startswith("0.") else None


def image_entrypoint(image: str) -> Entrypoint | None:
    """What an image runs with the arguments it is given, or None when the image is not known to serve vLLM."""
    match = _IMAGE.match(image.strip())
    if not match or not re.search(r"vllm", image, re.I):
        return None
    return "serve"


def serves_by_itself(image: str, arguments: Sequence[str]) -> bool:
    """True when the arguments after the image go to a vLLM server: it is a vLLM image, or they are vLLM's flags."""
    if arguments and re.fullmatch(r"(?:/bin/|/usr/bin/)?(?:bash|sh|zsh|python3?|sleep|tail|nvidia-smi|ls|env)", arguments[0]):
        return False
    if image_entrypoint(image) is not None:
        return True
    return any(re.match(r"--(?:model|tensor[-_]parallel[-_]size|max[-_]model[-_]len|gpu[-_]memory[-_]utilization)\b", word)
               for word in arguments)
