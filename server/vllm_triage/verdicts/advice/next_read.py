"""The one text to read next, by what was found."""

from ...domain import CompatReport, NextRead, Verdict

__all__ = ["next_read"]

RELEASE_NOTES = ("vLLM v0.18.0 release notes", "https://github.com/vllm-project/vllm/releases/tag/v0.18.0")
PAGED_ATTENTION = (
    "Kwon et al., Efficient Memory Management for LLM Serving with PagedAttention",
    "https://arxiv.org/abs/2309.06180",
)
WALKTHROUGH = (
    "Aleksa Gordic, Inside vLLM: anatomy of the V1 engine",
    "https://blog.vllm.ai/2025/09/05/anatomy-of-vllm.html",
)


def next_read(verdict: Verdict, compat: CompatReport) -> NextRead:
    """Release notes for a speculation clash, the PagedAttention paper for memory, the V1 walkthrough for the rest."""
    if any(f.rule == "no-draft-chunked-0180" for f in compat.findings):
        title, url = RELEASE_NOTES
        return NextRead(title=title, url=url, because="it says what 0.18 changed for speculation (N-gram on the GPU)")
    if verdict.bottleneck in ("kv_starvation", "hbm_bound"):
        title, url = PAGED_ATTENTION
        return NextRead(
            title=title, url=url, because="it explains how blocks are handed out and when requests are preempted"
        )
    title, url = WALKTHROUGH
    because = {
        "queue_stall": "its scheduler chapter shows how waiting requests take seats",
        "chunked_prefill_missized": "its chunked-prefill chapter shows how prompts share the token budget with decodes",
        "decode_bound": "its roofline chapter shows when decode leaves the bandwidth floor",
    }.get(verdict.bottleneck or "", "it shows where a request spends its time inside the V1 engine")
    return NextRead(title=title, url=url, because=because)
