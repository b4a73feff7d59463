from verdicts.harness import fires, quiet

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"


def test_one_graph_is_not_split() -> None:
    fires("full-graph-with-splitting", f"{LLAMA} -O '{{\"level\":3,\"full_cuda_graph\":true,\"splitting_ops\":[\"x\"]}}'", "0.9.0")
    quiet("full-graph-with-splitting", f"{LLAMA} -O '{{\"level\":3,\"full_cuda_graph\":true}}'", "0.9.0")
