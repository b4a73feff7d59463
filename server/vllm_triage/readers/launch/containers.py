"""``docker run`` and its kin: environment, devices, image, and the arguments the image's entrypoint gets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..lazy import Lazy
from .nouns import Entrypoint

__all__ = ["Container", "image_entrypoint", "image_version", "is_server_image", "read_container"]

_ENGINES = frozenset({"docker", "podman", "nerdctl", "finch"})
_SANDBOXES = frozenset({"singularity", "apptainer"})
_RUNS = frozenset({"run", "create"})
# Options of `docker run` that stand alone (docker's run reference); every other option takes a value.
_SWITCHES = frozenset({
    "-d", "--detach", "-i", "--interactive", "-t", "--tty", "--rm", "--init", "--privileged", "--read-only", "-P",
    "--publish-all", "--no-healthcheck", "--oom-kill-disable", "--sig-proxy", "--disable-content-trust", "-q",
    "--quiet", "--replace", "--tls-verify", "--rmi", "--no-hosts", "--http-proxy", "--help", "--use-api-socket",
    "--nv", "--rocm", "--containall", "--cleanenv", "--fakeroot", "--writable-tmpfs", "-C",
})  # fmt: skip
_SHORT_SWITCHES = Lazy(r"-[ditPq]+")
_SHORT_WITH_VALUE = Lazy(r"-([aeghlmpuvw])(.+)", re.S)
_IMAGE = Lazy(r"(?:docker://)?(?P<owner>(?:[^/\s]+/)*)(?P<name>[^/:@\s]+)(?::(?P<tag>[\w.-]+))?(?:@\S+)?")
_TAG_VERSION = Lazy(r"v?(0\.\d{1,3}(?:\.\d{1,3})?(?:(?:\.post|rc|a|b|\.dev)\d+)*)(?![\d.])")
_TAG_NAMED = Lazy(r"vllm[_-]?v?(0\.\d{1,3}\.\d{1,3}(?:(?:\.post|rc)\d+)?)")
_DEVICES = Lazy(r"device=([\w,:.-]+)")
_OTHER_PROGRAM = Lazy(r"(?:/\S*/)?(?:bash|sh|zsh|python3?|sleep|tail|nvidia-smi|ls|env|cat|pip|ray|-c|-lc)")


@dataclass(slots=True, eq=False, repr=False)
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

    @property
    def version(self) -> str | None:
        """The vLLM release the image's tag names."""
        return image_version(self.image)


def read_container(words: Sequence[str]) -> Container | None:
    """The container that ``docker run ...`` starts, or None for any other command."""
    for index, word in enumerate(words[:-1]):
        name = word.rpartition("/")[2] if "/" in word else word
        if name in _ENGINES:
            start = next((i for i in range(index + 1, min(index + 6, len(words))) if words[i] in _RUNS), None)
            return None if start is None else _read_run(words[start + 1 :])
        if name in _SANDBOXES and words[index + 1] == "run":
            return _read_run(words[index + 2 :])
        if name in _SANDBOXES and words[index + 1 : index + 3] in (["instance", "run"], ["instance", "start"]):
            found = _read_run(words[index + 3 :])
            if found is not None:
                del found.arguments[:1]  # the instance's name
            return found
        if name == "runai" and "submit" in words[index + 1 : index + 3]:
            return _read_image_option([{"-i": "--image", "-g": "--gpu"}.get(word, word) for word in words[index + 2 :]])
        if (name in ("kubectl", "oc") and words[index + 1] == "run") or (name == "gcloud" and "run" in words[index + 1 : index + 3]):
            return _read_image_option(words[index + 2 :])
    return None


