"""Keys and values per token: full attention, windows and chunks, layer by layer."""

from ...domain import LayerRun
from .families import HEAD_DIM_IGNORED
from .view import ConfigView, UnknownArchitecture, as_int

__all__ = ["full_attention", "plain_layers", "special_layers"]


def full_attention(view: ConfigView) -> LayerRun:
    """One full-attention layer of this model."""
    head = view.hidden // view.heads if view.model_type in HEAD_DIM_IGNORED else view.head_dim
    return LayerRun(kind="full", count=1, kv_heads=view.kv_heads, head_dim=head)


def plain_layers(view: ConfigView) -> list[LayerRun]:
    """Multi-head, grouped-query and multi-query attention, full or with a window, per layer."""
    full = full_attention(view)
    window = window_of(view)
    kinds = layer_kinds(view, window)
    local = {
        "sliding": full.but(kind="sliding_window", window=window) if window else full,
        "chunked": full.but(kind="chunked_local", window=view.integer("attention_chunk_size") or 8192),
    }
    return [local.get(kind, full) for kind in kinds]


SWITCHED_WINDOW = (
    "qwen2",
    "qwen2_moe",
    "qwen3",
    "qwen3_moe",
    "qwen2_vl",
    "qwen2_5_vl",
    "qwen2_audio",
    "qwen2_5_omni_text",
)
"""Model types whose window counts only with ``use_sliding_window``."""


def window_of(view: ConfigView) -> int | None:
    """Sliding window in tokens; None when there is none, or it is switched off.

    Where the key is absent the config class's default counts, as transformers fills it in.
    """
    use = view.text.get("use_sliding_window")
    if use is False or (not use and view.model_type.removesuffix("_text") in SWITCHED_WINDOW):
        return None
    window = (
        as_int(view.text["sliding_window"]) if "sliding_window" in view.text else as_int(view.default("sliding_window"))
    )
    if not window:
        return None
    if view.model_type in ("cohere2", "cohere2_moe"):
        return window + 1  # Cohere counts the tokens before the current one; vLLM adds it
    if view.model_type.startswith("gemma3") and view.text.get("use_bidirectional_attention"):
        return window // 2 + 1
    return window


PERIODIC = {
    "gemma2": 2,
    "gemma3": 6,
    "gemma3_text": 6,
    "cohere2": 4,
    "cohere2_moe": 4,
    "olmo3": 4,
    "exaone4": 4,
    "afmoe": 4,
}
"""Every n-th layer attends to everything, the others to a window (config class defaults)."""

KINDS = {
    "sliding_attention": "sliding",
    "local_attention": "sliding",
    "local": "sliding",
    "sliding": "sliding",
    "chunked_attention": "chunked",
}


def layer_kinds(view: ConfigView, window: int | None) -> list[str]:
    """``full``, ``sliding`` or ``chunked`` for each layer."""
    layers = view.layers
    if view.model_type == "gpt_oss":
        return ["sliding" if i % 2 == 0 else "full" for i in range(layers)]
    if view.model_type.startswith("llama4"):
        return _chunked_kinds(view)
    types = view.text.get("layer_types")
    if isinstance(types, list) and types:
        kinds = [KINDS.get(str(kind), "full") for kind in types[:layers]]
        return kinds + ["full"] * (layers - len(kinds))
    if view.model_type in PERIODIC:
        return _periodic_kinds(view, PERIODIC[view.model_type])
    if window and "max_window_layers" in view.text and view.text.get("use_sliding_window"):
        first = as_int(view.text["max_window_layers"]) or 0
        return ["sliding" if i >= first else "full" for i in range(layers)]
    return ["sliding" if window else "full"] * layers


