from verdicts.harness import fires, quiet


def test_qwen_next_cannot_keep_all_states() -> None:
    fires(
        "mamba-mode-replaced",
        "Qwen/Qwen3-Next-80B-A3B-Instruct -tp 4 --enable-prefix-caching --mamba-cache-mode all",
        "0.31.0",
    )


def test_none_cannot_stay_with_prefix_caching() -> None:
    found = fires(
        "mamba-mode-replaced", "tiiuae/Falcon-H1-7B-Instruct --enable-prefix-caching --mamba-cache-mode none", "0.31.0"
    )
    assert "align is used" in found.message


def test_no_prefix_caching_keeps_none() -> None:
    found = fires(
        "mamba-mode-replaced",
        "tiiuae/Falcon-H1-7B-Instruct --no-enable-prefix-caching --mamba-cache-mode align",
        "0.31.0",
    )
    assert "none is used" in found.message


def test_a_dense_model_has_no_such_state() -> None:
    fires("mamba-mode-replaced", "Qwen/Qwen3-8B --mamba-cache-mode align", "0.33.0")


def test_falcon_can_keep_all() -> None:
    quiet(
        "mamba-mode-replaced", "tiiuae/Falcon-H1-7B-Instruct --enable-prefix-caching --mamba-cache-mode all", "0.31.0"
    )
