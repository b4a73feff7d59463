from verdicts.harness import fires, quiet

CODE = "from vllm import LLM\nllm = LLM(model='meta-llama/Llama-3.1-8B-Instruct', pipeline_parallel_size=2)"


def test_v0_fills_its_stages_from_a_server_alone() -> None:
    fires("pipeline-offline-v0", CODE, "0.7.3")
    quiet("pipeline-offline-v0", CODE, "0.9.2")
    quiet("pipeline-offline-v0", "meta-llama/Llama-3.1-8B-Instruct -pp 2", "0.7.3")
