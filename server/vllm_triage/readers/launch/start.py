"""From a command's words to a launch: the server itself, a container around it, or a script handed on."""

import re
from collections.abc import Callable, Iterable

from ...domain import Problem
from ..lazy import Lazy
from .containers import Container, image_entrypoint, is_server_image, read_container
from .draft import Draft, Reading
from .program import find_flags, find_server, mentions_server, nested_scripts, other_engine
from .shell_variables import Said, short

__all__ = ["SLIPS", "Start", "start"]

_ENV = Lazy(r"(?:--env=|--export=(?:ALL,)?|-e)?([A-Za-z_]\w*)=(?!=)(.*)", re.S)
_LATER = frozenset({
    "and", "but", "with", "on", "gives", "then", "which", "is", "are", "when", "my", "the", "for", "it", "get", "using",
})  # fmt: skip
_LONGEST_LATER = 7
SLIPS = {
    "comment-after-backslash": Problem(
        severity="error", code="comment-after-backslash",
        message="A comment stands after a backslash. A shell ends the command there: vLLM never gets the lines below "
        "it, and gets a stray blank as an argument.",
        fix="Put the comment on a line of its own above the command, or remove it.",
    ),
    "space-after-backslash": Problem(
        severity="warning", code="space-after-backslash",
        message="Blanks stand after a backslash at the end of a line. A shell does not continue the command there, and "
        "runs the lines below it as other commands.",
        fix="Remove the blanks after the backslash.",
    ),
    "missing-backslash": Problem(
        severity="warning", code="missing-backslash",
        message="A line that begins with an option follows the command without a backslash before the line break. A shell "
        "runs it as a command of its own, and vLLM never gets it.",
        fix="End every line but the last with a backslash.",
    ),
    "unquoted-json": Problem(
        severity="error", code="unquoted-json",
        message="JSON stands without quotes around it. The shell takes its inner quotes away, and vLLM gets no JSON.",
        fix="Put the whole JSON in single quotes.",
    ),
    "entrypoint-repeated": Problem(
        severity="error", code="entrypoint-repeated",
        message="vLLM's images start the server by themselves, and what follows the image are its arguments: "
        "`vllm serve` there is taken for a model and refused as unrecognized arguments.",
        fix="Leave out `vllm serve` after the image, and give the model and its flags.",
    ),
}  # fmt: skip
"""Named problems of the text around the arguments, by code."""


class Start:
    """One command being started: its words, its surroundings, and where its launches go."""

    def __init__(
        self, words: list[str], env: dict[str, str], said: Said, reading: Reading, *,
        line: int, where: str, source: str, nested: Callable[[str, list[str], str], None],
        lookup: Callable[[str], str | None],
    ) -> None:  # fmt: skip
        self.words, self.env, self.said, self.reading = words, env, said, reading
        self.line, self.where, self.source = line, where, source
        self.nested, self.lookup = nested, lookup

    def emit(self, draft: Draft) -> None:
        """Hand the launch over, with everything said while its words were read."""
        draft.line, draft.where = self.line, self.where
        draft.unset.extend(dict.fromkeys(self.said.unset))
        draft.notes.extend(dict.fromkeys(self.said.notes))
        draft.unread.extend(f"{draft.place}: {what}" for what in dict.fromkeys(self.said.unread))
        known = {problem.code for problem in draft.problems}
        draft.problems.extend(SLIPS[code] for code in dict.fromkeys(self.said.codes) if code not in known)
        self.reading.add(draft)

    def trimmed(self, arguments: list[str]) -> list[str]:
        """Cuts a sentence that goes on after the command: ``... --max-model-len 8192 on 8 GPUs``."""
        for index, word in enumerate(arguments):
            if len(word) <= _LONGEST_LATER and index and word.lower().rstrip(",.") in _LATER and not arguments[index - 1].startswith("-"):
                self.said.unread.append(f"text after the command: {short(' '.join(arguments[index:]), 120)}")
                return [*arguments[: index - 1], arguments[index - 1].rstrip(",")]
        return arguments


