"""Everything people paste to say how vLLM was started, as the words vLLM's own parser gets.

    >>> read_launches("CUDA_VISIBLE_DEVICES=0 vllm serve Qwen/Qwen3-8B --max-num-seqs 64").launches[0].words
    ('Qwen/Qwen3-8B', '--max-num-seqs', '64')

Nothing pasted is run or expanded beyond what the paste itself assigns. What is not understood is listed in `unread`
with its place. The reading is linear in the text; past :data:`MAX_CHARS` the text is cut, and said so.
"""

import re

from ..facts.versions import NEWEST, at_least
from .launch.blanking import Blanker
from .launch.dockerfile import looks_like_dockerfile, read_dockerfile
from .launch.draft import MAX_LAUNCHES, Draft, Reading
from .launch.flag_lines import looks_like_flags, read_flags
from .launch.hints import read_hints
from .launch.in_words import words_of
from .launch.log import looks_like_log, read_log, without_log_lines
from .launch.nouns import Launch, Paste
from .launch.printed import read_printed
from .launch.program import may_matter, mentions_server
from .launch.python_source import looks_like_python, read_python
from .launch.shell import read_shell
from .launch.systemd import looks_like_unit, read_unit
from .launch.text import Block, blocks, excerpt, plain, straightened, unprompted
from .launch.windows import looks_like_windows, read_windows
from .launch.yaml_text import flat_config, looks_like_yaml
from .lazy import Lazy

__all__ = ["MAX_CHARS", "Launch", "Paste", "read_launches"]

MAX_CHARS = 1 << 20
"""Characters read; the rest is cut."""

MAX_OPTIONS = 300
"""Options read from one paste, over all its launches."""

_RARER = (
    "Args:", "Command:", "Environment:", "exports", "apps", "pkgs", "systemd.services", "serviceConfig", "oci-containers", "resource",
    "module", "job", "task", "locals", "container", "data", "config {", "MODEL_", "MODEL=", "MAX_", "_UTIL", "_PARALLEL", "]\n", "]\r",
)  # fmt: skip
"""One of them stands in every text of a rarer form."""

