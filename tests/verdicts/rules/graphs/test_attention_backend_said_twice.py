from verdicts.harness import fires, quiet


def test_a_backend_said_twice_is_refused() -> None:
    fires(
        "attention-backend-said-twice",
        'Qwen/Qwen3-8B --attention-backend FLASH_ATTN --attention-config \'{"backend":"FLASH_ATTN"}\'',
        "0.33.0",
    )


def test_said_once_it_is_fine() -> None:
    quiet("attention-backend-said-twice", "Qwen/Qwen3-8B --attention-backend FLASH_ATTN", "0.33.0")
