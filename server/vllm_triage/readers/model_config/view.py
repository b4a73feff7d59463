"""One way to look at a config.json: the text part of it, by whichever of its names a value goes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...facts.config_defaults import config_defaults

__all__ = ["ConfigView", "UnknownArchitecture", "as_int", "text_config"]


class UnknownArchitecture(ValueError):
    """The config describes attention this reader does not know; sizing it as dense would be a guess."""


TEXT_KEYS = (
    "text_config",
    "llm_config",
    "language_config",
    "thinker_config",
    "language_model_config",
    "decoder_config",
)
"""Where multimodal configs keep the language model, in the order they are tried."""


LARGEST = 2**63
"""No size of a model comes near; what is beyond would not fit a float once multiplied."""


def as_int(value: object) -> int | None:
    """`value` as a whole number, None when it is not one (a bool is not, nor is what no machine counts to)."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST < value < LARGEST:
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value


def text_config(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """The config of the language model inside `config`; `config` itself for a pure text model.

    Omni models nest twice (``thinker_config.text_config``).
    """
    for key in TEXT_KEYS:
        inner = config.get(key)
        if isinstance(inner, Mapping) and (
            "num_attention_heads" in inner or "hidden_size" in inner or any(k in inner for k in TEXT_KEYS)
        ):
            return text_config(inner)
    for key, inside in (("transf_decoder", "config_dict"), ("decoder", "")):  # Cohere's ASR; Nemotron Parse
        inner = config.get(key)
        inner = inner.get(inside) if inside and isinstance(inner, Mapping) else inner
        if isinstance(inner, Mapping) and ("decoder_layers" in inner or "num_layers" in inner):
            return inner
    return config


class ConfigView(NamedTuple):
    """A config with its text part, and typed look-ups that raise a sentence, not a KeyError."""

    whole: Mapping[str, Any]
    text: Mapping[str, Any]

    def get(self, *names: str, default: Any = None) -> Any:
        """The first of `names` that the text config (then the whole config) holds and that is not null."""
        for source in (self.text, self.whole):
            for name in names:
                if source.get(name) is not None:
                    return source[name]
        return default

    def integer(self, *names: str) -> int | None:
        """The first of `names` as a whole number, else the config class's default, or None.

        Per-layer lists give their largest value.
        """
        value = self.get(*names)
        if value is None and not any(name in self.text for name in names):  # an explicit null is not a missing key
            value = next((found for name in names if (found := self.default(name)) is not None), None)
        if isinstance(value, list):
            numbers = [n for item in value if (n := as_int(item)) is not None]
            return max(numbers) if numbers else None
        return as_int(value)

    def default(self, name: str) -> Any:
        """What the config class of this model type takes where the key is absent; None where it has no default."""
        return config_defaults(self.model_type).get(name)

    def need(self, *names: str) -> int:
        """The first of `names` as a positive whole number.

        Raises:
            ValueError: none of them is there, or it is not a positive whole number.
        """
        value = self.integer(*names)
        if value is None or value <= 0:
            raise ValueError(f"config.json has no usable {names[0]!r} (a positive whole number is needed)")
        return value

    @property
    def model_type(self) -> str:
        """``model_type`` of the text part, lower case; empty when there is none."""
        return str(self.text.get("model_type") or self.whole.get("model_type") or "").lower()

    @property
    def architecture(self) -> str:
        """First entry of ``architectures``; empty when there is none."""
        names = self.whole.get("architectures") or self.text.get("architectures") or ()
        return str(names[0]) if isinstance(names, list | tuple) and names else ""

    @property
    def layers(self) -> int:
        """Decoder layers."""
        if self.model_type == "hrm_text":  # its num_hidden_layers counts how often layers run
            return 2 * self.need("num_layers_per_stack")
        blocks = self.get("layers_block_type", "block_configs")
        if self.get("num_hidden_layers") is None and isinstance(blocks, list) and blocks:
            return len(blocks)
        return self.need("num_hidden_layers", "n_layer", "num_layers", "n_layers", "decoder_layers")

    @property
    def hidden(self) -> int:
        """Width of the residual stream."""
        return self.need("hidden_size", "n_embd", "d_model")

    @property
    def heads(self) -> int:
        """Query heads."""
        return self.need("num_attention_heads", "n_head", "n_heads", "decoder_attention_heads", "num_heads")

    @property
    def kv_heads(self) -> int:
        """KV heads; as many as query heads where the config does not say."""
        if self.model_type in ("falcon", "refinedweb", "refinedwebmodel", "gpt_bigcode") and not self.get(
            "new_decoder_architecture"
        ):
            shared = self.get("multi_query")
            if shared is True or (shared is None and self.default("multi_query") is True):
                return 1
        if self.model_type == "chatglm" and self.get("multi_query_attention") is False:
            return self.heads
        attention = self.get("attn_config")
        if isinstance(attention, Mapping) and (found := as_int(attention.get("kv_n_heads"))):
            return found
        return (
            self.integer(
                "n_head_kv", "num_kv_heads", "num_key_value_heads", "multi_query_group_num", "num_attention_groups"
            )
            or self.heads
        )

    @property
    def head_dim(self) -> int:
        """Size of one K head."""
        for name in ("head_dim", "hidden_size_per_head", "attention_head_dim"):
            if (size := as_int(self.get(name))) is not None and size > 0:
                return size
        given = self.default("head_dim")
        return given if isinstance(given, int) and given > 0 else self.hidden // self.heads