_MODEL_ID = re.compile(
    r"[\w.-]+/[\w.-]+|[\w.-]*[A-Za-z][\w.-]*|(?:~|\.{1,2})?(?:/[\w.@+-]+)+/?|[A-Za-z]:\\[\w.\\ -]+|(?:s3|gs|hf)://[\w./-]+"
)
_LEADING_MODEL = re.compile(
    r"(?:serve[ ]+)?[\w.-]+/[\w.-]*\d[\w.-]*[ ,]+(?:--?[A-Za-z]|on |with |at )[^\n]*\Z|serve[ ]+[\w.-]+/[\w.-]+\Z"
)
"""A model with flags or a remark behind it, and no program before it."""
_INLINE = re.compile(r"`([^`\n]{3,2000})`")
_MEMBER = Lazy(r'\s*"\w+"[ ]*:')
_QUOTED = Lazy(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_MOST_QUOTED = 200
_COMMENTED = re.compile(r"^[ \t]*(?:#[ \t]?)+", re.M)


def read_launches(text: str) -> Paste:
    """Read a paste: every launch in it, in order, with the hints of version and accelerator around them."""
    reading = Reading(inner=_read_document)
    if len(text) > MAX_CHARS:
        reading.unread.append(f"the text was cut after {MAX_CHARS:,} of {len(text):,} characters")
        text = text[:MAX_CHARS]
    text, notes = straightened(unprompted(plain(text)))
    stripped = text.strip()
    if not stripped:
        return Paste(unread=("nothing was pasted",))
    if len(stripped) <= 300 and _is_model_id(stripped):
        reading.add(Draft("model-id", "serve", [stripped.strip("`'\"")]))
    elif _LEADING_MODEL.match(stripped):
        read_shell(f"vllm serve {stripped.removeprefix('serve ')}", reading)
    else:
        _read_blocks(text, reading)
        if not reading.drafts:
            _read_commented(text, reading)
        if not reading.drafts:
            reading.unread.append(f"no vLLM launch was found in: {excerpt(stripped)}")
    if reading.full:
        reading.unread.insert(0, f"only the first {MAX_LAUNCHES} launches are read")
    for draft in reading.drafts:
        draft.notes.extend(notes)
    hints = read_hints(text, reading)
    _into_words(reading, hints)
    _cut_options(reading)
    _one_server_once(reading)
    for draft in reading.drafts:
        reading.keep_secret(draft.env)
    return Blanker(reading.secrets).paste(reading, hints)


def _is_model_id(text: str) -> bool:
    word = text.strip("`'\"")
    if not _MODEL_ID.fullmatch(word):
        return False
    return "/" in word or "\\" in word or (re.search(r"\d", word) is not None and "-" in word)


_COULD_HOLD = (
    "vllm", "--model", "api_server", "llm(", "llmengine", "engineargs", "llmconfig", "engine_kwargs", "modelurl",
    "non-default args", "max-model-len", "max_model_len", "gpu-memory-utilization", "gpu_memory_utilization",
    "tensor-parallel", "tensor_parallel", "max-num-", "max_num_", "llm (", "modelartifacts", "model:",
    "sglang", "trtllm", "text-generation", "lmdeploy", "llama-server", "ollama",
)  # fmt: skip


def _read_blocks(text: str, reading: Reading) -> None:
    lowered = text.lower()
    if not any(needle in lowered for needle in _COULD_HOLD):
        return
    parts = blocks(text)
    for part in parts:
        if (part.fenced or len(parts) == 1) and not reading.full:
            _read_block(part, reading)
    if len(parts) > 1 and not reading.drafts:
        _read_prose(parts[-1].text, reading)
    if not reading.drafts and may_matter(text):
        _read_quoted(text, reading)
    reading.drafts.sort(key=lambda draft: draft.line)
    _drop_empty(reading)
    for draft in reading.drafts:
        _attach_config(draft, parts, reading)


def _drop_empty(reading: Reading) -> None:
    """``vllm serve`` with nothing behind it is a name in a text, unless it is all there is; a file named by another
    launch is its."""
    kept = [
        draft for draft in reading.drafts if draft.words or draft.values or draft.unread or draft.source == "compose"
    ]
    if any("--config" in draft.words for draft in kept if draft.source != "config"):
        kept = [draft for draft in kept if draft.source != "config"]
    if kept or any(draft.where for draft in reading.drafts):
        reading.drafts[:] = kept


def _read_block(block: Block, reading: Reading) -> None:
    """One text in whatever form it is; a log's lines are read apart from what was typed around them."""
    line = block.line
    text = read_printed(block.text, reading, line)
    if looks_like_log(text):
        read_log(text, reading, line)
        text = without_log_lines(text)
        if not mentions_server(text):
            return
    if looks_like_python(text) and block.language not in ("bash", "sh", "shell", "console", "yaml"):
        found = read_python(text, reading, line)
        if found and not re.search(r"^[ \t]*(?:[!$] ?)?\S*vllm serve ", text, re.M):
            return
    _read_document(text, reading, line)


def _read_document(text: str, reading: Reading, line: int) -> None:
    """A unit file, a manifest, a batch file, or else a shell's text."""
    if looks_like_flags(text):
        read_flags(text, reading, line)
        return
    if looks_like_dockerfile(text) and read_dockerfile(text, reading, line):
        return
    if looks_like_unit(text) and read_unit(text, reading, line):
        return
    if any(mark in text for mark in _RARER):
        from .launch.rarer_forms import read_rarer_form  # noqa: PLC0415 (a dozen modules that a command line does without)

        if read_rarer_form(text, reading, line):
            return
    if text.lstrip().startswith('"') and _MEMBER.match(text):  # cut out of a JSON object
        text = "{" + text.strip().rstrip(",") + "}"
    if looks_like_yaml(text) or text.lstrip().startswith(("{", "[")):
        from .launch.manifests import read_manifests  # noqa: PLC0415 (seven modules that a command line does without)

        if read_manifests(text, reading, line) or not mentions_server(text):
            return
    if looks_like_windows(text) and read_windows(text, reading, line):
        return
    config = flat_config(text)
    if config is not None and not mentions_server(text):
        reading.add(Draft("config", "serve", ["--config", "config.yaml"], config=config, line=line))
        return
    if any(mentions_server(match[1]) and not _in_comment(text, match.start()) for match in _INLINE.finditer(text)):
        _read_prose(text, reading, line)
        return
    if "\n\t" in text or ":=" in text or "{{" in text:
        from .launch.recipes import as_shell  # noqa: PLC0415 (as above)

        text = as_shell(text) or text
    read_shell(text, reading, line=line)


def _in_comment(text: str, pos: int) -> bool:
    return text[text.rfind("\n", 0, pos) + 1 : pos].lstrip().startswith("#")


def _read_prose(text: str, reading: Reading, line: int = 1) -> None:
    """Sentences: commands between backticks first, else commands that stand in the text by themselves."""
    before = len(reading.drafts)
    counted = 0
    for match in _INLINE.finditer(text):
        if reading.full:
            break
        if mentions_server(match[1]):
            first = len(reading.drafts)
            line += text.count("\n", counted, match.start())
            counted = match.start()
            read_shell(match[1], reading, line=line)
            bare = [draft for draft in reading.drafts[first:] if not draft.words]
            for draft in bare:  # `vllm serve` as a name, not as a command
                reading.drafts.remove(draft)
    if len(reading.drafts) == before:
        read_shell(text.replace("`", " "), reading, line=line)


def _read_quoted(text: str, reading: Reading) -> None:
    """Commands that a form this does not know keeps in quotes: a task runner's, a process list's, a patch's."""
    for count, match in enumerate(_QUOTED.finditer(text)):
        if count >= _MOST_QUOTED or reading.full:
            break
        inner = match[0][1:-1].replace('\\"', '"')
        structured = inner.lstrip().startswith(("[", "{"))
        if mentions_server(inner) or (structured and may_matter(inner)):
            before = len(reading.drafts)
            read = _read_document if structured else read_shell
            read(inner, reading, line=text.count("\n", 0, match.start()) + 1)
            reading.drafts[before:] = [draft for draft in reading.drafts[before:] if draft.words]


def _read_commented(text: str, reading: Reading) -> None:
    """A launch that is commented out as a whole, read when the paste holds no other."""
    if not _COMMENTED.search(text) or not mentions_server(text):
        return
    bare = _COMMENTED.sub("", text)
    read_shell(bare, reading)
    for draft in reading.drafts:
        draft.notes.append("the launch is commented out in the paste")


def _attach_config(draft: Draft, parts: list[Block], reading: Reading) -> None:
    """The YAML of ``--config`` when it is pasted alongside: a file written there, or a block of its own."""
    if draft.config is not None or "--config" not in draft.words[:-1]:
        return
    name = draft.words[draft.words.index("--config") + 1].rsplit("/", 1)[-1]
    written = reading.files.get(name)
    if written is not None:
        draft.config = flat_config(written)
    for part in parts if draft.config is None else ():
        draft.config = flat_config(part.text) or _config_lines(part.text)
        if draft.config is not None:
            break
    if draft.config is None:
        draft.unread.append(f"{draft.place}: {name} of --config is not in this paste")


def _config_lines(text: str) -> dict[str, object] | None:
    """A run of ``key: value`` lines below or above a command."""
    runs = re.findall(
        r"(?:^[a-z][a-z0-9_-]*:[^\n]*(?:\n|\Z)(?:^[ \t]+[^\n]*(?:\n|\Z)|^- [^\n]*(?:\n|\Z))*)+", text, re.M
    )
    return next((config for run in runs if (config := flat_config(run)) is not None), None)


def _into_words(reading: Reading, hints: Paste) -> None:
    """Forms that hold values get their words now that the version is known."""
    for draft in reading.drafts:
        version = draft.version or hints.version or NEWEST
        if draft.loose and draft.entrypoint == "serve" and not at_least(version, "0.10.2"):
            draft.entrypoint = "api_server"  # `vllm serve` of those releases refuses --model
        if draft.values is not None:
            drop = draft.source == "log" and any("every argument" in note for note in draft.notes)
            draft.words, unread = words_of(
                draft.values, version, positional=draft.entrypoint == "serve", drop_defaults=drop
            )
            draft.unread.extend(f"{draft.place}: {what}" for what in unread)


def _cut_options(reading: Reading) -> None:
    """No launch has hundreds of options; a text that spells thousands would only take time."""
    left = MAX_OPTIONS
    for draft in reading.drafts:
        options = [at for at, word in enumerate(draft.words) if word.startswith("-")]
        if len(options) > left:
            draft.unread.append(f"{draft.place}: only {left} of {len(options):,} options are read")
            del draft.words[options[left] :]
        left = max(0, left - len(options))


def _one_server_once(reading: Reading) -> None:
    """A command and the log of its start are one launch: the command stands, the log tells its version and device."""
    typed = [draft for draft in reading.drafts if draft.source != "log"]
    logged = [draft for draft in reading.drafts if draft.source == "log"]
    if len(typed) != 1 or len(logged) != 1:
        return
    command, log = typed[0], logged[0]
    if _model(command) == _model(log) and _flags(log) <= _flags(command) | {"--model"}:
        command.version = command.version or log.version
        command.gpu = command.gpu or log.gpu
        command.notes.append(f"the log on line {log.line} shows the same launch")
        reading.drafts.remove(log)


def _model(draft: Draft) -> str | None:
    words = draft.words
    if words and not words[0].startswith("-"):
        return words[0]
    return next((words[i + 1] for i, word in enumerate(words[:-1]) if word == "--model"), None)


def _flags(draft: Draft) -> set[str]:
    short = {
        "-tp": "--tensor-parallel-size",
        "-pp": "--pipeline-parallel-size",
        "-dp": "--data-parallel-size",
        "-q": "--quantization",
    }
    found = {word.split("=")[0].replace("_", "-") for word in draft.words if word.startswith("-")}
    return {short.get(flag, flag) for flag in found}