def _periodic_kinds(view: ConfigView, default: int) -> list[str]:
    """A whole number n: every n-th layer is full; a word such as ``LLLG``: one letter per layer of the pattern."""
    pattern = (
        view.text.get("sliding_window_pattern")
        or view.text.get("_sliding_window_pattern")
        or view.text.get("global_attn_every_n_layers")
    )
    if isinstance(pattern, str) and pattern:
        return ["full" if pattern[i % len(pattern)] == "G" else "sliding" for i in range(view.layers)]
    period = as_int(pattern) or default
    return ["full" if (i + 1) % period == 0 else "sliding" for i in range(view.layers)]


def _chunked_kinds(view: ConfigView) -> list[str]:
    """Llama 4: layers without rotary positions attend to everything, the others within chunks."""
    flags = view.get("no_rope_layers")
    step = view.integer("no_rope_layer_interval") or 4
    if isinstance(flags, list) and flags:
        return ["chunked" if flag else "full" for flag in flags[: view.layers]]
    return ["full" if (i + 1) % step == 0 else "chunked" for i in range(view.layers)]


def special_layers(view: ConfigView) -> list[LayerRun]:
    """Architectures whose layers differ in their own way."""
    kind, name = view.model_type, view.architecture
    if kind.startswith(("gemma3n", "gemma4", "diffusion_gemma")):
        return _shared_kv_layers(view)
    if kind.startswith("mimo_v2"):
        return _mimo_layers(view)
    if kind.startswith("step3p"):
        return _step_layers(view)
    if kind == "nemotron-nas" or name == "DeciLMForCausalLM":
        return _block_layers(view)
    if kind == "minicpm3":
        size = view.need("qk_nope_head_dim") + view.need("qk_rope_head_dim")
        return [LayerRun(kind="full", count=view.layers, kv_heads=view.heads, head_dim=size)]
    if kind == "step3_text":
        return [LayerRun(kind="full", count=view.layers, kv_heads=1, head_dim=view.head_dim)]
    if kind.startswith("minimax_m3") or name.startswith("MiniMaxM3"):
        return _indexed_layers(view)
    if kind == "iquest_loopcoder" or name == "IQuestLoopCoderForCausalLM":
        return _looped_layers(view)
    if kind.startswith("inkling"):
        return _convolved_layers(view)
    if kind == "dory":
        return _looped_blocks(view)
    if kind == "hrm_text":
        return _recurring_layers(view)
    if kind == "whisper" or name in CROSS:
        return _whisper_layers(view)
    raise UnknownArchitecture(f"the layers of {name or kind} are not known")


def _shared_kv_layers(view: ConfigView) -> list[LayerRun]:
    """Gemma 3n and 4: the last layers reuse an earlier cache; Gemma 4's full layers have their own head size."""
    shared = view.integer("num_kv_shared_layers") or 0
    window = window_of(view)
    sliding = LayerRun(kind="sliding_window", count=1, kv_heads=view.kv_heads, head_dim=view.head_dim, window=window)
    full = LayerRun(kind="full", count=1, kv_heads=view.kv_heads, head_dim=view.head_dim)
    if not view.model_type.startswith("gemma3n"):
        heads = view.integer("num_global_key_value_heads") if view.get("attention_k_eq_v", default=True) else None
        full = full.but(head_dim=view.integer("global_head_dim") or 512, kv_heads=heads or view.kv_heads)
    types = view.text.get("layer_types")
    period = 5 if view.model_type.startswith("gemma3n") else 6
    kinds = types if isinstance(types, list) and types else _kinds_by_period(view.layers, period)
    none = LayerRun(kind="none", count=1)
    first_shared = view.layers - shared
    return [
        none if i >= first_shared else sliding if kinds[i] == "sliding_attention" else full for i in range(view.layers)
    ]


def _kinds_by_period(layers: int, period: int) -> list[str]:
    return ["full_attention" if (i + 1) % period == 0 else "sliding_attention" for i in range(layers)]


