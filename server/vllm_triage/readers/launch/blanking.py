"""The way out: every text of a reading passes here, and no secret with it."""

from typing import Any

from ..lazy import Lazy
from ..secrets import BLANK, Rules, is_secret_name, redact_into, suspects
from .draft import Draft, Reading
from .nouns import Launch, Paste
from .placeholders import placeholders_of

__all__ = ["Blanker"]

_EXCERPT = 200
"""Longest line that is handed on of what was pasted."""
_MOST_NOTES = 60
_REFERENCES = ("$", "%", "<", "{{")
"""What a reference to a value begins with, rather than the value itself."""
_TEMPLATE = Lazy(r"\{\{[^{}\n]{0,200}\}\}")
_REFERENCE = Lazy(r"\$\{([A-Za-z_]\w*(?:\.\w+)+)\}|\$\{?([A-Za-z_]\w*|[0-9])|\$\(([A-Za-z_]\w*)\)|%([A-Za-z_]\w*)%")


def _unset(words: list[str], said: list[str]) -> list[str]:
    """Variables that still stand in the words, in order, and what else was said to be missing."""
    joined = " ".join(words)
    if not said and not any(mark in joined for mark in ("$", "%", "{{")):
        return []
    found = [next(part for part in match.groups() if part) for match in _REFERENCE.finditer(joined)]
    found = [f"${name}" if name.isdigit() else name for name in found]
    told = [name for name in said if name.startswith(("$(", "{{")) and name in joined]
    return [*dict.fromkeys([*found, *told, *_TEMPLATE.findall(joined)])]


def _whole_templates(words: list[str]) -> list[str]:
    """``{{ .Values.seqs }}``, which a shell's blanks cut up, as the one word it stands for."""
    if not any("{{" in word for word in words):
        return words
    last = max((at for at, word in enumerate(words) if "}}" in word), default=-1)  # an opening mark alone is text
    whole: list[str] = []
    for at, word in enumerate(words):
        if whole and at <= last and whole[-1].rfind("{{") > whole[-1].rfind("}}"):
            whole[-1] += f" {word}"
        else:
            whole.append(word)
    return whole


def _bounded(notes: list[str]) -> list[str]:
    """The first notes, and how many more there are: no real launch comes near."""
    notes = list(dict.fromkeys(notes))
    return notes if len(notes) <= _MOST_NOTES else [*notes[:_MOST_NOTES], f"{len(notes) - _MOST_NOTES} more notes are left out"]


def _texts(reading: Reading, hints: Paste) -> list[str]:
    """Everything that a reading hands on and that was pasted, to be looked at in one go."""
    texts = [*reading.unread, hints.version_why, hints.gpu_why]
    for draft in reading.drafts:
        texts += (*draft.words, *draft.env, *draft.env.values(), *draft.unset, *draft.notes, *draft.unread, draft.place)
        texts += (text for problem in draft.problems for text in (problem.message, problem.fix))
        texts += (draft.gpu or "", "" if draft.config is None else str(draft.config))
    return texts


class Blanker:
    """Blanks by what a value is given to (a flag, a variable), by its shape, and by the value itself."""

    def __init__(self, secrets: set[str]) -> None:
        self.found: list[str] = []
        self.known = sorted(secrets - {BLANK}, key=len, reverse=True)
        self.seen: dict[int, dict[str, str]] = {}
        """Long texts already blanked, by how many secrets were known then: every launch of a script has its variables."""
        self.rules: Rules | None = None
        """The shapes of secrets that stand somewhere in the reading; none, and no part of it is looked at."""

    def paste(self, reading: Reading, hints: Paste) -> Paste:
        """The finished noun."""
        known = len(self.known)
        self.rules = suspects("\n".join(_texts(reading, hints)))
        launches = tuple(self.launch(draft) for draft in reading.drafts)
        if len(self.known) > known:  # what the last launch told may stand in the first
            launches = tuple(self.launch(draft) for draft in reading.drafts)
        unread = self.lines(reading.unread)
        whys = {"version_why": self.text(hints.version_why), "gpu_why": self.text(hints.gpu_why)}
        return hints.but(launches=launches, unread=unread, redacted=len(set(self.found)), **whys)

    def text(self, text: str) -> str:
        if self.rules == () and not self.known:
            return text
        if len(text) > _EXCERPT and text in self.seen.get(len(self.known), {}):
            return self.seen[len(self.known)][text]
        given, known = text, len(self.known)
        for secret in self.known:
            if secret in text and not secret.startswith(_REFERENCES):
                self.found.append(secret)
                text = text.replace(secret, BLANK)
        before = len(self.found)
        text = redact_into(text, self.found, self.rules)
        self._learn(before)
        if len(given) > _EXCERPT:
            self.seen.setdefault(known, {})[given] = text
        return text

    def _learn(self, before: int) -> None:
        """What was blanked once is blanked wherever else it turns up."""
        for secret in self.found[before:]:
            if len(secret) > 3 and secret not in self.known and secret != BLANK:
                self.known.append(secret)

    def lines(self, lines: list[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.text(line)[:_EXCERPT] for line in lines))

    def launch(self, draft: Draft) -> Launch:
        words = self.words(_whole_templates(draft.words))
        unset = _unset(words, draft.unset)
        missing = [
            f"{draft.place}: {name} has no value in this paste" for name in unset if not name.startswith("$(")
        ]
        placeholders = placeholders_of(words)
        filled = [f"{name} is a placeholder to fill in" for name in placeholders]
        draft.notes += [note for note in filled if note not in draft.notes]
        return Launch(
            source=draft.source, entrypoint=draft.entrypoint, words=tuple(words),
            env={name: self.value(name, value) for name, value in draft.env.items()},
            config=self.json("", draft.config),
            version=draft.version, gpu=draft.gpu and self.text(draft.gpu), gpu_count=draft.gpu_count,
            place=self.text(draft.place),
            unset=self.lines(unset), placeholders=self.lines(list(placeholders)), notes=self.lines(_bounded(draft.notes)),
            problems=tuple(problem.but(message=self.text(problem.message), fix=self.text(problem.fix))
                           for problem in draft.problems),
            unread=self.lines([*draft.unread, *missing]),
        )  # fmt: skip

    def json(self, name: str, value: Any) -> Any:
        """A value of a configuration file, by the key it stands under."""
        if isinstance(value, dict):
            return {key: self.json(key, item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.json(name, item) for item in value]
        return self.value(name, value) if isinstance(value, str) else value

    def value(self, name: str, value: str) -> str:
        """A value by the name it is given to; a reference to a variable is no secret."""
        if is_secret_name(name) and value and value != BLANK and not value.startswith(_REFERENCES):
            self.found.append(value)
            self._learn(len(self.found) - 1)
            return BLANK
        return self.text(value)

    def words(self, words: list[str]) -> list[str]:
        """Words, each by the flag before it: a flag of secrets may take several."""
        if self.rules == () and not self.known:
            return words
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