def start(run: Start) -> bool:
    """Read what the command starts; False when it starts no vLLM server."""
    if "start" in run.words:
        from .managed import managed  # noqa: PLC0415 (seldom)

        run.words = managed(run.words)
    container = read_container(run.words)
    if container is not None:
        return _container(run, container)
    if found := find_server(run.words):
        env = {**run.env, **_wrapper_env(found.before)}
        draft = Draft(run.source, found.entrypoint, run.trimmed(found.arguments), env)
        if found.before[:1] == ["srun"] or "srun" in found.before:
            draft.source = "slurm"
        run.emit(draft)
        return True
    if any(word.endswith("helm") for word in run.words[:6]):
        from .helm import values_of  # noqa: PLC0415 (seldom)
        from .manifests import read_tree  # noqa: PLC0415 (seven modules that a command line does without)

        if (values := values_of(run.words)) is not None:
            return read_tree(values, run.reading, run.line)
    scripts = nested_scripts(run.words)
    for script, arguments in scripts:
        run.nested(script, arguments, f"inside {short(' '.join(run.words[:2]), 40)}")
    if scripts:
        return True
    if engine := other_engine(run.words):
        run.reading.say(run.line, f"starts {engine}, not vLLM")
        return False
    if found := find_flags(run.words):
        draft = Draft("flags" if not found.before else run.source, "serve", run.trimmed(found.arguments), dict(run.env))
        if found.before:
            draft.notes.append(
                f"started by {short(' '.join(found.before), 60)}, which is not vLLM itself; its vLLM flags are read"
            )
        run.emit(draft)
        return True
    return False


def _wrapper_env(before: Iterable[str]) -> dict[str, str]:
    """Variables a wrapper sets: ``env A=1``, ``sudo A=1``, ``srun --export=ALL,A=1``, ``mpirun -x A=1``."""
    env: dict[str, str] = {}
    for word in before:
        for part in word.split(",") if word.startswith("--export=") else (word,):
            if match := _ENV.fullmatch(part):
                env[match[1]] = match[2]
    return env


def _settings(env: dict[str, str]) -> Draft | None:
    from .by_environment import settings_of  # noqa: PLC0415 (only where a container has variables)

    return settings_of(env, "docker-run")


def _container(run: Start, container: Container) -> bool:
    env = dict(container.env)
    for name in container.env_passed:
        value = run.env.get(name) or run.lookup(name)
        if value is not None:
            env[name] = value
    command = [*(container.entrypoint or []), *container.arguments]
    first = len(run.reading.drafts)
    known = image_entrypoint(container.image, container.arguments)
    if found := find_server(command):
        draft = Draft("docker-run", found.entrypoint, run.trimmed(found.arguments), env)
        if is_server_image(container.image) and container.entrypoint is None and not found.before:
            draft.problems.append(SLIPS["entrypoint-repeated"])
        run.emit(draft)
    elif scripts := nested_scripts(["bash", *command]):
        for script, arguments in scripts:
            run.nested(script, arguments, "inside the container")
    elif not command and env and not is_server_image(container.image) and (told := _settings(env)):
        run.emit(told)
    elif container.entrypoint is None and known:
        arguments, problems = container.arguments, []
        if arguments[:1] == ["serve"]:
            arguments = arguments[1:]
            problems = [SLIPS["entrypoint-repeated"]] if is_server_image(container.image) else []
        if env:
            from .by_environment import idle_settings  # noqa: PLC0415 (only where a container has variables)

            run.said.notes += idle_settings(env)
        run.emit(Draft("docker-run", known, run.trimmed(arguments), env, problems=problems))
    elif flags := find_flags(command):
        run.emit(Draft("docker-run", "serve", run.trimmed(flags.arguments), env))
    else:
        if mentions_server(" ".join([container.image, *command])):
            run.reading.say(run.line, f"a container that starts no vLLM server by itself: {short(container.image)}")
        return False
    for draft in run.reading.drafts[first:]:
        draft.source = "docker-run"
        draft.env = {**env, **draft.env}
        draft.version = draft.version or container.version
        draft.gpu_count = draft.gpu_count or container.gpu_count
        draft.unread.extend(f"{draft.place}: --env-file {name} is not in this paste" for name in container.env_files)
    return True