def _mimo_layers(view: ConfigView) -> list[LayerRun]:
    """MiMo-V2: ``hybrid_layer_pattern`` marks window layers, which have their own heads and sizes."""
    pattern = view.get("hybrid_layer_pattern")
    if not isinstance(pattern, list):
        raise UnknownArchitecture(f"{view.architecture}: no 'hybrid_layer_pattern' says which layers have a window")
    full = LayerRun(
        kind="full", count=1, kv_heads=view.kv_heads, head_dim=view.head_dim, head_dim_v=view.integer("v_head_dim")
    )
    sliding = LayerRun(
        kind="sliding_window",
        count=1,
        kv_heads=view.integer("swa_num_key_value_heads") or view.kv_heads,
        head_dim=view.integer("swa_head_dim") or view.head_dim,
        head_dim_v=view.integer("swa_v_head_dim", "v_head_dim"),
        window=view.integer("sliding_window_size", "sliding_window"),
    )
    return [sliding if flag == 1 else full for flag in pattern[: view.layers]]


def _step_layers(view: ConfigView) -> list[LayerRun]:
    """Step 3.5: ``num_attention_groups`` KV heads, windows by ``layer_types``."""
    full = LayerRun(kind="full", count=1, kv_heads=view.kv_heads, head_dim=view.head_dim)
    window = view.integer("sliding_window")
    types = view.get("layer_types")
    if not isinstance(types, list) or not types:
        return [full.but(count=view.layers)]
    return [
        full.but(kind="sliding_window", window=window) if window and kind == "sliding_attention" else full
        for kind in types[: view.layers]
    ]


