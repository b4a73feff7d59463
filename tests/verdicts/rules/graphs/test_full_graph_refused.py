from verdicts.harness import fires, quiet

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"
RULE = "full-graph-refused"


def whole(sizes: str = "") -> str:
    told = f',"cudagraph_capture_sizes":[{sizes}]' if sizes else ""
    return f"-O '{{\"full_cuda_graph\":true{told}}}'"


def test_it_needs_flash_attention_3() -> None:
    fires(RULE, f"{LLAMA} {whole()}", "0.10.0", gpu="A100-80GB")
    quiet(RULE, f"{LLAMA} {whole()}", "0.10.0")


def test_a_graph_holds_992_tokens() -> None:
    fires(RULE, f"{LLAMA} {whole('1,1024')}", "0.10.0")


def test_latent_attention_is_captured_for_decoding_alone() -> None:
    fires(RULE, f"deepseek-ai/DeepSeek-V2-Lite --max-num-seqs 64 {whole('1,128')}", "0.10.0")