def _read_image_option(words: Sequence[str]) -> Container | None:
    """``kubectl run NAME --image=I -- ARGUMENTS`` and ``gcloud run deploy NAME --image=I --args=A,B``."""
    cut = list(words).index("--") if "--" in words else len(words)
    given: dict[str, str] = {}
    for index, word in enumerate(words[:cut]):
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            given[name] = value if equals else words[index + 1] if index + 1 < cut else ""
    if "--image" not in given:
        return None
    out = Container(given["--image"], list(words[cut + 1 :]))
    if given.get("--args"):
        out.arguments = _listed(given["--args"])
    if "--command" in given:
        out.entrypoint = _listed(given["--command"]) if given["--command"] not in ("", "true", "--") else []
    if given.get("--gpu", "").isdigit():
        out.gpu_count = int(given["--gpu"])
    for name in ("--env", "--set-env-vars"):
        out.env |= dict(pair.split("=", 1) for pair in _listed(given.get(name, "")) if "=" in pair)
    return out


def _listed(text: str) -> list[str]:
    """A list with commas between, or with the mark that ``^MARK^`` names (gcloud's own escape)."""
    marked = re.match(r"\^(.{1,3}?)\^", text)
    return text[marked.end() :].split(marked[1]) if marked else text.split(",") if text else []


def _read_run(words: Sequence[str]) -> Container | None:
    out = Container("", [])
    index = 0
    while index < len(words):
        word = words[index]
        if not word.startswith("-") or word == "-":
            out.image, out.arguments = word, list(words[index + 1 :])
            return out
        index += 1
        if word in _SWITCHES or _SHORT_SWITCHES.fullmatch(word):
            continue
        name, equals, value = word.partition("=")
        if not equals:
            if not word.startswith("--") and (short := _SHORT_WITH_VALUE.fullmatch(word)):
                name, value = "-" + short[1], short[2]
            elif index < len(words):
                value = words[index]
                index += 1
        elif not word.startswith("--") and (short := _SHORT_WITH_VALUE.fullmatch(word)):
            name, value = "-" + short[1], short[2].removeprefix("=")
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
            out.gpu_count = len([device for device in match[1].split(",") if device])
        elif value.isdigit():
            out.gpu_count = int(value)


def image_version(image: str) -> str | None:
    """The vLLM release an image tag names (``vllm/vllm-openai:v0.18.0``), or None.

    Only tags of images named after vLLM count, and only numbers that can be a vLLM release: NVIDIA's ``25.09`` and
    the tags of LMCache and llm-d are versions of other products.
    """
    if image.endswith(".sif"):  # a container's file, named after the image it was made from
        image = re.sub(r"[_-](v?\d[\w.]*)\.sif$", r":\1", image.rpartition("/")[2])
    match = _IMAGE.fullmatch(image.strip()) if ":" in image else None
    if not match or not match["tag"]:
        return None
    tag = match["tag"]
    if named := _TAG_NAMED.search(tag):
        return named[1]
    if not re.search(r"(?:^|[-_])vllm(?:[-_]|$)", match["name"]) or re.search(
        r"lmcache|llm-d|production-stack", match["owner"] + match["name"]
    ):
        return None
    version = _TAG_VERSION.match(tag)
    return version[1] if version else None


def is_server_image(image: str) -> bool:
    """True for vLLM's own server images, whose entrypoint is the server: what follows the image are its arguments."""
    match = _IMAGE.fullmatch(image.strip())
    return match is not None and match["name"].startswith(("vllm-openai", "vllm-cpu", "vllm-tpu", "vllm-xpu"))


def image_entrypoint(image: str, arguments: Sequence[str]) -> Entrypoint | None:
    """What an image runs with these arguments, or None when they are no arguments of a vLLM server.

    vLLM's images ran the ``api_server`` module at 0.10 (vLLM issue #22072) and ``vllm serve`` at 0.17 (issue #37133).
    The two read the same words from 0.10.2 on, when the module learned the positional model.
    """
    if arguments and (_OTHER_PROGRAM.fullmatch(arguments[0]) or arguments[0].startswith("./")):
        return None
    if not re.search(r"vllm|llm-d-cuda|llm-d-rocm", image, re.I):
        return None
    version = image_version(image)
    if version and [int(part) for part in re.findall(r"\d+", version)[:3]] < [0, 10, 2] and is_server_image(image):
        return "api_server"
    return "serve"