def _block_layers(view: ConfigView) -> list[LayerRun]:
    """Nemotron-NAS: each entry of ``block_configs`` has its own number of query heads per KV head, or no attention."""
    blocks = view.get("block_configs")
    if not isinstance(blocks, list) or not blocks:
        raise UnknownArchitecture(f"{view.architecture}: no 'block_configs' says what each layer is")
    layers = []
    for block in blocks:
        attention = block.get("attention", {}) if isinstance(block, dict) else {}
        group = as_int(attention.get("n_heads_in_group"))
        if attention.get("no_op") or attention.get("replace_with_linear") or not group:
            layers.append(LayerRun(kind="none", count=1))
        else:
            layers.append(LayerRun(kind="full", count=1, kv_heads=view.heads // group, head_dim=view.head_dim))
    return layers


def _indexed_layers(view: ConfigView) -> list[LayerRun]:
    """MiniMax-M3: keys and values in every layer; an indexer's keys beside them where attention is sparse."""
    full, config = full_attention(view), view.get("sparse_attention_config")
    types, size = view.get("layer_types"), view.integer("index_head_dim")
    if isinstance(config, dict) and isinstance(config.get("sparse_attention_freq"), list):
        flags, size = config["sparse_attention_freq"], as_int(config.get("sparse_index_dim"))
    elif isinstance(types, list):
        flags = [str(kind) != "full_attention" for kind in types]
    else:
        raise UnknownArchitecture(f"{view.architecture}: no 'sparse_attention_config' says which layers are sparse")
    return [full.but(index_dim=size) if flag else full for flag in flags[: view.layers]]


def _looped_layers(view: ConfigView) -> list[LayerRun]:
    """IQuest's looped model: the first pass keeps every token, each further pass of the same layers a window."""
    first = full_attention(view).but(count=view.layers)
    window = view.need("loop_window_size")
    again = first.but(kind="sliding_window", window=window, beside=True)
    return [first, *([again] * (view.need("loop_num") - 1))]


def _convolved_layers(view: ConfigView) -> list[LayerRun]:
    """Inkling: attention, full or in a window with its own heads, and the windows of four short convolutions.

    The convolutions over keys, values and both residual streams share one cache per KV head, padded to a power of two;
    its blocks are as long as the kernel (``InklingConvState``, models/inkling of 0.30 to 0.33).
    """
    kernel = view.integer("sconv_kernel_size", "conv_kernel_size") or 4
    types, listed = view.get("layer_types"), view.get("local_layer_ids")
    if isinstance(types, list) and types:
        local = [str(kind) == "hybrid_sliding" for kind in types[: view.layers]]
    elif isinstance(listed, list):
        local = [i in listed for i in range(view.layers)]
    else:
        raise UnknownArchitecture(f"{view.architecture}: no 'layer_types' says which layers have a window")
    full = LayerRun(kind="full", count=1, kv_heads=view.kv_heads, head_dim=view.head_dim)
    window = LayerRun(
        kind="sliding_window",
        count=1,
        kv_heads=view.integer("swa_num_key_value_heads") or view.kv_heads,
        head_dim=view.integer("swa_head_dim") or view.head_dim,
        window=view.need("sliding_window_size"),
    )
    runs = []
    for is_local in local:
        run = window if is_local else full
        width = 2 * run.head_dim + 2 * (view.hidden // run.kv_heads)
        packed = 1 << (width - 1).bit_length()
        conv = LayerRun(kind="sliding_window", count=1, kv_heads=run.kv_heads, head_dim=packed, head_dim_v=0,
                        window=kernel, block=kernel, beside=True)  # fmt: skip
        runs += [run, conv]
    return runs


def _looped_blocks(view: ConfigView) -> list[LayerRun]:
    """Dory: a block attends or feeds forward; the recurrent ones in the middle run in loops, each with a cache.

    With ``recurrent_kv_cache_mode`` ``last_loop`` all loops share one.
    """
    types = view.get("layer_types")
    if not isinstance(types, list) or not types:
        raise UnknownArchitecture(f"{view.architecture}: no 'layer_types' says which blocks attend")
    first = view.integer("n_input_layers") or 0
    last = view.layers - (view.integer("n_output_layers") or 0)
    loops = view.integer("n_recurrent_loops") or 1
    if view.get("recurrent_kv_cache_mode") == "last_loop":
        loops = 1
    full, runs = full_attention(view), []
    window = full.but(kind="sliding_window", window=view.integer("sliding_window"))
    kinds = {"full_attention": full, "sliding_attention": window}
    for i, kind in enumerate(types[: view.layers]):
        run = kinds.get(str(kind), LayerRun(kind="none", count=1))
        again = loops - 1 if first <= i < last and run.kind != "none" else 0
        runs += [run, *([run.but(beside=True)] * again)]
    return runs


def _recurring_layers(view: ConfigView) -> list[LayerRun]:
    """HRM-Text: two stacks of layers, run again and again; each run of a layer has a cache of its own.

    The high stack runs ``H_cycles`` times, the low one ``L_cycles`` times for each of them.
    """
    high, low, stack = view.need("H_cycles"), view.need("L_cycles"), view.need("num_layers_per_stack")
    first, left = full_attention(view).but(count=view.layers), high * (1 + low) * stack - view.layers
    runs = [first]
    while left > 0:
        runs.append(first.but(count=min(left, view.layers), beside=True))
        left -= view.layers
    return runs


CROSS = ("CohereAsrForConditionalGeneration", "NemotronParseForConditionalGeneration")
"""Encoder-decoders beside Whisper, with its kind of decoder."""


def _whisper_layers(view: ConfigView) -> list[LayerRun]:
    """Whisper's decoder: self attention, and cross attention to the encoder's output in the same layers."""
    if view.model_type == "whisper":
        layers, heads = view.need("decoder_layers"), view.need("decoder_attention_heads")
        size, heard = view.need("d_model") // heads, view.integer("max_source_positions") or 1500
    else:
        layers, heads = view.layers, view.heads
        size, heard = view.hidden // heads, None
    own = LayerRun(kind="full", count=layers, kv_heads=heads, head_dim=size)
    cross = LayerRun(
        kind="cross",
        count=layers,
        kv_heads=heads,
        head_dim=size,
        window=heard,
        beside=True,
    )
    return [own, cross]
