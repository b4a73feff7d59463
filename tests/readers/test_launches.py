"""Everything people paste comes out as the words vLLM's own parser gets."""

from vllm_triage.readers.launches import read_launches


def words(text: str) -> list[tuple[str, ...]]:
    return [launch.words for launch in read_launches(text).launches]


def test_a_command_line_gives_the_words_after_serve_and_the_environment_before_it() -> None:
    paste = read_launches("CUDA_VISIBLE_DEVICES=0,1 vllm serve org/model-7b --max-num-seqs 64 -tp=2")
    assert paste.launches[0].words == ("org/model-7b", "--max-num-seqs", "64", "-tp=2")
    assert paste.launches[0].env == {"CUDA_VISIBLE_DEVICES": "0,1"}
    assert paste.gpu_count == 2


def test_a_bare_model_id_is_a_launch() -> None:
    launch = read_launches("Qwen/Qwen3-8B").launches[0]
    assert (launch.source, launch.entrypoint, launch.words) == ("model-id", "serve", ("Qwen/Qwen3-8B",))


def test_an_empty_paste_says_so() -> None:
    assert read_launches("  \n").unread == ("nothing was pasted",)


def test_hugging_face_overrides_are_no_secret() -> None:
    assert words("vllm serve m/x --hf-overrides '{}' --hf_overrides '{}'") == [("m/x", "--hf-overrides", "{}", "--hf_overrides", "{}")]
