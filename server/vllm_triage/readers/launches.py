"""Everything people paste to say how vLLM was started, as the words vLLM's own parser gets.

    >>> read_launches("CUDA_VISIBLE_DEVICES=0 vllm serve Qwen/Qwen3-8B --max-num-seqs 64").launches[0].words
    ('Qwen/Qwen3-8B', '--max-num-seqs', '64')

Nothing pasted is run or expanded beyond what the paste itself assigns. What is not understood is listed in
`unread` with its place. The reading is linear in the text; past :data:`MAX_CHARS` the text is cut, and said so.
"""

import re

from .launch.draft import Draft, Reading
from .launch.hints import read_hints
from .launch.log import read_log
from .launch.nouns import Launch, Paste
from .launch.shell import read_shell
from .secrets import BLANK, is_secret_name, redact

__all__ = ["MAX_CHARS", "Launch", "Paste", "read_launches"]

MAX_CHARS = 1 << 20
"""Characters read; the rest is cut."""

_MODEL_ID = re.compile(r"(?:[\w.-]+/)?[\w.-]*[A-Za-z][\w.-]*|(?:~|\.{1,2})?(?:/[\w.@+-]+)+/?|[A-Za-z]:\\[\w.\\ -]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\x1b\[[0-9;]*[A-Za-z]")
_EXCERPT = 200


def read_launches(text: str) -> Paste:
    """Read a paste: every launch in it, in order, with the hints of version and accelerator around them."""
    reading = Reading()
    if len(text) > MAX_CHARS:
        reading.unread.append(f"the text was cut after {MAX_CHARS:,} of {len(text):,} characters")
        text = text[:MAX_CHARS]
    text = _plain(text)
    stripped = text.strip()
    if not stripped:
        return Paste(unread=("nothing was pasted",))
    if len(stripped) <= 300 and "\n" not in stripped and _is_model_id(stripped):
        reading.drafts.append(Draft("model-id", "serve", [stripped.strip("`'\"")], place="line 1"))
    else:
        if not read_log(text, reading):
            read_shell(text, reading)
        if not reading.drafts and not reading.unread:
            reading.unread.append(f"no vLLM launch was found in: {_excerpt(stripped)}")
    hints = read_hints(text, reading)
    return _finish(reading, hints)


def _plain(text: str) -> str:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\u00a0", " ")
    return _CONTROL.sub("", text) if _CONTROL.search(text) else text


def _is_model_id(text: str) -> bool:
    word = text.strip("`'\"")
    if " " in word or not _MODEL_ID.fullmatch(word):
        return False
    return "/" in word or "\\" in word or bool(re.search(r"\d", word) and "-" in word)


def _excerpt(text: str) -> str:
    line = " ".join(text[:400].split())
    return line if len(line) <= 120 else line[:119] + "…"


def _finish(reading: Reading, hints: Paste) -> Paste:
    """The noun, with every secret blanked on the way out."""
    counter = _Blanker()
    launches = tuple(counter.launch(draft) for draft in reading.drafts)
    unread = tuple(dict.fromkeys(counter.text(line)[:_EXCERPT] for line in reading.unread))
    return hints.but(launches=launches, unread=unread, redacted=counter.count)


class _Blanker:
    """Blanks secrets by what they are given to (a flag, a variable) and by their shape."""

    def __init__(self) -> None:
        self.count = 0

    def text(self, text: str) -> str:
        clean, found = redact(text)
        self.count += found
        return clean

    def launch(self, draft: Draft) -> Launch:
        return Launch(
            source=draft.source, entrypoint=draft.entrypoint, words=tuple(self.words(draft.words)),
            env={name: self.value(name, value) for name, value in draft.env.items()}, config=draft.config,
            version=draft.version, gpu=draft.gpu, gpu_count=draft.gpu_count, place=draft.place,
            unset=tuple(dict.fromkeys(self.text(name) for name in draft.unset)),
            notes=tuple(dict.fromkeys(self.text(note)[:_EXCERPT] for note in draft.notes)),
            problems=tuple(draft.problems),
            unread=tuple(dict.fromkeys(self.text(line)[:_EXCERPT] for line in draft.unread)),
        )

    def value(self, name: str, value: str) -> str:
        if is_secret_name(name) and value and not value.startswith(("$", "%", "<")):
            if value != BLANK:
                self.count += 1
            return BLANK
        return self.text(value)

    def words(self, words: list[str]) -> list[str]:
        out: list[str] = []
        flag = ""
        for word in words:
            name, equals, value = word.partition("=")
            if word.startswith("-") and equals and is_secret_name(name):
                out.append(f"{name}={self.value(name, value)}")
            elif flag and not word.startswith("--"):
                out.append(self.value(flag, word))
            else:
                out.append(self.text(word))
            if word.startswith("--"):
                flag = word if not equals and is_secret_name(word) else ""
        return out
